"""A mouse and a keyboard that only say what they would do."""

from __future__ import annotations

from collections.abc import Callable

from bot.actuator import Button, Key
from bot.capture import Point, Window
from bot.stop import Stop

__all__ = ["DryKeyboard", "DryMouse"]


class DryMouse:
    """Says what it would click, and touches nothing."""

    def __init__(self, stop: Stop, say: Callable[[str], None]) -> None:
        self._stop = stop
        self._say = say

    def click(self, point: Point, button: Button) -> None:
        """Say it. Raises Stopped once the person has asked for the stop."""
        self._stop.check()
        self._say(f"would click {button.name.lower()} at {point.x},{point.y}")

    def rest(self, point: Point) -> None:
        """Nothing to say: no click has left the pointer anywhere."""


class DryKeyboard:
    """Says what it would press, and touches nothing."""

    def __init__(self, stop: Stop, say: Callable[[str], None]) -> None:
        self._stop = stop
        self._say = say

    def press(self, key: str, window: Window | None = None) -> None:
        """Say it. Raises Stopped once the person has asked for the stop."""
        self._stop.check()
        self._say(f"would press {Key.parse(key)}" + (f" in {window}" if window else ""))

    def focus(self) -> None:
        """Nothing to say: the window is left as it is."""
