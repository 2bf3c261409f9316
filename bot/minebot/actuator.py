"""What may be done to a game: the `Mouse` and `Keyboard` ports, with buttons and keys as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol, Self

from minebot.capture import Frame, Pixel, Rect, Window
from minebot.errors import UsageError

ESCAPE = 0xFF1B
"""The keysym of Esc. Specified by X11's keysymdef.h, as the others are. A keysym says what a key
writes; X and XKB number the keys themselves, and Linux numbers them 8 lower."""
MODIFIERS = {"ctrl": 0xFFE3, "alt": 0xFFE9, "shift": 0xFFE1}
"""Keys to hold, with the keysyms of the left ones."""
_HOLDS = tuple(f"{modifier}+" for modifier in MODIFIERS)
NAMED = {
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
"""Keys that write no character: the names that X has for them, and their keysyms."""


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
                f"not a key: {text!r} (expected one character, or Return, Escape and such, "
                f"maybe with {' or '.join(_HOLDS)} before it)"
            )
        return cls(name, tuple(modifiers))

    @property
    def keysym(self) -> int:
        """The number of what the key writes, in X11 and Wayland."""
        if self.name in NAMED:
            return NAMED[self.name]
        code = ord(self.name)
        # Latin-1 characters are their own keysyms; the rest of Unicode lies above 0x1000000.
        return code if code < 0x100 else 0x1000000 + code

    def __str__(self) -> str:
        return "+".join((*self.modifiers, self.name))


class Button(Enum):
    """A mouse button, by what it does in the game."""

    LEFT = "left"
    RIGHT = "right"


BUTTON_CODES = {Button.LEFT: 0x110, Button.RIGHT: 0x111}
"""Linux's codes of the buttons. Specified by input-event-codes.h."""


class Mouse(Protocol):
    """Something that can click."""

    press_seconds: float
    """How long a button stays down, 0 at first: some games ask only now and then for it."""

    def click(self, frame: Frame, at: Pixel, button: Button, held: str | None = None) -> None:
        """Press and release `button` on what `frame` shows at the pixel `at`.

        With `held`, one of `MODIFIERS`, as if that key were down meanwhile.
        Returns when the system has taken the click. Clicks nothing, and raises: Stopped
        once the user has asked for the stop or has the mouse in hand; WindowMoved when the
        window is no longer as and where it was when `frame` was taken, even if another
        frame has been grabbed since; WindowCovered, WindowGone, another WindowError when
        the pixel is not the window's; CaptureError if this mouse cannot hold the modifier.
        """

    def park(self, frame: Frame, board: Rect | None = None) -> None:
        """Take the pointer off the board, if a click of this mouse left it there.

        What a game shows for as long as the pointer lies on it then goes. Each time it is
        put to another pixel: a game does not see it move while it asks something. It is put
        where the `board`, in the frame's pixels, leaves room, if that is known and this mouse
        has a choice. Raises Stopped as `click` does.
        """


class Keyboard(Protocol):
    """Something that can press a key."""

    def press(self, key: Key, window: Window | None = None) -> None:
        """Press and release `key` in the game's window.

        With `window` in that one, which has to be one of the game's own. Raises UsageError for a
        key that this keyboard lacks, Stopped or WindowError as `Mouse.click` does.
        """

    def focus(self) -> None:
        """Have what is typed go to the game's window; raises WindowError."""
