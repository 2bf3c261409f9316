"""Chooses how a game's grid is to be found, by every picture that was taken of it.

On a fresh board several ways may find the grid that later lose it: the ground between tiles
may have the colour of opened ones, a line that is missed looks alike while all is covered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.calibrate.grid import agree, candidates
from bot.calibrate.samples import Labelled
from bot.errors import GridNotFound
from bot.profile.values import GridLook, LatticeLook
from bot.vision.grid import Grid
from bot.vision.locate import locate

_TRIED = 40
"""So many of the pictures are looked at, for some ways to find a grid take long. Guessed."""


def settled(look: GridLook, pictures: Sequence[Labelled]) -> tuple[GridLook, Sequence[Labelled]]:
    """The way that finds the grid in the most pictures, and these with their grids as found so.

    It is `look` where no other finds it in more. The first picture, of a fresh board, has to
    be among those in which it is found.
    """
    step = -(-len(pictures) // _TRIED)
    some = pictures[::step]
    best, grids = look, _found(look, some)
    for other in _others(look, some[0]):
        if all(grids):
            break
        there = _found(other, some, _count(grids))
        if _count(there) > _count(grids):
            best, grids = other, there
    if best == look:
        return look, pictures
    return best, [_regridded(picture, best, some, grids) for picture in pictures]


def _others(look: GridLook, first: Labelled) -> Iterator[GridLook]:
    yield from (each for each in candidates(first.open()) if each != look)
    if look != LatticeLook():
        yield LatticeLook()


def _count(grids: Sequence[Grid | None]) -> int:
    return sum(grid is not None for grid in grids)


def _found(look: GridLook, pictures: Sequence[Labelled], to_beat: int = -1) -> list[Grid | None]:
    """The grid in each picture if that is where it was.

    No further pictures are looked at where the first has none, or `to_beat` is out of reach.
    """
    found: list[Grid | None] = []
    for number, picture in enumerate(pictures):
        found.append(_there(look, picture))
        left = len(pictures) - number - 1
        if to_beat >= 0 and (found[0] is None or _count(found) + left <= to_beat):
            return [None] * len(pictures)
    return found


def _there(look: GridLook, picture: Labelled) -> Grid | None:
    try:
        grid = locate(picture.open(), look)
    except GridNotFound:
        return None
    return grid if agree(grid, picture.grid) else None


def _regridded(
    picture: Labelled, look: GridLook, some: Sequence[Labelled], grids: Sequence[Grid | None]
) -> Labelled:
    """The picture with its grid as that look has it, or has it in another of the same window."""
    grid = _there(look, picture)
    if grid is None:
        same = (
            there
            for other, there in zip(some, grids, strict=True)
            if there is not None and other.grid == picture.grid
        )
        grid = next(same, picture.grid)
    return replace(picture, grid=grid)
