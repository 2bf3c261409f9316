"""Many games at once, here or on a Dask cluster: the same games whatever the number of workers.

Of a cluster, scheduler, workers and client run what each of them sends to the others: for a network
that is trusted, or for tls:// with certificates, as https://distributed.dask.org/en/stable/tls.html
says.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import suppress
from functools import partial
from itertools import islice

from minebot.errors import UsageError, WorkerLost
from minebot.extras import require
from minebot.policy.guessing.prepare import load
from minebot.policy.guessing.settings import SETTINGS, Strategy
from minebot.simulate.games import Deal, Record, SimulationSettings, deal, play
from minebot.worker_pool import WorkerDied, worker_pool

Task = Deal | tuple[SimulationSettings, int]
"""A game to play: one that is dealt, or the settings and the number to deal it from."""
_BATCH = 4
"""Games handed to a worker at once. Specified: some tenths of a second of work."""
_AHEAD = 3
"""Batches that wait for each worker. Specified: more would only be thrown away at a stop."""
_FETCH = 1.0
"""Seconds without records before the workers are checked. Specified: a limit."""


def run(tasks: Sequence[Task], strategy: Strategy) -> list[Record]:
    """Play games one after another: what a worker does."""
    return [play(task if isinstance(task, Deal) else deal(*task), strategy) for task in tasks]


def in_processes(
    tasks: Sequence[Task], strategy: Strategy, workers: int
) -> Generator[Record, None, None]:
    """Play in `workers` processes; raises WorkerLost when one dies."""
    with worker_pool(workers, _load, strategy) as pool:
        try:
            for records in _batches(
                lambda batch: pool.schedule(run, (batch, strategy)), tasks, _BATCH, workers * _AHEAD
            ):
                yield from records
        except WorkerDied as error:
            raise WorkerLost("a worker process has died; the games so far are kept") from error


def _batches(
    submit: Callable[[Sequence[Task]], Future[list[Record]]],
    tasks: Sequence[Task],
    size: int,
    ahead: int,
) -> Iterator[list[Record]]:
    """What was played, batch by batch, and nothing after each `_FETCH` in which none was ready.

    A batch has `size` games; `ahead` of them are submitted at a time.
    """
    waiting = iter([tasks[at : at + size] for at in range(0, len(tasks), size)])
    under_way: set[Future[list[Record]]] = set()
    while True:
        under_way.update(map(submit, islice(waiting, ahead - len(under_way))))
        if not under_way:
            break
        done, under_way = wait(under_way, _FETCH, FIRST_COMPLETED)
        for future in done:
            yield future.result()
        if not done:
            yield []


def _load(strategy: Strategy) -> None:
    """Load what the first guess would, so that no step of a game is charged with that."""
    if strategy in SETTINGS:
        load()


_CLUSTER_BATCH = 8
"""Games handed to the cluster at once. Specified: a second's work; sending them takes far less."""
_CLUSTER_AHEAD = 400
"""Batches that the scheduler knows of at a time. Specified: more than the cores of any cluster."""
_ANSWER = 10
"""Seconds in which the scheduler has to answer first. Specified: a limit."""
_ALONE = 60.0
"""Seconds without a worker after which none is expected. Specified: one starts in a few."""


def on_cluster(
    tasks: Sequence[Task], strategy: Strategy, address: str, alone: float = _ALONE
) -> Generator[Record, None, None]:
    """Play on the cluster whose scheduler is at `address`, such as tcp://host:8786.

    The workers need minebot installed. What a lost worker had under way is played again
    by another one; every game is handed out once. Raises UsageError if there is no
    cluster, WorkerLost if one batch has lost several workers, where there was none at
    all for `alone` seconds, or where the scheduler has gone.
    """
    require("cluster", "--dask")
    from distributed import Client, KilledWorker  # noqa: PLC0415  # an extra

    try:
        client = Client(address, timeout=_ANSWER, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise UsageError(f"no Dask scheduler answers at {address}") from error
    # Not pure: the key of a task must not stand for an older one with another program.
    executor = client.get_executor(pure=False)
    submit = partial(executor.submit, run, strategy=strategy)
    since = time.monotonic()
    try:
        for records in _batches(submit, tasks, _CLUSTER_BATCH, _CLUSTER_AHEAD):
            yield from records
            if records or client.nthreads():
                since = time.monotonic()
            elif time.monotonic() - since > alone:
                raise WorkerLost("the cluster has no worker left; the games so far are kept")
    except KilledWorker as error:
        raise WorkerLost(f"the cluster gave a batch up: {error}") from error
    except (CancelledError, OSError) as error:
        raise WorkerLost(f"the scheduler at {address} has gone") from error
    finally:
        with suppress(CancelledError, OSError):
            executor.shutdown(wait=False)
        try:
            client.close()
        except (OSError, RuntimeError):  # distributed may fail to close without a scheduler
            client.status = "closed"
