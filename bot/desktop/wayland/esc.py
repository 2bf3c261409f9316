"""Esc as the user's stop on sway, whatever else is going on."""

from __future__ import annotations

import threading
from contextlib import suppress

from bot.desktop.listener import Listener
from bot.desktop.wayland.sway import Sway
from bot.errors import CaptureError
from bot.stop import Stop

_COMMAND = "nop minebot stops"
"""What the key is bound to: nothing. sway tells of it all the same."""

_KEY = "--release Escape"
"""When the key comes up: so the program that has the keyboard gets it too, and a binding that
is left behind when this program is killed takes nothing from anybody."""


class EscKey(Listener):
    """Keys are told apart from the program's own clicks here.

    `IdleWatch` cannot do that while one follows the other.
    """

    def __init__(self, path: str, stop: Stop) -> None:
        """`path` is sway's socket. Raises CaptureError."""
        super().__init__(stop, "Esc")
        self._own = 0
        """How often the program pressed the key itself and has not been told of it."""
        self._lock = threading.Lock()
        self._commands, self._events = Sway(path), Sway(path)
        self._events.subscribe("binding")
        self._commands.run_all(f"bindsym {_KEY} {_COMMAND}")
        self.start()

    def announce(self) -> None:
        """The program is about to press the key itself."""
        with self._lock:
            self._own += 1

    def listen(self) -> None:
        """See `Listener`."""
        while self.waits(self._events.fileno()):
            event = self._events.next_event()
            if event.get("binding", {}).get("command") == _COMMAND and not self._take():
                self._stop.request("Esc was pressed")

    def close(self) -> None:
        """Give the key back; a second time does nothing."""
        super().close()
        with suppress(CaptureError):  # sway may have ended, or the key be given back
            self._commands.run_all(f"unbindsym {_KEY}")
        self._commands.close()
        self._events.close()

    def _take(self) -> bool:
        """Whether the program has pressed the key itself: true once for each time it did."""
        with self._lock:
            own = self._own > 0
            self._own -= own
            return own
