"""Processes that calculate for the page: one hard position ends there, and the server goes on.

A calculation that takes longer than it may is ended with its process; so is one that needs
more memory than it may have.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import signal
import sys
from contextlib import suppress
from typing import Self

from pebble import ProcessExpired, ProcessPool

from minebot.study.answers import answer, late, refused, warm

_WORKERS = 2
"""Worker processes. Specified: while one is at a hard position, the other answers."""
_BYTES = 4 << 30
"""Bytes of memory that a process may have. Specified: what a machine of 8 GB can spare."""


class Workers:
    """A pool of processes; a context manager."""

    def __init__(self, seconds: float) -> None:
        """`seconds` limits the time of a calculation."""
        self._seconds = seconds
        self._pool = ProcessPool(_WORKERS, 0, _begin, (), multiprocessing.get_context("spawn"))

    def __enter__(self) -> Self:
        for _ in range(_WORKERS):
            self._pool.schedule(warm)
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.stop()  # type: ignore[no-untyped-call]  # has no annotations
        self._pool.join()

    async def answer(self, name: str, body: bytes) -> bytes:
        """The JSON of the answer to a question, or of a Refusal: see `minebot.study.answers`."""
        future = self._pool.schedule(answer, (name, body), timeout=self._seconds)
        try:
            return await asyncio.wrap_future(future)
        except TimeoutError:
            return refused(late(name, self._seconds))
        except ProcessExpired:
            return refused("the process that worked on it has died")
        except asyncio.CancelledError:
            return refused("the study has ended")  # to whom, is the server's affair


def _begin() -> None:
    """Begin a process: its memory is bounded, and the server ends it, not the terminal's Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    logging.disable()  # the study's own process says it
    if sys.platform == "linux":
        import resource  # noqa: PLC0415

        with suppress(ValueError):  # a lower bound is set already
            resource.setrlimit(resource.RLIMIT_DATA, (_BYTES, _BYTES))
