"""Compares two pictures of a board, tile by tile."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.capture import Frame
from bot.vision.grid import Grid

SAME_LEVELS = 1.0
"""Mean difference of a tile that is the same, in levels of 255.

Simon Tatham's Mines draws the corners of a tile up to 5 levels otherwise a second time.
"""


def differing(one: Frame, other: Frame, grid: Grid) -> int:
    """How many tiles differ between two frames of one size."""
    return int(differ(one, other, grid).sum())


def differ(one: Frame, other: Frame, grid: Grid) -> NDArray[np.bool_]:
    """Whether each tile differs between two frames of one size, row-major."""
    far = np.abs(one.pixels[..., :3].astype(np.int16) - other.pixels[..., :3]).mean(axis=2)
    rects = (grid.rect(x, y) for y in range(grid.height) for x in range(grid.width))
    tiles = (far[rect.top : rect.bottom, rect.left : rect.right] for rect in rects)
    return np.array([bool(tile.mean() > SAME_LEVELS) for tile in tiles])
