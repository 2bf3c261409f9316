"""Where the cells of a lattice are: columns and rows that need not be whole pixels apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

_SAME = 2
"""Cells that begin no further apart are the same, in pixels."""


@dataclass(frozen=True, slots=True)
class Cells:
    """The middles of a lattice's cells, in pixels, and the step from one to the next."""

    x: Floats
    y: Floats
    step: tuple[float, float]
    side: tuple[float, float]
    """Of the flat pieces by which they were found, in pixels."""

    @property
    def gap(self) -> tuple[float, float]:
        """What is between the flat pieces, across and down, in pixels."""
        return self.step[0] - self.side[0], self.step[1] - self.side[1]

    @property
    def begins(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The pixels at which columns and rows begin."""
        across, down = sides(self.x, self.step[0]), sides(self.y, self.step[1])
        return tuple(across[:-1].tolist()), tuple(down[:-1].tolist())

    def is_same(self, other: Cells) -> bool:
        """Whether these are as many cells in the same place."""
        if (self.x.size, self.y.size) != (other.x.size, other.y.size):
            return False
        far = max(abs(self.x[0] - other.x[0]), abs(self.y[0] - other.y[0]))
        return bool(far < _SAME)


def sides(lines: Floats, step: float) -> Ints:
    """The pixels at which the cells with these middles begin, and where the last one ends.

    A line between two opened cells belongs to the one after it, as a rule.
    """
    between = (lines[1:] + lines[:-1]) / 2
    ends = np.concatenate([[lines[0] - step / 2], between, [lines[-1] + step / 2]])
    return np.asarray(np.ceil(ends - 0.5), np.intp)
