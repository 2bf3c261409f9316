"""The `Mouse` and `Keyboard` ports: what the program does to the game."""

from __future__ import annotations

import threading
from enum import Enum
from typing import Protocol

from bot.frame import Point
from bot.stop import Stop

__all__ = ["Button", "Keyboard", "Leash", "Mouse"]


class Button(Enum):
    """A mouse button, by what it does in the game."""

    LEFT = 1
    RIGHT = 3


class Mouse(Protocol):
    """Something that can click."""

    def click(self, point: Point, button: Button) -> None:
        """Press and release `button` at the screen point, and return when that has landed.

        Raises Stopped, and clicks nothing, once the person has asked for the stop
        or has moved the pointer since the last click; WindowError, and clicks
        nothing, when what lies under the point is not the game's window.
        """
        ...


class Keyboard(Protocol):
    """Something that can press a key."""

    def press(self, key: str) -> None:
        """Press and release the key that writes `key` in the game's window.

        Raises Stopped or WindowError as `Mouse.click` does.
        """
        ...


_JITTER = 2
"""Points that the pointer may be off: a desk that is bumped, not a hand that moves."""

_DRIFT = 4
"""Points that it may be off in sum: a slow hand between fast clicks."""


class Leash:
    """Where the bot left the pointer: when it is elsewhere, the person has the mouse.

    Several threads may use it; what belongs together is done inside `held`.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._left: Point | None = None
        self._drift = (0, 0)

    def held(self) -> threading.RLock:
        """The lock under which the pointer is moved, or looked at."""
        return self._lock

    def leave(self, point: Point) -> None:
        """The bot has put the pointer at `point`."""
        self._left = point

    def look(self, at: Point, stop: Stop) -> None:
        """Ask for the stop when the pointer, now at `at`, was moved by the person."""
        if self._left is None:
            return
        x, y = at.x - self._left.x, at.y - self._left.y
        if max(abs(x), abs(y)) > _JITTER:
            stop.request("the mouse was moved")

    def check(self, at: Point, stop: Stop) -> None:
        """As `look`, once for every click; small moves the same way add up. Raises Stopped."""
        if self._left is not None:
            x, y = self._drift
            self._drift = (x + at.x - self._left.x, y + at.y - self._left.y)
            if max(map(abs, self._drift)) > _DRIFT:
                stop.request("the mouse was moved")
        self.look(at, stop)
        stop.check()
