"""Processes that do nothing but take time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """A block with so many of them beside it."""
    with ExitStack() as ends:
        for _ in range(processes):
            command = [sys.executable, "-c", "while True: pass"]
            ends.callback(ends.enter_context(subprocess.Popen(command)).kill)
        yield
