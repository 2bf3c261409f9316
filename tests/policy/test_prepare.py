"""Compiling what guesses need: once, in a process that can be ended, for all that wait for it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from fixtures.waiting import stays, wait_until
from minebot.errors import Stopped, WorkerLost
from minebot.policy.guessing.cache import FOLDER, folder, is_complete, mark_complete
from minebot.policy.guessing.prepare import prepare
from minebot.stop import Stop, SystemClock
from tests.support.compiler import compiler_is

ROOT = Path(__file__).parents[2]


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in which nothing is compiled yet."""
    monkeypatch.setenv(FOLDER, str(tmp_path))
    folder.cache_clear()
    yield tmp_path
    folder.cache_clear()


@contextmanager
def running(code: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def says(process: subprocess.Popen[str], word: str) -> bool:
    assert process.stdout is not None
    return process.stdout.readline() == f"{word}\n"


GUESS = """
from minebot.board import Board
from minebot.policy.plan import Reason, guess
from minebot.solver import solve

for rows, mines, reason in (
    ("???????\\n" * 3 + "???1???\\n" + "???????\\n" * 3, 9, Reason.LOOKAHEAD),
    ("0001?\\n0001?", 1, Reason.ENDGAME),
):
    board = Board.parse(rows, mines)
    risk = solve(board, risk=True).risk
    choice = guess(board, risk, set()).choice
    assert choice.reason is reason, choice.reason
"""


@pytest.mark.thorough
def test_the_first_guess_waits_says_so_once_and_is_as_good_as_any(tmp_path: Path) -> None:
    environ = os.environ | {FOLDER: str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", GUESS],
        cwd=ROOT,
        env=environ,
        check=True,
        stderr=subprocess.PIPE,
        text=True,
    )
    (said,) = done.stderr.splitlines()
    assert "once" in said
    assert "seconds" in said
    compiled = sorted(path.name.split("-")[0] for path in tmp_path.rglob("*.nbc"))
    assert compiled == [  # each once: none again for the guess
        "certain.play_certain", "compute_risk.compute_risk", "compute_risk.live_clues",
        "decide.decide", "engine.draw",
    ]  # fmt: skip


def test_a_stop_ends_the_compilation_and_is_heard_every_tenth_of_a_second(
    fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler_is(monkeypatch, fresh, "import signal; signal.pause()")
    started: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def start(*arguments: object, **options: object) -> subprocess.Popen[bytes]:
        started.append(popen(*arguments, **options))  # type: ignore[call-overload]
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    clock = SystemClock(stop := Stop())
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        clock.sleep(seconds)

    def press_esc() -> None:
        wait_until(lambda: started)
        stop.request("Esc")

    presses = Thread(target=press_esc)
    presses.start()
    with pytest.raises(Stopped, match="Esc"):
        prepare(sleep=wait)
    presses.join()
    assert max(waits) < 0.1
    assert started[0].returncode == -signal.SIGKILL


def test_it_waits_for_the_compilation_to_end(
    fresh: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    compiler_is(monkeypatch, fresh, "import threading; threading.Event().wait(0.5)")
    began = time.monotonic()
    prepare()
    assert time.monotonic() - began >= 0.5
    assert len(caplog.messages) == 1


def test_what_is_compiled_is_not_waited_for(
    fresh: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    compiler_is(monkeypatch, fresh, "raise SystemExit(1)")
    mark_complete()
    prepare()
    assert not caplog.messages


def test_a_compilation_that_fails_says_why(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler_is(monkeypatch, fresh, "raise OSError(28, 'No space left on device')")
    with pytest.raises(WorkerLost, match=r"cannot be compiled: .*No space left"):
        prepare()


HOLD = """
import fcntl
from minebot.policy.guessing.cache import folder, mark_complete
lock = (folder() / "lock").open("ab")
fcntl.flock(lock, fcntl.LOCK_EX)
print("held", flush=True)
"""


COMPILE = """
import runpy
from minebot.policy.guessing import compiler
from minebot.policy.guessing.cache import folder

compiler.compile_all = (folder() / "compiled").touch
print("begun", flush=True)
runpy.run_module("minebot.policy.guessing.prepare", run_name="__main__")
"""


def test_of_two_that_compile_at_once_one_waits_for_the_other(fresh: Path) -> None:
    first = (
        HOLD
        + """
from fixtures.waiting import wait_until
wait_until((folder() / "go").exists)
mark_complete()
"""
    )
    with running(first) as one:
        assert says(one, "held")
        with running(COMPILE) as other:
            assert says(other, "begun")
            assert stays(lambda: other.poll() is None, 0.5)
            (fresh / "go").touch()
            assert other.wait(30) == 0
    assert not (fresh / "compiled").exists()


def test_the_lock_of_one_that_died_holds_nobody_up(fresh: Path) -> None:
    with running(HOLD + "import signal; signal.pause()") as dead:
        assert says(dead, "held")
        with running(COMPILE) as other:
            assert says(other, "begun")
            assert stays(lambda: other.poll() is None, 0.3)
            dead.kill()
            assert other.wait(30) == 0
    assert (fresh / "compiled").exists()
    assert is_complete()
