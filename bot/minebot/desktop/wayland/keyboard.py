"""Keys by a virtual keyboard with a layout of its own."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from minebot.actuator import NAMED, Key
from minebot.capture import Window
from minebot.desktop.wayland.connection import Connection
from minebot.desktop.wayland.idle_notify import IdleWatch
from minebot.desktop.wayland.key_bindings import KeyBindings
from minebot.desktop.wayland.protocols import ZwpVirtualKeyboardManagerV1
from minebot.errors import UsageError

_CHARACTERS = tuple(map(chr, range(0x21, 0x7F)))
"""Those that ASCII shows."""

_KEYS = (*NAMED, *_CHARACTERS)
"""What the keyboard can press; the first key has the first code."""

_FIRST_CODE = 9
"""First key code in use. Specified: 8 less is sent, and must be above 0."""

_MODIFIERS = {"shift": 1, "ctrl": 4, "alt": 8}
"""The bits of XKB's Shift, Control and Mod1."""

_NEW = 0.1
"""Seconds that programs take to notice the seat's first keyboard (measured: less than that)."""

_XKB_FORMAT = 1
"""Number of the XKB layout format. Specified by wl_keyboard."""


class WaylandKeyboard:
    """Presses keys in one window. See `minebot.actuator.Keyboard`."""

    def __init__(
        self,
        connection: Connection,
        watch: IdleWatch,
        focus: Callable[[Window | None], None],
        user: KeyBindings | None,
    ) -> None:
        """`focus` gives that window the keys, None the game's. Raises CaptureError."""
        manager = connection.need(ZwpVirtualKeyboardManagerV1, "press keys")
        self._connection = connection
        self._watch = watch
        self._focus = focus
        self._user = user
        with watch.own():
            self._keyboard = manager.create_virtual_keyboard(connection.seat)
            layout = _layout().encode() + b"\0"
            memory = os.memfd_create("minebot")
            try:
                os.write(memory, layout)
                self._keyboard.keymap(_XKB_FORMAT, memory, len(layout))
            finally:
                os.close(memory)
        self._ready_at = time.monotonic() + _NEW

    def press(self, key: Key, window: Window | None = None) -> None:
        """Press and release; see `Keyboard`."""
        if key.name not in _KEYS:
            raise UsageError(f"minebot's keyboard on Wayland has no key {key.name!r}")
        code = _FIRST_CODE - 8 + _KEYS.index(key.name)
        held = sum(_MODIFIERS[modifier] for modifier in key.modifiers)
        time.sleep(max(0.0, self._ready_at - time.monotonic()))
        self._focus(window)
        with self._watch.own():
            now = self._connection.milliseconds()
            if self._user is not None and not held:
                self._user.own.announce(code + 8)
            if held:
                self._keyboard.modifiers(held, 0, 0, 0)
            self._keyboard.key(now, code, 1)
            self._keyboard.key(now, code, 0)
            if held:
                self._keyboard.modifiers(0, 0, 0, 0)

    @contextmanager
    def holding(self, modifier: str) -> Iterator[None]:
        """Set one of `minebot.actuator.MODIFIERS` in the game's window during a block.

        No key goes down, so that nothing mistakes it for a key of the user's.
        """
        time.sleep(max(0.0, self._ready_at - time.monotonic()))
        # What has the keyboard is told of modifiers, and nothing else.
        self._focus(None)
        self._keyboard.modifiers(_MODIFIERS[modifier], 0, 0, 0)
        try:
            yield
        finally:
            self._keyboard.modifiers(0, 0, 0, 0)

    def focus(self) -> None:
        """Give the game's window the keyboard; see `Keyboard`."""
        self._focus(None)


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
