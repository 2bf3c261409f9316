"""Boards become rules: afresh or from the board before, with the same outcome."""

from __future__ import annotations

import pytest

from minebot.board import Board
from minebot.solver.constraint_store import Conflict, ConstraintStore, propagate
from minebot.solver.constraints import BoardConstraints


def read(board: Board) -> ConstraintStore:
    """The rules of one board, as they are read."""
    reading = BoardConstraints()
    reading.take(board)
    return reading.rules


def meaning(rules: ConstraintStore) -> tuple[object, ...]:
    """What rules say, whatever they are called."""
    said = {(rules.mines[rule], frozenset(cells)) for rule, cells in rules.cells.items()}
    return said, rules.safe, rules.mined, rules.undecided


def test_a_clue_is_a_rule_about_the_covered_cells_around_it() -> None:
    reading = BoardConstraints()
    reading.take(Board.parse("1?\n??"))
    assert reading.rules.cells == {0: {1, 2, 3}}
    assert reading.rules.mines == {0: 1}


def test_flags_are_opinions_and_shown_mines_are_counted_off() -> None:
    reading = BoardConstraints()
    reading.take(Board.parse("F*?\n?3?\n???", mines=4))
    assert reading.rules.cells == {4: {0, 2, 3, 5, 6, 7, 8}}
    assert reading.rules.mines == {4: 2}
    assert reading.mines_left() == 3


def test_clues_that_need_all_their_cells_are_done_with_at_a_glance() -> None:
    reading = BoardConstraints()
    reading.take(Board.parse("?2?\n121\n000", mines=2))
    assert reading.rules.mined == {0, 2}
    assert not reading.rules.cells
    assert reading.mines_left() == 0


@pytest.mark.parametrize("text", ["1", "00\n01", "10", "?0*", "8?", "*0"])
def test_clues_without_enough_around_them_clash(text: str) -> None:
    rules = read(Board.parse(text))
    with pytest.raises(Conflict):
        propagate(rules)


def test_a_later_board_of_the_game_adds_to_the_same_rules() -> None:
    reading = BoardConstraints()
    reading.take(Board.parse("????\n1???"))
    rules = reading.rules
    reading.take(Board.parse("?F??\n1?1?"))
    assert reading.rules is rules
    assert rules.cells == {4: {0, 1, 5}, 6: {1, 2, 3, 5, 7}}
    assert rules.mines == {4: 1, 6: 1}
    assert rules.undecided == {0, 1, 2, 3, 5, 7}


@pytest.mark.parametrize(
    "other",
    [
        Board.parse("2???", mines=2),
        Board.parse("1???", mines=3),
        Board.parse("1?\n??", mines=2),
        Board.parse("????", mines=2),
    ],
    ids=["another number", "another total", "another size", "a new game"],
)
def test_a_board_that_cannot_follow_starts_afresh(other: Board) -> None:
    reading = BoardConstraints()
    reading.take(Board.parse("1???", mines=2))
    rules = reading.rules
    reading.take(other)
    assert reading.rules is not rules
    assert meaning(reading.rules) == meaning(read(other))


def test_a_revealed_cell_that_was_certain_to_be_something_else_clashes() -> None:
    reading = BoardConstraints()
    reading.take(Board.parse("1?1"))
    propagate(reading.rules)
    assert reading.rules.mined == {1}
    with pytest.raises(Conflict):
        reading.take(Board.parse("101"))
