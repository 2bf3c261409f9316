"""The user's stop on Wayland: any key, and the mouse moved or clicked.

No program is told which key it was, nor where the pointer is. But compositors tell when
a user who had done nothing does something again: asked for the shortest time, that is
each key and each motion. What the program does itself counts too, and is left out by
its order: the compositor has told of it before it answers the question that follows.
"""

from __future__ import annotations

import select
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

from pywayland.protocol.ext_idle_notify_v1 import ExtIdleNotifierV1

from bot.desktop.wayland.connection import Connection
from bot.desktop.wayland.protocols.kde_idle import OrgKdeKwinIdle
from bot.errors import CaptureError
from bot.stop import Stop

_TIMEOUT_MS = 1
"""Milliseconds without a key or a motion after which the user counts as idle: the least."""

_FIRST_IDLE = 1.0
"""Seconds within which the user has to be idle for the first time; else it is not told, as
while a film is played full-screen. Guessed: a key that started the program is long up."""

_EVERY = 0.002
"""Seconds until the thread tries again while another one dispatches; a stop may take 0.1."""


class IdleWatch:
    """Asks for the stop from a thread of its own until closed.

    The thread's end for any other reason is a stop too.
    """

    def __init__(self, connection: Connection, stop: Stop) -> None:
        self._connection = connection
        self._stop = stop
        self._own = False
        """Whether what is told of now is the program's own doing."""
        self._idle = False
        self._notification = self._listen()
        self.hears = self._notification is not None and self._comes_to_rest()
        """Whether the user's keys and mouse are told of here."""
        self._wake, self._woken = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name="minebot-stop", daemon=True)
        self._thread.start()

    @contextmanager
    def own(self) -> Iterator[None]:
        """A block in which the program sends keys and clicks; then they are carried out."""
        with self._connection.lock:
            self.check()
            self._own = True
            try:
                yield
                self._connection.sync()
            finally:
                self._own = False

    def check(self) -> None:
        """Raise Stopped when the user has done something by now, or asked for the stop."""
        self._connection.listen(0)
        self._stop.check()

    def close(self) -> None:
        """End the thread; a second time does nothing."""
        self._wake.close()
        self._thread.join()
        self._woken.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _listen(self) -> Any:
        connection = self._connection
        newer, older = connection.get(ExtIdleNotifierV1), connection.get(OrgKdeKwinIdle)
        if newer is not None:
            # The second version does not care for what keeps screens from going dark.
            has_input = connection.version(ExtIdleNotifierV1) >= 2
            ask = newer.get_input_idle_notification if has_input else newer.get_idle_notification
            notification = ask(_TIMEOUT_MS, connection.seat)
            notification.dispatcher["idled"] = self._on_idle
        elif older is not None:
            notification = older.get_idle_timeout(connection.seat, _TIMEOUT_MS)
            notification.dispatcher["idle"] = self._on_idle
        else:
            return None
        notification.dispatcher["resumed"] = self._on_resumed
        return notification

    def _comes_to_rest(self) -> bool:
        end = time.monotonic() + _FIRST_IDLE
        while not self._idle and time.monotonic() < end:
            self._connection.listen(0.05)
        return self._idle

    def _on_idle(self, _: Any) -> None:
        self._idle = True

    def _on_resumed(self, _: Any) -> None:
        if not self._own and self.hears:
            self._stop.request("a key was pressed or the mouse was moved")

    def _run(self) -> None:
        reason: str | None = "what listens for keys and the mouse has failed"
        try:
            self._watch()
            reason = None
        except CaptureError as error:
            reason = str(error)
        finally:
            if reason is not None:
                self._stop.request(reason)

    def _watch(self) -> None:
        """Dispatch what comes while nobody else does, until closed."""
        lock = self._connection.lock
        while True:
            woken = self._woken.fileno()
            ready, _, _ = select.select([self._connection.fileno(), woken], [], [])
            if woken in ready:
                return
            if lock.acquire(blocking=False):
                try:
                    self._connection.listen(0)
                finally:
                    lock.release()
            else:
                time.sleep(_EVERY)
