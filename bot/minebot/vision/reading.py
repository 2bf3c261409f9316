"""All that was read in one picture."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Self

from minebot.board import Board, Cell
from minebot.errors import Contradiction, UnreadableTile, Unsettled, VisionError
from minebot.profile import Profile
from minebot.vision.grid import Grid
from minebot.vision.tiles import TileReading

MAX_DOUBT = 0.5
"""Largest fraction of tiles in doubt at which the grid of a profile is taken for a board. Measured
on every fifth picture in fixtures/screenshots: a profile of another game that does not read all
tiles leaves 98.8 % and more in doubt."""
DOUBT = "~"
"""The sign for a tile in doubt in a reading's text; no board contains it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A board as it was read in one picture, and what is not certain about it."""

    board: Board
    """Without its mine total; tiles in doubt count as hidden."""
    grid: Grid
    """In pixels of the picture."""
    tiles: tuple[TileReading, ...]
    """What each tile was classified as and what it most resembles, row-major."""
    profile: Profile | None
    """The game that it was read by, None for a board read at first sight."""
    problem: VisionError | Contradiction | None = None
    """Why the board is not certain: UnreadableTile where a tile is in doubt, Unsettled if the
    picture may show an animation or a pressed cell, Contradiction if no mine layout fits what all
    tiles seem to show. None if it is certain."""
    reached: tuple[str, ...] = ()
    """The edges of the picture that a board at first sight reaches: left, top, right, bottom."""
    drawings: tuple[bytes, ...] = ()
    """Each reduced tile at first sight, row-major, the same for tiles that are drawn alike."""

    @classmethod
    def of(
        cls,
        grid: Grid,
        tiles: Sequence[TileReading],
        profile: Profile | None,
        overlook: Set[int] = frozenset(),
    ) -> Self:
        """Make the board of its tiles; those in doubt on the squares `overlook` are no problem."""
        cells = bytes([Cell.HIDDEN if tile.cell is None else tile.cell for tile in tiles])
        unread = {square for square, tile in enumerate(tiles) if tile.cell is None}
        board = Board(grid.width, grid.height, None, cells)
        return cls(board, grid, tuple(tiles), profile, _problem(board, tiles, unread - overlook))

    @property
    def unread(self) -> tuple[int, ...]:
        """The squares whose tiles are in doubt, ascending."""
        return tuple(square for square, tile in enumerate(self.tiles) if tile.cell is None)

    @property
    def doubt(self) -> float:
        """Fraction of the tiles that are in doubt."""
        return len(self.unread) / len(self.tiles)

    @property
    def is_board(self) -> bool:
        """Whether the grid is that of a board: `MAX_DOUBT` of it is in doubt at most."""
        return self.doubt <= MAX_DOUBT and not isinstance(self.problem, Contradiction)

    @property
    def warning(self) -> str | None:
        """What to tell of a board that may be cut off, or none at all; None for all others."""
        edges = " and ".join(self.reached)
        cut = f"the board reaches the picture's edge ({edges}): cells may be cut off there"
        said = [cut] if edges else []
        if self.profile is None and not self.board.begun:
            # Equal cells are what many things are drawn in, and no number tells of the game.
            said.append("nothing is opened: perhaps a fresh board, perhaps no Minesweeper at all")
        return "; ".join(said) or None

    def checked(self, *, partly: bool) -> Self:
        """Return it if certain, or with `partly`; else raise its `problem`."""
        if self.problem is not None and not partly:
            raise self.problem.with_traceback(None)
        return self

    def __str__(self) -> str:
        signs = list(str(self.board).replace("\n", ""))
        for square in self.unread:
            signs[square] = DOUBT
        width = self.grid.width
        return "\n".join("".join(signs[at : at + width]) for at in range(0, len(signs), width))


def _problem(board: Board, tiles: Sequence[TileReading], unread: Set[int]) -> VisionError | None:
    """Why a board of these tiles is not certain, of which those on `unread` are in doubt."""
    if not unread:
        if max(board.cells) <= Cell.EIGHT:
            # All tiles of a fresh board may look opened where a screen's colours are shifted.
            return Unsettled("no cell is covered, and yet there must be a mine")
        return None
    if sum(tile.flash for tile in tiles) > 1:
        return Unsettled("the board flashes")
    square = min(unread)
    tile = tiles[square]
    reason = f"cannot read the tile at {board.name_of(square)}; nearest: {tile.nearest}"
    return UnreadableTile(reason, board.xy(square), dict(tile.scores))
