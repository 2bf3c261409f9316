"""What reads a game's boards, frame after frame: by its profile, or at first sight."""

from __future__ import annotations

from collections.abc import Set
from typing import Protocol

from bot.board import Board, Cell
from bot.capture import Frame
from bot.profile import LatticeLook, Profile
from bot.vision.first_sight_reader import FirstSightReader
from bot.vision.grid import Grid
from bot.vision.reader import Reader
from bot.vision.tiles import TileReading


class BoardReader(Protocol):
    """Reads the frames of one game, one after the other."""

    profile: Profile
    grid: Grid | None
    overlooked: frozenset[int]

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

    def was(self, frame: Frame) -> Grid | None:
        """Where a board was read last, None where that was in a frame of another size."""
        ...

    def where(self, frame: Frame) -> Grid:
        """Where the grid is, or was when a board was read last; raises GridNotFound."""
        ...

    def readings(self, frame: Frame, grid: Grid | None = None) -> list[TileReading]:
        """What each tile is taken for, row-major, those in doubt included."""
        ...


def is_first_sight(profile: Profile) -> bool:
    """Whether the profile knows nothing of the game's appearance."""
    return isinstance(profile.grid, LatticeLook)


def reader_of(profile: Profile) -> BoardReader:
    """The reader for the game of a profile."""
    return FirstSightReader(profile) if is_first_sight(profile) else Reader(profile)
