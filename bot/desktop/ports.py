"""The `Desktop` port: the windows on the screen, and a seat in front of one of them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from bot.actuator import Keyboard, Mouse
from bot.capture import Screen, Window
from bot.stop import Stop

__all__ = ["Desktop", "Seat"]


class Seat(NamedTuple):
    """What it takes to play in one window."""

    screen: Screen
    mouse: Mouse
    keyboard: Keyboard
    dialogs: Callable[[], list[Window]]
    """What the game has put in front of its window: what it asks or tells now."""


class Desktop(Protocol):
    """A window system."""

    def windows(self) -> list[Window]:
        """The programs' windows, hidden ones too. Raises CaptureError without a screen."""
        ...

    def front(self, window: Window) -> None:
        """Have the window shown, wholly and uncovered.

        Raises WindowError, saying what is in the way, when that cannot be had.
        """
        ...

    def enlarge(self, window: Window) -> bool:
        """Give the window a third more room each way, as far as the screen has it.

        Whether it has become larger; raises WindowError when it is gone.
        """
        ...

    def resize(self, window: Window, width: int, height: int) -> bool:
        """Give the window that size, in pixels, as far as the screen has it.

        Whether its size has changed; raises WindowError when it is gone.
        """
        ...

    def open(self, window: Window, stop: Stop) -> AbstractContextManager[Seat]:
        """A seat in front of the window for a `with` block.

        Meanwhile Esc pressed anywhere, or the mouse moved by hand after the first
        click, asks `stop` for the stop. Raises WindowError when the window is gone,
        CaptureError when the desktop lacks something that is needed.
        """
        ...
