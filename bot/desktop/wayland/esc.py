"""Esc as the user's stop on sway, whatever else is going on."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Self

from bot.desktop.wayland.sway import Sway
from bot.errors import CaptureError
from bot.stop import Stop

_COMMAND = "nop minebot stops"
"""What the key is bound to: nothing. sway tells of it all the same."""

_KEY = "--release Escape"
"""When the key comes up: so the program that has the keyboard gets it too, and a binding that
is left behind when this program is killed takes nothing from anybody."""


class EscKey:
    """Asks for the stop from a thread of its own until closed.

    Keys are told apart from the program's own clicks here, which `IdleWatch` cannot do while
    one follows the other. The thread's end for any other reason is a stop too.
    """

    def __init__(self, path: str, stop: Stop) -> None:
        """`path` is sway's socket. Raises CaptureError."""
        self._stop = stop
        self._own = 0
        """How often the program pressed the key itself and has not been told of it."""
        self._lock = threading.Lock()
        self._closed = False
        self._commands, self._events = Sway(path), Sway(path)
        self._events.subscribe("binding")
        self._commands.run_all(f"bindsym {_KEY} {_COMMAND}")
        self._thread = threading.Thread(target=self._run, name="minebot-esc", daemon=True)
        self._thread.start()

    def announce(self) -> None:
        """The program is about to press the key itself."""
        with self._lock:
            self._own += 1

    def close(self) -> None:
        """Give the key back; a second time does nothing."""
        if self._closed:
            return
        self._closed = True
        with suppress(CaptureError):  # sway may have ended
            self._commands.run_all(f"unbindsym {_KEY}")
        self._events.hang_up()
        self._thread.join()
        self._commands.close()
        self._events.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        reason = "what listens for Esc has failed"
        try:
            while True:
                event = self._events.next_event()
                if event.get("binding", {}).get("command") == _COMMAND and not self._take():
                    self._stop.request("Esc was pressed")
        except CaptureError as error:
            reason = str(error)
        finally:
            if not self._closed:
                self._stop.request(reason)

    def _take(self) -> bool:
        """Whether the program has pressed the key itself: true once for each time it did."""
        with self._lock:
            own = self._own > 0
            self._own -= own
            return own
