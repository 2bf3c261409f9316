"""Reads a board from frames: all of it once, then only the tiles that changed.

Each distinct tile is classified once and remembered; reading a frame is comparing it
with the one before and looking up what is new.
"""

from __future__ import annotations

from collections.abc import Set

import numpy as np
from numpy.typing import NDArray

from bot.board import Cell
from bot.capture import Frame
from bot.profile.values import FramedLook, InkLook, Profile
from bot.vision.framed import trace
from bot.vision.grid import Grid
from bot.vision.inks import Inks
from bot.vision.reading import Reading
from bot.vision.tiles import Memory, TileReading, crop, cut


class Reader:
    """Reads the frames of one game whose colours are known, one after the other."""

    def __init__(self, profile: Profile) -> None:
        """`profile` is of raised tiles in a frame."""
        self.profile = profile
        self._memory = Memory(_inks(profile).classify)
        self._overlook: frozenset[int] = frozenset()
        self._grid: Grid | None = None
        """Where the grid was found last, None if it is to be found anew."""
        self._last_grid: Grid | None = None
        """Where a board was read last, in a frame of the same size."""
        self._size = (0, 0)
        self._pixels = np.empty((0, 0), np.uint32)
        """The tiles that were read last."""
        self._tiles: list[TileReading] = []
        """What each of them was taken for, row-major."""
        self._reading: Reading | None = None
        """What they show, None where that is not known."""

    def forget(self) -> None:
        """Find the grid anew on the next frame."""
        self._grid = self._reading = None

    def overlook(self, squares: Set[int]) -> None:
        """Take these for covered where they cannot be read, from now on."""
        self._overlook = frozenset(squares)
        self._reading = None

    def learn(self, profile: Profile) -> None:
        """Read by another profile of the same game, which knows more, from now on."""
        self.profile = profile
        self._memory = Memory(_inks(profile).classify)
        self.forget()

    def teach(self, frame: Frame, grid: Grid, square: int, cell: Cell) -> None:
        """Remember what the tile on this square of the frame shows."""
        self._memory.teach(_tiles(crop(frame, grid), grid.tile)[square], cell)
        self._reading = None

    def refute(self, frame: Frame, grid: Grid, square: int) -> bool:  # noqa: ARG002
        """Never news: what a profile knows is not given up for a click without an effect."""
        return False

    def last_grid(self, frame: Frame) -> Grid | None:
        """Where a board was read last, None if that was in a frame of another size."""
        return self._last_grid if self._size == (frame.width, frame.height) else None

    def read(self, frame: Frame, *, partly: bool = False) -> Reading:
        """Read the board in the frame, as `BoardReader` says.

        A cell on which the button is held looks open: `bot.vision.pressed` tells. Raises
        GridNotFound; without `partly` also Unsettled while a flash shows, UnreadableTile for the
        first tile that is nothing known.
        """
        size = (frame.width, frame.height)
        if self._size != size:
            self.forget()
            self._last_grid, self._size = None, size
        if self._grid is None:
            self._grid = trace(frame, _looks_of(self.profile)[0])
        return self._read(frame, self._grid).checked(partly=partly)

    def _read(self, frame: Frame, grid: Grid) -> Reading:
        pixels = crop(frame, grid)
        if self._reading is not None and np.array_equal(pixels, self._pixels):
            return self._reading
        if self._memory.is_full:
            self._memory = Memory(_inks(self.profile).classify)
            self._reading = None
        if self._reading is None:
            self._tiles = self._memory.recognise(_tiles(pixels, grid.tile))
        elif (changed := _changed(pixels, self._pixels, grid)).size:
            rows, columns = np.divmod(changed, grid.width)
            shaped = pixels.reshape(grid.height, grid.tile, grid.width, grid.tile)
            looks = self._memory.recognise(cut(shaped[rows, :, columns]))
            for square, look in zip(changed.tolist(), looks, strict=True):
                self._tiles[square] = look
        self._pixels = pixels
        self._reading = Reading.of(grid, self._tiles, self.profile, self._overlook)
        if self._reading.is_board:
            self._last_grid = grid
        return self._reading


def _looks_of(profile: Profile) -> tuple[FramedLook, InkLook]:
    grid, cells = profile.grid, profile.cells
    assert isinstance(grid, FramedLook), "other games are read at first sight"
    assert cells is not None, "colours go with raised tiles; the profile checks it"
    return grid, cells


def _inks(profile: Profile) -> Inks:
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
