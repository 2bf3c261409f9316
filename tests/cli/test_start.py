"""`minebot start`: what it opens stays open once it was played, and nothing else is left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from fixtures.waiting import wait_until, within
from minebot.board import Cell
from minebot.desktop.choose import native
from minebot.desktop.ports import find
from minebot.play.result import PlaySettings
from minebot.play.session import open_session
from minebot.profile import load
from minebot.sandbox.private_display import PrivateDisplay
from minebot.stop import Stop

pytestmark = [pytest.mark.game, pytest.mark.thorough]


@pytest.fixture
def display() -> Iterator[PrivateDisplay]:
    """A display of the test's own: whatever is left on it ends with it."""
    with PrivateDisplay() as display:
        yield display


def _start(display: PrivateDisplay, command: Sequence[str], folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-W", "default::ResourceWarning", "-m", "minebot", *command],
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**os.environ, "DISPLAY": display.name},
    )


def _titles(display: PrivateDisplay) -> list[str]:
    return [window.title for window in native(display.name).windows()]


@pytest.mark.parametrize(
    "command", [("start", "sgt-mines", "9x9n10#5"), ("demo", "--show", "--game", "9x9n10#5")]
)
def test_a_game_that_was_played_is_left_open(
    display: PrivateDisplay, command: Sequence[str], tmp_path: Path
) -> None:
    with _start(display, command, tmp_path) as run:
        _, said = run.communicate(timeout=100)
    assert run.returncode == 0, said
    assert "still running" not in said
    desktop = native(display.name)
    window, stop = find("sgt-mines", desktop.windows()), Stop()
    with open_session(
        desktop, window, load("sgt-mines"), stop, PlaySettings(), touch=False
    ) as session:
        board = session.observer.read().board
    assert board.count(Cell.FLAG) + board.count(Cell.HIDDEN) == 10


def test_a_review_tells_the_same_figures_of_a_game_as_its_player(
    display: PrivateDisplay, tmp_path: Path
) -> None:
    command = ["start", "--json", "--record", "game", "sgt-mines", "30x16n99#4"]
    played, reviewed = (
        json.loads(
            subprocess.run(
                [sys.executable, "-m", "minebot", *words],
                capture_output=True,
                check=True,
                cwd=tmp_path,
                env={**os.environ, "DISPLAY": display.name},
            ).stdout
        )
        for words in (command, ["review", "game", "--json"])
    )
    for name in ("outcome", "clicks", "3bv"):
        assert reviewed[name] == played[name]
    assert reviewed["seconds"] == pytest.approx(played["seconds"], abs=0.001)
    assert reviewed["3bv_per_second"] == pytest.approx(played["3bv_per_second"], rel=0.001)


def test_a_window_without_a_board_is_refused_and_closed(
    display: PrivateDisplay, tmp_path: Path
) -> None:
    with _start(display, ("start", "xmessage", "hello"), tmp_path) as run:
        _, said = run.communicate(timeout=100)
    assert run.returncode == 4
    assert "no game that is known" in said
    assert _titles(display) == []


def test_ctrl_c_before_the_first_click_leaves_nothing_behind(
    display: PrivateDisplay, tmp_path: Path
) -> None:
    with _start(display, ("start", "xmessage", "hello"), tmp_path) as run:
        wait_until(lambda: _titles(display) == ["xmessage"])
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=100)
    assert run.returncode == 130, said
    assert within(lambda: _titles(display) == [], 1)
