"""Reads a picture of any game: by the profile whose colours fit, or else at first sight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from bot.board import Board, Cell
from bot.capture import Frame
from bot.errors import Contradiction, GridNotFound, UnreadableTile, Unsettled, VisionError
from bot.profile import FramedLook, Profile
from bot.vision import first_sight
from bot.vision.board_reader import is_first_sight
from bot.vision.first_sight_reader import check_uncut, readings_of
from bot.vision.framed import trace
from bot.vision.pressed import settled
from bot.vision.reader import Reader
from bot.vision.reading import MAX_DOUBT, Reading


def read_any(frame: Frame, profiles: Sequence[Profile]) -> Reading:
    """Read the board in a picture, whatever game it is of.

    A profile that reads the whole board comes first, then first sight, then a profile that reads
    most. Raises GridNotFound where there is no board; Contradiction where no mine layout fits what
    is seen at first sight.
    """
    try:
        known = read_known(frame, profiles)
    except GridNotFound:
        return read_at_first_sight(frame)
    if not isinstance(known.problem, UnreadableTile):
        return known
    try:
        seen = read_at_first_sight(frame)
    except (VisionError, Contradiction):
        if known.doubt > MAX_DOUBT:
            raise
        return known
    # A game in other colours is read whole; what lies over a board in its own is in doubt.
    return seen if known.doubt > MAX_DOUBT or not seen.unread else known


def read_as(frame: Frame, profile: Profile) -> Reading:
    """Read the board in a picture of a profile's game, in the way that the profile asks for.

    Raises GridNotFound where there is no board; Contradiction where no mine layout fits what is
    seen at first sight.
    """
    if is_first_sight(profile):
        seen = replace(read_at_first_sight(frame), profile=profile)
        check_uncut(seen.grid, profile)
        return seen
    return read_known(frame, [profile])


def read_known(frame: Frame, profiles: Sequence[Profile]) -> Reading:
    """Read the board by the profile that reads all of it, or else by the one that reads most.

    Those that know nothing of their games' looks are passed over. Raises GridNotFound where none of
    them finds a grid.
    """
    partly: list[tuple[Reader, VisionError]] = []
    refusal: GridNotFound | None = None
    for reader, result in _attempts(frame, likely_first(frame, profiles)):
        if isinstance(result, Board):
            return _reading(reader)
        if not isinstance(result, GridNotFound):
            partly.append((reader, result))
        elif refusal is None:
            refusal = result
    if not partly:
        raise refusal or GridNotFound("no game is known")
    return min((_reading_of_part(frame, *one) for one in partly), key=_order)


def read_at_first_sight(frame: Frame) -> Reading:
    """Read the board in a picture of an unknown game by the trained networks.

    Where no mine layout fits the tiles the least certain of them are in doubt. Raises GridNotFound
    where there is no board; Contradiction where more than `MAX_DOUBT` of the tiles would be.
    """
    seen = first_sight.look(frame, partly=True)
    tiles = tuple(readings_of(seen))
    reading = Reading(seen.grid, tiles, None)
    if reading.unread:
        return Reading(seen.grid, tiles, None, _first_unread(reading))
    try:
        board = settled(reading.board)
        if max(board.cells) <= Cell.EIGHT:
            raise Unsettled("no cell is covered, and yet there must be a mine")
    except Unsettled as error:
        return Reading(seen.grid, tiles, None, error)
    return reading


def fitting(frame: Frame, profiles: Sequence[Profile]) -> list[Profile]:
    """All of the profiles that read the whole board in the picture by its colours."""
    attempts = _attempts(frame, profiles)
    return [reader.profile for reader, result in attempts if isinstance(result, Board)]


def likely_first(frame: Frame, profiles: Iterable[Profile]) -> list[Profile]:
    """Sort the profiles: those first in whose colours a board is framed, which is soon seen.

    The others would search the picture for other colours; and a theme that many games have comes
    after the games' own.
    """
    return sorted(
        profiles, key=lambda profile: (not _is_framed(frame, profile), profile.is_generic)
    )


def _is_framed(frame: Frame, profile: Profile) -> bool:
    if not isinstance(profile.grid, FramedLook):
        return False
    try:
        trace(frame, profile.grid)
    except GridNotFound:
        return False
    return True


def _attempts(
    frame: Frame, profiles: Sequence[Profile]
) -> Iterator[tuple[Reader, Board | VisionError]]:
    """Each profile's reader, and the settled board that it reads or why it reads none.

    Those that know nothing of their games' looks have none.
    """
    for profile in profiles:
        if is_first_sight(profile):
            continue
        reader = Reader(profile)
        result: Board | VisionError
        try:
            result = settled(reader.read(frame))
        except VisionError as error:
            result = error
        yield reader, result


def _reading(reader: Reader) -> Reading:
    """What a reader has just read."""
    assert reader.grid is not None, "what was read has a grid"
    return Reading(reader.grid, tuple(reader.tiles), reader.profile)


def _reading_of_part(frame: Frame, reader: Reader, problem: VisionError) -> Reading:
    """What a reader that refuses the picture makes of its tiles."""
    tiles = reader.readings(frame)
    grid = reader.grid
    assert grid is not None, "what was read has a grid"
    return Reading(grid, tuple(tiles), reader.profile, problem)


def _order(reading: Reading) -> tuple[bool, float]:
    """Which refusal counts: an animation or a pressed cell is known to the game's own profile."""
    return not isinstance(reading.problem, Unsettled), reading.doubt


def _first_unread(reading: Reading) -> UnreadableTile:
    square = reading.unread[0]
    return UnreadableTile(reading.board.xy(square), dict(reading.tiles[square].scores))
