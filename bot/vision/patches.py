"""Samples of a lattice's cells: what tells how they look."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.vision.cells import Cells
from bot.vision.medians import median
from bot.vision.pieces import Pixels

Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Ints = NDArray[np.intp]
Floats = NDArray[np.float32]

_FINE = (6, 12)
"""A cell is told by so many samples across and as many down: by pixels where it has fewer."""
_CORNER = 0.17
"""Numbers and flags leave so much of a cell's corners free, in its sides. Guessed."""
_FLAT = 4.0
"""The sides and corners of a cell without lines differ by fewer levels, root mean square."""


@dataclass(frozen=True, slots=True)
class Patches:
    """Samples of cells."""

    samples: Bytes
    """Shape (fine, fine, rows, columns, 3), blue-green-red: what is asked of all cells, sample by
    sample, lies together."""

    @classmethod
    def of(cls, pixels: Pixels, cells: Cells) -> Patches:
        """Those of the cells, which may reach beyond the picture by a pixel."""
        fine = int(np.clip(min(cells.step) + 0.01, *_FINE))
        down = _places(cells.ends[1], fine).clip(0, pixels.shape[0] - 1)
        across = _places(cells.ends[0], fine).clip(0, pixels.shape[1] - 1)
        # Samples are means of what is around them, and not of the next cell.
        wide = int(min(cells.step) / fine)
        left, right = max(0, int(across[0, 0]) - wide), int(across[-1, -1]) + wide + 1
        top, bottom = max(0, int(down[0, 0]) - wide), int(down[-1, -1]) + wide + 1
        crop = pixels[top:bottom, left:right]
        if wide > 1:
            crop = np.asarray(cv2.blur(crop, (wide, wide)), np.uint8)
        taken = crop.take(down - top, axis=0).take(across - left, axis=2)
        return cls(np.ascontiguousarray(taken.swapaxes(1, 2)))

    @property
    def fine(self) -> int:
        """By how many samples each cell is told, across and down."""
        return int(self.samples.shape[0])

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns of cells there are."""
        return self.samples.shape[2], self.samples.shape[3]

    def part(self, rows: slice, columns: slice) -> Patches:
        """Those of some of the cells."""
        return Patches(self.samples[:, :, rows, columns])

    def rims(self) -> list[Floats]:
        """The samples just inside their corners, and those at each of their four sides.

        Shapes (cells, n).
        """
        inside = [1, self.fine - 2]
        corners = self.samples[inside][:, inside].reshape(4, -1, 3)
        parts = [corners, *(self._chosen(side) for side in _sides(self.fine))]
        return [part.swapaxes(0, 1).reshape(-1, 3 * len(part)).astype(np.float32) for part in parts]

    @property
    def are_flat(self) -> Bools:
        """Which have neither lines nor corners that differ from the rest."""
        return np.asarray(spread(self._chosen(_rim(self.fine))) < _FLAT).reshape(self.shape)

    def are_flat_but(self, side: int) -> Bools:
        """The same, whatever there is at one side: left, right, top or bottom."""
        seen = _rim(self.fine).copy()
        seen[(slice(None), [0, -1][side]) if side < 2 else ([0, -1][side - 2],)] = False
        return np.asarray(spread(self._chosen(seen)) < _FLAT).reshape(self.shape)

    def rough(self, chosen: Ints) -> Floats:
        """What tells some cells even where they are drawn a pixel off: shape (cells, 5, 3).

        It is the usual colour of their faces, and the mean ones of their sides.
        """
        deep = max(2, self.fine // 4)
        every = self.samples.reshape(self.fine, self.fine, -1, 3).take(chosen, axis=2)
        sides = every[:deep], every[-deep:], every[:, :deep], every[:, -deep:]
        colours = np.empty((5, len(chosen), 3), np.float32)
        colours[0] = median(every[deep:-deep, deep:-deep].reshape(-1, len(chosen), 3))
        for side, mean in zip(sides, colours[1:], strict=True):
            side.reshape(-1, len(chosen), 3).astype(np.float32).mean(axis=0, out=mean)
        return colours.swapaxes(0, 1)

    @property
    def contrast(self) -> float:
        """How much the rims of most cells differ within themselves, in levels, root mean square."""
        usual = median(self._chosen(_rim(self.fine)), axis=1)
        return float(usual.std(axis=0).max())

    def _chosen(self, mask: Bools) -> Bytes:
        """Some samples of each cell, by a mask of shape (fine, fine): shape (n, cells, 3)."""
        some = self.samples[mask]
        return some.reshape(len(some), -1, 3)


@cache
def _rim(fine: int) -> Bools:
    """Which samples are the outermost, or lie at the corners: shape (fine, fine)."""
    reach = np.minimum(np.arange(fine), np.arange(fine)[::-1])
    corner = reach < max(1, round(_CORNER * fine))
    return np.asarray((reach[:, None] == 0) | (reach == 0) | (corner[:, None] & corner))


@cache
def _sides(fine: int) -> list[Bools]:
    """Which of those are at each of a cell's four sides."""
    near = np.arange(fine) < max(1, round(_CORNER * fine))
    # The ends of a side are those of the sides next to it.
    within = np.ones(fine, np.bool_)
    within[[0, -1]] = False
    ends = (near, within), (near[::-1], within), (within, near), (within, near[::-1])
    return [_rim(fine) & down[:, None] & across for down, across in ends]


def _places(ends: Ints, fine: int) -> Ints:
    """Where the samples of each cell are taken: shape (fine, cells).

    Cells begin where the one before ends.
    """
    parts = (np.arange(fine) + 0.5) / fine
    return np.asarray(ends[:-1] + np.floor(parts[:, None] * np.diff(ends)), np.intp)


def spread(samples: Bytes | Floats) -> Floats:
    """The standard deviation of the samples of each cell, shape (n, cells, 3), in the colour in
    which it is greatest."""
    number, exact = len(samples), samples.astype(np.float32)
    mean = exact.sum(axis=0) / number
    square = (exact * exact).sum(axis=0) / number
    return np.asarray(np.sqrt(np.maximum(square - mean * mean, 0)).max(axis=1))
