"""Programs are started, and end with all that they started."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from fixtures.waiting import within
from minebot.errors import CaptureError, WindowError
from minebot.sandbox.process import running, written


def test_a_program_that_never_gets_ready_is_given_up() -> None:
    with (
        running(["sleep", "100"], dict(os.environ), CaptureError) as program,
        pytest.raises(CaptureError, match=r"^sleep was not ready after 0.2 seconds$"),
    ):
        program.wait_until(lambda: False, 0.2)


def test_a_program_may_write_more_than_anybody_reads(tmp_path: Path) -> None:
    """A pipe that nobody empties would hold it up after 64 KiB."""
    done = tmp_path / "done"
    code = f"print('x' * 300_000, flush=True); open({str(done)!r}, 'w')"
    command = [sys.executable, "-c", code]
    with running(command, dict(os.environ), WindowError) as program:
        program.wait_until(done.exists)
        assert len(written(program.output)) == 300_001


def started_by(script: str, told: Path) -> int:
    """Run a shell's script until it has written a process's number into the file; that number."""
    with running(["sh", "-c", script], dict(os.environ), CaptureError) as program:
        program.wait_until(lambda: told.exists() and told.read_text().endswith("\n"))
        return int(told.read_text())


def test_what_a_program_has_started_ends_with_it_though_it_does_not_listen(tmp_path: Path) -> None:
    told = tmp_path / "number"
    deaf = f"(trap '' TERM; exec sleep 1000) & echo $! > {told}; wait"
    number = started_by(deaf, told)
    assert within(lambda: not Path(f"/proc/{number}").exists())


def test_what_a_program_has_started_may_end_by_itself(tmp_path: Path) -> None:
    told, last = tmp_path / "number", tmp_path / "last"
    child = tmp_path / "child"
    child.write_text(
        f"trap 'echo good > {last}; exit' TERM; echo $$ > {told}; while :; do sleep 0.01; done"
    )
    started_by(f"trap : TERM; sh {child} & wait; wait", told)
    assert last.read_text() == "good\n"
