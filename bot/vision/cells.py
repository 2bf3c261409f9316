"""Where the cells of a lattice are: columns and rows that need not be whole pixels apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from bot.vision.grid import Grid

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

_OBLONG = 1.12
"""How much longer a step may be across than down, or the other way, of tiles that are square but
for some pixels. Guessed."""
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

    ends: tuple[Ints, Ints]
    """The pixels at which columns and rows begin, and those at which the last ones end."""

    @classmethod
    def of(cls, grid: Grid) -> Self:
        """Those of a grid: what lies between its tiles is divided among them."""
        (x, wide, across), (y, high, down) = (
            _spread(lines, grid.tile) for lines in (grid.columns, grid.rows)
        )
        return cls(x, y, (wide, high), (float(grid.tile), float(grid.tile)), (across, down))

    def part(self, rows: slice, columns: slice) -> Cells:
        """Some of the rows and columns: from one to another, each taken."""
        across, down = self.ends
        some = (
            across[columns.start : columns.stop + 1],
            down[rows.start : rows.stop + 1],
        )
        return replace(self, x=self.x[columns], y=self.y[rows], ends=some)

    def moved(self, right: int, down: int) -> Cells:
        """The same so many pixels further on."""
        moved = self.ends[0] + right, self.ends[1] + down
        return replace(self, x=self.x + right, y=self.y + down, ends=moved)

    @property
    def gap(self) -> tuple[float, float]:
        """What is between the flat pieces, across and down, in pixels."""
        return self.step[0] - self.side[0], self.step[1] - self.side[1]

    @property
    def are_oblong(self) -> bool:
        """Whether they are not about as wide as high."""
        return max(self.step) > _OBLONG * min(self.step)

    @property
    def are_even(self) -> bool:
        """Whether all have as many pixels across, and all as many down."""
        return all(np.unique(np.diff(ends)).size == 1 for ends in self.ends)

    @property
    def begins(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The pixels at which columns and rows begin."""
        across, down = self.ends
        return tuple(across[:-1].tolist()), tuple(down[:-1].tolist())

    def has_ends_of(self, other: Cells) -> bool:
        """Whether these fill the same pixels."""
        return all(map(np.array_equal, self.ends, other.ends))

    def is_same(self, other: Cells) -> bool:
        """Whether these are as many cells in the same place."""
        if (self.x.size, self.y.size) != (other.x.size, other.y.size):
            return False
        far = max(abs(self.x[0] - other.x[0]), abs(self.y[0] - other.y[0]))
        return bool(far < _SAME)


def _spread(lines: Sequence[int], tile: int) -> tuple[Floats, float, Ints]:
    """The middles of tiles that begin at these lines, their step, and where their cells end."""
    begins = np.asarray(lines, np.float64)
    step = float(begins[-1] - begins[0]) / (begins.size - 1)
    between = (begins[1:] + begins[:-1] + tile) / 2
    around = (step - tile) / 2
    ends = np.concatenate([[begins[0] - around], between, [begins[-1] + tile + around]])
    return begins + tile / 2, step, np.floor(ends).astype(np.intp)
