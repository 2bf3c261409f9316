"""Programs are started, and end with all that they started."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from fixtures.waiting import within
from minebot.capture import Rect
from minebot.desktop.x11.desktop import XDesktop
from minebot.errors import CaptureError, WindowError
from minebot.sandbox.private_display import PrivateDisplay
from minebot.sandbox.process import opened, running, written
from tests.desktop.x11.client import Client


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


ROOT = Path(__file__).parents[2]
WINDOW = """
import os, signal, sys
from minebot.capture import Rect
from tests.desktop.x11.client import Client
title = os.environ.get("TITLE", "Board")
client = Client(os.environ["DISPLAY"], Rect(50, 60, 120, 80), title, "launched")
signal.pause()
"""
"""A program that shows a window."""


def _program(folder: Path, code: str) -> str:
    """A program of that code, called `launched`."""
    file = folder / "launched"
    file.write_text(f"#!{sys.executable}\n{code}")
    file.chmod(0o755)
    return str(file)


@pytest.fixture
def desktop(desk: PrivateDisplay) -> XDesktop:
    return XDesktop(desk.name)


@pytest.fixture
def environ(desk: PrivateDisplay) -> dict[str, str]:
    return desk.environ({"PYTHONPATH": f"{ROOT}:{ROOT / 'bot'}"})


def test_the_programs_window_is_found_beside_others_and_ends_with_the_block(
    desktop: XDesktop, desk: PrivateDisplay, environ: dict[str, str], tmp_path: Path
) -> None:
    command = [_program(tmp_path, WINDOW)]
    with Client(desk.name, Rect(0, 0, 50, 50), "Board", "launched") as before:
        with opened(desktop, command, environ) as (window, _):
            assert window.id != before.window.id
            assert window.app_ids[0] == "launched"
            # By their ids: the window manager may still move a new window to its place.
            assert {one.id for one in desktop.windows()} == {before.window.id, window.id}
        assert [one.id for one in desktop.windows()] == [before.window.id]


def test_another_programs_new_window_is_not_taken_for_it(
    desktop: XDesktop, environ: dict[str, str], tmp_path: Path
) -> None:
    code = f"""
import os
from minebot.capture import Rect
from tests.desktop.x11.client import Client
other = Client(os.environ["DISPLAY"], Rect(0, 0, 50, 50), "Notice", "other")
{WINDOW}
"""
    with opened(desktop, [_program(tmp_path, code)], environ) as (window, _):
        assert {one.title for one in desktop.windows()} == {"Notice", "Board"}
        assert window.title == "Board"


def test_what_is_not_the_whole_environment_is_put_on_top_of_the_users(
    desktop: XDesktop,
    desk: PrivateDisplay,
    environ: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DISPLAY", desk.name)
    monkeypatch.setenv("TITLE", "the user's")
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}:{ROOT / 'bot'}")
    command = [_program(tmp_path, WINDOW)]
    with opened(desktop, command, {}) as (window, _):
        assert window.title == "the user's"
    with opened(desktop, command, {"TITLE": "the game's"}) as (window, _):
        assert window.title == "the game's"
    with opened(desktop, command, environ) as (window, _):
        assert window.title == "Board", "with a PATH it is the whole environment"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise SystemExit('no such board')", "no such board"),
        ("", "launched"),
    ],
)
def test_a_program_that_ends_at_once_is_told_in_its_words(
    desktop: XDesktop, environ: dict[str, str], tmp_path: Path, code: str, said: str
) -> None:
    with (
        pytest.raises(WindowError, match=said) as caught,
        opened(desktop, [_program(tmp_path, code)], environ),
    ):
        pytest.fail("it opened")
    assert "\n" not in str(caught.value)


def test_a_program_that_is_missing_is_named(desktop: XDesktop, environ: dict[str, str]) -> None:
    with (
        pytest.raises(WindowError, match="no-such-game") as caught,
        opened(desktop, ["no-such-game"], environ),
    ):
        pytest.fail("it opened")
    assert "\n" not in str(caught.value)
