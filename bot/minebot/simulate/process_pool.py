"""Many games at once: the same games whatever the number of workers, in any order."""

from __future__ import annotations

import signal
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context

from minebot.errors import WorkerLost
from minebot.policy.guessing.prepare import load, prepare
from minebot.policy.guessing.recommend import Strategy
from minebot.simulate.games import Deal, Record, SimulationSettings, deal, play

Task = Deal | tuple[SimulationSettings, int]
"""A game to play: one that is dealt, or the settings and the number to deal it from."""
_BATCH = 4
"""Games handed to a worker at once. Specified: some tenths of a second of work."""
_AHEAD = 3
"""Batches that wait for each worker. Specified: more would only be thrown away at a stop."""


def run(tasks: Sequence[Task], strategy: Strategy) -> list[Record]:
    """Play games one after another: what a worker does."""
    return [play(task if isinstance(task, Deal) else deal(*task), strategy) for task in tasks]


def here(tasks: Sequence[Task], strategy: Strategy) -> Generator[Record, None, None]:
    """Play in this process."""
    _load(strategy)
    for task in tasks:
        yield from run([task], strategy)


def in_processes(
    tasks: Sequence[Task], strategy: Strategy, workers: int
) -> Generator[Record, None, None]:
    """Play in `workers` processes; raises WorkerLost when one dies.

    The processes are started afresh, not forked, and leave Ctrl-C to this one.
    """
    if hasattr(signal, "pthread_sigmask"):
        from multiprocessing.resource_tracker import ensure_running  # noqa: PLC0415 - not on Windows

        # Started with the first process it would let Ctrl-C through.
        ensure_running()
    waiting = iter([tasks[at : at + _BATCH] for at in range(0, len(tasks), _BATCH)])
    pool = ProcessPoolExecutor(
        workers, get_context("spawn"), initializer=_begin, initargs=(strategy,)
    )
    under_way: set[Future[list[Record]]] = set()
    try:
        while True:
            for batch in islice(waiting, workers * _AHEAD - len(under_way)):
                with interrupts_held():
                    under_way.add(pool.submit(run, batch, strategy))
            if not under_way:
                break
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                yield from future.result()
    except BrokenProcessPool as error:
        raise WorkerLost("a worker process has died; the games so far are kept") from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """For a `with` block that Ctrl-C is not to break off; it is heard when the block ends.

    A process that is started in it is deaf to Ctrl-C from its birth. To be entered in the main
    thread.
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


def _begin(strategy: Strategy) -> None:
    """Leave Ctrl-C to the process that asked; load the compiled parts before the first game."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _load(strategy)


def _load(strategy: Strategy) -> None:
    """Load what the first guess would, so that no step of a game is charged with that."""
    if strategy is not Strategy.LEAST_RISK:
        prepare()
        load()
