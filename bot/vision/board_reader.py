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
from bot.vision.tiles import TileReading

MAX_FAILURES = 3
"""Frames in a row that a profile may fail to read before first sight is tried. The first ones may
show a window that is half painted: three repaints take 50 ms at 60 Hz."""


class BoardReader(Protocol):
    """Reads the frames of one game, one after the other."""

    @property
    def profile(self) -> Profile:
        """How the game looks and behaves, as far as that is known."""
        ...

    @property
    def grid(self) -> Grid | None:
        """Where the grid was found last, in pixels of that frame."""
        ...

    @property
    def overlooked(self) -> frozenset[int]:
        """Squares that could not be read in the last frame, and count as hidden."""
        ...

    def read(self, frame: Frame) -> Board:
        """The board in the frame; raises VisionError, Contradiction."""
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

    def was(self, frame: Frame) -> Grid | None:
        """Where a board was read last, None where that was in a frame of another size."""
        ...

    def where(self, frame: Frame) -> Grid:
        """Where the grid is, or was when a board was read last; raises GridNotFound."""
        ...

    def readings(self, frame: Frame, grid: Grid | None = None) -> list[TileReading]:
        """What each tile is taken for, row-major, those in doubt included."""
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

    @property
    def grid(self) -> Grid | None:
        """See `BoardReader`."""
        return self._reader.grid

    @property
    def overlooked(self) -> frozenset[int]:
        """See `BoardReader`."""
        return self._reader.overlooked

    def read(self, frame: Frame) -> Board:
        """The board in the frame; raises VisionError, Contradiction."""
        try:
            board = self._known.read(frame)
        except Clipped:
            raise
        except (GridNotFound, UnreadableTile) as refusal:
            self._failures += 1
            # A profile knows all that its game draws: something lies over a board that it read.
            is_hidden = self._last is not None and self._reader is self._known
            if self._failures < MAX_FAILURES or is_hidden:
                raise
            board = self._at_first_sight(frame, refusal)
            self._reader = self._sight
        else:
            self._reader, self._failures = self._known, 0
        self._last = board
        return board

    def _at_first_sight(self, frame: Frame, refusal: VisionError) -> Board:
        """The board at first sight, if that can be the game that was read before.

        Else raises the refusal.
        """
        try:
            board = settled(self._sight.read(frame))
        except (VisionError, Contradiction):
            raise refusal from None
        if self._last is not None and board.begun and not board.follows(self._last):
            raise refusal
        return board

    def forget(self) -> None:
        """Find the grid anew on the next frame."""
        self._known.forget()
        self._sight.forget()

    def overlook(self, squares: Set[int]) -> None:
        """Take these for hidden where they cannot be read, from now on."""
        self._known.overlook(squares)
        self._sight.overlook(squares)

    def learn(self, profile: Profile) -> None:
        """Go by another profile of the same game from now on."""
        self._known.learn(profile)
        self._sight.learn(profile)

    def teach(self, frame: Frame, grid: Grid, square: int, cell: Cell) -> None:
        """Remember what the tile on this square of the frame shows."""
        self._reader.teach(frame, grid, square, cell)

    def refute(self, frame: Frame, grid: Grid, square: int) -> bool:
        """Remember that the tile is not covered; whether that is news."""
        return self._reader is self._sight and self._sight.refute(frame, grid, square)

    def was(self, frame: Frame) -> Grid | None:
        """Where a board was read last, None where that was in a frame of another size."""
        return self._reader.was(frame)

    def where(self, frame: Frame) -> Grid:
        """Where the grid is, or was when a board was read last; raises GridNotFound."""
        return self._reader.where(frame)

    def readings(self, frame: Frame, grid: Grid | None = None) -> list[TileReading]:
        """What each tile is taken for, row-major, those in doubt included."""
        return self._reader.readings(frame, grid)


def is_first_sight(profile: Profile) -> bool:
    """Whether the profile knows nothing of the game's appearance."""
    return isinstance(profile.grid, LatticeLook)


def reader_of(profile: Profile) -> BoardReader:
    """The reader for the game of a profile."""
    return FirstSightReader(profile) if is_first_sight(profile) else KnownGameReader(profile)
