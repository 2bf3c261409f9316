"""What is said of a game: its figures, its pauses, its costliest moments; and of many games."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from minebot.analysis.efficiency import zini
from minebot.analysis.review import habits, review
from minebot.analysis.serialize import figures_of
from minebot.board import Action, Board, Cell
from minebot.cli import main
from minebot.layout import Layout
from tests.support.people import careful, played
from tests.support.recorded_games import FIELD, record, slow


def test_figures_are_those_that_players_count() -> None:
    found = review(slow(0.3))
    assert found.game.won
    assert found.figures.bbbv == found.figures.solved == FIELD.bbbv
    assert found.figures.speed == pytest.approx(FIELD.bbbv / found.game.seconds)
    assert found.figures.efficiency == pytest.approx(FIELD.bbbv / len(found.game.acts))
    assert found.zini == (zini(FIELD), zini(FIELD, human=True))
    assert ("lost clicks", str(sum(one.clicks for one in found.lost_clicks))) in figures_of(found)
    assert found.luck == 0
    assert not found.moments


def test_time_lost_over_a_safe_cell_is_told_with_the_cell() -> None:
    found = review(slow(4.3))
    assert found.hesitated == pytest.approx(4.0)
    (moment,) = found.costliest
    assert moment.at == 3
    assert moment.kind.startswith("hesitated: ")
    assert "4.0 s more than usual" in moment.text
    assert moment.why is not None


def test_a_lost_game_counts_what_was_solved() -> None:
    found = review(played(FIELD, [(0, Action.OPEN, 0), (2, Action.OPEN, min(FIELD.mines))]))
    assert found.game.outcome == "lost"
    assert found.figures.bbbv == FIELD.bbbv
    assert found.figures.solved == 1
    assert found.figures.speed == pytest.approx(0.5)
    assert found.costliest[0].at == 1


def test_a_lost_game_that_shows_no_other_mine_has_its_3bv_where_only_one_layout_fits() -> None:
    layout = Layout.parse("*....\n.....\n...*.\n.....\n*....")
    clicks = [
        (0, Action.OPEN, 5),
        (1, Action.OPEN, 11),
        (2, Action.OPEN, 4),
        (3, Action.OPEN, 0),
    ]
    whole = played(layout, clicks)
    # As Simon Tatham's Mines leaves it: the mine that was hit, and no other.
    cells = whole.final.cells.replace(bytes([Cell.MINE]), bytes([Cell.HIDDEN]))
    end = replace(whole, final=replace(whole.final, cells=cells))
    assert end.final.cells.count(Cell.HIDDEN) > 2
    assert end.layout == layout
    assert review(end).figures.bbbv == layout.bbbv
    unclear = played(layout, [(0, Action.OPEN, 5), (1, Action.OPEN, 0)])
    cells = unclear.final.cells.replace(bytes([Cell.MINE]), bytes([Cell.HIDDEN]))
    end = replace(unclear, final=replace(unclear.final, cells=cells))
    found = review(end)
    assert (found.figures.bbbv, found.figures.speed, found.figures.efficiency, found.zini) == (
        None,
        None,
        None,
        None,
    )
    assert {("ZiNi", "?"), ("lost clicks", "?")} <= set(figures_of(found))
    assert ("3BV", "? (the end does not tell where all mines were)") in figures_of(found)


def test_below_a_finished_board_lies_its_layout() -> None:
    random = Random(3)
    layout = Layout.scattered(9, 9, 10, random)
    safe = set(range(81)) - layout.mines
    assert Layout.below(layout.seen(safe)) == layout
    assert Layout.below(layout.seen(safe).with_mines(None)) is None
    assert Layout.below(layout.seen(safe, layout.mines).with_mines(None)) == layout
    lost = bytearray(layout.seen(sorted(safe)[:30]).cells)
    for mine in layout.mines:
        lost[mine] = Cell.MINE
    assert Layout.below(Board(9, 9, 10, bytes(lost))) == layout
    assert Layout.below(layout.seen(sorted(safe)[:5])) is None


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
