"""Any key as the user's stop on sway, whatever else is going on."""

from __future__ import annotations

import threading
from contextlib import suppress

from minebot.desktop.listener import Listener, OwnKeys
from minebot.desktop.wayland.sway import Sway
from minebot.errors import CaptureError
from minebot.stop import Stop

_COMMAND = "nop minebot stops"
"""What the keys are bound to: nothing. sway tells of it all the same."""

_PRINT = 107
"""Key code of the key that takes a picture of the screen. Specified by XKB."""
_CODES = tuple(code for code in range(9, 128) if code != _PRINT)
"""XKB's codes of all keys that keyboards have, from Esc to Pause; those above are of volume
and power, and who takes a picture of a game does not stop it. Codes, not symbols: what is on
a key differs from layout to layout."""

_UP_SECONDS = 0.3
"""A key that was tapped has come up after so long. Specified: people hold one for 0.06 to 0.12."""

_BINDING = "bindcode --release --no-warn"
"""When the key comes up: so the program that has the keyboard gets it too, and a binding that
is left behind when this program is killed takes nothing from anybody."""


class KeyBindings(Listener):
    """Recognises the user's keys by bindings of the compositor.

    `IdleWatch` cannot tell a key from the program's own clicks while they follow one another.
    """

    def __init__(self, path: str, stop: Stop) -> None:
        """`path` is sway's socket. Raises CaptureError."""
        super().__init__(stop, "keys")
        self.own = OwnKeys()
        """Of XKB's codes."""
        self._came_up = threading.Event()
        """Set once a key of the user's has come up."""
        self._commands, self._events = Sway(path), Sway(path)
        self._events.subscribe("binding")
        self._commands.run_all("; ".join(f"{_BINDING} {code} {_COMMAND}" for code in _CODES))
        self.start()

    def listen(self) -> None:
        """See `Listener`."""
        while self.waits(self._events.fileno()):
            binding = self._events.next_binding()
            code = binding.get("input_code", 0)
            if binding.get("command") == _COMMAND and not self.own.take(code):
                self._came_up.set()
                self._stop.request("a key was pressed")

    def close(self) -> None:
        """Give the keys back; a second call does nothing.

        Unless one of them may still be down: sway 1.7 crashes when it comes up and has no binding
        any more. Those that stay take nothing from anybody.
        """
        may_be_down = self._stop.reason is not None and not self._came_up.wait(_UP_SECONDS)
        super().close()
        if not may_be_down:
            with suppress(CaptureError):  # sway may have ended, or the keys be given back
                self._commands.run_all("; ".join(f"unbindcode --release {code}" for code in _CODES))
        self._commands.close()
        self._events.close()
