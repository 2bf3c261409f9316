"""The counter of the mines left is told from a clock, by pictures with flags."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from fixtures.seven_segments import GRID, RED, SIZES, window
from minebot.board import Board, Cell
from minebot.learn.mine_counter import find_counter
from minebot.learn.view import View
from minebot.vision.counter import read_counter


def _pictures(shown: Sequence[tuple[int, int]]) -> list[View]:
    """Pictures in which a counter shows that and so many flags are set."""
    covered = Board.hidden(GRID.width, GRID.height)
    boards = [covered.showing(dict.fromkeys(range(flags), Cell.FLAG)) for _, flags in shown]
    frames = [window(f"{value:03}", SIZES[0], *RED) for value, _ in shown]
    pairs = zip(frames, boards, strict=True)
    return [View(frame, GRID, board, frozenset()) for frame, board in pairs]


def test_what_counts_the_mines_left_is_found() -> None:
    pictures = _pictures([(10, 0), (9, 1), (8, 2), (9, 1), (10, 0)])
    look = find_counter(pictures)
    assert look is not None
    assert [read_counter(one.frame, GRID, look) for one in pictures] == [10, 9, 8, 9, 10]


@pytest.mark.parametrize(
    "shown",
    [
        [(1, 0), (2, 1), (3, 2), (4, 1), (5, 0)],
        [(10, 0), (10, 1), (10, 2), (10, 1), (10, 0)],
        [(10, 0), (9, 1), (8, 2), (9, 1), (11, 0)],
        [(0, 0), (0, 0), (0, 0), (0, 0)],
        [(10, 0), (9, 1), (8, 2)],
    ],
    ids=["clock", "another", "at-last-another", "nothing", "too-few"],
)
def test_what_counts_something_else_is_not(shown: Sequence[tuple[int, int]]) -> None:
    assert find_counter(_pictures(shown)) is None
