"""Reads a picture of a game that nobody has named: by the profile that fits."""

from __future__ import annotations

from collections.abc import Sequence

from bot.board import Board
from bot.capture import Frame
from bot.errors import GridNotFound, VisionError
from bot.profile import FramedLook, Profile
from bot.vision.locate import locate
from bot.vision.pressed import settled
from bot.vision.reader import Reader
from bot.vision.tiles import TileReading


def read(frame: Frame, profiles: Sequence[Profile]) -> tuple[Board, Reader]:
    """The board in a picture, by the first of `profiles` that can read it all, and its reader.

    Raises VisionError: GridNotFound only if none of them finds a board.
    """
    problem: VisionError | None = None
    for profile in likely_first(frame, profiles):
        reader = Reader(profile)
        try:
            return settled(reader.read(frame)), reader
        except VisionError as error:
            if problem is None or isinstance(problem, GridNotFound):
                problem = error
    assert problem is not None, "there is a profile at least"
    raise problem


def look(frame: Frame, profiles: Sequence[Profile]) -> tuple[list[TileReading], Reader] | None:
    """What each tile is taken for, by the profile that can read the most of them.

    Also of a board of which not every tile can be read; None where none finds a board.
    """
    best: tuple[float, list[TileReading], Reader] | None = None
    for profile in likely_first(frame, profiles):
        reader = Reader(profile)
        try:
            tiles = reader.readings(frame)
        except GridNotFound:
            continue
        unread = sum(tile.cell is None for tile in tiles) / len(tiles)
        if best is None or unread < best[0]:
            best = unread, tiles, reader
        if not unread:
            break
    return None if best is None else best[1:]


def likely_first(frame: Frame, profiles: Sequence[Profile]) -> list[Profile]:
    """The profiles, those first in whose colours a board is framed, which is soon seen.

    Those last that would search the picture for other colours; and of a look that many
    games have after the games' own.
    """
    return sorted(profiles, key=lambda profile: (_rank(frame, profile), profile.is_generic))


def _rank(frame: Frame, profile: Profile) -> int:
    if not isinstance(profile.grid, FramedLook):
        return 1
    try:
        locate(frame, profile.grid)
    except GridNotFound:
        return 2
    return 0
