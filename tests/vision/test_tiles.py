"""What is found out about tiles from their pixels alone."""

from __future__ import annotations

import numpy as np
import pytest

from minebot.capture import Frame, Rect
from minebot.vision.grid import Grid
from minebot.vision.tiles import SAME_LEVELS, differ

TILE = 16


def _frame(pixels: np.ndarray | None = None) -> Frame:
    return Frame(np.zeros((4 * TILE, 3 * TILE, 4), np.uint8) if pixels is None else pixels)


@pytest.mark.parametrize("corner", [-1, 0, 5])
def test_the_tiles_that_differ_are_told_even_where_they_reach_beyond_the_frame(
    corner: int,
) -> None:
    grid = Grid.regular(Rect(corner, corner, 2 * TILE, 3 * TILE), TILE, TILE, Rect(0, 0, 48, 64))
    before = _frame()
    after = before.pixels.copy()
    after[corner + TILE + 2 : corner + 2 * TILE - 2, corner + 3 : corner + TILE - 2, :3] = 200
    assert differ(before, Frame(after), grid).tolist() == [False, False, True, *[False] * 3]
    assert not differ(before, before, grid).any()


def test_a_tile_that_differs_by_little_is_the_same() -> None:
    grid = Grid.regular(Rect(0, 0, 2 * TILE, 3 * TILE), TILE, TILE, Rect(0, 0, 48, 64))
    after = _frame().pixels.copy()
    after[:TILE, :TILE, :3] = int(SAME_LEVELS)
    assert not differ(_frame(), Frame(after), grid).any()


def test_the_tiles_of_a_board_that_has_moved_are_compared_with_their_own() -> None:
    grid = Grid.regular(Rect(0, 0, 2 * TILE, 3 * TILE), TILE, TILE, Rect(0, 0, 48, 64))
    before = _frame().pixels.copy()
    before[:TILE, :TILE, :3] = 200
    after = np.roll(before, (5, 7), axis=(0, 1))
    after[5 + TILE : 5 + 2 * TILE, 7 : 7 + TILE, :3] = 100
    moved = differ(Frame(before), Frame(after), grid, grid.moved(7, 5))
    assert moved.tolist() == [False, False, True, *[False] * 3]
