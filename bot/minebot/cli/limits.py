"""How much processor time one file may take."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from minebot.errors import UsageError

SECONDS = 10.0
"""For one picture, of processor time; on the study page of the clock. Measured: one of 7680x4320
noisy pixels takes 3 to 6."""


@contextmanager
def within(path: Path, seconds: float | None = None) -> Iterator[None]:
    """End a `with` block after `seconds`, or `SECONDS`, with a UsageError that names the file.

    Processor time counts, so that a busy machine refuses no file that another one reads.

    A system without such a clock, which is Windows, works on it as long as it takes.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    limit = SECONDS if seconds is None else seconds

    def end(*_: object) -> NoReturn:
        raise UsageError(f"{path}: takes more than {limit:g} seconds: given up")

    handler = signal.signal(signal.SIGPROF, end)
    # Again each second, should what is being done take the error for another one.
    before = signal.setitimer(signal.ITIMER_PROF, limit, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, *before)
        signal.signal(signal.SIGPROF, handler)
