"""Boards in a row on a busy machine: all won, and nothing left behind.

MINEBOT_CHAOS_BOARDS=1000 python -m pytest -o faulthandler_timeout=0 tests/chaos/test_many_boards.py
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import pytest

from fixtures.busy import busy
from fixtures.running_game import RunningGame
from minebot.desktop.x11.display import Display
from minebot.sandbox.private_display import PrivateDisplay
from tests.chaos.trial import cache
from tests.chaos.x11_faults import BUTTONS

BOARDS = int(os.environ.get("MINEBOT_CHAOS_BOARDS", "3"))
BUSY = 2
"""Processes that do nothing but take time."""

pytestmark = [
    pytest.mark.game,
    pytest.mark.thorough,
    pytest.mark.timeout(120 + 20 * BOARDS),
]


def processes(mark: str) -> list[str]:
    """The commands of all processes in whose environment the mark is."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_text())
        except OSError:  # it has ended, or is another user's
            continue
    return found


def test_expert_boards_in_a_row_are_won_without_a_guess_and_leave_nothing(tmp_path: Path) -> None:
    scratch, state, mark = tmp_path / "scratch", tmp_path / "state", f"mark-{uuid4()}"
    scratch.mkdir()
    with (
        PrivateDisplay() as display,
        RunningGame(display, "30x16n99") as game,
        Display(display.name) as server,
        busy(BUSY),
    ):
        command = ["--window", game.window, "--games", str(BOARDS), "--json"]
        run = subprocess.run(
            [sys.executable, "-m", "minebot", "--display", display.name, *command],
            env={
                **display.environ(),
                "XDG_CACHE_HOME": cache(),
                "XDG_STATE_HOME": str(state),
                "TMPDIR": str(scratch),
                "MINEBOT_TEST": mark,
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        games = [json.loads(line) for line in run.stdout.splitlines()]
        assert [game["outcome"] for game in games] == ["won"] * BOARDS, run.stderr
        assert all(game["guesses"] == 0 for game in games)
        assert run.returncode == 0
        assert not server.core.QueryPointer(server.root).reply().mask & BUTTONS
    assert processes(mark) == []
    assert list(scratch.iterdir()) == []
    assert not state.exists()
