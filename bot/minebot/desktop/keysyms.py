"""The keysyms of X11 and Wayland, from X11's keysymdef.h, and Linux's codes of buttons."""

from __future__ import annotations

from minebot.actuator import Button

ESCAPE = 0xFF1B
"""The keysym of Esc. Specified by X11."""

BUTTON_CODES = {Button.LEFT: 0x110, Button.RIGHT: 0x111}
"""Linux's codes of the buttons; input-event-codes.h."""

MODIFIERS = {"ctrl": 0xFFE3, "alt": 0xFFE9, "shift": 0xFFE1}
"""The keysyms of the left ones."""

_NAMED = {
    "Return": 0xFF0D,
    "Escape": ESCAPE,
    "space": 0x20,
    "Tab": 0xFF09,
    "Left": 0xFF51,
    "Up": 0xFF52,
    "Right": 0xFF53,
    "Down": 0xFF54,
    **{f"F{number}": 0xFFBD + number for number in range(1, 13)},
}


def keysym(name: str) -> int:
    """The keysym of a key as `minebot.actuator.Key` names it."""
    if name in _NAMED:
        return _NAMED[name]
    code = ord(name)
    # Latin-1 characters are their own keysyms; the rest of Unicode lies above 0x1000000.
    return code if code < 0x100 else 0x1000000 + code
