"""The names that players have for patterns."""

from __future__ import annotations

import pytest

from minebot.analysis.explanation import why_certain
from minebot.analysis.patterns import family
from minebot.board import Board


@pytest.mark.parametrize(
    ("rows", "mines", "cell", "mine", "pattern"),
    [
        ("1?\n11", None, (0, 1), True, "full clue"),
        ("0?\n??", None, (0, 1), False, "satisfied clue"),
        ("???\n121", None, (0, 1), False, "1-2-1"),
        ("1???", None, (0, 3), None, ""),
        ("?11?", None, (0, 3), True, "full clue"),
        ("111\n???", None, (1, 2), False, "1-1"),
        ("121\n???", None, (1, 2), True, "1-2"),
        ("00000\n12100\n???00", None, (2, 1), False, "1-2-1"),
        ("0000000\n0121000\n?????00", None, (2, 2), False, "1-2-1"),
        ("1221\n????", None, (1, 0), False, "1-2-2-1"),
        ("1???", 1, (0, 3), False, "mine count"),
    ],
)
def test_what_players_call_it(
    rows: str, mines: int | None, cell: tuple[int, int], mine: bool | None, pattern: str
) -> None:
    board = Board.parse(rows, mines)
    row, column = cell
    square = board.square(column, row)
    if mine is not None:
        assert why_certain(board, square, mine=mine).pattern == pattern
        return
    for either in (False, True):
        with pytest.raises(ValueError, match="not certain"):
            why_certain(board, square, mine=either)


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("1-2-1", "1-2-1"),
        ("1-2-1 by reduction", "1-2-1"),
        ("satisfied clue, in 3 steps", "satisfied clue"),
        ("chain of 4 steps, 1-2 by reduction", "chain"),
        ("overlap of 2 and 3 by reduction", "overlap"),
        ("1-3 hole", "hole"),
        ("2-2 hole by reduction", "hole"),
        ("mine count", "mine count"),
    ],
)
def test_a_family_has_one_name(name: str, short: str) -> None:
    assert family(name) == short
