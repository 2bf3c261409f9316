"""Reads boards by their game's colours: the whole board once, then only what has changed.

Each distinct tile is classified once and remembered. To read a frame is to compare it with the one
before and look up what is new.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from minebot.board import Cell
from minebot.capture import Frame
from minebot.profile.appearance import DigitColourStyle, FramedStyle, Profile
from minebot.vision.board_reader import BoardReader
from minebot.vision.digit_colours import DigitColours
from minebot.vision.framed import trace
from minebot.vision.grid import Grid
from minebot.vision.reading import Reading
from minebot.vision.tiles import TileCache, TileReading, crop, cut, split


class Reader(BoardReader):
    """Reads the frames of a game whose raised tiles and frame have known colours.

    A pressed cell is drawn as open; `minebot.vision.pressed` recognises it.
    """

    def __init__(self, profile: Profile) -> None:
        super().__init__(profile)
        self._memory = TileCache(_inks(profile).classify)

    def learn(self, profile: Profile) -> None:
        """See `BoardReader`."""
        super().learn(profile)
        self._memory = TileCache(_inks(profile).classify)
        self.forget()

    def teach(self, frame: Frame, grid: Grid, square: int, cell: Cell) -> None:
        """See `BoardReader`."""
        self._memory.teach(split(crop(frame, grid), grid.tile)[square], cell)
        self._reading = None

    def refute(self, frame: Frame, grid: Grid, square: int) -> bool:  # noqa: ARG002
        """Return False: a click without an effect does not refute a profile."""
        return False

    def _find(self, frame: Frame) -> Grid:
        return trace(frame, _styles_of(self.profile)[0])

    def _read_board(self, frame: Frame, grid: Grid, pixels: NDArray[np.uint32]) -> Reading:  # noqa: ARG002
        tiles = self._read_tiles(grid, pixels)
        return Reading.of(grid, tiles, self.profile, self._overlook)

    def _read_tiles(self, grid: Grid, pixels: NDArray[np.uint32]) -> list[TileReading]:
        if self._memory.is_full:
            self._memory = TileCache(_inks(self.profile).classify)
            self._reading = None
        if self._reading is None:
            return self._memory.recognise(split(pixels, grid.tile))
        tiles = list(self._reading.tiles)
        if (changed := _changed(pixels, self._pixels, grid)).size:
            rows, columns = np.divmod(changed, grid.width)
            shaped = pixels.reshape(grid.height, grid.tile, grid.width, grid.tile)
            readings = self._memory.recognise(cut(shaped[rows, :, columns]))
            for square, reading in zip(changed.tolist(), readings, strict=True):
                tiles[square] = reading
        return tiles


def _styles_of(profile: Profile) -> tuple[FramedStyle, DigitColourStyle]:
    grid, cells = profile.grid, profile.colours
    assert isinstance(grid, FramedStyle), "other games are read at first sight"
    assert cells is not None, "colours go with raised tiles; the profile checks it"
    return grid, cells


def _inks(profile: Profile) -> DigitColours:
    return DigitColours(*_styles_of(profile))


def _changed(now: NDArray[np.uint32], before: NDArray[np.uint32], grid: Grid) -> NDArray[np.int64]:
    """The squares whose pixels differ."""
    lines = np.flatnonzero((now != before).any(axis=1))
    rows = np.flatnonzero(np.bincount(lines // grid.tile))
    shape = (grid.height, grid.tile, grid.width, grid.tile)
    differs = now.reshape(shape)[rows] != before.reshape(shape)[rows]
    row, column = np.nonzero(differs.any(axis=(1, 3)))
    return np.asarray(rows[row] * grid.width + column)
