"""Many games on the machines of a Dask cluster. The only user of distributed, an extra.

Scheduler, workers and client run what each of them sends to the others: for a network
that is trusted, or for tls:// with certificates, as https://distributed.dask.org/en/stable/tls.html
says.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from minebot.errors import UsageError, WorkerLost
from minebot.extras import require
from minebot.policy.guessing.settings import Strategy
from minebot.simulate.games import Record
from minebot.simulate.process_pool import Task, run

if TYPE_CHECKING:
    from distributed import Client, Future, as_completed

_BATCH = 8
"""Games handed out at once. Specified: a second's work, next to which sending them is nothing."""
_AHEAD = 400
"""Batches that the scheduler knows of at a time. Specified: more than the cores of any cluster."""
_ANSWER = 10
"""Seconds in which the scheduler has to answer first. Specified: a limit."""
_ALONE = 60.0
"""Seconds without a worker after which none is expected. Specified: one starts in a few."""
_FETCH = 1.0
"""Seconds without records before the workers are checked. Specified: a limit."""
_LOOK = 0.1
"""Seconds between two checks for results. Specified: 0.1."""


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
    from distributed import Client, KilledWorker, as_completed  # noqa: PLC0415  # an extra

    try:
        client = Client(address, timeout=_ANSWER, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise UsageError(f"no Dask scheduler answers at {address}") from error
    batches = iter([tasks[at : at + _BATCH] for at in range(0, len(tasks), _BATCH)])
    with client:
        # Not pure: the key of a task must not stand for an older one with another program.
        first = islice(batches, _AHEAD)
        futures = [client.submit(run, batch, strategy, pure=False) for batch in first]
        under_way = as_completed(futures, loop=client.loop)
        try:
            for records in _results(under_way, client, alone):
                yield from records
                batch = next(batches, None)
                if batch is not None:
                    under_way.add(client.submit(run, batch, strategy, pure=False))
        except KilledWorker as error:
            raise WorkerLost(f"the cluster gave a batch up: {error}") from error
        except (CancelledError, OSError) as error:
            raise WorkerLost(f"the scheduler at {address} has gone") from error
        finally:
            with suppress(CancelledError, OSError):
                client.cancel(list(under_way.futures))


def _results(under_way: as_completed, client: Client, alone: float) -> Iterator[list[Record]]:
    """What was played, batch by batch; raises WorkerLost after `alone` seconds without workers."""
    since = time.monotonic()
    future: Future | None = None
    while future is not None or not under_way.is_empty():
        if future is None and under_way.has_ready():
            future = next(under_way)
        if future is not None:
            try:
                records = future.result(timeout=_FETCH)
            except TimeoutError:
                pass  # The worker that had it may have gone: then it is played again.
            else:
                future, since = None, time.monotonic()
                yield records
                continue
        if client.nthreads():
            since = time.monotonic()
        elif time.monotonic() - since > alone:
            raise WorkerLost("the cluster has no worker left; the games so far are kept")
        time.sleep(_LOOK)
