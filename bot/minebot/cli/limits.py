"""How long one file may be worked on."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from minebot.errors import UsageError

SECONDS = 10.0
"""For one picture, on the study page too. Measured: one of 7680x4320 noisy pixels takes 3 to 6."""


@contextmanager
def within(path: Path, seconds: float | None = None) -> Iterator[None]:
    """End a `with` block after `seconds`, or `SECONDS`, with a UsageError that names the file.

    A system without such a clock, which is Windows, works on it as long as it takes.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    limit = SECONDS if seconds is None else seconds

    def end(*_: object) -> NoReturn:
        raise UsageError(f"{path}: takes more than {limit:g} seconds: given up")

    handler = signal.signal(signal.SIGALRM, end)
    # Again each second, should what is being done take the error for another one.
    before = signal.setitimer(signal.ITIMER_REAL, limit, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *before)
        signal.signal(signal.SIGALRM, handler)
