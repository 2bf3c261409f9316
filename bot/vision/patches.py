"""Samples of a lattice's cells: what tells how they look."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.vision.cells import Cells
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
    """Shape (rows, columns, fine, fine, 3), blue-green-red."""

    @classmethod
    def of(cls, pixels: Pixels, cells: Cells) -> Patches:
        """Those of the cells, which may reach beyond the picture by a pixel."""
        fine = int(np.clip(min(cells.step) + 0.01, *_FINE))
        down = _places(cells.ends[1], fine).clip(0, pixels.shape[0] - 1)
        across = _places(cells.ends[0], fine).clip(0, pixels.shape[1] - 1)
        # Samples are means of what is around them, and not of the next cell.
        wide = int(min(cells.step) / fine)
        left, right = max(0, int(across[0]) - wide), int(across[-1]) + wide + 1
        top, bottom = max(0, int(down[0]) - wide), int(down[-1]) + wide + 1
        crop = pixels[top:bottom, left:right]
        if wide > 1:
            crop = np.asarray(cv2.blur(crop, (wide, wide)), np.uint8)
        taken = crop.take(down - top, axis=0).take(across - left, axis=1)
        shaped = taken.reshape(cells.y.size, fine, cells.x.size, fine, 3).swapaxes(1, 2)
        return cls(np.ascontiguousarray(shaped))

    def part(self, rows: slice, columns: slice) -> Patches:
        """Those of some of the cells."""
        return Patches(self.samples[rows, columns])

    @property
    def rim(self) -> Bools:
        """Which samples are the outermost, or lie at the corners: shape (fine, fine)."""
        fine = self.samples.shape[2]
        reach = np.minimum(np.arange(fine), np.arange(fine)[::-1])
        corner = reach < max(1, round(_CORNER * fine))
        return np.asarray((reach[:, None] == 0) | (reach == 0) | (corner[:, None] & corner))

    def corners(self) -> Bytes:
        """The samples just inside their corners: shape (cells, n)."""
        fine = self.samples.shape[2]
        at = [1, fine - 2]
        return self.samples[:, :, at][:, :, :, at].reshape(-1, 4 * 3)

    def sides(self) -> Iterator[Bytes]:
        """The samples at each of their four sides: shape (cells, n)."""
        fine = self.samples.shape[2]
        rows, columns = self.samples.shape[:2]
        near = np.arange(fine) < max(1, round(_CORNER * fine))
        # The ends of a side are those of the sides next to it.
        within = np.ones(fine, np.bool_)
        within[[0, -1]] = False
        for down, across in (
            (near, within),
            (near[::-1], within),
            (within, near),
            (within, near[::-1]),
        ):
            side = self.rim & down[:, None] & across
            yield self.samples[:, :, side].reshape(rows * columns, -1)

    @property
    def are_flat(self) -> Bools:
        """Which have neither lines nor corners that differ from the rest."""
        rows, columns = self.samples.shape[:2]
        rims = self.samples[:, :, self.rim].reshape(rows * columns, -1, 3).astype(np.float32)
        return np.asarray(spread(rims) < _FLAT).reshape(rows, columns)

    def are_flat_but(self, side: int) -> Bools:
        """The same, whatever there is at one side: left, right, top or bottom."""
        rows, columns = self.samples.shape[:2]
        seen = self.rim.copy()
        seen[(slice(None), [0, -1][side]) if side < 2 else ([0, -1][side - 2],)] = False
        rims = self.samples[:, :, seen].reshape(rows * columns, -1, 3).astype(np.float32)
        return np.asarray(spread(rims) < _FLAT).reshape(rows, columns)

    def rough(self, chosen: Ints) -> Floats:
        """What tells some cells even where they are drawn a pixel off: shape (cells, 5, 3).

        It is the usual colour of their faces, and the mean ones of their sides.
        """
        rows, columns, fine = self.samples.shape[:3]
        deep = max(2, fine // 4)
        every = self.samples.reshape(rows * columns, fine, fine, 3)[chosen].astype(np.float32)
        face = np.median(every[:, deep:-deep, deep:-deep].reshape(len(every), -1, 3), axis=1)
        sides = every[:, :deep], every[:, -deep:], every[:, :, :deep], every[:, :, -deep:]
        return np.stack([face, *(side.mean(axis=(1, 2)) for side in sides)], axis=1)

    @property
    def contrast(self) -> float:
        """How much the rims of most cells differ within themselves, in levels, root mean square."""
        rows, columns = self.samples.shape[:2]
        usual = np.median(self.samples[:, :, self.rim].reshape(rows * columns, -1, 3), axis=0)
        return float(usual.std(axis=0).max())


def _places(ends: Ints, fine: int) -> Ints:
    """Where the samples of each cell are taken; cells begin where the one before ends."""
    parts = (np.arange(fine) + 0.5) / fine
    wide = np.diff(ends)[:, None]
    return np.asarray(ends[:-1, None] + np.floor(parts * wide), np.intp).ravel()


def spread(samples: Floats) -> Floats:
    """The standard deviation of the samples of each cell, shape (cells, n, 3), in the colour in
    which it is greatest."""
    number = samples.shape[1]
    mean = np.einsum("ijk->ik", samples) / number
    square = np.einsum("ijk,ijk->ik", samples, samples) / number
    return np.asarray(np.sqrt(np.maximum(square - mean * mean, 0)).max(axis=1))
