"""Clicks by a virtual pointer, and keys by a virtual keyboard with a layout of its own."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from minebot.actuator import BUTTON_CODES, NAMED, Button, Key
from minebot.capture import Frame, Pixel, Rect, Window
from minebot.desktop.placement import Point, WindowPlacement, locate
from minebot.desktop.wayland.connection import Connection
from minebot.desktop.wayland.protocols import (
    ZwlrVirtualPointerManagerV1,
    ZwpVirtualKeyboardManagerV1,
)
from minebot.desktop.wayland.sway import SwayLocation
from minebot.desktop.wayland.toplevels import WholeScreen
from minebot.desktop.wayland.watcher import IdleWatch, KeyBindings
from minebot.errors import UsageError

_PRESSED, _RELEASED = 1, 0
"""Numbers of the states of buttons and keys. Specified by wl_pointer and wl_keyboard."""
_KEYS = (*NAMED, *map(chr, range(0x21, 0x7F)))
"""What the keyboard can press, characters as ASCII has them; the first key has the first code."""
_FIRST_CODE = 9
"""First key code in use. Specified: 8 less is sent, and must be above 0."""
_MODIFIERS = {"shift": 1, "ctrl": 4, "alt": 8}
"""The bits of XKB's Shift, Control and Mod1."""
_NEW = 0.1
"""Seconds that programs take to notice the seat's first keyboard (measured: less than that)."""
_XKB_FORMAT = 1
"""Number of the XKB layout format. Specified by wl_keyboard."""
WindowLocation = SwayLocation | WholeScreen
"""What a screen, a mouse and a session have to know of their window."""


class VirtualInput:
    """The `Mouse` and the `Keyboard` of one window; a click is one message."""

    def __init__(
        self,
        connection: Connection,
        place: WindowLocation,
        watch: IdleWatch,
        user: KeyBindings | None,
    ) -> None:
        """Raises CaptureError if the compositor lets no program click or press keys."""
        self._connection = connection
        self._place = place
        self._watch = watch
        self._user = user
        # The pointer first: windows need a moment until they hear a new one.
        pointers = connection.need(ZwlrVirtualPointerManagerV1, "click")
        self._pointer = pointers.create_virtual_pointer(connection.seat)
        keyboards = connection.need(ZwpVirtualKeyboardManagerV1, "press keys")
        with watch.own():
            self._keyboard = keyboards.create_virtual_keyboard(connection.seat)
            layout = _layout().encode() + b"\0"
            with os.fdopen(os.memfd_create("minebot"), "wb", 0) as memory:
                memory.write(layout)
                self._keyboard.keymap(_XKB_FORMAT, memory.fileno(), len(layout))
        self._ready_at = time.monotonic() + _NEW
        self.press_seconds = 0.0
        self._on_board = False
        """Whether a click has left the pointer on the board."""
        self._parked = 0
        self.clicks = 0
        """How many clicks and moves there have been: what was seen before is old."""

    def click(self, frame: Frame, at: Pixel, button: Button, held: str | None = None) -> None:
        """Press and release; see `Mouse`."""
        spot, point = locate(frame, at)
        with self._watch.own(inputs=3):  # a motion, a press and a release
            self._place.guard(spot, point)
            # With a wait in between, the user's hand could come between motion and press.
            self._move(point)
            if held is not None:
                self.focus()  # what has the keyboard is told of modifiers, and nothing else
            with self._holding((held,) if held else ()):
                for state in (_PRESSED, _RELEASED):
                    now = self._connection.milliseconds()
                    self._pointer.button(now, BUTTON_CODES[button], state)
                    self._pointer.frame()
                    if state == _PRESSED and self.press_seconds:
                        self._connection.flush()
                        time.sleep(self.press_seconds)
        self._on_board = True
        self.clicks += 1

    def park(self, frame: Frame, board: Rect | None = None) -> None:  # noqa: ARG002 - always there
        """Take the pointer off the board; see `Mouse`."""
        self._watch.check()
        # The user's own place for it too: nobody knows where it is, and pictures may show it.
        self._leave(locate(frame, Pixel(0, 0))[0])

    def clear(self, spot: WindowPlacement) -> None:
        """Take the pointer off what is at `spot`, of which a picture is to be taken.

        Some compositors paint it into every picture; most of it lies outside at the lower right.
        """
        if self._on_board:
            self._leave(spot)

    def press(self, key: Key, window: Window | None = None) -> None:
        """Press and release; see `Keyboard`."""
        if key.name not in _KEYS:
            raise UsageError(f"minebot's keyboard on Wayland has no key {key.name!r}")
        code = _FIRST_CODE - 8 + _KEYS.index(key.name)
        self.focus(window)
        with self._watch.own(inputs=2):
            now = self._connection.milliseconds()
            if self._user is not None and not key.modifiers:
                self._user.own.announce(code + 8)
            with self._holding(key.modifiers):
                for state in (_PRESSED, _RELEASED):
                    self._keyboard.key(now, code, state)

    def focus(self, window: Window | None = None) -> None:
        """Give that window the keyboard, None the game's; see `Keyboard`."""
        time.sleep(max(0.0, self._ready_at - time.monotonic()))
        self._place.focus(window)

    @contextmanager
    def _holding(self, modifiers: tuple[str, ...]) -> Iterator[None]:
        """Set modifiers during a block; no key goes down that could be taken for the user's."""
        if modifiers:
            self._keyboard.modifiers(sum(_MODIFIERS[each] for each in modifiers), 0, 0, 0)
        try:
            yield
        finally:
            if modifiers:
                self._keyboard.modifiers(0, 0, 0, 0)

    def _leave(self, spot: WindowPlacement) -> None:
        self._parked += 1
        corner = Point(spot.rect.right - 1 - self._parked % 2, spot.rect.bottom - 1)
        with self._watch.own(inputs=1):
            self._move(corner)
        self._on_board = False
        self.clicks += 1

    def _move(self, point: Point) -> None:
        left, top, width, height = self._connection.layout
        now = self._connection.milliseconds()
        # To the middle of the point: on a scaled screen its edge lies between two pixels.
        x, y = 2 * (point.x - left) + 1, 2 * (point.y - top) + 1
        self._pointer.motion_absolute(now, x, y, 2 * width, 2 * height)
        self._pointer.frame()


def _layout() -> str:
    """The keyboard layout: a key for each name, without levels."""
    last = _FIRST_CODE + len(_KEYS) - 1
    codes = [f"<K{number}> = {_FIRST_CODE + number};" for number in range(len(_KEYS))]
    keys = [
        f"key <K{number}> {{ [ {name if len(name) > 1 else f'U{ord(name):04X}'} ] }};"
        for number, name in enumerate(_KEYS)
    ]
    return f"""xkb_keymap {{
xkb_keycodes "minebot" {{ minimum = 8; maximum = {last}; {" ".join(codes)} }};
xkb_types "minebot" {{ include "complete" }};
xkb_compatibility "minebot" {{ include "complete" }};
xkb_symbols "minebot" {{ {" ".join(keys)} }};
}};
"""
