"""A puzzle's answer fits every clue, and it is known what else might have fitted."""

from __future__ import annotations

from random import Random
from time import process_time

import pytest
from hypothesis import given, settings

from minebot.board import Board
from minebot.errors import Contradiction
from minebot.layout import Layout
from minebot.puzzle.answer import answer, failures
from minebot.puzzle.texts import Puzzle, drawing
from tests.puzzle.brute import boards, layouts
from tests.support.articles import AMBIGUOUS, FRAGMENT, NOTEBOOK, NOTEBOOK_ANSWER, PAPER


def squares(board: Board, *places: tuple[int, int]) -> tuple[int, ...]:
    """Squares from (row, column), counted from 1."""
    return tuple(board.square(column - 1, row - 1) for row, column in places)


def test_the_newspaper_puzzle_has_one_answer() -> None:
    board = Puzzle.parse(PAPER).board
    found = answer(board)
    assert found.unique
    assert not failures(board, found.mines)


def test_the_small_puzzle_takes_the_first_of_two_mines() -> None:
    board = Puzzle.parse(AMBIGUOUS).board
    found = answer(board)
    assert found.mines == set(squares(board, (1, 3)))
    assert found.differ == squares(board, (1, 3), (3, 3))
    assert not found.free
    assert not found.unique


def test_the_fragment_has_two_answers() -> None:
    board = Puzzle.parse(FRAGMENT).board
    found = answer(board)
    assert found.differ == squares(board, (5, 1), (5, 3))
    assert found.free == squares(board, (1, 1), (1, 2), (1, 3))
    assert not failures(board, found.mines)


def test_the_notebooks_board_has_one_answer_of_10_mines() -> None:
    board = Board.parse(NOTEBOOK, mines=10)
    found = answer(board)
    assert found.unique
    assert drawing(board, found.mines, clues=False) == NOTEBOOK_ANSWER.strip()


@settings(derandomize=True, deadline=None, max_examples=120)
@given(boards())
def test_differs_exactly_where_the_layouts_do(board: Board) -> None:
    found = answer(board)
    fitting = layouts(board)
    assert found.mines in fitting
    assert found.unique == (len(fitting) == 1)
    somewhere = frozenset().union(*fitting)
    everywhere = frozenset(somewhere).intersection(*fitting)
    assert {*found.differ, *found.free} == somewhere - everywhere


@settings(derandomize=True, deadline=None, max_examples=120)
@given(boards(possible=False))
def test_finds_no_answer_exactly_where_there_is_none(board: Board) -> None:
    if layouts(board):
        assert answer(board).mines in layouts(board)
    else:
        with pytest.raises(Contradiction):
            answer(board)


def test_a_total_ties_together_what_no_clue_does() -> None:
    # Each half takes one mine in its middle or two at its ends; three are to be laid.
    board = Board.parse("?1?1?*?1?1?", mines=4)
    found = answer(board)
    assert found.differ == (0, 2, 4, 6, 8, 10)
    assert not failures(board, found.mines)


def test_a_large_open_puzzle_takes_seconds_at_most() -> None:
    layout = Layout.scattered(60, 60, 720, Random(1))
    clues = [
        square
        for square in range(60 * 60)
        if square not in layout.mines and Random(square).random() < 0.4
    ]
    board = layout.seen(clues).with_mines(None)
    start = process_time()
    found = answer(board)
    assert process_time() - start < 10
    assert len(found.differ) > 500
    assert not failures(board, found.mines)


@pytest.mark.parametrize(
    ("text", "total", "mines", "failure"),
    [
        ("?1?", None, {0, 2}, "the 1 at row 1, column 2 has 2 mines around it"),
        ("?1?", None, set(), "the 1 at row 1, column 2 has 0 mines around it"),
        ("?1?", None, {0, 1}, "a mine lies under the 1 at row 1, column 2"),
        ("?*", None, {0}, "the mine shown at row 1, column 2 is missing"),
        ("?1?", 2, {0}, "1 mines were laid, 2 asked for"),
    ],
)
def test_the_check_names_what_fails(
    text: str, total: int | None, mines: set[int], failure: str
) -> None:
    assert failures(Board.parse(text, total), mines) == [failure]
