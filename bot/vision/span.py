"""Some of the lines of a net of cells."""

from __future__ import annotations

from dataclasses import dataclass

_LEAST = 3
"""Fewer columns or rows are not followed further."""


@dataclass(slots=True)
class Span:
    """Some of a net's columns and rows, by their numbers; right and bottom are past the last."""

    left: int
    right: int
    top: int
    bottom: int

    @property
    def rows(self) -> slice:
        """Its rows."""
        return slice(self.top, self.bottom)

    @property
    def columns(self) -> slice:
        """Its columns."""
        return slice(self.left, self.right)

    @property
    def cells(self) -> tuple[slice, slice]:
        """Its rows and columns."""
        return self.rows, self.columns

    def line(self, side: int, away: int) -> tuple[slice, slice]:
        """The line of cells so many beyond its last one at this side: rows and columns."""
        if side < 2:
            column = self.left - away if side == 0 else self.right - 1 + away
            return self.rows, slice(column, column + 1)
        row = self.top - away if side == 2 else self.bottom - 1 + away
        return slice(row, row + 1), self.columns

    def room(self, side: int, shape: tuple[int, ...]) -> int:
        """How many lines there are beyond that side."""
        return (self.left, shape[1] - self.right, self.top, shape[0] - self.bottom)[side]

    def widen(self, side: int, by: int) -> None:
        """Take in so many lines at that side; give them away where it is less than none."""
        if side == 0:
            self.left -= by
        elif side == 1:
            self.right += by
        elif side == 2:
            self.top -= by
        else:
            self.bottom += by

    @property
    def key(self) -> tuple[int, int, int, int]:
        """All four, left, right, top, bottom."""
        return self.left, self.right, self.top, self.bottom

    def is_within(self, other: Span, side: int) -> bool:
        """Whether the other goes on at that side."""
        return (
            self.key[side] > other.key[side] if side in (0, 2) else self.key[side] < other.key[side]
        )

    @property
    def is_small(self) -> bool:
        """Whether it has too few lines to be followed."""
        return min(self.right - self.left, self.bottom - self.top) < _LEAST
