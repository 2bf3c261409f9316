"""The user's stop on X11: a stop key in any window, or a hand on the mouse."""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable

import xcffib
import xcffib.xinput
from xcffib import xproto

from minebot.actuator import ESCAPE
from minebot.desktop.listener import Listener, OwnKeys, PointerGuard
from minebot.desktop.x11.display import Display, errors_mapped
from minebot.desktop.x11.xtest_input import keycodes
from minebot.stop import POLL_SECONDS, Stop

_ALL_MASTERS = 1
"""Device number of all keyboards that a user types on. Specified by XInput2."""
_STOP_KEYS = {"Esc": ESCAPE}
"""Keys that stop: what users call them, and their keysyms."""


class InputWatcher(Listener):
    """Keys are heard, not taken: they still reach the window that has the focus."""

    @errors_mapped()
    def __init__(
        self,
        display: Display,
        stop: Stop,
        guard: PointerGuard,
        own: OwnKeys,
        on_key: Callable[[], object],
    ) -> None:
        """`display` is for this alone; `on_key` hears each key of the user's but modifiers.

        Raises CaptureError if the display lacks XInput2.
        """
        super().__init__(stop, "keys and the mouse")
        self._display = display
        self._guard = guard
        self._own = own
        self._on_key = on_key
        self._know_keys()
        self._is_remapped = False
        # Whoever hears a key is done with it before the other goes on, so that none clicks before.
        self._hearing = threading.Lock()
        # The struct EventMask of XInput2: device, words of mask, mask.
        raw_keys = struct.pack("=HHI", _ALL_MASTERS, 1, xcffib.xinput.XIEventMask.RawKeyPress)
        self._display.xinput.XISelectEventsChecked(self._display.root, 1, [raw_keys]).check()

    @errors_mapped()
    def listen(self) -> None:
        """See `Listener`."""
        while True:
            self.hear_keys()
            if self._is_remapped:
                self._is_remapped = False
                self._know_keys()
            self._guard.glance(lambda: self._display.pointer()[0], self._stop)
            if not self.waits(self._display.fileno(), POLL_SECONDS):
                return

    @errors_mapped()
    def hear_keys(self) -> None:
        """Take the keys that the server has told of, and ask for the stop at a stop key.

        It sends nothing: a click that calls this holds the server. Raises CaptureError.
        """
        with self._hearing:
            for event in self._display.pending():
                if isinstance(event, xcffib.xinput.RawKeyPressEvent):
                    if self._own.take(event.detail):
                        continue  # the game's own windows are closed by Esc as well
                    if event.detail not in self._modifiers:
                        self._on_key()
                    if event.detail in self._stop_keys:
                        self._stop.request(f"{self._stop_keys[event.detail]} was pressed")
                elif isinstance(event, xproto.MappingNotifyEvent):
                    self._is_remapped = True

    def _know_keys(self) -> None:
        self._stop_keys = {
            code: name for name, key in _STOP_KEYS.items() for code in keycodes(self._display, key)
        }
        self._modifiers = set(self._display.core.GetModifierMapping().reply().keycodes)
