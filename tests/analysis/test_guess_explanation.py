"""A guess is told with what it was compared with, and no chance is rounded to certainty."""

from __future__ import annotations

import pytest

from minebot.analysis.explanation import Why
from minebot.analysis.guess_explanation import GuessExplanation, explain
from minebot.board import Board
from minebot.errors import Contradiction, UsageError


def told(rows: str, mines: int | None, square: int) -> GuessExplanation:
    found = explain(Board.parse(rows, mines), square)
    assert isinstance(found, GuessExplanation)
    return found


def test_a_guess_has_its_runners_up() -> None:
    found = told("1???\n????\n????", 3, 11)
    assert found.best is not None
    assert found.best.risk == min(option.risk for option in found.options)
    assert len(found.options) > 1
    said = "row 3, column 4 is not certain: mine risk "
    assert found.text.startswith(said) or found.asked in found.options
    assert "best is" in found.text
    assert "compared with" in found.text


def test_an_endgame_knows_the_chance_to_win() -> None:
    found = told("?1\n?1", 1, 0)
    assert found.best is not None
    assert found.best.win == pytest.approx(0.5)
    assert "chance to win 50.0 %" in found.text


def test_where_a_cell_is_safe_nothing_is_guessed() -> None:
    found = told("111??\n?????", None, 3)
    assert found.safe
    assert not found.options
    assert "no guess is needed: row 2, column 3 is safe" in found.text


def test_the_first_cell_is_said_to_open_well() -> None:
    found = told("\n".join(["?" * 9] * 9), 10, 0)
    assert found.best is not None
    assert "first click" in found.reason


def test_what_is_certain_is_proven_instead() -> None:
    assert isinstance(explain(Board.parse("1?\n11"), 1), Why)


def test_an_open_cell_is_not_asked_about() -> None:
    with pytest.raises(UsageError, match="row 1, column 1 is open"):
        explain(Board.parse("1?\n11"), 0)


def test_an_impossible_board_has_no_why() -> None:
    with pytest.raises(Contradiction):
        explain(Board.parse("3?\n11"), 1)


def test_almost_certain_is_not_certain() -> None:
    found = told("1" + "?" * 2000 + "\n" + "?" * 2001, 2, 2500)
    assert found.asked is not None
    assert 0 < found.asked.risk < 0.0005
    assert "<0.1 %" in found.text
