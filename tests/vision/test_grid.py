"""Grid arithmetic: where each tile lies, in pixels."""

from __future__ import annotations

import pytest

from minebot.capture import Pixel, Rect
from minebot.vision.grid import Grid

FRAME = Rect(8, 18, 84, 64)
TOUCHING = Grid.regular(Rect(10, 20, 80, 60), 20, 20, FRAME)
APART = Grid((10, 33, 57), (20, 43), 20, FRAME)


def test_a_regular_grid_fills_its_bounds() -> None:
    assert (TOUCHING.width, TOUCHING.height) == (4, 3)
    assert TOUCHING.bounds == Rect(10, 20, 80, 60)
    assert TOUCHING.is_gapless


def test_gaps_of_different_widths_are_kept() -> None:
    assert not APART.is_gapless
    assert APART.bounds == Rect(10, 20, 67, 43)
    assert APART.rect(2, 1) == Rect(57, 43, 20, 20)


@pytest.mark.parametrize("grid", [TOUCHING, APART])
def test_the_centre_of_each_tile_lies_in_it_and_in_no_other(grid: Grid) -> None:
    cells = [(x, y) for x in range(grid.width) for y in range(grid.height)]
    for cell in cells:
        assert [other for other in cells if grid.rect(*other).holds(grid.centre(*cell))] == [cell]


@pytest.mark.parametrize("cell", [(-1, 0), (0, -1), (4, 0), (0, 3)])
def test_outside_there_is_no_centre(cell: tuple[int, int]) -> None:
    with pytest.raises(IndexError, match="outside a grid of 4x3"):
        TOUCHING.centre(*cell)


def test_all_of_it_moves() -> None:
    moved = APART.moved(5, -3)
    assert moved.centre(1, 1) == Pixel(33 + 10 + 5, 43 + 10 - 3)
    assert moved.frame == Rect(13, 15, 84, 64)
    assert moved.tile == APART.tile
