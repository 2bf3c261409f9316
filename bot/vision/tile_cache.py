"""Remembers what each distinct tile was taken for.

A game draws the same cell with the same pixels wherever it stands: a board has a few
dozen distinct tiles, so that each is classified once. Tiles are told apart by a 64-bit
sum of their pixels with random odd weights: two tiles that differ in any pixel have the
same sum with a chance below 1 in 10^12, whatever they show (the worst difference, one
pixel's highest bit, is 23 bits short of the full 64).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from bot.vision.tiles import Classifier, TileReading

__all__ = ["UNREAD", "Memory", "cut"]

UNREAD = 255
"""The cell of a tile that means nothing."""
_COLOUR = np.uint32(0x00FFFFFF)
"""Some capture libraries leave the fourth byte undefined."""
_MOST = 4096
"""Distinct tiles kept; a game has about 20, more come from pictures that never repeat."""


class Memory:
    """The tiles met so far, each with its number, in the order in which they came."""

    def __init__(self, classifier: Classifier) -> None:
        self._classifier = classifier
        self.looks: list[tuple[TileReading, ...]] = []
        """What each tile was taken for, in each phase."""
        self._numbers: dict[int, int] = {}
        self._cells = np.empty((classifier.phases, 0), np.uint8)

    @property
    def is_full(self) -> bool:
        """Whether so many tiles were met that it is time for a new memory."""
        return len(self.looks) > _MOST

    def recognise(self, tiles: NDArray[np.uint32]) -> NDArray[np.intp]:
        """The number of each tile; `tiles` as from `cut`."""
        flat = tiles.reshape(len(tiles), -1)
        sums = np.einsum("ij,j->i", flat, _weights(flat.shape[1]))
        distinct, rows, inverse = np.unique(sums, return_index=True, return_inverse=True)
        keys = distinct.tolist()
        new = {key: row for key, row in zip(keys, rows, strict=True) if key not in self._numbers}
        if new:
            self._meet(tiles[list(new.values())], list(new))
        return np.array([self._numbers[key] for key in keys], np.intp)[inverse]

    def cells(self, numbers: NDArray[np.intp]) -> NDArray[np.uint8]:
        """The cells of these tiles, a row for each phase; `UNREAD` where it knows none."""
        return self._cells[:, numbers]

    def _meet(self, tiles: NDArray[np.uint32], keys: list[int]) -> None:
        side = tiles.shape[1]
        looks = self._classifier.classify(tiles.view(np.uint8).reshape(-1, side, side, 4))
        self._numbers.update((key, number) for number, key in enumerate(keys, len(self.looks)))
        self.looks += looks
        cells = [[UNREAD if one.cell is None else one.cell for one in look] for look in looks]
        self._cells = np.hstack((self._cells, np.array(cells, np.uint8).T))


def cut(tiles: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """A copy of tiles in any layout, shape (..., t, t), as (n, t, t), without the unused byte."""
    side = tiles.shape[-1]
    copy = np.empty(tiles.shape, np.uint32)
    np.bitwise_and(tiles, _COLOUR, out=copy)
    return copy.reshape(-1, side, side)


@cache
def _weights(pixels: int) -> NDArray[np.uint64]:
    """Odd weights for the pixels of a tile, the same in every process."""
    weights = np.random.default_rng(pixels).integers(0, 1 << 63, pixels, np.uint64)
    return np.asarray(2 * weights + np.uint64(1))
