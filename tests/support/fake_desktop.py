"""A make-believe desktop for tests: one window, and a user's hands.

It keeps the contracts of `Screen`, `Mouse`, `Keyboard` and `Desktop` without a
display. What a user, or the game, may do meanwhile is done to the `FakeDesk`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from minebot.actuator import Button, Key
from minebot.capture import Frame, Pixel, Rect, State, Window
from minebot.desktop.listener import PointerGuard
from minebot.desktop.placement import Point, WindowPlacement, aside, locate
from minebot.desktop.ports import StopWay, WindowSession, pick, unseen
from minebot.errors import (
    WindowBusy,
    WindowCovered,
    WindowError,
    WindowGone,
    WindowHidden,
    WindowMoved,
)
from minebot.stop import Clock, Stop, SystemClock

_CLOSING = ("Escape", "Return")


class FakeDesk:
    """A desktop with one window on it; see `minebot.desktop.ports.Desktop`.

    `on_click` and `on_key` are the game: called with the place in the window and
    the button, or the key, they may `paint`. While there are `dialogs` they cover
    the window; Escape or Return pressed in one of them closes it.
    """

    def __init__(
        self,
        pixels: NDArray[np.uint8],
        corner: Point = Point(100, 100),  # noqa: B008 - a Point is an immutable tuple
        screen: Rect = Rect(0, 0, 1920, 1080),  # noqa: B008 - so is a Rect
        scale: float = 1.0,
    ) -> None:
        """`pixels` is what the window shows, as in a `Frame`, `scale` of them to a point."""
        self.screen = screen
        self.scale = scale
        self.turn = 0
        """How often the window was moved, resized, hidden or shown."""
        self.window = Window("0x600003", "Mines", ("sgt-mines", "Sgt-mines"))
        self.gone = False
        self._session_window = self.window
        """The window that the last session was opened in."""
        self.covered: Rect | None = None
        """What another window hides, in screen points."""
        self.busy = False
        """Whether the game has not taken the last click yet."""
        self.pointer = Point(0, 0)
        self.clicks: list[tuple[Pixel, Button]] = []
        """What has been clicked, by its pixel in the window."""
        self.holds: list[str | None] = []
        """The modifier that was held at each of the clicks."""
        self.held: str | None = None
        """That of the last one."""
        self.pressed_for = 0.0
        """The seconds for which the button stayed down then."""
        self.keys: list[str] = []
        self.dialogs: list[Window] = []
        """The game's other windows, in front of it."""
        self.focused = 0
        """How often the window was given the keyboard."""
        self.repainted = False
        self.clock: Clock | None = None
        """What a session is given; the machine's own while None."""
        self.on_click: Callable[[Pixel, Button], None] | None = None
        self.on_key: Callable[[str], None] | None = None
        self.on_enlarge: Callable[[], bool] | None = None
        """What the game does when its window is made larger; whether it was."""
        self.opened = 0
        """How often a session was opened."""
        self._pixels = pixels.copy()
        self._place(corner)

    @property
    def rect(self) -> Rect:
        """Where the window is, in screen points."""
        assert self.window.rect is not None
        return self.window.rect

    def _place(self, corner: Point) -> None:
        height, width, _ = self._pixels.shape
        rect = Rect(*corner, round(width / self.scale), round(height / self.scale))
        if rect != self.window.rect:
            self.turn += 1
        self.window = replace(self.window, rect=rect)

    def windows(self) -> list[Window]:
        """The one window, unless it is gone."""
        return [] if self.gone else [self.window]

    def pick(self, query: str | None, known: Callable[[Window], bool]) -> Window:
        """The one window, if it is meant."""
        return pick(query, self.windows(), known)

    def show(self) -> None:
        """Show and uncover the window. Raises WindowGone."""
        self._exists(self.window)
        self.window = replace(self.window, state=State.SHOWN)
        self.covered = None

    def enlarge(self) -> bool:
        """The game shows what it has for a larger window, if it is given one."""
        self._exists(self.window)
        return self.on_enlarge is not None and self.on_enlarge()

    @contextmanager
    def open(self, window: Window, stop: Stop) -> Iterator[WindowSession]:
        """A session in the window."""
        self._exists(window)
        self._session_window = window
        self.opened += 1
        clock = self.clock or SystemClock(stop)
        yield WindowSession(
            window=window,
            screen=FakeScreen(self, clock),
            mouse=FakeMouse(self, stop),
            keyboard=FakeKeyboard(self, stop),
            control=self,
            dialogs=lambda: list(self.dialogs),
            picture=unseen,
            stops=frozenset({StopWay.POINTER}),
            clock=clock,
        )

    def check_there(self) -> None:
        """Raise WindowGone unless the window of the last session is still there."""
        self._exists(self._session_window)

    def _exists(self, window: Window) -> None:
        if self.gone or window.id != self.window.id:
            raise WindowGone("the window has been closed")

    def paint(self, pixels: NDArray[np.uint8]) -> None:
        """The game shows something new, of any size."""
        self._pixels = pixels.copy()
        self._place(Point(*self.rect[:2]))
        self.repainted = True

    def move(self, corner: Point) -> None:
        """The user moves the window."""
        self._place(corner)
        self.repainted = True

    def minimise(self) -> None:
        """The user puts the window away."""
        self.window = replace(self.window, state=State.MINIMISED)
        self.turn += 1
        self.repainted = True

    def close(self) -> None:
        """The user closes the window."""
        self.gone = True
        self.repainted = True

    def reopen(self, new: str) -> None:
        """The game shows another window of that id in the place of the one that it had."""
        self.window = replace(self.window, id=new, state=State.SHOWN)
        self.gone = False
        self.repainted = True

    def look(self) -> WindowPlacement:
        """Where the window is. Raises WindowError when it cannot be seen wholly."""
        rect = self.rect
        self._reachable()
        if not rect.within(self.screen):
            raise WindowError(f"{self.window} is not wholly on the screen")
        if self.dialogs:
            raise WindowCovered(f"{self.window} is covered by {self.dialogs[0]}")
        if self.covered is not None and self.covered.meets(rect):
            raise WindowCovered(f"{self.window} is covered")
        return WindowPlacement(rect, self.turn)

    def guard(self, spot: WindowPlacement, point: Point) -> None:
        """Check a click as `Mouse.click` promises."""
        self._reachable()
        if self.busy:
            (self.clock or SystemClock(Stop())).sleep(0.05)  # for so long the mouse waits
            raise WindowBusy(f"{self.window} has not taken the last click yet")
        if (self.rect, self.turn) != (spot.rect, spot.turn):
            raise WindowMoved(f"{self.window} has moved or changed since it was looked at")
        if self.dialogs or (self.covered is not None and self.covered.holds(point)):
            raise WindowCovered(f"{self.window} is covered at ({point.x}, {point.y})")

    def _reachable(self) -> None:
        self._exists(self._session_window)
        if self.window.state is not State.SHOWN:
            raise WindowHidden(f"{self.window} is {self.window.state.value}")

    def picture(self) -> NDArray[np.uint8]:
        """What the window shows now."""
        return self._pixels.copy()

    def pixel(self, point: Point) -> Pixel:
        """The window's pixel that lies in the middle of the screen point."""
        return Pixel(
            int((point.x - self.rect.left + 0.5) * self.scale),
            int((point.y - self.rect.top + 0.5) * self.scale),
        )


