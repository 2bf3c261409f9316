"""Remembers where the program left the pointer, to notice the user's hand on the mouse."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager

from minebot.desktop.placement import Point
from minebot.stop import Stop

_JITTER = 2
"""Points that the pointer may move at once. Specified: a bumped desk, not a moving hand."""

_DRIFT = 6
"""Points that the pointer may move in sum. Specified: less than a slow hand moves it."""


class PointerGuard:
    """Where the program left the pointer; if it is elsewhere, the user has moved the mouse.

    Several threads may use it; `held` groups operations.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._left: Point | None = None
        self._drift = Point(0, 0)

    def held(self) -> AbstractContextManager[bool]:
        """The lock to hold while moving or reading the pointer."""
        return self._lock

    def leave(self, point: Point) -> None:
        """The bot has put the pointer at `point`."""
        self._left = point

    @property
    def is_free(self) -> bool:
        """Whether the program has not moved the pointer yet."""
        return self._left is None

    def is_at(self, at: Point) -> bool:
        """Whether a pointer at `at` is where the bot has put it, if it has put it anywhere."""
        return self._left is None or not _far(at, self._left, _JITTER)

    def look(self, at: Point, stop: Stop) -> None:
        """Ask for the stop when the user has moved the pointer, which is now at `at`."""
        if not self.is_at(at):
            stop.request(_MOVED)

    def glance(self, where: Callable[[], Point], stop: Stop) -> None:
        """As `look`, from another thread; while a click is under way the mouse looks itself.

        It does not wait for the click: that may be waiting for the user.
        """
        if self._lock.acquire(blocking=False):
            try:
                self.look(where(), stop)
            finally:
                self._lock.release()

    def check(self, at: Point, stop: Stop) -> None:
        """As `look`, with small moves the same way adding up. Raises Stopped."""
        if self._left is not None:
            self.look(at, stop)
            x, y = self._drift
            self._drift = Point(x + at.x - self._left.x, y + at.y - self._left.y)
            self._left = at
            if _far(self._drift, Point(0, 0), _DRIFT):
                stop.request(_MOVED)
        stop.check()


_MOVED = "the mouse was moved"


def _far(a: Point, b: Point, limit: int) -> bool:
    return max(abs(a.x - b.x), abs(a.y - b.y)) > limit
