"""Processes that calculate for the page: one hard position ends there, and the server goes on.

A calculation that takes longer than it may is ended with its process; so is one that needs
more memory than it may have.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import suppress

from minebot.study.answers import answer, late, refused, warm
from minebot.worker_pool import WorkerDied, WorkerPool

_WORKERS = 2
"""Worker processes. Specified: while one is at a hard position, the other answers."""
_BYTES = 4 << 30
"""Bytes of memory that a process may have. Specified: what a machine of 8 GB can spare."""


class Workers(WorkerPool):
    """A pool of processes; a context manager."""

    def __init__(self, seconds: float) -> None:
        """`seconds` limits the time of a calculation."""
        super().__init__(_WORKERS, _begin)
        self._seconds = seconds

    async def answer(self, name: str, body: bytes) -> bytes:
        """The JSON of the answer to a question, or of a refusal: see `minebot.study.answers`."""
        future = self.submit(self._seconds, answer, name, body)
        try:
            return await asyncio.wrap_future(future)
        except TimeoutError:
            return refused(late(name, self._seconds))
        except WorkerDied:
            return refused("the process that worked on it has died")
        except asyncio.CancelledError:
            return refused("the study has ended")  # to whom, is the server's affair


def _begin() -> None:
    """Bound the memory of a process, and load what its first answer needs."""
    logging.disable()  # the study's own process says it
    if sys.platform == "linux":
        import resource  # noqa: PLC0415

        with suppress(ValueError):  # a lower bound is set already
            resource.setrlimit(resource.RLIMIT_DATA, (_BYTES, _BYTES))
    warm()
