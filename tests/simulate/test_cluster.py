"""Games on a cluster."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fixtures.waiting import wait_until
from minebot.cli import main
from minebot.errors import WorkerLost
from minebot.layout import First
from minebot.policy.guessing.settings import Strategy
from minebot.simulate import SimulationSettings
from minebot.simulate.cluster import on_cluster
from tests.simulate.playing import SETTINGS, games, started, wait_for_lines


@contextmanager
def cluster() -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A Dask scheduler and two workers, each a process of its own, in this order."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    processes: list[subprocess.Popen[bytes]] = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scheduler.json"
        scheduler = [
            sys.executable, "-m", "distributed.cli.dask_scheduler", "--scheduler-file", str(file),
            "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show",
        ]  # fmt: skip
        worker = [
            sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(file),
            "--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "30",
        ]  # fmt: skip
        try:
            processes += [subprocess.Popen(scheduler, **quiet)]  # type: ignore[call-overload]
            wait_until(
                lambda: (
                    processes[0].poll() is not None
                    or (file.exists() and file.read_text().endswith("}"))
                )
            )
            processes += [subprocess.Popen(worker, **quiet) for _ in range(2)]  # type: ignore[call-overload]
            yield json.loads(file.read_text())["address"], processes
        finally:
            for process in reversed(processes):
                process.kill()
                process.wait()


@pytest.mark.thorough
@pytest.mark.timeout(400)  # four processes that import Dask, on a machine that may be busy
def test_a_lost_cluster_worker_loses_no_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("distributed")
    path = tmp_path / "games.jsonl"
    with cluster() as (address, (_, worker, _)):
        common = ["--games", "96", "--json", "--dask", address]
        process = started(*common, "--resume", str(path))
        wait_for_lines(path, 20, process)
        worker.kill()
        out, error = process.communicate(timeout=300)
    assert process.returncode == 0, error
    played = games(out)
    assert [number for number, _, _ in played] == list(range(96))
    assert games(path.read_text()) == played
    assert main(["simulate", "--games", "30", "--workers", "1", "--json"]) == 0
    assert games(capsys.readouterr().out) == played[:30]


@pytest.mark.thorough
def test_of_more_games_than_are_handed_out_at_first_none_is_left_out() -> None:
    pytest.importorskip("distributed")
    settings = SimulationSettings(3, 3, 1, First.SAFE, 1, Strategy.LEAST_RISK)
    tasks = [(settings, number) for number in range(3300)]
    with cluster() as (address, _):
        played = [record.game for record in on_cluster(tasks, Strategy.LEAST_RISK, address)]
    assert sorted(played) == list(range(3300))


@pytest.mark.thorough
def test_a_cluster_without_workers_is_not_waited_for_for_ever() -> None:
    pytest.importorskip("distributed")
    tasks = [(SETTINGS, number) for number in range(2000)]
    with cluster() as (address, (_, *workers)):
        played = on_cluster(tasks, Strategy.LEAST_RISK, address, alone=15.0)
        assert next(played).milliseconds
        for worker in workers:
            worker.kill()
        with pytest.raises(WorkerLost, match="no worker left"):
            for _ in played:
                pass


def test_a_scheduler_that_has_gone_is_not_waited_for_for_ever() -> None:
    pytest.importorskip("distributed")
    tasks = [(SETTINGS, number) for number in range(20000)]
    with cluster() as (address, (scheduler, *_)):
        played = on_cluster(tasks, Strategy.LEAST_RISK, address, alone=15.0)
        assert next(played).milliseconds
        scheduler.kill()
        with pytest.raises(WorkerLost):
            for _ in played:
                pass


def test_no_cluster_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("distributed")
    assert main(["simulate", "--games", "1", "--dask", "not an address"]) == 2
    assert "no Dask scheduler" in capsys.readouterr().err
