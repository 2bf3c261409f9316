"""Many games at once: in processes, and on a cluster on this machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from fixtures.waiting import wait_until
from minebot.cli import main
from minebot.errors import WorkerLost
from minebot.layout import First
from minebot.policy.guessing.settings import Strategy
from minebot.simulate.games import SimulationSettings
from minebot.simulate.workers import on_cluster
from tests.simulate.playing import SETTINGS, SMALL, games, started, wait_for_lines


def test_one_and_two_workers_play_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for workers in ("1", "2"):
        assert main(["simulate", *SMALL, "--games", "24", "--workers", workers, "--json"]) == 0
        told.append(capsys.readouterr().out)
    assert games(told[0]) == games(told[1])
    assert [number for number, _, _ in games(told[0])] == list(range(24))
    last = json.loads(told[1].splitlines()[-1])["summary"]
    assert last["games"] == 24
    assert last["won"] == sum(won for _, won, _ in games(told[0]))


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts processes in /proc")
def test_ctrl_c_while_its_processes_start_is_no_traceback() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "minebot", "simulate", "--workers", "2"],
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    )
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    # One of them keeps account of the others.
    wait_until(lambda: len(children.read_text().split()) == 3)
    assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "Traceback" not in said
    assert "stopped: " in said


def test_without_affinity_it_takes_every_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert main(["simulate", *SMALL, "--games", "2"]) == 0


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


@pytest.mark.parametrize("failure", [RuntimeError("dictionary changed size"), TimeoutError()])
def test_a_client_that_fails_to_close_loses_no_game(
    monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    distributed = pytest.importorskip("distributed")
    tasks = [(SETTINGS, number) for number in range(8)]
    close = distributed.Client.close

    def fail(client: Any) -> None:
        if client.status != "closed":
            close(client)
            client.status = "closing"
            raise failure

    monkeypatch.setattr(distributed.Client, "close", fail)
    with cluster() as (address, _):
        assert len(list(on_cluster(tasks, Strategy.LEAST_RISK, address))) == 8


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
