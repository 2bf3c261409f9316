"""Ctrl-C as a stop: the click under way is finished, and no other begun."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from bot.stop import Stop

__all__ = ["interrupts_stop"]

_REASONS = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "the program was told to end"}


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
