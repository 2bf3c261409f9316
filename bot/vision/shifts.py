"""Follows a board of which rows or columns have moved by some pixels, each by itself.

A table's row is as high as the highest of its cells. Where covered cells have thicker borders, a
row that is open as a whole is lower than before, and all that is below it lies higher.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from operator import add

import numpy as np
from numpy.typing import NDArray

from bot.capture import Frame, Rect
from bot.errors import Unsettled
from bot.vision.grid import Grid

_MOST = 0.45
"""No line moves by more than that, in tiles. Guessed: what moves further goes as a whole."""
_BESIDE = 1
"""Rows are found again though columns have moved by so many pixels at once. Guessed: more would
take too long to hear a stop."""
_TURN = 0.5
"""One line moves otherwise than the one before if that many more tiles are found. Guessed: none
is, where it could be either."""
_SAME = 0.95
"""The least share of a tile's pixels that are the same where it is found. Guessed."""
_STILL = 0.8
"""The least share of the squares that look as before which is found again. Guessed."""
_MORE = 3
"""So many more tiles at least are found again if lines have moved. Guessed."""
_MOST_STILL = 0.5
"""The same of all squares, where none is known to look as before. Guessed."""


def shifted(before: Frame, after: Frame, grid: Grid, still: Collection[int]) -> Grid | None:
    """The grid with each row and column where the most of its tiles are that show the same.

    `still` are the squares, row-major, that should look as before, as far as any is known. None
    where too few of them are found, or every line is where it was. Raises Unsettled where some
    lines have moved, and nothing shows where others are.
    """
    if before.pixels.shape != after.pixels.shape:
        return None
    tiles = _tiles(before, grid)
    same = _same(tiles, after, grid)
    odd = len(still) - np.count_nonzero(same.ravel()[list(still)])
    if odd < _MORE and _is_known(same):
        return None
    most = round(_MOST * grid.tile)
    # What lies nearer is more likely.
    by = sorted(range(-most, most + 1), key=abs)
    best, there = 0, grid
    for across in by[: 2 * _BESIDE + 1]:
        beside = grid.moved(across, 0)
        counts = [_same(tiles, after, beside.moved(0, down)).sum(axis=1) for down in by]
        path = _path(counts)
        total = sum(int(counts[move][line]) for line, move in enumerate(path))
        if total > best:
            best, there = total, _moved(beside, down=[by[move] for move in path])
        if 2 * best >= len(tiles) * tiles.shape[2]:
            break
    counts = [_same(tiles, after, there.moved(right, 0)).sum(axis=0) for right in by]
    there = _moved(there, right=[by[move] for move in _path(counts)])
    found = _same(tiles, after, there)
    if there == grid or not there.bounds.within(Rect(0, 0, after.width, after.height)):
        return None
    if found.sum() < same.sum() + _MORE:
        return None
    if not _is_known(found):
        raise Unsettled("lines of the board have moved, and where some are is not to be seen")
    share = found.ravel()[list(still)].mean() if still else found.mean()
    return there if share >= (_STILL if still else _MOST_STILL) else None


def _is_known(found: NDArray[np.bool_]) -> bool:
    """Whether some tile is found in each row and in each column."""
    return bool(found.any(axis=0).all() and found.any(axis=1).all())


def _moved(grid: Grid, down: Sequence[int] = (), right: Sequence[int] = ()) -> Grid:
    """The grid with each row so many pixels further down, and each column to the right."""
    rows = tuple(map(add, grid.rows, down or [0] * grid.height))
    columns = tuple(map(add, grid.columns, right or [0] * grid.width))
    across, along = columns[-1] - grid.columns[-1], rows[-1] - grid.rows[-1]
    left, top = columns[0] - grid.left, rows[0] - grid.top
    frame = Rect(
        grid.frame.left + left,
        grid.frame.top + top,
        grid.frame.width + across - left,
        grid.frame.height + along - top,
    )
    return replace(grid, rows=rows, columns=columns, frame=frame)


def _tiles(frame: Frame, grid: Grid) -> NDArray[np.uint32]:
    """The tiles, a pixel a number, shape (rows, pixels, columns, pixels); what is outside the frame
    is its edge."""
    within = np.arange(grid.tile)
    rows = (np.array(grid.rows)[:, None] + within).ravel().clip(0, frame.height - 1)
    columns = (np.array(grid.columns)[:, None] + within).ravel().clip(0, frame.width - 1)
    pixels = frame.pixels.view(np.uint32)[..., 0][np.ix_(rows, columns)]
    return np.asarray(pixels.reshape(grid.height, -1, grid.width, grid.tile))


def _same(tiles: NDArray[np.uint32], after: Frame, grid: Grid) -> NDArray[np.bool_]:
    """Whether each tile is the same there, shape (rows, columns)."""
    same = (tiles == _tiles(after, grid)).mean(axis=(1, 3))
    return np.asarray(same >= _SAME)


def _path(found: Sequence[NDArray[np.intp]]) -> list[int]:
    """Which move each line makes, so that the most tiles are found and few lines move otherwise
    than the one before.

    `found` has for each move how many tiles of each line are found by it; the first one is none.
    """
    moves = len(found)
    turns = _TURN * (1 - np.eye(moves))
    # Where it could be either, the first line has not moved.
    best = -_TURN * (np.arange(moves) > 0)
    came = []
    for line in np.array(found).T:
        onto = best[:, None] - turns
        came.append(onto.argmax(axis=0))
        best = onto.max(axis=0) + line
    path = [int(best.argmax())]
    for steps in reversed(came[1:]):
        path.append(int(steps[path[-1]]))
    return path[::-1]
