"""Processes that calculate for this one: the games of a simulation, the answers of the page."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import ParamSpec, Self, TypeVar

from pebble import ProcessExpired, ProcessPool

from minebot.errors import WorkerLost

_P = ParamSpec("_P")
_R = TypeVar("_R")

WorkerDied = ProcessExpired
"""What the future of a task raises whose process has died."""


class WorkerPool:
    """A pool of processes, started afresh and not forked, which leave Ctrl-C to this one.

    For a `with` block in the main thread, at whose end they end, whatever they are at.
    """

    def __init__(self, workers: int, begin: Callable[..., object], *arguments: object) -> None:
        """`begin` is called with the `arguments` in each process before its first task."""
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPool(workers, 0, begin, arguments, context)

    def __enter__(self) -> Self:
        if hasattr(signal, "pthread_sigmask"):
            from multiprocessing.resource_tracker import ensure_running  # noqa: PLC0415 - not there

            # Started with the first process it would let Ctrl-C through.
            ensure_running()
        with interrupts_held():  # from the pool's threads as well, and from what they start
            if not self._pool.active:  # it is started by this question
                raise WorkerLost("no process can be started")
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.stop()  # type: ignore[no-untyped-call]  # has no annotations
        self._pool.join()

    def submit(
        self, seconds: float | None, task: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs
    ) -> Future[_R]:
        """Start a task; its future raises TimeoutError after `seconds`.

        A process that takes longer is ended, and so is one whose future is cancelled.
        """
        return self._pool.schedule(task, args, kwargs, timeout=seconds)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """For a `with` block that Ctrl-C is not to break off; it is heard when the block ends.

    A process or thread started in it is deaf to Ctrl-C from its birth. For the main thread.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield  # On Windows a new process cannot be made deaf.
        return
    held: list[int] = []
    # A new process inherits the mask; here another thread may be interrupted all the same.
    handler = signal.signal(signal.SIGINT, lambda number, _: held.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, handler)
        for number in held[:1]:
            signal.raise_signal(number)
