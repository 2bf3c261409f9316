"""Keys as values: what is written `n`, `Escape` or `ctrl+r`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from bot.errors import UsageError

__all__ = ["MODIFIERS", "NAMED", "Key"]

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
