"""Make-believe time: it passes only where somebody waits, and then at once."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from minebot.capture import Frame, Screen, Window
from minebot.desktop.ports import WindowSession
from minebot.stop import Stop
from tests.support.fake_desktop import FakeDesk

GRAB_SECONDS = 0.005
"""What taking a frame costs in make-believe time."""


class FakeClock:
    """A `Clock` whose time a test sees pass; what is due `at` a moment happens then."""

    def __init__(self, stop: Stop | None = None) -> None:
        self.stop = stop or Stop()
        self.seconds = 0.0
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._number = itertools.count()

    def now(self) -> float:
        """See `minebot.stop.Clock`."""
        return self.seconds

    def pass_time(self, seconds: float) -> None:
        """Let so much pass; see `sleep` of `minebot.stop.Clock`, which it is."""
        end = self.seconds + seconds
        self.stop.check()
        while self.step(end):
            self.stop.check()

    sleep = pass_time

    def at(self, seconds: float, action: Callable[[], None]) -> None:
        """Have something happen at that moment."""
        heapq.heappush(self._due, (seconds, next(self._number), action))

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        """Have something happen so much later than now."""
        self.at(self.seconds + seconds, action)

    def step(self, end: float) -> bool:
        """Go on to the next thing that happens, at most to `end`; whether there was one."""
        if self._due and self._due[0][0] <= end:
            moment, _, action = heapq.heappop(self._due)
            self.seconds = max(self.seconds, moment)
            action()
            return True
        self.seconds = max(self.seconds, end)
        return False


class TimedScreen:
    """Another screen, in make-believe time."""

    def __init__(self, screen: Screen, desk: TimedDesk) -> None:
        self._screen = screen
        self._desk = desk

    def grab(self) -> Frame:
        """See `minebot.capture.Screen`."""
        clock = self._desk.clock
        while clock.step(clock.seconds + GRAB_SECONDS):
            pass
        if self._desk.on_grab is not None:
            self._desk.on_grab()
        return self._screen.grab()

    def wait(self, timeout: float) -> bool:
        """See `minebot.capture.Screen`: until something is painted, or for so long."""
        self._desk.waits.append(timeout)
        clock = self._desk.clock
        end = clock.seconds + timeout
        while not self._repainted() and clock.step(end):
            pass
        return self._repainted()

    def _repainted(self) -> bool:
        return self._desk.tells and self._screen.wait(0)


class TimedDesk(FakeDesk):
    """A desktop in make-believe time; `on_grab` is called before each frame is taken."""

    clock: FakeClock

    def __init__(self, pixels: NDArray[np.uint8]) -> None:
        super().__init__(pixels)
        self.clock = FakeClock()
        self.on_grab: Callable[[], None] | None = None
        self.tells = True
        """Whether a repaint is noticed."""
        self.waits: list[float] = []
        """The longest that each wait for a repaint was to take, in seconds."""

    @contextmanager
    def open(self, window: Window, stop: Stop) -> Iterator[WindowSession]:
        """A session in the window; the clock hears `stop` from now on."""
        self.clock.stop = stop
        with super().open(window, stop) as window_session:
            yield replace(window_session, screen=TimedScreen(window_session.screen, self))
