"""Processes that calculate for this one: the games of a simulation, the answers of the page."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pebble import ProcessExpired, ProcessPool

from minebot.errors import WorkerLost

WorkerDied = ProcessExpired
"""What the future of a task raises whose process has died."""


@contextmanager
def worker_pool(
    workers: int, begin: Callable[..., object], *arguments: object
) -> Iterator[ProcessPool]:
    """A pool of processes, started afresh and not forked, which leave Ctrl-C to this one.

    They end with the `with` block, whatever they are at. `begin` is called with the `arguments` in
    each of them before its first task. One whose task takes longer than it may is ended, and so is
    one whose future is cancelled. For the main thread; raises WorkerLost.
    """
    pool = ProcessPool(workers, 0, begin, arguments, multiprocessing.get_context("spawn"))
    if hasattr(signal, "pthread_sigmask"):
        from multiprocessing.resource_tracker import ensure_running  # noqa: PLC0415 - not there

        # Started with the first process it would let Ctrl-C through.
        ensure_running()
    with interrupts_held():  # from the pool's threads as well, and from what they start
        if not pool.active:  # it is started by this question
            raise WorkerLost("no process can be started")
    try:
        yield pool
    finally:
        pool.stop()  # type: ignore[no-untyped-call]  # has no annotations
        pool.join()


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
