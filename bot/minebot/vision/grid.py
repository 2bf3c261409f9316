"""Where the tiles lie in a frame: grid arithmetic in pixels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from minebot.board import cell_name
from minebot.capture import Pixel, Rect


@dataclass(frozen=True, slots=True)
class Grid:
    """Square tiles of `tile` pixels; column x begins at `columns[x]`, row y at `rows[y]`.

    All in pixels of the frame in which the grid was found. Tiles may touch, or have
    gaps between them that are not all of one width. `frame` is the rectangle that the
    board covers with the border drawn around the tiles.
    """

    columns: tuple[int, ...]
    rows: tuple[int, ...]
    tile: int
    frame: Rect

    @classmethod
    def regular(cls, bounds: Rect, tile: int, step: int, frame: Rect) -> Self:
        """Tiles that fill `bounds`, each `step` pixels after the one before."""
        columns = range(bounds.left, bounds.right, step)
        rows = range(bounds.top, bounds.bottom, step)
        return cls(tuple(columns), tuple(rows), tile, frame)

    def moved(self, right: int, down: int) -> Self:
        """Return the grid shifted by that many pixels."""
        columns = tuple(column + right for column in self.columns)
        rows = tuple(row + down for row in self.rows)
        return replace(self, columns=columns, rows=rows, frame=self.frame.moved(right, down))

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self.columns)

    @property
    def height(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    @property
    def bounds(self) -> Rect:
        """The rectangle of all tiles."""
        right, bottom = self.columns[-1] + self.tile, self.rows[-1] + self.tile
        return Rect.between(self.columns[0], self.rows[0], right, bottom)

    @property
    def is_gapless(self) -> bool:
        """Whether each tile begins where the one before ends."""
        bounds = self.bounds
        return (bounds.width, bounds.height) == (self.width * self.tile, self.height * self.tile)

    def rect(self, x: int, y: int) -> Rect:
        """The rectangle of the tile in column x, row y, both from 0."""
        return Rect(self.columns[x], self.rows[y], self.tile, self.tile)

    def centre(self, x: int, y: int) -> Pixel:
        """The middle of the tile in column x, row y; raises IndexError outside the grid."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise IndexError(f"{cell_name(x, y)} is outside a grid of {self.width}x{self.height}")
        half = self.tile // 2
        return Pixel(self.columns[x] + half, self.rows[y] + half)
