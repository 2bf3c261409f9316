"""A program is started on a desktop, its window is found, and it ends with the block."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from minebot.capture import Rect
from minebot.desktop.x11.desktop import XDesktop
from minebot.errors import WindowError
from minebot.sandbox.launch import opened
from minebot.sandbox.private_display import PrivateDisplay
from tests.desktop.x11.client import Client

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
