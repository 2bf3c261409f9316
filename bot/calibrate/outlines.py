"""Lines that a game draws on covered squares along what is open: they are no part of a look.

Such a line comes on each side on which a neighbour is open, so that covered squares have more
looks than are ever met. What lies within the lines tells covered squares from open ones.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from bot.capture import Frame
from bot.vision.grid import Grid

_DEEPEST = 0.2
"""Such a share of a tile a line may reach into it. Guessed: numbers lie further in."""
_SAME_LEVELS = 10
"""By so many levels of 255 a pixel may differ that is the same, as where pictures are scaled."""
_GROUND = 0.5
"""More than such a share of a square changes when it is opened, where open squares have a ground
of their own. A number drawn on the same ground covers less. Guessed."""
_AROUND = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""What lies beside a square: columns to the right, rows down."""


def outline(
    before: Frame, after: Frame, grid: Grid, clicks: Collection[int], changed: Collection[int]
) -> float:
    """How deep lines along what clicks have opened reach into covered squares, in tiles.

    `changed` are the squares that look otherwise than before the clicks. 0 where no line came,
    or open squares differ from covered ones by nothing but lines at their edges.
    """
    depths = {square: _depth(before, after, grid, square) for square in changed}
    most = _DEEPEST * grid.tile
    lined = {square for square, (depth, _) in depths.items() if depth <= most}
    opened = set(depths) - lined
    if not lined or not opened or not any(click in opened for click in clicks):
        return 0.0
    if any(click in lined for click in clicks):
        return 0.0
    if any(depths[square][1] <= _GROUND for square in opened):
        return 0.0
    sides = {square: _sides(before, after, grid, square) for square in lined}
    if any(not sides[s] <= opened or not _touches(s, opened, grid.width) for s in lined):
        return 0.0
    # Open squares lose their bevel, on all sides.
    if all(len(changed) == len(_AROUND) for changed in sides.values()):
        return 0.0
    return max(depths[square][0] for square in lined) / grid.tile


def _depth(before: Frame, after: Frame, grid: Grid, square: int) -> tuple[int, float]:
    """How many pixels from the nearest edge the tile has changed, and which share of it."""
    far = _changed(before, after, grid, square)
    height, width = far.shape
    rows = np.minimum(np.arange(height), np.arange(height)[::-1])
    columns = np.minimum(np.arange(width), np.arange(width)[::-1])
    depth = np.minimum(rows[:, None], columns[None]) + 1
    return int(depth[far].max(initial=0)), float(far.mean())


def _changed(before: Frame, after: Frame, grid: Grid, square: int) -> NDArray[np.bool_]:
    y, x = divmod(square, grid.width)
    left, top, right, bottom = (rect := grid.rect(x, y)).left, rect.top, rect.right, rect.bottom
    was = before.pixels[top:bottom, left:right, :3].astype(np.int16)
    return np.asarray(
        (np.abs(after.pixels[top:bottom, left:right, :3] - was) > _SAME_LEVELS).any(axis=2)
    )


def _sides(before: Frame, after: Frame, grid: Grid, square: int) -> set[int]:
    """The squares beside it towards which the tile has changed along its side.

    Beyond the board's edge it is a number that no square has.
    """
    far = _changed(before, after, grid, square)
    deep = max(1, round(_DEEPEST * grid.tile))
    # At a corner two lines meet.
    along = slice(deep, -deep)
    strips = far[along, :deep], far[along, -deep:], far[:deep, along], far[-deep:, along]
    y, x = divmod(square, grid.width)
    beside = [(x + right, y + down) for right, down in _AROUND]
    return {
        row * grid.width + column if 0 <= column < grid.width else -1
        for (column, row), strip in zip(beside, strips, strict=True)
        if strip.any()
    }


def _touches(square: int, others: Collection[int], width: int) -> bool:
    """Whether one of the others lies around the square."""
    y, x = divmod(square, width)
    return any(max(abs(other // width - y), abs(other % width - x)) == 1 for other in others)
