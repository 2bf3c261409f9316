"""Reads a picture of any game: with the profile whose colours fit, or else at first sight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from minebot.capture import Frame
from minebot.errors import Contradiction, GridNotFound, Unsettled, VisionError
from minebot.profile.schema import KeptTiles, LatticeStyle, Profile
from minebot.solver import Solver
from minebot.vision.first_sight_reader import FirstSightReader
from minebot.vision.known_game import KnownGameReader, is_first_sight
from minebot.vision.pressed import settled
from minebot.vision.reading import MAX_DOUBT, Reading
from minebot.vision.rules import NO_LAYOUT

_UNKNOWN = Profile("unknown", "unknown", "never seen before", ("unknown",), LatticeStyle())
"""A game without a profile."""


def read_any(frame: Frame, profiles: Sequence[Profile]) -> Reading:
    """Read the board in a picture of any game.

    A profile that reads the whole board comes first, then first sight, then one that reads most.
    Raises GridNotFound without a board; Contradiction if no layout fits what first sight sees.
    """
    try:
        known = read_known(frame, profiles)
    except GridNotFound:
        return read_at_first_sight(frame, kept_by(profiles))
    if known.problem is None or isinstance(known.problem, Unsettled):
        return known
    try:
        seen = read_at_first_sight(frame, kept_by(profiles))
    except (VisionError, Contradiction):
        if known.doubt > MAX_DOUBT:
            raise
        return known
    # A game in other colours is read whole; what lies over a board in its own is in doubt.
    return seen if known.doubt > MAX_DOUBT or not seen.unread else known


def kept_by(profiles: Iterable[Profile]) -> list[KeptTiles]:
    """All tiles that the user named, of any game."""
    return [tiles for profile in profiles for tiles in profile.kept]


def read_as(frame: Frame, profile: Profile) -> Reading:
    """Read the board in a picture of a profile's game, in the way that the profile asks for.

    Where no mine layout fits what is seen at first sight the least certain tiles are in doubt.
    Raises GridNotFound without a board; Contradiction if too many of the tiles would be in doubt.
    """
    if not is_first_sight(profile):
        return read_known(frame, [profile])
    reading = FirstSightReader(profile, once=True).read(frame, partly=True)
    if isinstance(reading.problem, Contradiction):
        if reading.doubt > MAX_DOUBT:
            raise reading.problem
        in_part = Reading.of(reading.grid, reading.tiles, profile)
        reading = replace(reading, problem=in_part.problem)
    return _settled(reading, four_neighbour_flood=True)


def read_known(frame: Frame, profiles: Sequence[Profile]) -> Reading:
    """Read the board by the profile that reads all of it, or else by the one that reads most.

    Profiles without an appearance are skipped. Raises GridNotFound if none finds a grid.
    """
    partly: list[Reading] = []
    refusal: GridNotFound | None = None
    for result in _attempts(frame, sorted(profiles, key=lambda one: one.generic)):
        if isinstance(result, GridNotFound):
            refusal = refusal or result
        elif result.problem is None:
            return result
        else:
            partly.append(result)
    if not partly:
        raise refusal or GridNotFound("no game is known")
    # An animation or a pressed cell is known to the game's own profile.
    return min(partly, key=lambda one: (not isinstance(one.problem, Unsettled), one.doubt))


def read_at_first_sight(frame: Frame, kept: Sequence[KeptTiles] = ()) -> Reading:
    """Read the board in a picture of an unknown game by the networks and by kept tiles.

    Raises as `read_as` does.
    """
    profile = _UNKNOWN.changed(grid=LatticeStyle(tiles=tuple(kept)))
    return replace(read_as(frame, profile), profile=None)


def fitting(frame: Frame, profiles: Sequence[Profile]) -> list[Profile]:
    """Return all profiles that read the whole board in the picture by its colours."""
    readings = (one for one in _attempts(frame, profiles) if isinstance(one, Reading))
    return [one.profile for one in readings if one.profile and one.problem is None]


def _attempts(frame: Frame, profiles: Iterable[Profile]) -> Iterator[Reading | GridNotFound]:
    """What each profile with an appearance reads, or why that is nothing."""
    for profile in profiles:
        if not is_first_sight(profile):
            try:
                yield _possible(_settled(KnownGameReader(profile).read(frame, partly=True)))
            except GridNotFound as error:
                yield error


def _possible(reading: Reading) -> Reading:
    """The reading, not certain if no mine layout fits its board."""
    if reading.problem is None and not Solver().is_possible(reading.board):
        return replace(reading, problem=Contradiction(NO_LAYOUT))
    return reading


def _settled(reading: Reading, *, four_neighbour_flood: bool = False) -> Reading:
    """The reading, not certain if a cell of its board may only be pressed."""
    try:
        if reading.problem is None:
            settled(reading.board, four_neighbour_flood=four_neighbour_flood)
    except Unsettled as error:
        return replace(reading, problem=error)
    return reading
