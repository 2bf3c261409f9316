"""Keys on X11: XTEST, into the game's window and no other."""

from __future__ import annotations

import time
from collections.abc import Sequence

from xcffib import xproto

from minebot.actuator import Key
from minebot.capture import Window
from minebot.desktop.keysyms import MODIFIERS, keysym
from minebot.desktop.listener import OwnKeys
from minebot.desktop.x11.activate import focus
from minebot.desktop.x11.display import MANAGER_SECONDS, Display, errors_mapped
from minebot.desktop.x11.tracked_window import TrackedWindow
from minebot.desktop.x11.window_tree import number
from minebot.errors import UsageError, WindowError
from minebot.stop import Stop

_SHIFT, _LOCK = xproto.ModMask.Shift, xproto.ModMask.Lock
_COMMANDS = xproto.ModMask.Control | xproto.ModMask._1 | xproto.ModMask._4
"""Modifiers that make a command of a key: Control, Alt and the Windows key."""


class XKeyboard:
    """Presses keys in one window."""

    hold_seconds = 1.0
    """Time for which the user may hold down a key that makes a command of another."""

    @errors_mapped()
    def __init__(self, tracked: TrackedWindow, stop: Stop, own: OwnKeys) -> None:
        """Raises CaptureError when the display lacks XTEST."""
        self._tracked = tracked
        self._stop = stop
        self._own = own
        self._display = tracked.display
        self._xtest = tracked.display.xtest

    @errors_mapped()
    def press(self, key: Key, window: Window | None = None) -> None:
        """Press and release; see `Keyboard`. Raises UsageError when no key writes it."""
        self._stop.check()
        state = self._free_of_commands()
        code, shifted = self._key(key.name, state)
        if key.name.isalpha() and len(key.name) == 1 and state & _LOCK:
            shifted = not shifted
        if window is None:
            self.focus()
        else:
            focus(self._display, number(window), str(window))
        self._stop.check()
        held = [modifier for modifier in key.modifiers if modifier != "shift"]
        if (shifted or "shift" in key.modifiers) and not state & _SHIFT:
            held.append("shift")
        self._tap(code, held)

    @errors_mapped()
    def focus(self) -> None:
        """Give the game's window the keyboard; see `minebot.actuator.Keyboard`."""
        focus(self._display, self._tracked.id, self._tracked.name)

    def _free_of_commands(self) -> int:
        """Wait until the user holds no modifier that makes a key a command; returns the state."""
        end = time.monotonic() + self.hold_seconds
        while True:
            state: int = self._display.core.QueryPointer(self._display.root).reply().mask
            if not state & _COMMANDS:
                return state
            if time.monotonic() > end:
                raise WindowError("cannot type: Control, Alt or the Windows key is held down")
            time.sleep(0.005)
            self._stop.check()

    def _key(self, name: str, state: int) -> tuple[int, bool]:
        """The key code that writes `name` in the layout in use, and whether with Shift."""
        symbol = keysym(name)
        group = state >> 13 & 3
        for column in (2 * group, 2 * group + 1):
            codes = keycodes(self._display, symbol, column)
            if codes:
                return codes[0], bool(column & 1)
        raise UsageError(f"no key writes {name!r} in the keyboard layout in use")

    def _tap(self, code: int, modifiers: Sequence[str]) -> None:
        root, fake = self._display.root, self._xtest.FakeInput
        press, release = xproto.KeyPressEvent.event_number, xproto.KeyReleaseEvent.event_number
        around = [self._modifier(name) for name in modifiers]
        # The user's stop is a key too, and heard in every window.
        self._own.announce(code)
        for held in around:
            fake(press, held, 0, root, 0, 0, 0)
        fake(press, code, 0, root, 0, 0, 0)
        fake(release, code, 0, root, 0, 0, 0)
        for held in reversed(around):
            fake(release, held, 0, root, 0, 0, 0)
        if not self._display.until(lambda: not self._is_down(code), MANAGER_SECONDS):
            raise WindowError("the key is stuck: the window manager does not answer")

    def _modifier(self, name: str) -> int:
        codes = keycodes(self._display, MODIFIERS[name], 0)
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
