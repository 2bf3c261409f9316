"""The person's stop: one flag that every click asks first."""

from __future__ import annotations

import threading

from bot.errors import Stopped

__all__ = ["Stop"]


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
