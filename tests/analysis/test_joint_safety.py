"""The risk of several cells at once."""

from __future__ import annotations

from itertools import combinations

import pytest

from minebot.analysis.joint_safety import all_safe
from minebot.board import Board


def test_a_chord_risks_what_all_its_cells_risk_together() -> None:
    board = Board.parse("1??\n???", 2)
    assert all_safe(board, [2, 5]) == pytest.approx(_share(board, {2, 5}))
    unknown = Board.parse("1??\n???")
    assert 0 < all_safe(unknown, [2, 5]) < 1


def _share(board: Board, safe: set[int]) -> float:
    fitting = [
        set(mines)
        for mines in combinations([1, 2, 3, 4, 5], board.mines or 0)
        if len({1, 3, 4} & set(mines)) == 1
    ]
    return sum(not safe & mines for mines in fitting) / len(fitting)
