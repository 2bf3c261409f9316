"""Lattices whose cells are whole pixels apart are made exact by the edges of the picture."""

from __future__ import annotations

import numpy as np
import pytest

from minebot.vision.detection.edges import in_whole_pixels
from minebot.vision.detection.fit import GridCandidate

LEFT, TOP = 37, 52


def _board(wide: list[int], high: list[int], seed: int = 1) -> np.ndarray:
    """Tiles of these widths and heights with bright edges, on a page, with signs on some."""
    rng = np.random.default_rng(seed)
    image = np.full((sum(high) + 2 * TOP, sum(wide) + 2 * LEFT, 3), 90, np.uint8)
    for row, y in enumerate(TOP + np.cumsum([0, *high[:-1]])):
        for column, x in enumerate(LEFT + np.cumsum([0, *wide[:-1]])):
            tile = image[y : y + high[row], x : x + wide[column]]
            tile[:] = 180
            tile[:2] = tile[:, :2] = 250
            if rng.random() < 0.3:
                tile[5:-4, 6:-6] = rng.integers(0, 255, 3)
    return image


def _seen(wide: list[int], high: list[int], off: float) -> GridCandidate:
    """The lattice as a network sees it: its last cells are off by so many pixels."""
    axes = []
    for start, sizes in ((LEFT, wide), (TOP, high)):
        ends = start + np.cumsum([0, *sizes])
        middles = (ends[:-1] + ends[1:]) / 2
        axes.append(middles + np.linspace(-off, off, middles.size))
    pitch = float(np.diff(axes[0]).mean()), float(np.diff(axes[1]).mean())
    return GridCandidate(axes[0], axes[1], pitch, 1.0)


@pytest.mark.parametrize("tile", [16, 23, 44, 72])
@pytest.mark.parametrize("off", [-1.2, 0.4, 1.2])
def test_cells_a_whole_number_of_pixels_apart_are_placed_exactly(tile: int, off: float) -> None:
    wide, high = [tile] * 12, [tile] * 9
    found = in_whole_pixels(_board(wide, high), _seen(wide, high, off))
    assert found.pitch == (tile, tile)
    assert np.abs(found.x - _seen(wide, high, 0).x).max() < 0.01
    assert np.abs(found.y - _seen(wide, high, 0).y).max() < 0.01


@pytest.mark.parametrize("wide", [[24] * 8 + [23] * 16, [26] * 3 + [25] * 15])
def test_columns_of_two_widths_are_left_where_they_were_seen(wide: list[int]) -> None:
    """GTK gives the pixels that are left over to the first columns."""
    high = [23] * 10
    seen = _seen(wide, high, 0.3)
    found = in_whole_pixels(_board(wide, high), seen)
    assert (found.x == seen.x).all()
    assert found.pitch[1] == 23


def test_cells_of_a_fractional_pitch_are_left_where_they_were_seen() -> None:
    wide, high = [60, 61] * 6, [23] * 10
    seen = _seen(wide, high, 0.3)
    assert (in_whole_pixels(_board(wide, high), seen).x == seen.x).all()


def test_a_plain_picture_moves_nothing() -> None:
    seen = _seen([20] * 8, [20] * 8, 0.8)
    found = in_whole_pixels(np.full((300, 300, 3), 77, np.uint8), seen)
    assert (found.x == seen.x).all()
    assert (found.y == seen.y).all()
    assert found.pitch == seen.pitch
