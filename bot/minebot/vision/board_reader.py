"""Reads a game's boards, frame after frame."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence, Set

import numpy as np
from numpy.typing import NDArray

from minebot.board import Cell
from minebot.capture import Frame
from minebot.errors import VisionError
from minebot.profile import Profile
from minebot.vision.grid import Grid
from minebot.vision.reading import Reading
from minebot.vision.tiles import TileReading, crop


class BoardReader(ABC):
    """Reads the frames of one game, one after the other.

    The grid is found once and kept; a board whose pixels have not changed is not read again.
    """

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        """The known appearance and behaviour of the game."""
        self._others: tuple[BoardReader, ...] = ()
        """Readers of the same frames, which have to know what this one does."""
        self._overlook: frozenset[int] = frozenset()
        self._grid: Grid | None = None
        """Where the grid was found last, None if it is to be found anew."""
        self._last_grid: Grid | None = None
        """Where a board was read last, in a frame of the same size."""
        self._size = (0, 0)
        self._pixels = np.empty((0, 0), np.uint32)
        """The tiles that were read last."""
        self._reading: Reading | None = None
        """What they show, None if that is not known."""

    def read(self, frame: Frame, *, partly: bool = False) -> Reading:
        """Read the board in the frame.

        A board whose pixels have not changed gives the same Reading again. Raises GridNotFound;
        UnreadableTile or Unsettled where the board is not certain, and Contradiction where no mine
        layout fits what is seen at first sight; with `partly` as the reading's `problem` instead.
        """
        size = (frame.width, frame.height)
        if self._size != size:
            self.forget()
            self._last_grid, self._size = None, size
        grid = self._grid = self._grid or self._find(frame)
        pixels = crop(frame, grid)
        if self._reading is None or not np.array_equal(pixels, self._pixels):
            self._reading = self._read_board(frame, grid, pixels)
            self._pixels = pixels
            if self._reading.is_board:
                self._last_grid = grid
        return self._reading.checked(partly=partly)

    def tentative_tiles(self, frame: Frame) -> Sequence[TileReading]:
        """What the tiles seem to show in a frame that cannot be read; none if that is no board.

        Nothing of it is believed: the grid is found anew on the next frame.
        """
        try:
            return self.read(frame, partly=True).tiles
        except VisionError:
            return ()
        finally:
            self.forget()

    def forget(self) -> None:
        """Find the grid anew on the next frame."""
        self._grid = self._reading = None
        for other in self._others:
            other.forget()

    def relabel(self) -> None:
        """Read the next frame from scratch: what was learned about the tiles may be wrong."""
        self.forget()
        for other in self._others:
            other.relabel()

    def overlook(self, squares: Set[int]) -> None:
        """From now on take these squares for hidden if they cannot be read."""
        self._overlook = frozenset(squares)
        self._reread()
        for other in self._others:
            other.overlook(squares)

    def expect(self, *, flagged: Set[int], opened: Set[int]) -> None:
        """Say which squares are flagged and opened by clicks; until this is called any may be.

        Where the program alone plays, it knows. The sets may grow as it clicks.
        """
        for other in self._others:
            other.expect(flagged=flagged, opened=opened)

    def learn(self, profile: Profile) -> None:
        """Use another profile of the same game from now on."""
        self.profile = profile
        self._reread()
        for other in self._others:
            other.learn(profile)

    def _reread(self) -> None:
        """Read the next frame even if its pixels have not changed."""
        self._reading = None

    def last_grid(self, frame: Frame) -> Grid | None:
        """Where a board was read last, None if that was in a frame of another size."""
        return self._last_grid if self._size == (frame.width, frame.height) else None

    @abstractmethod
    def teach(self, frame: Frame, grid: Grid, square: int, cell: Cell) -> None:
        """Remember what the tile on this square of the frame shows."""

    @abstractmethod
    def refute(self, frame: Frame, grid: Grid, square: int) -> bool:
        """Remember that a tile which no click opens is not covered; whether that is new."""

    @abstractmethod
    def _find(self, frame: Frame) -> Grid:
        """The grid in the frame; raises GridNotFound."""

    @abstractmethod
    def _read_board(self, frame: Frame, grid: Grid, pixels: NDArray[np.uint32]) -> Reading:
        """What the tiles of the grid show; `pixels` are theirs."""
