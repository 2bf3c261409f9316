"""Hearing the user's stop in a thread of its own: what all desktops' ways of hearing share."""

from __future__ import annotations

import selectors
import socket
import threading
from abc import ABC, abstractmethod
from typing import Self

from minebot.errors import CaptureError, MinebotError, Stopped
from minebot.stop import Stop


class Listener(ABC):
    """Asks for the stop from a thread of its own until closed.

    The thread's end for any other reason is a stop too: nobody could stop the bot by hand
    any more.
    """

    def __init__(self, stop: Stop, heard: str) -> None:
        """`heard` is what is listened for, as in "what listens for Esc has failed".

        The thread waits for `start`, so that a subclass can be made whole before.
        """
        self._stop = stop
        self._heard = heard
        self._closed = False
        self._thread: threading.Thread | None = None

    @abstractmethod
    def listen(self) -> None:
        """Hear the user and ask for the stop, until `waits` says that it is over.

        Runs in the listener's thread. Raises CaptureError when nothing can be heard any more.
        """

    def start(self) -> None:
        """Begin to listen."""
        self._wake, self._woken = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name="minebot-stop", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread; a second time does nothing."""
        if self._closed or self._thread is None:
            return
        self._closed = True
        self._wake.close()
        self._thread.join()
        self._woken.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def waits(self, source: int | None = None, seconds: float | None = None) -> bool:
        """Wait until `source`, a file descriptor, has something to read, and for so long at most.

        Whether to go on: false once closed.
        """
        with selectors.DefaultSelector() as sources:
            sources.register(self._woken, selectors.EVENT_READ)
            if source is not None:
                sources.register(source, selectors.EVENT_READ)
            return all(key.fileobj is not self._woken for key, _ in sources.select(seconds))

    def _run(self) -> None:
        kind: type[MinebotError] = Stopped
        reason = f"what listens for {self._heard} has failed"
        try:
            self.listen()
        except CaptureError as error:
            # The display is gone, and whoever clicks next would say so, were it not stopped here.
            reason, kind = str(error), type(error)
        finally:
            if not self._closed:
                self._stop.request(reason, kind)
