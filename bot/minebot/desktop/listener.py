"""Threads that listen for the user's stop, and what tells the user's keys from the program's."""

from __future__ import annotations

import selectors
import socket
import threading
from abc import ABC, abstractmethod
from collections import Counter
from typing import Self

from minebot.errors import CaptureError, MinebotError, Stopped
from minebot.stop import Stop


class Listener(ABC):
    """Requests the stop from its own thread until closed.

    If the thread ends for any other reason, that is a stop too: nobody would hear the user.
    """

    def __init__(self, stop: Stop, heard: str) -> None:
        """`heard` names what is listened for, as in "what listens for Esc has failed".

        The thread waits for `start`, so that a subclass can finish its constructor.
        """
        self._stop = stop
        self._heard = heard
        self._closed = False

    @abstractmethod
    def listen(self) -> None:
        """Listen and request the stop until `waits` is False; raises CaptureError."""

    def start(self) -> None:
        """Begin to listen, as the last thing that a constructor does."""
        self._wake, self._woken = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name="minebot-stop", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread; a second call does nothing."""
        if self._closed:
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
        """Wait for the descriptor `source` to have something to read; false once closed."""
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


class OwnKeys:
    """Which keys the bot presses itself, not to be taken for the user's; for several threads."""

    def __init__(self) -> None:
        # Not the pointer's lock: Esc is heard also while a click waits for the user's hand.
        self._lock = threading.Lock()
        self._due: Counter[int] = Counter()

    def announce(self, code: int) -> None:
        """The bot is about to press the key of this code."""
        with self._lock:
            self._due[code] += 1

    def take(self, code: int) -> bool:
        """Whether the bot has pressed the key itself: true once for each time it did."""
        with self._lock:
            own = self._due[code] > 0
            self._due[code] -= own
            return own
