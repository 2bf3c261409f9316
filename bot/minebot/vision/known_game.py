"""Reads boards by their game's colours: the whole board once, then only what has changed.

Each distinct tile is classified once and remembered. To read a frame is to compare it with the one
before and look up what is new. A new version of a game, or a theme of the user's, may draw tiles
that the profile lacks: then it is read at first sight.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from minebot.board import Board, Cell
from minebot.capture import Frame
from minebot.errors import Clipped, Contradiction, GridNotFound, UnreadableTile, VisionError
from minebot.profile.schema import FramedStyle, LatticeStyle, Profile
from minebot.vision.board_reader import BoardReader
from minebot.vision.first_sight_reader import FirstSightReader
from minebot.vision.framed import trace
from minebot.vision.framed_tiles import FramedTiles
from minebot.vision.grid import Grid
from minebot.vision.pressed import settled
from minebot.vision.reading import Reading
from minebot.vision.tiles import TileCache, TileReading, crop, cut, split

MAX_FAILURES = 3
"""Frames in a row that a profile may fail to read before first sight is tried. Specified: a window
may be half painted at first; three repaints take 50 ms at 60 Hz."""


class KnownGameReader(BoardReader):
    """Reads the frames of a game whose raised tiles and frame have known colours.

    A pressed cell is drawn as open; `minebot.vision.pressed` recognises it.
    """

    def __init__(self, profile: Profile) -> None:
        super().__init__(profile)
        self._memory = _memory(profile)
        self._first_sight = FirstSightReader(profile)
        self._others = (self._first_sight,)
        self._is_otherwise = False
        """Whether the last board was read at first sight."""
        self._failures = 0
        """Frames in a row that the profile does not read."""
        self._last: Board | None = None
        """What was read last."""

    def read(self, frame: Frame, *, partly: bool = False) -> Reading:
        """See `BoardReader`."""
        try:
            reading = self._read(frame)
        except VisionError:
            if not partly:
                raise
            # In the way that read the last board.
            if self._is_otherwise:
                return self._first_sight.read(frame, partly=True)
            return super().read(frame, partly=True)
        self._last = reading.board
        return reading

    def _read(self, frame: Frame) -> Reading:
        try:
            reading = super().read(frame)
        except Clipped:
            raise
        except (GridNotFound, UnreadableTile) as refusal:
            self._failures += 1
            # A profile knows all tiles of its game: something lies over a board it read before.
            is_hidden = self._last is not None and not self._is_otherwise
            if self._failures < MAX_FAILURES or is_hidden:
                raise
            reading = self._at_first_sight(frame, refusal)
            self._is_otherwise = True
        else:
            self._is_otherwise, self._failures = False, 0
        return reading

    def _at_first_sight(self, frame: Frame, refusal: VisionError) -> Reading:
        """Read the frame at first sight if it can be the same game; else raise the refusal."""
        try:
            reading = self._first_sight.read(frame)
            board = settled(reading.board)
        except (VisionError, Contradiction):
            raise refusal from None
        if self._last is not None and board.begun and not board.follows(self._last):
            raise refusal
        return reading

    def learn(self, profile: Profile) -> None:
        """See `BoardReader`."""
        super().learn(profile)
        self._memory = _memory(profile)
        self.forget()

    def teach(self, frame: Frame, grid: Grid, square: int, cell: Cell) -> None:
        """See `BoardReader`."""
        if self._is_otherwise:
            self._first_sight.teach(frame, grid, square, cell)
        else:
            self._memory.teach(split(crop(frame, grid), grid.tile)[square], cell)
            self._reading = None

    def refute(self, frame: Frame, grid: Grid, square: int) -> bool:
        """See `BoardReader`; a click without an effect does not refute a profile."""
        return self._is_otherwise and self._first_sight.refute(frame, grid, square)

    def last_grid(self, frame: Frame) -> Grid | None:
        """See `BoardReader`."""
        last_grid = self._first_sight.last_grid if self._is_otherwise else super().last_grid
        return last_grid(frame)

    def _find(self, frame: Frame) -> Grid:
        return trace(frame, _framed(self.profile))

    def _read_board(self, frame: Frame, grid: Grid, pixels: NDArray[np.uint32]) -> Reading:  # noqa: ARG002
        if self._memory.is_full:
            self._memory, self._reading = _memory(self.profile), None
        if self._reading is None:
            tiles = self._memory.recognise(split(pixels, grid.tile))
        else:
            tiles = self._with_changes(self._reading, grid, pixels)
        return Reading.of(grid, tiles, self.profile, self._overlook)

    def _with_changes(
        self, reading: Reading, grid: Grid, pixels: NDArray[np.uint32]
    ) -> list[TileReading]:
        """The tiles of the last reading, those read anew whose pixels differ."""
        lines = np.flatnonzero((pixels != self._pixels).any(axis=1))
        rows = np.flatnonzero(np.bincount(lines // grid.tile))
        shape = (grid.height, grid.tile, grid.width, grid.tile)
        now, before = pixels.reshape(shape)[rows], self._pixels.reshape(shape)[rows]
        row, columns = np.nonzero((now != before).any(axis=(1, 3)))
        tiles = list(reading.tiles)
        if columns.size:
            squares = rows[row] * grid.width + columns
            new = self._memory.recognise(cut(now[row, :, columns]))
            for square, tile in zip(squares.tolist(), new, strict=True):
                tiles[square] = tile
        return tiles


def _framed(profile: Profile) -> FramedStyle:
    assert isinstance(profile.grid, FramedStyle), "other games are read at first sight"
    return profile.grid


def _memory(profile: Profile) -> TileCache:
    return TileCache(FramedTiles(_framed(profile)).classify)


def is_first_sight(profile: Profile) -> bool:
    """Whether the profile knows nothing of the game's appearance."""
    return isinstance(profile.grid, LatticeStyle)


def reader_of(profile: Profile) -> BoardReader:
    """The reader for the game of a profile."""
    return FirstSightReader(profile) if is_first_sight(profile) else KnownGameReader(profile)
