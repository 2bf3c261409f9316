"""Tiles are cut at one size, and those that are drawn alike are cut alike and grouped."""

from __future__ import annotations

import numpy as np
import pytest

from minebot.vision.classification.cutting import SIDE, cut, group, reduced


def _board(pitch: int, cells: np.ndarray, left: int = 7, top: int = 5) -> np.ndarray:
    """A picture in which cells of one number have one random drawing."""
    rng = np.random.default_rng(3)
    drawings = rng.integers(0, 256, (int(cells.max()) + 1, pitch, pitch, 3)).astype(np.uint8)
    rows = [np.hstack([drawings[cell] for cell in row]) for row in cells]
    return np.pad(np.vstack(rows), ((top, 9), (left, 11), (0, 0)))


@pytest.mark.parametrize("pitch", [9, 16, 19, 26, 33, 64])
def test_equal_drawings_make_equal_groups(pitch: int) -> None:
    cells = np.random.default_rng(5).integers(0, 5, (8, 11))
    picture = _board(pitch, cells)
    x, y = (first + pitch * (np.arange(n) + 0.5) for first, n in ((7, 11), (5, 8)))
    tiles = cut(picture, x, y, (pitch, pitch))
    assert tiles.shape == (8, 11, SIDE, SIDE, 3)
    heads, groups = group(reduced(tiles.reshape(-1, SIDE, SIDE, 3)))
    flat = cells.ravel()
    for head, number in zip(heads, range(len(heads)), strict=True):
        members = flat[groups == number]
        assert (members == flat[head]).all()
    assert len(heads) == len(np.unique(flat))


def test_tiles_at_the_edge_of_the_picture_repeat_it() -> None:
    picture = np.full((40, 40, 3), 200, np.uint8)
    x = y = 10 * (np.arange(4) + 0.5)
    assert (cut(picture, x, y, (10, 10)) == 200).all()


def test_tiles_that_differ_by_a_stroke_are_two_groups() -> None:
    tiles = np.full((2, SIDE, SIDE, 3), 190, np.uint8)
    tiles[1, 8:24, 15:18] = 90
    heads, groups = group(reduced(tiles))
    assert heads.tolist() == [0, 1]
    assert groups.tolist() == [0, 1]
