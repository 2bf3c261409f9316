"""The `Mouse` and `Keyboard` ports: what the program does to the game."""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from bot.frame import Point

__all__ = ["Button", "Keyboard", "Mouse"]


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
