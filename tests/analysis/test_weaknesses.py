"""Where a user loses, over several games, by kind of situation."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from minebot.analysis.review import review
from minebot.analysis.weaknesses import habits
from minebot.board import Action
from minebot.cli import main
from minebot.layout import Layout
from tests.support.people import careful, played
from tests.support.recorded_games import FIELD, record, slow

LOST = played(FIELD, [(0, Action.OPEN, 0), (2, Action.OPEN, min(FIELD.mines))])


def test_kinds_of_situations_are_summed_up_the_costliest_first() -> None:
    games = [slow(4.3), slow(5.3), LOST]
    reviews = [review(game) for game in games]
    first, *others = habits(reviews)
    assert first.lost == 1
    assert first.times == 1
    (hesitated,) = others
    assert hesitated.kind.startswith("hesitated")
    assert (hesitated.times, hesitated.lost, hesitated.risk) == (2, 0, 0)
    assert hesitated.seconds == pytest.approx(4.0 + 5.0)
    assert sum(one.times for one in habits(reviews)) == sum(len(one.moments) for one in reviews)


def test_an_unlucky_guess_is_what_lost_a_game_and_no_mistake() -> None:
    toss = played(Layout.parse("*.\n.."), [(0, Action.OPEN, 3), (1, Action.OPEN, 0)])
    assert toss.final.lost
    (habit,) = habits([review(toss)])
    assert habit.kind == "forced guess, unlucky"
    assert (habit.lost, habit.risk) == (1, 0)


def test_who_makes_no_mistake_has_no_habit() -> None:
    layout = Layout.scattered(9, 9, 10, Random(0), clear={0, 1, 9, 10})
    assert habits([review(careful(layout, 0, Random(0)))]) == []


def test_the_command_tells_of_all_games_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record(tmp_path / "games", slow(4.3), LOST)
    assert main(["review", str(tmp_path / "games")]) == 0
    out = capsys.readouterr().out
    assert "1 of 2 won; where the rest goes" in out
    assert "games lost" in out
    assert main(["review", str(tmp_path / "games"), "--json"]) == 0
    *games, all_ = map(json.loads, capsys.readouterr().out.splitlines())
    assert len(games) == all_["games"] == 2
    assert all_["won"] == 1
    assert next(one["lost"] for one in all_["habits"]) == 1
    assert main(["review", str(tmp_path / "games"), "--game", "1"]) == 0
    assert "where the rest goes" not in capsys.readouterr().out
