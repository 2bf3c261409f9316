"""What was learnt is there in the next run, however the one before has ended."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from bot.actuator import Button
from bot.calibrate.journal import Journal
from bot.capture import Pixel
from bot.errors import UsageError
from tests.calibrate.learner import learn
from tests.calibrate.table_game import TableGame

ROOT = Path(__file__).parents[2]


def test_what_was_kept_teaches_the_same(tmp_path: Path) -> None:
    course = learn(tmp_path, 3)
    again = Journal(tmp_path).load(Random(1), None)
    assert again.games == 3
    one, other = course.learnt(), again.learnt()
    assert one.sure == other.sure
    assert one.conduct == other.conduct
    assert [picture.cells for picture in one.pictures] == [p.cells for p in other.pictures]
    for first, second in zip(one.pictures, other.pictures, strict=True):
        assert (first.open().pixels[..., :3] == second.open().pixels[..., :3]).all()


def test_a_later_run_goes_on_from_there(tmp_path: Path) -> None:
    before = learn(tmp_path, 2)
    after = learn(tmp_path, 2)
    assert after.games == 4
    assert [shot.game for shot in after.knowledge.shots][: len(before.knowledge.shots)] == [
        shot.game for shot in before.knowledge.shots
    ]
    assert {shot.game for shot in after.knowledge.shots} == {0, 1, 2, 3}
    met = before.learnt().sure
    assert all(after.learnt().sure[cell] >= count for cell, count in met.items())


@pytest.mark.parametrize("delay", [0.05, 0.4, 1.1])
def test_killed_at_any_moment_what_the_last_game_taught_is_there(
    tmp_path: Path, delay: float
) -> None:
    command = [sys.executable, "-m", "tests.calibrate.learner", str(tmp_path)]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environ, cwd=ROOT) as process:
        assert process.stdout is not None
        told = [process.stdout.readline()]
        time.sleep(delay)
        process.kill()
        told += process.stdout.readlines()
    kept = Journal(tmp_path).load(Random(1), None)
    assert kept.games >= int(told[-1]) >= 1
    assert {shot.game for shot in kept.knowledge.shots} == set(range(kept.games))
    assert kept.learnt().sure


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[: len(text) // 2],
        lambda text: text.replace('"form":1', '"form":99'),
        lambda text: text.replace('"examples":"', '"examples":"AAAA'),
    ],
)
def test_a_damaged_journal_is_refused_in_one_line(tmp_path: Path, damage: object) -> None:
    assert callable(damage)
    learn(tmp_path, 1)
    path = tmp_path / "journal.json"
    path.write_text(damage(path.read_text()))
    with pytest.raises(UsageError, match="begins anew"):
        Journal(tmp_path).load(Random(1), None)


def test_a_picture_that_is_gone_is_missed(tmp_path: Path) -> None:
    learn(tmp_path, 1)
    next(tmp_path.glob("*.png")).unlink()
    with pytest.raises(UsageError, match="is missing"):
        Journal(tmp_path).load(Random(1), None)


def test_what_is_forgotten_is_gone(tmp_path: Path) -> None:
    learn(tmp_path / "learning", 1)
    Journal(tmp_path / "learning").forget()
    assert not Journal(tmp_path / "learning").exists
    assert not list(tmp_path.iterdir())


def test_what_an_earlier_run_left_of_a_board_is_renewed(tmp_path: Path) -> None:
    """By the key that is known: a game that has ended is no board to learn from."""
    game = TableGame(9, 9, 10, 1)
    learn(tmp_path, 1, game)
    assert game.played == 1
    for square in range(0, 81, 2):
        if not game.over:
            game.click(Pixel(30 + 26 * (square % 9) + 5, 44 + 26 * (square // 9) + 5), Button.LEFT)
    after = learn(tmp_path, 1, game)
    assert after.games == 2
    assert game.played == 3


@pytest.mark.parametrize("is_running", [False, True])
def test_a_later_run_may_meet_another_look_of_covered_squares(
    tmp_path: Path, *, is_running: bool
) -> None:
    """A run that was killed may have left the window in another size."""
    game = TableGame(9, 9, 10, 1)
    learn(tmp_path, 1, game)
    game.covered_level, game.dot = 90, 4
    if is_running:
        game.click(Pixel(30 + 33 * 4 + 5, 44 + 33 * 4 + 5), Button.LEFT)
    game.desk.paint(game.picture())
    assert learn(tmp_path, 1, game).games == 2
