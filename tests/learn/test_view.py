"""One frame of an unknown game beside another."""

from __future__ import annotations

import numpy as np
import pytest

from minebot.board import Board, Cell
from minebot.capture import Frame, Rect
from minebot.learn.view import LIT, View
from minebot.vision.grid import Grid

GRID = Grid.regular(Rect(0, 0, 50, 30), 10, 10, Rect(0, 0, 50, 30))


def view(rows: str, unread: frozenset[int] = frozenset(), light: int = 0) -> View:
    """A board in which each label is drawn in one grey, `light` levels lighter."""
    board = Board.parse(rows)
    greys = np.array(list(board.cells), np.uint8).reshape(board.height, board.width) * 10 + light
    for number, square in enumerate(sorted(unread)):
        greys.flat[square] = 200 + number
    pixels = np.repeat(greys.repeat(10, axis=0).repeat(10, axis=1)[..., None], 4, axis=2)
    return View(Frame(np.ascontiguousarray(pixels)), GRID, board, unread)


BEFORE = view("?????\n?111?\n?1011")


def test_open_and_covered_cells_are_told_apart() -> None:
    some = view("?????\n?111?\nF1011", unread=frozenset({0}))
    assert some.board.opened == {6, 7, 8, 11, 12, 13, 14}
    assert some.hidden() == {1, 2, 3, 4, 5, 9}
    assert some.flags() == {10}


def test_what_lies_over_open_cells_covers_the_board() -> None:
    same = view("?????\n?111?\n?1011")
    covered = view("?????\n?????\n?1011")
    assert not BEFORE.is_covered(same)
    assert BEFORE.disturbed(covered) == 3 > LIT
    assert BEFORE.is_covered(covered)


def test_a_board_that_is_drawn_darker_and_reads_the_same_is_dimmed() -> None:
    assert BEFORE.is_dimmed(view("?????\n?111?\n?1011", light=60))
    assert not BEFORE.is_dimmed(BEFORE)


@pytest.mark.parametrize(
    ("rows", "is_new"),
    [("?????\n?????\n?????", True), ("?????\n1111?\n?1011", False), ("0001?\n0001?\n0001?", True),
     ("???*?\n?111?\n?1011", False)],
)  # fmt: skip
def test_a_new_board_is_fresh_or_does_not_follow_from_the_last(rows: str, *, is_new: bool) -> None:
    assert view(rows).is_new(BEFORE.board) is is_new


def test_mines_show_that_a_game_has_ended() -> None:
    assert view("???*?\n?111?\n?1011").shows_mines
    assert not BEFORE.shows_mines
    assert Cell.MINE not in BEFORE.board.cells
