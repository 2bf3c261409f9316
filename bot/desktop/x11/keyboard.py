"""Keys on X11: XTEST, into the game's window and no other."""

from __future__ import annotations

import time
from collections.abc import Sequence

from xcffib import xproto

from bot.actuator import Key
from bot.capture import Window
from bot.desktop.pointer_guard import Leash
from bot.desktop.x11.display import Display, errors_mapped
from bot.desktop.x11.front import focus
from bot.desktop.x11.pane import Pane
from bot.errors import UsageError, WindowError
from bot.stop import Stop

__all__ = ["XKeyboard", "keycodes"]

_SHIFT, _LOCK = xproto.ModMask.Shift, xproto.ModMask.Lock
_COMMANDS = xproto.ModMask.Control | xproto.ModMask._1 | xproto.ModMask._4
"""Modifiers that make a command of a key: Control, Alt and the Windows key."""

_MODIFIERS = {"ctrl": 0xFFE3, "alt": 0xFFE9, "shift": 0xFFE1}
"""The keysyms of the left ones."""
_NAMED = {
    "Return": 0xFF0D,
    "Escape": 0xFF1B,
    "space": 0x20,
    "Tab": 0xFF09,
    "Left": 0xFF51,
    "Up": 0xFF52,
    "Right": 0xFF53,
    "Down": 0xFF54,
    **{f"F{number}": 0xFFBD + number for number in range(1, 13)},
}
_PATIENCE = 1.0
"""Seconds that the person may hold down a key that makes a command of another."""

_LET_THROUGH = 5.0
"""Seconds that a window manager may hold up a key."""


class XKeyboard:
    """Presses keys in one window."""

    @errors_mapped
    def __init__(self, pane: Pane, stop: Stop, leash: Leash) -> None:
        """Raises CaptureError when the display lacks XTEST."""
        self._pane = pane
        self._stop = stop
        self._leash = leash
        self._display = pane.display
        self._xtest = pane.display.xtest

    @errors_mapped
    def press(self, key: str, window: Window | None = None) -> None:
        """Press and release; see `bot.actuator.Keyboard`.

        Raises UsageError when no key of the keyboard writes it.
        """
        what = Key.parse(key)
        self._stop.check()
        state = self._free_of_commands()
        code, shifted = self._key(what.name, state)
        if what.name.isalpha() and len(what.name) == 1 and state & _LOCK:
            shifted = not shifted
        if window is None:
            self.focus()
        else:
            focus(self._display, window.id, str(window))
        self._stop.check()
        held = [modifier for modifier in what.modifiers if modifier != "shift"]
        if (shifted or "shift" in what.modifiers) and not state & _SHIFT:
            held.append("shift")
        self._tap(code, held)

    @errors_mapped
    def focus(self) -> None:
        """Give the game's window the keyboard; see `bot.actuator.Keyboard`."""
        focus(self._display, self._pane.id, self._pane.name)

    def _free_of_commands(self) -> int:
        """The modifiers' state, once the person holds none that makes a command of a key."""
        end = time.monotonic() + _PATIENCE
        while True:
            state: int = self._display.core.QueryPointer(self._display.root).reply().mask
            if not state & _COMMANDS:
                return state
            if time.monotonic() > end:
                raise WindowError("cannot type: Control, Alt or the Windows key is held down")
            time.sleep(0.005)
            self._stop.check()

    def _key(self, key: str, state: int) -> tuple[int, bool]:
        """The key code that writes `key` in the layout in use, and whether with Shift."""
        keysym = _keysym(key)
        group = state >> 13 & 3
        for column in (2 * group, 2 * group + 1):
            codes = keycodes(self._display, keysym, column)
            if codes:
                return codes[0], bool(column & 1)
        raise UsageError(f"no key writes {key!r} in the keyboard layout in use")

    def _tap(self, code: int, modifiers: Sequence[str]) -> None:
        root, fake = self._display.root, self._xtest.FakeInput
        press, release = xproto.KeyPressEvent.event_number, xproto.KeyReleaseEvent.event_number
        around = [self._modifier(name) for name in modifiers]
        # The person's stop is a key too, and heard in every window.
        self._leash.type(code)
        for held in around:
            fake(press, held, 0, root, 0, 0, 0)
        fake(press, code, 0, root, 0, 0, 0)
        fake(release, code, 0, root, 0, 0, 0)
        for held in reversed(around):
            fake(release, held, 0, root, 0, 0, 0)
        if not self._display.until(lambda: not self._is_down(code), _LET_THROUGH):
            raise WindowError("the key is stuck: the window manager does not answer")

    def _modifier(self, name: str) -> int:
        codes = keycodes(self._display, _MODIFIERS[name], 0)
        if not codes:
            raise UsageError(f"there is no key {name!r} in the keyboard layout in use")
        return codes[0]

    def _is_down(self, code: int) -> bool:
        keys = self._display.core.QueryKeymap().reply().keys
        return bool(keys[code >> 3] >> (code & 7) & 1)


def keycodes(display: Display, keysym: int, column: int | None = None) -> list[int]:
    """The keys that write `keysym`: in one column of the keyboard's table, or in any."""
    setup = display.setup
    first, count = setup.min_keycode, setup.max_keycode - setup.min_keycode + 1
    reply = display.core.GetKeyboardMapping(first, count).reply()
    table, width = list(reply.keysyms), reply.keysyms_per_keycode
    columns = range(width) if column is None else range(width)[column : column + 1]
    return [
        first + row
        for row in range(count)
        if any(table[row * width + column] == keysym for column in columns)
    ]


def _keysym(name: str) -> int:
    if name in _NAMED:
        return _NAMED[name]
    code = ord(name)
    # Latin-1 characters are their own keysyms; the rest of Unicode lies above 0x1000000.
    return code if code < 0x100 else 0x1000000 + code
