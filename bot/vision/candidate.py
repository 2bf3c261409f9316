"""A lattice of cells that may be a board, and how sure it is that it is one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bot.capture import Rect
from bot.vision.cells import Cells
from bot.vision.grid import Grid
from bot.vision.mesh import Mesh

_SURE = 0.5
"""What is less sure is not taken for a board. Guessed."""
_CERTAIN = 0.75
"""What is surer goes before what is larger. Guessed."""
_UNSURE = 0.4
"""How sure it is at most where it is not certain which line is the last."""
_OFF = 0.1
"""Tiles that are no further off, in steps, or a pixel, are the same. Guessed."""
_NEARLY = 0.25
"""Tiles that are no further off, in steps, are the same, seen otherwise. Guessed."""
_SHIFTED = 0.2
"""Tiles that are further off are other ones, in steps. Guessed."""
_SAME = 0.04
"""Steps that differ by less are the same, in steps. Guessed."""
_NEXT = 3
"""Two parts of one board are no more steps apart. Guessed."""
_SAME_LINE = 1.0
"""Lines that are no further off, in pixels, are the same."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """A lattice of cells that may be a board."""

    cells: Cells
    sureness: float
    """That it is a board, from 0 to 1."""
    objection: str = ""
    """What speaks against it."""
    seen: int = 0
    """How many of its tiles were seen before it was followed to its ends."""

    @property
    def tiles(self) -> int:
        """How many tiles there are."""
        return self.cells.x.size * self.cells.y.size

    @property
    def is_sure(self) -> bool:
        """Whether it is taken for a board."""
        return self.sureness > _SURE

    @property
    def bounds(self) -> Rect:
        """The rectangle of all cells, in pixels."""
        return self.grid().bounds

    @property
    def is_seen_whole(self) -> bool:
        """Whether all of its tiles were seen, and no two parts of one."""
        return self.seen == self.tiles

    @property
    def is_certain(self) -> bool:
        """Whether it goes before what is larger."""
        return self.sureness > _CERTAIN

    def less_sure(self, objection: str) -> Lattice:
        """The same, not taken for a board."""
        return replace(
            self, sureness=min(_UNSURE, self.sureness), objection=self.objection or objection
        )

    def moved(self, right: int, down: int) -> Lattice:
        """The same so many pixels further on."""
        return replace(self, cells=self.cells.moved(right, down))

    def within(self, width: int, height: int) -> Lattice:
        """The same without the pixel by which it may reach beyond a picture of that size."""
        across, down = self.cells.ends
        ends = across.clip(0, width), down.clip(0, height)
        return replace(self, cells=replace(self.cells, ends=ends))

    def contradicts(self, other: Lattice) -> bool:
        """Whether the other one has some of its tiles, but not all the same."""
        (one, two), size = (self.cells, other.cells), (self.cells.x.size, self.cells.y.size)
        near = all(abs(a - b) <= _SAME * a for a, b in zip(one.step, two.step, strict=True))
        if not near or not self.bounds.meets(other.bounds):
            return False
        if (two.x.size, two.y.size) != size:
            return True
        away = max(abs(one.x[0] - two.x[0]), abs(one.y[0] - two.y[0]))
        return bool(away > max(1.0, _OFF * one.step[0]))

    def is_nearly(self, other: Lattice) -> bool:
        """Whether the other one has as many tiles, but for some pixels in the same place."""
        one, two = self.cells, other.cells
        if (one.x.size, one.y.size) != (two.x.size, two.y.size):
            return False
        far = np.abs(one.x - two.x).max() / one.step[0], np.abs(one.y - two.y).max() / one.step[1]
        return bool(max(far) <= _NEARLY)

    def is_cut_from(self, other: Lattice) -> bool:
        """Whether the other one lies on the same lines next to it, as two parts of a board do."""
        one, two = self.cells, other.cells
        for mine, theirs, along, others, step in (
            (one.x, two.x, one.y, two.y, one.step[1]),
            (one.y, two.y, one.x, two.x, one.step[0]),
        ):
            if mine.size == theirs.size and np.abs(mine - theirs).max() <= _SAME_LINE:
                away = max(others[0] - along[-1], along[0] - others[-1]) / step
                if 0 < away <= _NEXT + _OFF:
                    return True
        return False

    def is_shifted(self, other: Lattice) -> bool:
        """Whether the other one's tiles are as wide and lie between these."""
        for one, two, step, their_step in (
            (self.cells.x, other.cells.x, self.cells.step[0], other.cells.step[0]),
            (self.cells.y, other.cells.y, self.cells.step[1], other.cells.step[1]),
        ):
            if abs(step - their_step) > _SAME * step or not self.bounds.meets(other.bounds):
                return False
            away = abs(two - one[np.abs(one[:, None] - two).argmin(axis=0)])
            if float(np.median(away)) > _SHIFTED * step:
                return True
        return False

    def holds(self, mesh: Mesh) -> bool:
        """Whether the skeleton is some of its own cells."""
        x, y = float(np.mean(mesh.x)), float(np.mean(mesh.y))
        left, top, width, height = self.bounds
        alike = abs(mesh.step[0] - self.cells.step[0]) <= _SAME * mesh.step[0]
        return alike and left < x < left + width and top < y < top + height

    def has_lines_of(self, mesh: Mesh) -> bool:
        """Whether the skeleton has all of its columns and rows, and no others."""
        return all(
            mine.size == theirs.size and np.abs(mine - theirs).max() <= _SAME_LINE
            for mine, theirs in ((self.cells.x, mesh.x), (self.cells.y, mesh.y))
        )

    def grid(self) -> Grid:
        """The cells as tiles that fill whole pixels, the middles of those that are oblong."""
        columns, rows = self.cells.begins
        wide, high = self.cells.step
        last = min(int(ends[-1] - ends[-2]) for ends in self.cells.ends)
        tile = min(int(min(wide, high) + 0.05), last)
        if self.cells.are_oblong:
            # What a tile shows is drawn in its middle.
            columns = tuple(column + int(wide - tile) // 2 for column in columns)
            rows = tuple(row + int(high - tile) // 2 for row in rows)
        bounds = Rect(
            columns[0], rows[0], columns[-1] + tile - columns[0], rows[-1] + tile - rows[0]
        )
        return Grid(columns, rows, tile, bounds)

    def __str__(self) -> str:
        left, top, _, _ = self.bounds
        return f"{self.cells.x.size}x{self.cells.y.size} tiles at {left},{top}"
