"""Layouts are counted exactly where the total is unknown."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings

from minebot.board import Board, Cell
from minebot.solver import solve
from minebot.solver.counting import weight
from tests.puzzle.brute import COVERED, boards, layouts


@settings(derandomize=True, deadline=None, max_examples=120)
@given(boards())
def test_counts_every_layout_once(board: Board) -> None:
    assert weight(board.with_mines(None)) == len(layouts(board.with_mines(None)))


@settings(derandomize=True, deadline=None, max_examples=120)
@given(boards())
def test_odds_weigh_each_safe_cell(board: Board) -> None:
    board = board.with_mines(None)
    covered = frozenset(board.squares(*COVERED))
    assert weight(board, 4) == sum(4 ** len(covered - mines) for mines in layouts(board))


def test_weighs_as_the_solver_does() -> None:
    board = Board.parse("?1?2?\n?????")
    risk = solve(board, risk=True).risk
    assert risk is not None
    assert risk[0] is not None
    mine = weight(board.showing({0: Cell.MINE}), 4)
    assert abs(risk[0] - mine / weight(board, 4)) < 1e-12


def test_cells_that_are_safe_together_leave_fewer_layouts() -> None:
    board = Board.parse("1??\n???", 2)
    share = weight(board, 4, [2, 3]) / weight(board, 4)
    assert 0 < share == pytest.approx(_share(board, {2, 3}))
    unknown = board.with_mines(None)
    assert 0 < weight(unknown, 4, [2, 5]) < weight(unknown, 4)


def _share(board: Board, safe: set[int]) -> float:
    fitting = [
        set(mines)
        for mines in combinations([1, 2, 3, 4, 5], board.mines or 0)
        if len({1, 3, 4} & set(mines)) == 1
    ]
    return sum(not safe & mines for mines in fitting) / len(fitting)
