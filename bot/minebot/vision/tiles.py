"""The label of a tile, the scores behind it, and a memory of labels.

A game draws the same cell with the same pixels everywhere: a board has a few dozen distinct tiles,
and each is classified once. The key of a tile is a 64-bit sum of its pixels with random odd
weights: two tiles that differ in any pixel have the same sum with a probability below 1 in 10^12,
whatever they show (the worst difference, one pixel's highest bit, is 23 bits short of all 64).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from minebot.board import Cell
from minebot.capture import Frame
from minebot.vision.grid import Grid

Floats = NDArray[np.float32]

COLOUR = np.uint32(0x00FFFFFF)
"""A pixel's colour: some capture libraries leave the fourth byte undefined."""
_MOST = 4096
"""Distinct tiles kept. Specified: 200 times the 20 of a game; moving pictures have more."""
SAME_LEVELS = 1.0
"""Mean difference in levels of 255 up to which two tiles are the same. Measured: Simon Tatham's
Mines draws the corners of a tile up to 5 levels differently the second time."""
_PLACES = np.array([1 << 16, 1 << 8, 1], np.float32)
"""Makes one number of 24 bits of blue, green and red; float32 holds it exactly."""

_SHOWN = 3
"""Number of candidates named for a tile in doubt. Specified: a readable line."""


@dataclass(frozen=True, slots=True)
class TileReading:
    """The label of one tile.

    `cell` is None if nothing fits or two labels fit almost equally. `scores` are the candidates,
    best first, 1 being a perfect match. `flash` marks a tile of an animation, which is not read.
    """

    cell: Cell | None
    scores: tuple[tuple[str, float], ...] = ()
    flash: bool = False

    @property
    def nearest(self) -> str:
        """The best few candidates with their scores, in words."""
        best = self.scores[:_SHOWN]
        return ", ".join(f"{name} {score:.2f}" for name, score in best) or "nothing"


def commonest(pixels: Floats) -> Floats:
    """The colour that stands most often in each row of `pixels`, shape (n, m, 3)."""
    keys = np.sort(np.asarray(pixels, np.float32) @ _PLACES, axis=1)
    # Where the longest run of equal ones ends.
    index = np.broadcast_to(np.arange(keys.shape[1]), keys.shape)
    begins = np.diff(keys, axis=1, prepend=-1) != 0
    runs = index - np.maximum.accumulate(np.where(begins, index, 0), axis=1)
    key = keys[np.arange(len(keys)), runs.argmax(axis=1)].astype(np.int64)
    return np.stack((key >> 16, key >> 8 & 255, key & 255), axis=1).astype(np.float32)


class TileCache:
    """The labels of all tiles seen so far."""

    def __init__(self, classify: Callable[[NDArray[np.uint8]], list[TileReading]]) -> None:
        """`classify` says what tiles are, of shape (n, t, t, 4), blue-green-red first."""
        self._classify = classify
        self._readings: dict[int, TileReading] = {}
        """By the sum of their pixels."""

    @property
    def is_full(self) -> bool:
        """Whether the memory holds so much that a new one should be started."""
        return len(self._readings) > _MOST

    def recognise(self, tiles: NDArray[np.uint32]) -> list[TileReading]:
        """Return the label of each tile; `tiles` as from `cut`."""
        sums = _sums(tiles).tolist()
        new = {key: row for row, key in enumerate(sums) if key not in self._readings}
        if new:
            side, unknown = tiles.shape[1], tiles[list(new.values())]
            readings = self._classify(unknown.view(np.uint8).reshape(-1, side, side, 4))
            self._readings.update(zip(new, readings, strict=True))
        return [self._readings[key] for key in sums]

    def teach(self, tile: NDArray[np.uint32], cell: Cell) -> None:
        """Label this tile as that cell from now on; `tile` is one of `cut`'s."""
        key = int(_sums(tile[None])[0])
        self._readings[key] = TileReading(cell, ((cell.name.lower(), 1.0),))


def cut(tiles: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """A copy of tiles in any layout, shape (..., t, t), as (n, t, t), without the unused byte."""
    side = tiles.shape[-1]
    copy = np.empty(tiles.shape, np.uint32)
    np.bitwise_and(tiles, COLOUR, out=copy)
    return copy.reshape(-1, side, side)


def crop(frame: Frame, grid: Grid) -> NDArray[np.uint32]:
    """The pixels of all tiles, gaps left out, shape (rows, columns), a pixel a number.

    A tile that reaches beyond the frame repeats its edge.
    """
    pixels = frame.pixels.view(np.uint32)[..., 0]
    bounds = grid.bounds
    if grid.is_gapless and bounds.within(frame.bounds):
        return np.asarray(pixels[bounds.top : bounds.bottom, bounds.left : bounds.right])
    within = np.arange(grid.tile)
    rows = (np.array(grid.rows)[:, None] + within).ravel().clip(0, frame.height - 1)
    columns = (np.array(grid.columns)[:, None] + within).ravel().clip(0, frame.width - 1)
    return np.asarray(pixels.take(rows, axis=0).take(columns, axis=1))  # a third of np.ix_'s time


def split(pixels: NDArray[np.uint32], tile: int) -> NDArray[np.uint32]:
    """A copy of the tiles of `crop`, shape (n, tile, tile), row-major."""
    height, width = pixels.shape
    return cut(pixels.reshape(height // tile, tile, width // tile, tile).swapaxes(1, 2))


def keys(pixels: NDArray[np.uint32], tile: int) -> NDArray[np.uint64]:
    """A number for each tile of `crop`, row-major; equal tiles have equal numbers."""
    return _sums(split(pixels, tile))


def _sums(tiles: NDArray[np.uint32]) -> NDArray[np.uint64]:
    flat = tiles.reshape(len(tiles), -1)
    return np.asarray(np.einsum("ij,j->i", flat, _weights(flat.shape[1])))


@cache
def _weights(pixels: int) -> NDArray[np.uint64]:
    """Odd weights for the pixels of a tile, the same in every process.

    SplitMix64's numbers; to load numpy's own takes as long as to find the first click.
    """
    numbers = np.arange(1, pixels + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        numbers = (numbers ^ numbers >> np.uint64(shift)) * np.uint64(factor)
    return np.asarray(numbers ^ numbers >> np.uint64(31) | np.uint64(1))


def differ(
    one: Frame, other: Frame, grid: Grid, other_grid: Grid | None = None
) -> NDArray[np.bool_]:
    """Whether each tile differs between two frames, row-major.

    `other_grid` has as many tiles of the same size as `grid`; without it the board has not moved.
    """
    places = ((one, grid), (other, other_grid or grid))
    shape = (grid.height, grid.tile, grid.width, grid.tile, 4)
    pixels = (np.ascontiguousarray(crop(*place)).view(np.uint8) for place in places)
    before, after = (tiles.reshape(shape)[..., :3].astype(np.int16) for tiles in pixels)
    return np.asarray(np.abs(after - before).mean(axis=(1, 3, 4)).ravel() > SAME_LEVELS)
