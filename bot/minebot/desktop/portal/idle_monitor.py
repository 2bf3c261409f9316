"""Hears the user on a desktop that shows programs neither its keys nor its pointer.

GNOME reports how long nobody was active. KDE and others report that over Wayland itself
(ext_idle_notify), for which a listener would be another class beside `IdleMonitor`.

A desktop reports the time of the last activity. The program's events are activity too, noted a
moment after they were sent. So activity that comes too long after the program's last event is the
user's. A busy desktop notes events late: there the program pauses when in doubt, and activity must
come again, as it does from a moving mouse all the time, and from a key that is released.
"""

from __future__ import annotations

import math
import statistics
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from typing import Any

from minebot.desktop.listener import Listener
from minebot.desktop.portal.bus import Bus
from minebot.desktop.ports import StopWay
from minebot.errors import CaptureError
from minebot.stop import POLL_SECONDS, Stop

_ECHO = 0.012
"""Seconds in which a desktop at rest notes an event. Measured on GNOME 43: 0.008 at most."""
_BUSY = 2.0
"""Additional time that a desktop may need, as a multiple of its answer time. Specified: a margin;
less causes more needless pauses, more delays the user's stop."""
_LATEST = 0.15
"""Longest delay in seconds until an event is noted on a busy desktop. Measured on GNOME 43, which
painted without a GPU, beside five busy processes: 0.08."""
_LATEST_AT_REST = 0.05
"""Longest such delay in seconds on a desktop at rest. Specified: four times the longest that was
measured (`_ECHO`), and less than the shortest tap of a key (`_TAP`)."""
_CALM = 0.01
"""Seconds to answer up to which a desktop is at rest. Measured on GNOME 43: 0.001, and 0.02 to 0.1
while it paints without a GPU on a busy machine."""
_TAP = 0.1
"""Seconds for which a tapped key is down. Specified: people hold one for 0.06 to 0.12."""
_UNHEARD = 0.15
"""Seconds for which the user may go unheard. Specified: a stop is heard within 0.25."""
_SHARE = 4.0
"""Ratio of playing to listening on a slow desktop. Specified: 80 % of the time is for playing."""
_MONITOR = ("org.gnome.Mutter.IdleMonitor", "/org/gnome/Mutter/IdleMonitor/Core")
_GRAIN = 0.001
"""Seconds that the answer is rounded down to. Specified by org.gnome.Mutter.IdleMonitor."""
_LATELY = 1.0
"""Seconds of answers that show how busy the desktop is. Specified: fifty answers."""


class IdleAttribution:
    """Tells whether anybody but this program was active. Several threads may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last: float | None = None
        """When its last event was taken, as all moments in seconds of `time.monotonic`; infinite
        while one is sent, which explains all activity."""
        self._doubt: float | None = None
        """The latest moment of activity that it does not explain, while that is looked into."""
        self._overdue = math.inf
        """When the user will have gone unheard for too long; infinite while nobody listens."""

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """Mark a block in which an event is sent to the desktop."""
        with self._lock:
            self._last = math.inf
        try:
            yield
        finally:
            with self._lock:
                self._last = time.monotonic()

    def was_another(
        self, asked: float, active: tuple[float, float], answers: Sequence[float]
    ) -> bool:
        """Whether it is certain that somebody else was active.

        The desktop, when it was `asked`, said that somebody was last active in that span;
        `answers` are the seconds that it took of late to answer. Before the program's first
        event all activity is the user's own affair, such as agreeing to the desktop's dialog.
        """
        usual, slowest = statistics.median(answers), max(answers)
        echo = _ECHO + _BUSY * usual
        is_calm = slowest < _CALM
        late = _LATEST_AT_REST if is_calm else _LATEST
        earliest, latest = active
        with self._lock:
            if self._last is None:
                self._overdue = asked + _UNHEARD
            elif self._doubt is not None:
                if earliest > max(self._doubt, self._last + late):
                    return True
                if asked > max(self._doubt, self._last + late) + _TAP + slowest:
                    # It was the program's own after all, noted late.
                    self._last, self._doubt = max(self._last, self._doubt), None
            elif earliest > self._last + echo:
                if is_calm and earliest > self._last + late:
                    return True
                self._doubt = latest
            elif asked > self._last + echo + slowest:
                # What the user does is noted a frame at a time, for which an answer waits too.
                self._overdue = asked + max(_UNHEARD, _SHARE * (echo + slowest))
        return False

    def has_to_rest(self) -> bool:
        """Whether the program has to pause so that other activity can be recognised."""
        with self._lock:
            return self._doubt is not None or time.monotonic() > self._overdue


class IdleMonitor(Listener):
    """Asks for the stop once the user moves the mouse or presses a key."""

    def __init__(self, idle_seconds: Callable[[], float], stop: Stop, own: IdleAttribution) -> None:
        """`idle_seconds` tells for how long nobody was active; raises CaptureError."""
        super().__init__(stop, "the mouse and the keyboard")
        self._idle_seconds = idle_seconds
        self._own = own

    def listen(self) -> None:
        """See `Listener`."""
        answers: deque[tuple[float, float]] = deque()  # times and durations
        while self.waits(seconds=POLL_SECONDS):
            asked = time.monotonic()
            try:
                idle = self._idle_seconds()
            except CaptureError as error:
                raise CaptureError(
                    f"the mouse and the keyboard are not heard any more ({error})"
                ) from error
            now = time.monotonic()
            answers.append((now, now - asked))
            while answers[0][0] < now - _LATELY:
                answers.popleft()
            # The answer holds for some moment between the two.
            active = asked - idle - _GRAIN, now - idle
            if self._own.was_another(asked, active, [took for _, took in answers]):
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

    def idle_seconds() -> float:
        (milliseconds,) = bus.call(*_MONITOR, _MONITOR[0], "GetIdletime")
        return float(milliseconds) / 1000

    closed.add_done_callback(ended)
    with ExitStack() as ends:
        ends.callback(over.set)
        if bus.has(_MONITOR[0]):
            ends.enter_context(IdleMonitor(idle_seconds, stop, own))
        yield frozenset({StopWay.SESSION})
