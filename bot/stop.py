"""The person's stop: one flag that every click asks first, and Ctrl-C as a way to set it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from bot.errors import Stopped

__all__ = ["Stop", "interrupts_stop"]

_REASONS = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "the program was told to end"}


class Stop:
    """Set once, from a signal handler or another thread, and never taken back."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self.reason: str | None = None

    def request(self, reason: str) -> None:
        """Ask for the stop; `reason` completes "stopped: ..."; the first one stands."""
        if self.reason is None:
            self.reason = reason
        self._event.set()

    def check(self) -> None:
        """Raise Stopped when the stop has been asked for."""
        if self._event.is_set():
            raise Stopped(f"stopped: {self.reason}")


@contextmanager
def interrupts_stop(stop: Stop) -> Iterator[None]:
    """For a `with` block, Ctrl-C and SIGTERM ask for the stop.

    The second one does what it would do without the block. To be entered in the
    main thread.
    """
    before = {number: signal.getsignal(number) for number in _REASONS}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def handle(number: int, _: FrameType | None) -> None:
        restore()
        # A request that this very signal has interrupted holds the stop's lock.
        if stop.reason is None:
            stop.request(_REASONS[signal.Signals(number)])

    for number in _REASONS:
        signal.signal(number, handle)
    try:
        yield
    finally:
        restore()
