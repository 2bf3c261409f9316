"""What may be done to a game: the `Mouse` and `Keyboard` ports, with buttons and keys as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol, Self

from bot.capture import Point, Window
from bot.errors import UsageError

__all__ = ["MODIFIERS", "NAMED", "Button", "Key", "Keyboard", "Mouse"]

MODIFIERS = ("ctrl", "alt", "shift")
_HOLDS = tuple(f"{modifier}+" for modifier in MODIFIERS)
NAMED = (
    *("Return", "Escape", "space", "Tab", "Left", "Up", "Right", "Down"),
    *(f"F{number}" for number in range(1, 13)),
)
"""Keys that write no character, by the names that X has for them."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key to press, and what to hold meanwhile."""

    name: str
    """One character, or one of `NAMED`."""
    modifiers: tuple[str, ...] = ()
    """Some of `MODIFIERS`."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """The key that `text` means; raises UsageError."""
        modifiers: list[str] = []
        name = text
        while name.startswith(_HOLDS):
            modifier, _, name = name.partition("+")
            modifiers.append(modifier)
        if name not in NAMED and (len(name) != 1 or not name.isprintable()):
            raise UsageError(
                f"not a key: {text!r} (expected one character, or {NAMED[0]}, {NAMED[1]} and such, "
                f"maybe with {' or '.join(_HOLDS)} before it)"
            )
        return cls(name, tuple(modifiers))

    def __str__(self) -> str:
        return "+".join((*self.modifiers, self.name))


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

    def rest(self, point: Point) -> None:
        """Put the pointer at the screen point, if it is where a click of this mouse left it.

        What a game shows for as long as the pointer lies on it then goes. Raises Stopped
        as `click` does.
        """
        ...


class Keyboard(Protocol):
    """Something that can press a key."""

    def press(self, key: str, window: Window | None = None) -> None:
        """Press and release `key`, as `bot.actuator` writes it, in the game's window.

        With `window` in that one, which has to be one of the game's own. Raises
        UsageError for what is no key, Stopped or WindowError as `Mouse.click` does.
        """
        ...

    def focus(self) -> None:
        """Have what is typed go to the game's window; raises WindowError."""
        ...