class FakeScreen:
    """The window's pixels; see `minebot.capture.Screen`. `wait` takes no time."""

    def __init__(self, desk: FakeDesk, clock: Clock) -> None:
        self._desk = desk
        self._clock = clock

    def grab(self) -> Frame:
        """The window as it is now."""
        self._desk.repainted = False
        spot = self._desk.look()
        return Frame(self._desk.picture(), self._clock.now(), spot)

    def wait(self, seconds: float) -> bool:  # noqa: ARG002 - make-believe time
        """Whether the window has repainted since the last grab."""
        return self._desk.repainted


class FakeMouse:
    """Clicks in the window; see `minebot.actuator.Mouse`."""

    def __init__(self, desk: FakeDesk, stop: Stop) -> None:
        self._desk = desk
        self._stop = stop
        self._guard = PointerGuard()
        self._parked = 0
        self.press_seconds = 0.0

    def click(self, frame: Frame, at: Pixel, button: Button, held: str | None = None) -> None:
        """Write the click down, and let the game answer."""
        desk = self._desk
        spot, point = locate(frame, at)
        self._stop.check()
        self._guard.check(desk.pointer, self._stop)
        desk.guard(spot, point)
        desk.pointer = point
        self._guard.placed = point
        pixel = desk.pixel(point)
        desk.clicks.append((pixel, button))
        desk.held, desk.pressed_for = held, self.press_seconds
        desk.holds.append(held)
        if desk.on_click is not None:
            desk.on_click(pixel, button)

    def park(self, frame: Frame, board: Rect | None = None) -> None:
        """Move to the window's edge; see `minebot.actuator.Mouse`."""
        self._stop.check()
        if self._guard.placed is not None:
            self._guard.check(self._desk.pointer, self._stop)
            self._parked += 1
            self._desk.pointer = aside(frame, self._parked, board)
            self._guard.placed = self._desk.pointer


class FakeKeyboard:
    """Types into the window; see `minebot.actuator.Keyboard`."""

    def __init__(self, desk: FakeDesk, stop: Stop) -> None:
        self._desk = desk
        self._stop = stop

    def press(self, key: Key, window: Window | None = None) -> None:
        """Write the key down, and let the game answer."""
        self._stop.check()
        self._desk.check_there()
        name = str(key)
        self._desk.keys.append(name)
        if window is not None:
            if name in _CLOSING and window in self._desk.dialogs:
                self._desk.dialogs.remove(window)
            self._desk.repainted = True
        elif self._desk.on_key is not None:
            self._desk.on_key(name)

    def focus(self) -> None:
        """Write down that the window was given the keyboard."""
        self._desk.focused += 1
