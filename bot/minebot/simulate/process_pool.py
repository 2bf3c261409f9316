"""Many games at once: the same games whatever the number of workers, in any order."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice

from minebot.errors import WorkerLost
from minebot.policy.guessing.prepare import load, prepare
from minebot.policy.guessing.settings import SETTINGS, Strategy
from minebot.simulate.games import Deal, Record, SimulationSettings, deal, play
from minebot.worker_pool import WorkerDied, WorkerPool

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
    """Play in `workers` processes; raises WorkerLost when one dies."""
    waiting = iter([tasks[at : at + _BATCH] for at in range(0, len(tasks), _BATCH)])
    under_way: set[Future[list[Record]]] = set()
    with WorkerPool(workers, _load, strategy) as pool:
        try:
            while True:
                for batch in islice(waiting, workers * _AHEAD - len(under_way)):
                    under_way.add(pool.submit(None, run, batch, strategy))
                if not under_way:
                    break
                done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                for future in done:
                    yield from future.result()
        except WorkerDied as error:
            raise WorkerLost("a worker process has died; the games so far are kept") from error


def _load(strategy: Strategy) -> None:
    """Load what the first guess would, so that no step of a game is charged with that."""
    if strategy in SETTINGS:
        prepare()
        load()
