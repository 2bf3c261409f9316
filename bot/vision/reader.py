"""Reads a board from frames: all of it once, then only the tiles that changed.

Each distinct tile is classified once and remembered; reading a frame is comparing it
with the one before and looking up what is new.
"""

from __future__ import annotations

from collections.abc import Set

import numpy as np
from numpy.typing import NDArray

from bot.board import Board, Cell
from bot.capture import Frame
from bot.errors import UnreadableTile, Unsettled
from bot.profile.values import FramedLook, InkLook, Profile
from bot.vision.framed import trace
from bot.vision.grid import Grid
from bot.vision.inks import Inks
from bot.vision.tiles import UNREAD, Memory, TileReading, crop, cut


class Reader:
    """Reads the frames of one game whose colours are known, one after the other."""

    def __init__(self, profile: Profile) -> None:
        """`profile` is of raised tiles in a frame."""
        self.profile = profile
        self.grid: Grid | None = None
        """Where the grid was found last, in pixels of that frame."""
        self._before: Grid | None = None
        """Where a board was read last, in a frame of the same size."""
        self._memory = Memory(_classifier(profile))
        self._size = (0, 0)
        self._pixels = np.empty((0, 0), np.uint32)
        """The tiles that were read last."""
        self._board: Board | None = None
        """What they show, None where that is not known."""
        self._overlooks: list[int] = []
        """Squares that count as covered where they cannot be read."""
        self.overlooked: frozenset[int] = frozenset()
        """Those of them that could not be read in the last picture."""
        self._tiles = np.empty(0, np.intp)
        """The number in the memory of each tile of the board, row-major."""

    def forget(self) -> None:
        """Find the grid anew on the next frame."""
        self.grid = None
        self._board = None

    def overlook(self, squares: Set[int]) -> None:
        """Take these for covered where they cannot be read, from now on."""
        self._overlooks = sorted(squares)
        self._board = None

    def learn(self, profile: Profile) -> None:
        """Read by another profile of the same game, which knows more, from now on."""
        self.profile = profile
        self._memory = Memory(_classifier(profile))
        self.forget()

    def teach(self, frame: Frame, grid: Grid, square: int, cell: Cell) -> None:
        """Remember what the tile on this square of the frame shows."""
        self._memory.teach(_tiles(crop(frame, grid), grid.tile)[square], cell)
        self._board = None

    def refute(self, frame: Frame, grid: Grid, square: int) -> bool:  # noqa: ARG002
        """Never news: what a profile knows is not given up for a click without an effect."""
        return False

    def read(self, frame: Frame) -> Board:
        """The board in the frame, its mine total unknown.

        A cell on which the button is held looks open: `bot.vision.pressed` tells. Raises
        GridNotFound; Unsettled while a flash shows; UnreadableTile for the first tile that
        is nothing known.
        """
        size = (frame.width, frame.height)
        if self._size != size:
            self._before = None
        if self.grid is None or self._size != size:
            self.forget()
            self.grid = self._traced(frame)
            self._size = size
        board = self._read(frame, self.grid)
        self._before = self.grid
        return board

    def was(self, frame: Frame) -> Grid | None:
        """Where a board was read last, None where that was in a frame of another size."""
        return self._before if self._size == (frame.width, frame.height) else None

    def where(self, frame: Frame) -> Grid:
        """Where the grid is, or was when a board was read last; raises GridNotFound."""
        known = self.grid or self._before
        same = self._size == (frame.width, frame.height)
        return known if known is not None and same else self._traced(frame)

    def _traced(self, frame: Frame) -> Grid:
        return trace(frame, _looks_of(self.profile)[0])

    def readings(self, frame: Frame, grid: Grid | None = None) -> list[TileReading]:
        """What each tile of the frame is taken for, row-major, unreadable ones included.

        With a `grid` it is not looked for. Raises GridNotFound.
        """
        grid = self.grid = grid or self._traced(frame)
        return self._looks(self._memory.recognise(_tiles(crop(frame, grid), grid.tile)))

    @property
    def tiles(self) -> list[TileReading]:
        """What each tile of the board that was read last was taken for, row-major."""
        return self._looks(self._tiles)

    def _looks(self, tiles: NDArray[np.intp]) -> list[TileReading]:
        return [self._memory.looks[tile] for tile in tiles]

    def _read(self, frame: Frame, grid: Grid) -> Board:
        pixels = crop(frame, grid)
        if self._board is not None and np.array_equal(pixels, self._pixels):
            return self._board
        if self._memory.is_full:
            self._memory = Memory(_classifier(self.profile))
            self._board = None
        if self._board is None:
            self._tiles = self._memory.recognise(_tiles(pixels, grid.tile))
        elif (changed := _changed(pixels, self._pixels, grid)).size:
            rows, columns = np.divmod(changed, grid.width)
            shaped = pixels.reshape(grid.height, grid.tile, grid.width, grid.tile)
            self._tiles[changed] = self._memory.recognise(cut(shaped[rows, :, columns]))
        self._pixels, self._board = pixels, None
        board = Board(grid.width, grid.height, None, self._cells(grid))
        if not board.covered and not board.lost:
            # All tiles of a fresh board may look opened where a screen's colours are shifted.
            raise Unsettled("no cell is covered, and yet there must be a mine")
        self._board = board
        return board

    def _cells(self, grid: Grid) -> bytes:
        """The cells; raises Unsettled while a flash shows, UnreadableTile."""
        cells = self._memory.cells(self._tiles)
        overlooked = [square for square in self._overlooks if cells[square] == UNREAD]
        cells[overlooked] = Cell.HIDDEN
        unread = np.flatnonzero(cells == UNREAD)
        if not unread.size:
            self.overlooked = frozenset(overlooked)
            return cells.tobytes()
        if sum(look.flash for look in self.tiles) > 1:
            raise Unsettled("the board flashes")
        square = int(unread[0])
        y, x = divmod(square, grid.width)
        raise UnreadableTile((x, y), dict(self.tiles[square].scores))


def _looks_of(profile: Profile) -> tuple[FramedLook, InkLook]:
    grid, cells = profile.grid, profile.cells
    assert isinstance(grid, FramedLook), "other games are read at first sight"
    assert cells is not None, "colours go with raised tiles; the profile checks it"
    return grid, cells


def _classifier(profile: Profile) -> Inks:
    return Inks(*_looks_of(profile))


def _tiles(pixels: NDArray[np.uint32], tile: int) -> NDArray[np.uint32]:
    """A copy of the tiles, shape (n, tile, tile), row-major."""
    height, width = pixels.shape[0] // tile, pixels.shape[1] // tile
    return cut(pixels.reshape(height, tile, width, tile).swapaxes(1, 2))


def _changed(now: NDArray[np.uint32], before: NDArray[np.uint32], grid: Grid) -> NDArray[np.int64]:
    """The squares whose pixels differ."""
    lines = np.flatnonzero((now != before).any(axis=1))
    rows = np.flatnonzero(np.bincount(lines // grid.tile))
    shape = (grid.height, grid.tile, grid.width, grid.tile)
    differs = now.reshape(shape)[rows] != before.reshape(shape)[rows]
    row, column = np.nonzero(differs.any(axis=(1, 3)))
    return np.asarray(rows[row] * grid.width + column)
