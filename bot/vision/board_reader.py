"""What reads a game's boards, frame after frame: by its profile, or at first sight."""

from __future__ import annotations

from collections.abc import Set
from typing import Protocol

from bot.board import Board, Cell
from bot.capture import Frame
from bot.errors import Clipped, Contradiction, GridNotFound, UnreadableTile, VisionError
from bot.profile import LatticeLook, Profile
from bot.vision.first_sight_reader import FirstSightReader
from bot.vision.grid import Grid
from bot.vision.pressed import settled
from bot.vision.reader import Reader
from bot.vision.reading import Reading

MAX_FAILURES = 3
"""Frames in a row that a profile may fail to read before first sight is tried. The first ones may
show a window that is half painted: three repaints take 50 ms at 60 Hz."""


class BoardReader(Protocol):
    """Reads the frames of one game, one after the other."""

    @property
    def profile(self) -> Profile:
        """How the game looks and behaves, as far as that is known."""
        ...

    def read(self, frame: Frame, *, partly: bool = False) -> Reading:
        """Read the board in the frame.

        A board whose pixels have not changed gives the same Reading again. Raises GridNotFound;
        Contradiction where no mine layout fits what is seen at first sight; UnreadableTile or
        Unsettled where the board is not certain. With `partly` that is the reading's `problem`
        instead.
        """
        ...

    def forget(self) -> None:
        """Find the grid anew on the next frame."""
        ...

    def overlook(self, squares: Set[int]) -> None:
        """Take these for hidden where they cannot be read, from now on."""
        ...

    def learn(self, profile: Profile) -> None:
        """Go by another profile of the same game from now on."""
        ...

    def teach(self, frame: Frame, grid: Grid, square: int, cell: Cell) -> None:
        """Remember what the tile on this square of the frame shows."""
        ...

    def refute(self, frame: Frame, grid: Grid, square: int) -> bool:
        """Remember that the tile is not covered, as no click opens it; whether that is news."""
        ...

    def last_grid(self, frame: Frame) -> Grid | None:
        """Where a board was read last, None if that was in a frame of another size."""
        ...


class KnownGameReader:
    """Reads a game by its profile's colours, and at first sight once it looks otherwise.

    A new version of the game or colours of the user's may draw what the profile has not got.
    """

    def __init__(self, profile: Profile) -> None:
        self._known = Reader(profile)
        self._sight = FirstSightReader(profile)
        self._reader: BoardReader = self._known
        """The one of them that read the last board."""
        self._failures = 0
        """Frames in a row that the profile does not read."""
        self._last: Board | None = None
        """What was read last."""

    @property
    def profile(self) -> Profile:
        """See `BoardReader`."""
        return self._known.profile

    def read(self, frame: Frame, *, partly: bool = False) -> Reading:
        """Read the board in the frame, as `BoardReader` says."""
        try:
            return self._read(frame)
        except VisionError:
            if not partly:
                raise
            return self._reader.read(frame, partly=True)

    def _read(self, frame: Frame) -> Reading:
        try:
            reading = self._known.read(frame)
        except Clipped:
            raise
        except (GridNotFound, UnreadableTile) as refusal:
            self._failures += 1
            # A profile knows all that its game draws: something lies over a board that it read.
            is_hidden = self._last is not None and self._reader is self._known
            if self._failures < MAX_FAILURES or is_hidden:
                raise
            reading = self._at_first_sight(frame, refusal)
            self._reader = self._sight
        else:
            self._reader, self._failures = self._known, 0
        self._last = reading.board
        return reading

    def _at_first_sight(self, frame: Frame, refusal: VisionError) -> Reading:
        """Read it at first sight, if that can be the game that was read before.

        Else raises the refusal.
        """
        try:
            reading = self._sight.read(frame)
            board = settled(reading.board)
        except (VisionError, Contradiction):
            raise refusal from None
        if self._last is not None and board.begun and not board.follows(self._last):
            raise refusal
        return reading

    def forget(self) -> None:
        """See `BoardReader`."""
        self._known.forget()
        self._sight.forget()

    def overlook(self, squares: Set[int]) -> None:
        """See `BoardReader`."""
        self._known.overlook(squares)
        self._sight.overlook(squares)

    def learn(self, profile: Profile) -> None:
        """See `BoardReader`."""
        self._known.learn(profile)
        self._sight.learn(profile)

    def teach(self, frame: Frame, grid: Grid, square: int, cell: Cell) -> None:
        """See `BoardReader`."""
        self._reader.teach(frame, grid, square, cell)

    def refute(self, frame: Frame, grid: Grid, square: int) -> bool:
        """See `BoardReader`."""
        return self._reader.refute(frame, grid, square)

    def last_grid(self, frame: Frame) -> Grid | None:
        """See `BoardReader`."""
        return self._reader.last_grid(frame)


def is_first_sight(profile: Profile) -> bool:
    """Whether the profile knows nothing of the game's appearance."""
    return isinstance(profile.grid, LatticeLook)


def reader_of(profile: Profile) -> BoardReader:
    """The reader for the game of a profile."""
    return FirstSightReader(profile) if is_first_sight(profile) else KnownGameReader(profile)
