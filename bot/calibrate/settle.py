"""Chooses how a game's grid is to be found, by every picture that was taken of it.

On a fresh board several ways may find the grid that later lose it: the ground between tiles
may have the colour of opened ones, a line that is missed looks alike while all is covered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache

from msgspec import structs

from bot.calibrate.grid import agree, candidates
from bot.calibrate.samples import Labelled
from bot.capture import Frame
from bot.errors import GridNotFound
from bot.profile.values import ApartLook, GridLook, LatticeLook, TouchingLook
from bot.vision.grid import Grid
from bot.vision.locate import locate

_SHARPER = 1.5
"""A way by which so many times fewer tiles differ is better, though it may miss the grid in the
middle of a game. Guessed: with the lines that neighbours draw WineMine has 3 times as many."""
_REMEMBERED = 512
"""Of so many pictures it is known where the grid was found after the game before. Guessed."""
_TRIED = 40
"""So many of the pictures are looked at, for some ways to find a grid take long. Guessed."""


def settled(look: GridLook, pictures: Sequence[Labelled]) -> tuple[GridLook, Sequence[Labelled]]:
    """The way that finds the grid in the most pictures, and these with their grids as found so.

    One that takes something else for it is worse than any that finds nothing. It is `look`
    where no other is better. The first picture, of a fresh board, has to be among those in
    which it is found. In the middle of a game it stays where it was, if that can be.
    """
    step = -(-len(pictures) // _TRIED)
    some = pictures[::step]
    best, tried = look, _tried(look, some)
    first = tried
    for way in (*candidates(some[0].open()), LatticeLook()):
        if tried.is_whole:
            break
        other = structs.replace(way, inset=look.inset)
        there = _tried(other, some)
        if there.worth > tried.worth:
            best, tried = other, there
    if best != look and _is_sharper(look, first, tried, some) and _begins(look, pictures):
        best, tried = look, first
    shown = pictures if best == look else _regridded(pictures, best, some, tried)
    if isinstance(best, ApartLook | TouchingLook):
        # What was not met yet may be drawn so that it is lost.
        best = structs.replace(best, stays=True)
    return best, shown


@dataclass(frozen=True, slots=True)
class _Tried:
    """How a way to find the grid fares."""

    grids: Sequence[Grid | None]
    """The grid of each picture, None where it was not found."""
    astray: int
    """In how many pictures something else was taken for it, or it was a pixel off."""

    @property
    def is_whole(self) -> bool:
        """Whether it was found in all."""
        return None not in self.grids

    @property
    def worth(self) -> tuple[bool, int, int]:
        """The higher the better."""
        found = sum(grid is not None for grid in self.grids)
        return self.grids[0] is not None, -self.astray, found


def _tried(look: GridLook, pictures: Sequence[Labelled]) -> _Tried:
    """What comes of it; no further pictures are looked at where the first has no grid."""
    found: list[Grid | None] = []
    astray = 0
    for picture in pictures:
        if found and found[0] is None:
            return _Tried([None] * len(pictures), astray)
        grid = _located(picture.open, look)
        if grid is not None and not agree(grid, picture.grid):
            grid, astray = None, astray + 1
        found.append(grid)
    # By a pixel more or less numbers are not known again: in one window it has one place.
    usual = _usual(pictures, found)
    for number, (picture, grid) in enumerate(zip(pictures, found, strict=True)):
        if grid is not None and grid != usual[picture.grid]:
            found[number] = None
            astray += 1
    return _Tried(found, astray)


@lru_cache(maxsize=_REMEMBERED)
def _located(picture: Callable[[], Frame], look: GridLook) -> Grid | None:
    """Where the grid is found in the picture that this opens, None where it is not."""
    with suppress(GridNotFound):
        return locate(picture(), look)
    return None


def _is_sharper(look: GridLook, one: _Tried, other: _Tried, pictures: Sequence[Labelled]) -> bool:
    """Whether tiles differ much less as the first way cuts them out.

    A line between two tiles that is drawn by what the one shows is no part of the other.
    """
    if isinstance(look, LatticeLook):
        return False
    both = [
        (picture, mine, its)
        for picture, mine, its in zip(pictures, one.grids, other.grids, strict=True)
        if mine is not None and its is not None
    ]
    mine = {tile for picture, grid, _ in both for tile in _tiles(picture, grid)}
    its = {tile for picture, _, grid in both for tile in _tiles(picture, grid)}
    return _SHARPER * len(mine) < len(its)


def _tiles(picture: Labelled, grid: Grid) -> set[bytes]:
    """The different tiles of a picture."""
    pixels = picture.open().pixels[..., :3]
    rects = (grid.rect(x, y) for y in range(grid.height) for x in range(grid.width))
    return {pixels[one.top : one.bottom, one.left : one.right].tobytes() for one in rects}


def _begins(look: GridLook, pictures: Sequence[Labelled]) -> bool:
    """Whether it finds the grid whenever a game begins, in one place in one window."""
    begun = {picture.game: picture for picture in reversed(pictures)}
    found = _tried(look, [begun[game] for game in sorted(begun)])
    return found.is_whole and not found.astray


def _usual(pictures: Sequence[Labelled], found: Sequence[Grid | None]) -> dict[Grid, Grid]:
    """For each place where the grid was, where it is found as a rule."""
    counts: dict[Grid, Counter[Grid]] = {}
    for picture, grid in zip(pictures, found, strict=True):
        if grid is not None:
            counts.setdefault(picture.grid, Counter())[grid] += 1
    return {was: each.most_common(1)[0][0] for was, each in counts.items()}


def _regridded(
    pictures: Sequence[Labelled], look: GridLook, some: Sequence[Labelled], tried: _Tried
) -> list[Labelled]:
    """The pictures with their grids as that look has them, or has them in the same window."""
    known = dict(zip(map(id, some), tried.grids, strict=True))
    windows = _usual(some, tried.grids)
    shown = []
    for picture in pictures:
        grid = known.get(id(picture)) or windows.get(picture.grid)
        if grid is None:
            grid = _tried(look, [picture]).grids[0]
        shown.append(replace(picture, grid=grid or picture.grid))
    return shown
