"""Many games on the machines of a Dask cluster. The only user of distributed, an extra."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from bot.errors import UsageError, WorkerLost
from bot.policy.plan import Strategy
from bot.simulate.games import Record
from bot.simulate.workers import Task, run

__all__ = ["on_cluster"]

_BATCH = 8
_AHEAD = 400
"""Batches that the scheduler knows of at a time."""


def on_cluster(
    tasks: Sequence[Task], strategy: Strategy, address: str
) -> Generator[Record, None, None]:
    """Play on the cluster whose scheduler is at `address`, such as tcp://host:8786.

    The workers need minebot installed. What a lost worker had under way is played again
    by another one; every game is handed out once. Raises UsageError where there is no
    cluster, WorkerLost where one batch has lost several workers.
    """
    try:
        from distributed import Client, KilledWorker, as_completed  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise UsageError("--dask needs distributed: pip install 'minebot[cluster]'") from error
    try:
        client = Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise UsageError(f"no Dask scheduler answers at {address}") from error
    batches = iter([tasks[at : at + _BATCH] for at in range(0, len(tasks), _BATCH)])
    with client:
        # Not pure: the key of a task must not stand for an older one with another program.
        first = [client.submit(run, batch, strategy, pure=False) for batch, _ in
                 zip(batches, range(_AHEAD), strict=False)]  # fmt: skip
        under_way = as_completed(first, loop=client.loop)
        try:
            for future in under_way:
                yield from future.result()
                batch = next(batches, None)
                if batch is not None:
                    under_way.add(client.submit(run, batch, strategy, pure=False))
        except KilledWorker as error:
            raise WorkerLost(f"the cluster gave a batch up: {error}") from error
        finally:
            client.cancel(list(under_way.futures))
