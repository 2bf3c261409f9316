"""Chooses how to read a game: by its colours, at first sight, or both."""

from __future__ import annotations

from minebot.board import Board, Cell
from minebot.capture import Frame
from minebot.errors import Clipped, Contradiction, GridNotFound, UnreadableTile, VisionError
from minebot.profile import LatticeStyle, Profile
from minebot.vision.board_reader import BoardReader
from minebot.vision.first_sight_reader import FirstSightReader
from minebot.vision.grid import Grid
from minebot.vision.pressed import settled
from minebot.vision.reader import Reader
from minebot.vision.reading import Reading

MAX_FAILURES = 3
"""Frames in a row that a profile may fail to read before first sight is tried. Specified: a window
may be half painted at first; three repaints take 50 ms at 60 Hz."""


class KnownGameReader(Reader):
    """Reads a game by its profile's colours, and at first sight if these do not fit.

    A new version of the game, or a theme of the user's, may draw tiles that the profile lacks.
    """

    def __init__(self, profile: Profile) -> None:
        super().__init__(profile)
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
            return self._used(frame, partly=True)
        self._last = reading.board
        return reading

    def _used(self, frame: Frame, *, partly: bool) -> Reading:
        """Read the frame in the way that read the last board."""
        if self._is_otherwise:
            return self._first_sight.read(frame, partly=partly)
        return super().read(frame, partly=partly)

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

    def teach(self, frame: Frame, grid: Grid, square: int, cell: Cell) -> None:
        """See `BoardReader`."""
        if self._is_otherwise:
            self._first_sight.teach(frame, grid, square, cell)
        else:
            super().teach(frame, grid, square, cell)

    def refute(self, frame: Frame, grid: Grid, square: int) -> bool:
        """See `BoardReader`."""
        return self._is_otherwise and self._first_sight.refute(frame, grid, square)

    def last_grid(self, frame: Frame) -> Grid | None:
        """See `BoardReader`."""
        return (
            self._first_sight.last_grid(frame) if self._is_otherwise else super().last_grid(frame)
        )


def is_first_sight(profile: Profile) -> bool:
    """Whether the profile knows nothing of the game's appearance."""
    return isinstance(profile.grid, LatticeStyle)


def reader_of(profile: Profile) -> BoardReader:
    """The reader for the game of a profile."""
    return FirstSightReader(profile) if is_first_sight(profile) else KnownGameReader(profile)
