"""Threads that listen for the user's stop, and what tells the user's doing from the program's."""

from __future__ import annotations

import selectors
import socket
import threading
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from typing import Self

from minebot.desktop.placement import Point
from minebot.errors import CaptureError, MinebotError, Stopped
from minebot.stop import Stop


class Listener(ABC):
    """Requests the stop from its own thread during a `with` block.

    If the thread ends before the block does, that is a stop too: nobody would hear the user.
    """

    def __init__(self, stop: Stop, heard: str) -> None:
        """`heard` names what is listened for, as in "what listens for Esc has failed"."""
        self._stop = stop
        self._heard = heard
        self._is_over = False

    @abstractmethod
    def listen(self) -> None:
        """Listen and request the stop until `waits` is False; raises CaptureError."""

    def __enter__(self) -> Self:
        self._wake, self._woken = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name="minebot-stop", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over = True
        self._wake.close()
        self._thread.join()
        self._woken.close()

    def waits(self, source: int | None = None, seconds: float | None = None) -> bool:
        """Wait until the descriptor `source` can be read; false once the block is over."""
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
            if not self._is_over:
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


_MOVED = "the mouse was moved"
_JITTER = 2
"""Points that the pointer may move at once. Specified: a bumped desk, not a moving hand."""
_DRIFT = 6
"""Points that the pointer may move in sum. Specified: less than a slow hand moves it."""


class PointerGuard:
    """Where the program left the pointer; if it is elsewhere, the user has moved the mouse.

    Several threads may use it.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        """To be held while moving or reading the pointer."""
        self.placed: Point | None = None
        """Where the program has put the pointer last; None before it has moved it."""
        self._drift = Point(0, 0)

    def is_at(self, at: Point) -> bool:
        """Whether a pointer at `at` is where the program has put it, if it has moved it."""
        if self.placed is None:
            return True
        return max(abs(at.x - self.placed.x), abs(at.y - self.placed.y)) <= _JITTER

    def glance(self, where: Callable[[], Point], stop: Stop) -> None:
        """Ask for the stop when the user has moved the pointer, from a thread that clicks nothing.

        It does not wait for a click under way, at which the mouse looks itself: that may be waiting
        for the user.
        """
        if self.lock.acquire(blocking=False):
            try:
                if not self.is_at(where()):
                    stop.request(_MOVED)
            finally:
                self.lock.release()

    def check(self, at: Point, stop: Stop) -> None:
        """Stop when the user has moved the pointer, which is now at `at`. Raises Stopped.

        Small moves the same way add up.
        """
        if self.placed is not None:
            x, y = self._drift
            self._drift = Point(x + at.x - self.placed.x, y + at.y - self.placed.y)
            if not self.is_at(at) or max(map(abs, self._drift)) > _DRIFT:
                stop.request(_MOVED)
            self.placed = at
        stop.check()
