"""The user's stop on Wayland: any key, and the mouse moved or clicked.

Programs do not learn which key it was, nor where the pointer is. But compositors report when an
idle user becomes active again; with the shortest timeout, they report each key and each motion.
The program's own input is reported too, and recognised by its order: the compositor reports it
before it answers the request that follows. What it reports beyond that input is the user's.
sway tells of each key besides, whatever else is going on.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from pywayland.protocol.ext_idle_notify_v1 import ExtIdleNotifierV1

from minebot.desktop.listener import Listener, OwnKeys
from minebot.desktop.wayland.connection import Connection
from minebot.desktop.wayland.protocols import OrgKdeKwinIdle
from minebot.desktop.wayland.sway import Sway
from minebot.errors import CaptureError
from minebot.stop import Stop

_TIMEOUT_MS = 0
"""Milliseconds without input after which a user is idle. Specified: at once, so that each input
is reported, however soon after another one."""
_OLD_TIMEOUT_MS = 1
"""Milliseconds in the older protocol. Specified: its smallest timeout."""
_FIRST_IDLE = 1.0
"""Seconds within which the user has to be idle for the first time; else that is never told, as
while a film is played full-screen. Specified: ten times as long as a key is down."""
_HEARD = "a key was pressed or the mouse was moved"
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


class IdleWatch(Listener):
    """Tells the user's doing from the program's own, for which that is done in `own`."""

    def __init__(self, connection: Connection, stop: Stop) -> None:
        super().__init__(stop, "keys and the mouse")
        self._connection = connection
        self._own = False
        """Whether activity that is reported now is the program's own."""
        self._reports = 0
        """How often activity was reported in the last block of `own`."""
        self._reports_each = False
        """Whether the compositor was seen to report each motion, press and release."""
        self._idle = False
        self.hears = False
        """Whether the compositor reports the user's keys and mouse."""
        self._notification = self._ask()
        if self._notification is not None:
            self.hears = connection.until(lambda: self._idle, _FIRST_IDLE)

    @contextmanager
    def own(self, inputs: int = 0) -> Iterator[None]:
        """A block in which the program sends keys and clicks; then they are carried out.

        `inputs` counts its motions, presses and releases, if it sends any.
        """
        with self._connection.lock:
            self.check()
            self._own, self._reports = True, 0
            try:
                yield
                self._connection.sync()
            finally:
                self._own = False
            if inputs > 1 and self._reports == inputs:
                self._reports_each = True
            elif self._reports_each and self._reports > inputs:
                self._stop.request(_HEARD)

    def check(self) -> None:
        """Raise Stopped when the user has done something by now, or asked for the stop."""
        self._connection.listen(0)
        self._stop.check()

    def __exit__(self, *_: object) -> None:
        """End the thread and the reports."""
        super().__exit__()
        notification = self._notification
        with self._connection.lock:
            # The garbage collector might take it apart while another thread dispatches to it.
            if notification is not None and not notification.destroyed:
                getattr(notification, "release", notification.destroy)()

    def listen(self) -> None:
        """Dispatch what comes while no other thread does; see `Listener`."""
        while self.waits(self._connection.fileno()):
            self._connection.listen(0)

    def _ask(self) -> Any:
        connection = self._connection
        newer, older = connection.get(ExtIdleNotifierV1), connection.get(OrgKdeKwinIdle)
        if newer is not None:
            # The second version does not care for what keeps screens from going dark.
            has_input = connection.version(ExtIdleNotifierV1) >= 2
            ask = newer.get_input_idle_notification if has_input else newer.get_idle_notification
            notification = ask(_TIMEOUT_MS, connection.seat)
            notification.dispatcher["idled"] = self._on_idle
        elif older is not None:
            notification = older.get_idle_timeout(connection.seat, _OLD_TIMEOUT_MS)
            notification.dispatcher["idle"] = self._on_idle
        else:
            return None
        notification.dispatcher["resumed"] = self._on_resumed
        return notification

    def _on_idle(self, _: Any) -> None:
        self._idle = True

    def _on_resumed(self, _: Any) -> None:
        self._reports += 1
        if not self._own and self.hears:
            self._stop.request(_HEARD)


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
        self._commands, self._events = Sway(path), Sway(path)
        self._events.subscribe("binding")
        self._commands.run("; ".join(f"{_BINDING} {code} {_COMMAND}" for code in _CODES))

    def listen(self) -> None:
        """See `Listener`."""
        while self.waits(self._events.fileno()):
            binding = self._events.next_binding()
            code = binding.get("input_code", 0)
            if binding.get("command") == _COMMAND and not self.own.take(code):
                self._came_up.set()
                self._stop.request("a key was pressed")

    def __exit__(self, *_: object) -> None:
        """Give the keys back.

        Unless one of them may still be down: sway 1.7 crashes when it comes up and has no binding
        any more. Those that stay take nothing from anybody.
        """
        may_be_down = self._stop.reason is not None and not self._came_up.wait(_UP_SECONDS)
        super().__exit__()
        if not may_be_down:
            with suppress(CaptureError):  # sway may have ended, or the keys be given back
                self._commands.run("; ".join(f"unbindcode --release {code}" for code in _CODES))
        self._commands.close()
        self._events.close()
