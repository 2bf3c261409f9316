"""Why a cell is certain: the pattern and its family, the steps, and where they lead."""

from __future__ import annotations

import pytest

from minebot.analysis.explanation import family, why_certain
from minebot.board import Board


def test_the_sentence_names_the_clues_and_the_total() -> None:
    board = Board.parse("1???", 1)
    assert why_certain(board, 3, mine=False).text == (
        "row 1, column 4 is safe by the 1 at row 1, column 1 and the mine total (mine count)"
    )
    steps = why_certain(board, 3, mine=False).steps
    assert [step.text for step in steps][-1].endswith("so row 1, column 4 is safe")
    with pytest.raises(ValueError, match="not certain"):
        why_certain(Board.parse("?1?"), 0, mine=True)


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
