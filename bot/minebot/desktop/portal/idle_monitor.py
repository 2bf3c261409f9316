"""Hears the user on a desktop that shows programs neither its keys nor its pointer.

GNOME reports how long nobody was active. KDE and others report that over Wayland itself
(ext_idle_notify), for which a listener would be another class beside `IdleMonitor`.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

from minebot.desktop.listener import Listener
from minebot.desktop.portal.bus import Bus
from minebot.desktop.portal.idle_attribution import IdleAttribution
from minebot.desktop.ports import StopWay
from minebot.errors import CaptureError
from minebot.stop import POLL_SECONDS, Stop

_MONITOR = ("org.gnome.Mutter.IdleMonitor", "/org/gnome/Mutter/IdleMonitor/Core")
_GRAIN = 0.001
"""Seconds that the answer is rounded down to. Specified by org.gnome.Mutter.IdleMonitor."""
_LATELY = 1.0
"""Seconds of answers that show how busy the desktop is. Specified: fifty answers."""


class IdleMonitor(Listener):
    """Asks for the stop once the user moves the mouse or presses a key."""

    def __init__(self, idle_seconds: Callable[[], float], stop: Stop, own: IdleAttribution) -> None:
        """`idle_seconds` tells for how long nobody was active; raises CaptureError."""
        super().__init__(stop, "the mouse and the keyboard")
        self._idle_seconds = idle_seconds
        self._own = own
        self._answers: deque[tuple[float, float]] = deque()
        """Times and durations of the last answers."""
        self.start()

    def listen(self) -> None:
        """See `Listener`."""
        while self.waits(seconds=POLL_SECONDS):
            try:
                self._glance()
            except CaptureError as error:
                raise CaptureError(
                    f"the mouse and the keyboard are not heard any more ({error})"
                ) from error

    def _glance(self) -> None:
        asked = time.monotonic()
        idle = self._idle_seconds()
        now = time.monotonic()
        self._answers.append((now, now - asked))
        while self._answers[0][0] < now - _LATELY:
            self._answers.popleft()
        answers = [took for _, took in self._answers]
        # The answer holds for some moment between the two.
        if self._own.was_another(asked, (asked - idle - _GRAIN, now - idle), answers):
            self._stop.request("the mouse was moved or a key was pressed")


@contextmanager
def listening(
    bus: Bus, closed: Future[tuple[Any, ...]], stop: Stop, own: IdleAttribution
) -> Iterator[frozenset[StopWay]]:
    """Listen for the user's stop in a `with` block; it yields what can be promised.

    `closed` is done when the sharing has ended, for whatever reason: that is a stop. Keys and the
    mouse are heard where GNOME tells of them, but not promised: a shell that paints in software
    tells too late whose they were, and a key between two clicks can be missed.
    """
    over = threading.Event()

    def ended(_: Future[tuple[Any, ...]]) -> None:
        if not over.is_set():
            stop.request("the desktop has ended the sharing, or the shared window was closed")

    closed.add_done_callback(ended)
    with ExitStack() as ends:
        ends.callback(over.set)
        if bus.has(_MONITOR[0]):
            ends.enter_context(IdleMonitor(partial(_gnome_idle_seconds, bus), stop, own))
        yield frozenset({StopWay.SESSION})


def _gnome_idle_seconds(bus: Bus) -> float:
    (milliseconds,) = bus.call(*_MONITOR, _MONITOR[0], "GetIdletime")
    return float(milliseconds) / 1000
