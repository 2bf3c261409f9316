"""Distinguishes the user's activity from the program's own on desktops that report only both.

A desktop reports the time of the last activity. The program's events are activity too, noted a
moment after they were sent. So activity that comes too long after the program's last event is the
user's. A busy desktop notes events late: there the program pauses when in doubt, and activity must
come again, as it does from a moving mouse all the time, and from a key that is released.
"""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

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


class IdleAttribution:
    """Tells whether anybody but this program was active. Several threads may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way = 0
        self._last: float | None = None
        """When its last event was taken, as all moments in seconds of `time.monotonic`."""
        self._doubt: float | None = None
        """The latest moment of activity that it does not explain, while that is looked into."""
        self._heard: float | None = None
        """When the user would have been heard last; None while nobody listens."""
        self._patience = _UNHEARD
        """For how many seconds that may stay so."""

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """Mark a block in which an event is sent to the desktop."""
        with self._lock:
            self._under_way += 1
        try:
            yield
        finally:
            with self._lock:
                self._under_way -= 1
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
                self._heard = asked
            elif self._under_way:
                pass
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
                self._heard = asked
                self._patience = max(_UNHEARD, _SHARE * (echo + slowest))
        return False

    def has_to_rest(self) -> bool:
        """Whether the program has to pause so that other activity can be recognised."""
        with self._lock:
            overdue = self._heard is not None and time.monotonic() > self._heard + self._patience
            return self._doubt is not None or overdue
