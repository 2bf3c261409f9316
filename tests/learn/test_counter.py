"""The counter of the mines left is told from a clock, by pictures with flags."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from fixtures.seven_segments import GRID, RED, SIZES, window
from minebot.learn.mine_counter import CountedBoard, find_counter
from minebot.vision.seven_segments import read_counter


def _pictures(shown: Sequence[tuple[int, int]]) -> list[CountedBoard]:
    """Pictures in which a counter shows that and so many flags are set."""
    return [
        CountedBoard(window(f"{value:03}", SIZES[0], *RED), GRID, flags) for value, flags in shown
    ]


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
