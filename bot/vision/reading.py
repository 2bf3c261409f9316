"""All that was read in one picture."""

from __future__ import annotations

from dataclasses import dataclass

from bot.board import Board, Cell
from bot.errors import VisionError
from bot.profile import Profile
from bot.vision.grid import Grid
from bot.vision.tiles import TileReading

MAX_DOUBT = 0.5
"""Largest fraction of tiles in doubt at which the grid of a profile is taken for a board. Measured
on every fifth picture in fixtures/screenshots: a profile of another game that does not read all
tiles leaves 98.8 % and more in doubt."""
DOUBT = "~"
"""The sign for a tile in doubt where a reading is written as text; no board has it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A board as it was read in one picture, and what is not certain about it."""

    grid: Grid
    """In pixels of the picture."""
    tiles: tuple[TileReading, ...]
    """What each tile was classified as and what it most resembles, row-major."""
    profile: Profile | None
    """The game that it was read by, None for a board read at first sight."""
    problem: VisionError | None = None
    """Why the board is not certain: UnreadableTile where a tile is in doubt, Unsettled where the
    picture may show an animation or a pressed cell. None if it is certain."""

    @property
    def board(self) -> Board:
        """The board without its mine total; tiles in doubt count as hidden."""
        cells = bytes(Cell.HIDDEN if tile.cell is None else tile.cell for tile in self.tiles)
        return Board(self.grid.width, self.grid.height, None, cells)

    @property
    def unread(self) -> tuple[int, ...]:
        """The squares whose tiles are in doubt, ascending."""
        return tuple(square for square, tile in enumerate(self.tiles) if tile.cell is None)

    @property
    def doubt(self) -> float:
        """Fraction of the tiles that are in doubt."""
        return len(self.unread) / len(self.tiles)

    def __str__(self) -> str:
        signs = list(str(self.board).replace("\n", ""))
        for square in self.unread:
            signs[square] = DOUBT
        width = self.grid.width
        return "\n".join("".join(signs[at : at + width]) for at in range(0, len(signs), width))
