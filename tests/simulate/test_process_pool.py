"""Games on all cores."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fixtures.waiting import wait_until
from minebot.cli import main
from tests.simulate.playing import SMALL, games


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
