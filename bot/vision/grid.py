"""Where the tiles lie in a frame: grid arithmetic in pixels."""

from __future__ import annotations

from dataclasses import dataclass

from bot.frame import Pixel, Rect

__all__ = ["Grid"]


@dataclass(frozen=True, slots=True)
class Grid:
    """`width` x `height` square tiles of `tile` pixels, the first one's corner at (left, top).

    All in pixels of the frame in which the grid was found. `frame` is the rectangle
    that the board covers with the border drawn around the tiles.
    """

    left: int
    top: int
    tile: int
    width: int
    height: int
    frame: Rect

    @property
    def bounds(self) -> Rect:
        """The rectangle of all tiles."""
        return Rect(self.left, self.top, self.width * self.tile, self.height * self.tile)

    def rect(self, x: int, y: int) -> Rect:
        """The rectangle of the tile in column x, row y, both from 0."""
        return Rect(self.left + x * self.tile, self.top + y * self.tile, self.tile, self.tile)

    def centre(self, x: int, y: int) -> Pixel:
        """The middle of the tile in column x, row y; raises IndexError outside the grid."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise IndexError(f"({x}, {y}) is outside a grid of {self.width}x{self.height}")
        half = self.tile // 2
        return Pixel(self.left + x * self.tile + half, self.top + y * self.tile + half)

    def tile_at(self, pixel: Pixel) -> tuple[int, int] | None:
        """The column and row of the tile that holds `pixel`, None outside the grid."""
        if not self.bounds.holds(pixel):
            return None
        return (pixel.x - self.left) // self.tile, (pixel.y - self.top) // self.tile
