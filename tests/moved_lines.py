"""Drawn boards of which some rows or columns have become smaller."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bot.capture import Frame, Rect
from bot.vision.grid import Grid

TILE, SIDE = 20, 9


def drawn(grid: Grid, shown: Sequence[int], size: int = 260) -> Frame:
    """A board of raised tiles, and of flat ones with drawings; 0 is a raised one."""
    pixels = np.full((size, size, 4), 230, np.uint8)
    for square, cell in enumerate(shown):
        y, x = divmod(square, SIDE)
        left, top, side, _ = grid.rect(x, y)
        tile = pixels[top : top + side, left : left + side]
        tile[:] = 190
        if not cell:
            tile[:3] = tile[:, :3] = 250
            tile[-3:] = tile[:, -3:] = 120
        elif cell > 1:
            tile[5:15, 4 + cell : 12 + cell, :3] = (20, 30 * cell, 200)
    return Frame(pixels)


def tiles_at(rows: Sequence[int], columns: Sequence[int]) -> Grid:
    bounds = Rect(columns[0], rows[0], columns[-1] + TILE - columns[0], rows[-1] + TILE - rows[0])
    return Grid(tuple(columns), tuple(rows), TILE, bounds)


EVEN = [30 + 22 * line for line in range(SIDE)]
"""Where its lines begin."""
LOWER = [*EVEN[:4], *(line - 2 for line in EVEN[4:])]
"""The same with a line that has become less high."""
CENTRED = [line + 1 for line in LOWER]
"""The same in the middle of its page."""


def shown_cells(seed: int) -> list[int]:
    random = np.random.default_rng(seed)
    return [int(cell) for cell in random.choice([0, 1, 2, 3, 4], 81, p=[0.5, 0.3, 0.1, 0.05, 0.05])]
