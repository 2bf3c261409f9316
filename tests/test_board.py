"""Boards, cells and moves as values."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minebot.board import SYMBOLS, Action, Board, Cell, Move, neighbourhood
from minebot.errors import UsageError


@st.composite
def boards(draw: st.DrawFn) -> Board:
    width, height = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    cells = draw(st.lists(st.sampled_from(Cell), min_size=width * height, max_size=width * height))
    return Board(width, height, None, bytes(cells))


@given(boards())
@settings(derandomize=True, deadline=None)
def test_the_text_form_reads_back(board: Board) -> None:
    assert Board.parse(str(board)) == board


@given(st.sampled_from(Action), st.integers(0, 200), st.integers(0, 200))
@settings(derandomize=True, deadline=None)
def test_a_move_reads_back(action: Action, x: int, y: int) -> None:
    move = Move(action, x, y)
    assert Move.parse(str(move)) == move
    assert move.said == f"{action.value} row {y + 1}, column {x + 1}"


@pytest.mark.parametrize("text", ["", "open", "open 3", "open 3,-4", "shut 3,4", "open 3,4 "])
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="not a move"):
        Move.parse(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the board is empty"),
        (" \n \n", "the board is empty"),
        ("012\n01", "row 2, column 3: the row has 2 cells, the first one 3"),
        ("01\n012", "row 2, column 3: the row has 3 cells"),
        ("01\n0x", "row 2, column 2: no cell is written 'x'"),
        ("019", "row 1, column 3: no cell is written '9'"),
    ],
)
def test_bad_text_names_row_and_column(text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        Board.parse(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("width", "height", "mines", "cells"),
    [
        (0, 3, None, b""),
        (2, 2, None, bytes(3)),
        (2, 2, 5, bytes(4)),
        (2, 2, -1, bytes(4)),
        (1, 1, None, bytes([13])),
    ],
)
def test_an_impossible_board_is_refused(
    width: int, height: int, mines: int | None, cells: bytes
) -> None:
    with pytest.raises(UsageError):
        Board(width, height, mines, cells)


def test_neighbours_are_the_squares_that_touch() -> None:
    board = Board.hidden(4, 3)
    assert board.neighbours(0) == (1, 4, 5)
    assert board.neighbours(5) == (0, 1, 2, 4, 6, 8, 9, 10)
    assert board.neighbours(11) == (6, 7, 10)
    assert board.around([0, 1]) == {0, 1, 2, 4, 5, 6}
    assert board.around([]) == set()
    assert all(
        square in neighbourhood(4, 3)[other]
        for square in range(12)
        for other in neighbourhood(4, 3)[square]
    )


@given(boards())
@settings(derandomize=True, deadline=None)
def test_squares_and_pairs_agree(board: Board) -> None:
    for square in range(len(board.cells)):
        x, y = board.xy(square)
        assert 0 <= x < board.width
        assert 0 <= y < board.height
        assert board.square(x, y) == square


@given(boards())
@settings(derandomize=True, deadline=None, max_examples=300)
def test_problems_are_the_clues_that_their_surroundings_cannot_hold(board: Board) -> None:
    wrong = 0
    for square, cell in enumerate(board.cells):
        around = [Cell(board.cells[other]) for other in board.neighbours(square)]
        sure = sum(other in (Cell.MINE, Cell.EXPLODED) for other in around)
        maybe = sum(other in (Cell.HIDDEN, Cell.FLAG) for other in around)
        wrong += cell <= Cell.EIGHT and not sure <= cell <= sure + maybe
    assert len(board.problems()) == wrong


def test_a_total_that_does_not_fit_is_a_problem() -> None:
    board = Board.parse("1?\n1?")
    assert not board.with_mines(2).problems()
    assert board.with_mines(3).problems() == [
        "3 mines do not fit 0 shown mines and 2 covered cells"
    ]


@pytest.mark.parametrize(
    ("before", "after", "follows"),
    [
        ("??\n??", "1?\n??", True),
        ("1?\n??", "1F\n?*", True),
        ("1?\n??", "2?\n??", False),
        ("1?\n??", "??\n??", False),
        ("1F\n??", "1?\n??", True),
        ("1?\n??", "1??\n???", False),
    ],
)
def test_a_later_moment_keeps_what_is_open(before: str, after: str, follows: bool) -> None:
    assert Board.parse(after).follows(Board.parse(before)) is follows


def test_showing_opens_no_other_square() -> None:
    assert str(Board.parse("???\n???").showing({4: Cell.EMPTY})) == "???\n?0?"


def test_every_cell_has_its_own_symbol() -> None:
    assert len(set(SYMBOLS)) == len(SYMBOLS) == len(Cell)
