"""Looking on while a hand plays the real game: what was sent is what is worked out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fixtures import tatham
from fixtures.display_driver import Driver, Grid
from fixtures.running_game import RunningGame
from fixtures.waiting import pass_time
from minebot.actuator import Button
from minebot.desktop.placement import Point
from minebot.layout import Layout
from minebot.sandbox.private_display import PrivateDisplay
from minebot.solver import solve

pytestmark = pytest.mark.game

ROOT = Path(__file__).parents[2]
LAYOUT = Layout.parse("......*..\n.........\n..*......\n.....*...\n.........\n.*.....*.\n.........")
HOLD, GAP = 0.04, 0.3
"""Seconds: a hand's."""


def test_the_command_says_what_was_played_and_moves_nothing(
    desk: PrivateDisplay, tmp_path: Path
) -> None:
    opened = set(LAYOUT.opened_by(8))
    wrong = solve(LAYOUT.seen(opened), every=True).safe[0]
    sent = [("flag", 6), ("flag", wrong), ("unflag", wrong)]
    left = [at for at in range(63) if at not in LAYOUT.mines and at not in opened]
    seen = set(opened)
    for at in left:
        if at not in seen:
            sent.append(("open", at))
            seen |= LAYOUT.opened_by(at)
    page = tmp_path / "game.html"
    with RunningGame(desk, tatham.encode(LAYOUT, (8, 0))) as game, Driver(desk) as driver:
        words = ["watch", "--window", game.window, "--json", "--drill", "--html", str(page)]
        words += ["--coach", "safe,flag", "--sound"]
        program = subprocess.Popen(
            [sys.executable, "-m", "minebot", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "DISPLAY": desk.name},
        )
        assert program.stderr is not None
        assert "watching" in program.stderr.readline()
        pass_time(1.0)
        area = game.area()
        grid = Grid.inside(area, 9, 7, 1)
        for what, square in sent:
            x, y = square % 9, square // 9
            half = grid.pitch // 2
            place = Point(
                area.left + grid.left + x * grid.pitch + half,
                area.top + grid.top + y * grid.pitch + half,
            )
            button = Button.LEFT if what == "open" else Button.RIGHT
            driver.press(place, button)
            pass_time(HOLD)
            driver.release(button)
            pass_time(GAP)
        out, error = program.communicate(timeout=60)
    assert program.returncode == 0, error
    said = [line for line in error.splitlines() if "flag is" in line or "move exists" in line]
    assert said == ["a safe move exists\a", "a flag is wrong\a"]
    assert "row" not in error.partition("game 1")[0]
    assert "drills: 1 new, 1 due" in error
    facts = json.loads(out)
    assert facts["outcome"] == "won"
    assert [(move["action"], 9 * move["y"] + move["x"]) for move in facts["moves"]] == sent
    assert facts["3bv"] == LAYOUT.bbbv
    assert page.read_text().startswith("<!DOCTYPE html>")
