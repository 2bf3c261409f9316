"""Tells the cells of a game apart that comes without colours, by their shapes alone.

Many a game of raised tiles has a version for screens without colours, or is seen on one: its
numbers are of any greys, several of one and the same. A drawing counts as what it looks like only
beyond doubt (`bot.vision.glyphs`); whatever has a colour in it is nothing known.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bot.board import Cell
from bot.profile.values import RGB, FramedLook, InkLook, Profile
from bot.vision.inks import (
    EMPTY,
    GLINT_SHARE,
    GROUND_LEVELS,
    HIDDEN,
    UNKNOWN,
    Parts,
    distances,
    prepared,
)
from bot.vision.tiles import FLAT_LEVELS, Floats, TileReading

_WEIGHTS = ((0.299, 0.587, 0.114), (0.2126, 0.7152, 0.0722))
"""What red, green and blue make of a grey, in shares: ITU-R BT.601 and BT.709."""
_COLOURLESS_LEVELS = 4.0
"""So far apart the three channels of a grey may lie, in levels of 255. Guessed."""
_SHARPEST = 0.12
"""The most of a mine's ink that may lie between its black and the ground: what is smoothed at
its edge, but no cross over it. Guessed."""
_CLEAR = (0.25, 0.75)
"""What lies between, in shares of a mine's black. Guessed."""


class GreyLook(InkLook):
    """An `InkLook` whose inks tell nothing."""


def in_greys(profile: Profile) -> Profile | None:
    """The profile of the game without its colours, None where it is not known to come so."""
    look = profile.cells
    if not isinstance(look, InkLook) or not look.greys:
        return None
    grounds = {kind: tuple(_greys(colours)) for kind, colours in look.grounds.items()}
    inks = {name: grey for name, ink in look.inks.items() for grey in _greys([ink])[:1]}
    return replace(profile, cells=GreyLook(grounds, inks, look.glyphs, greys=True))


def _greys(colours: Iterable[RGB]) -> list[RGB]:
    shades = [round(float(np.dot(weights, colour))) for colour in colours for weights in _WEIGHTS]
    return [(shade, shade, shade) for shade in dict.fromkeys(shades)]


class Greys:
    """Classifies raised tiles without colours by what is drawn on them."""

    def __init__(self, grid: FramedLook, look: GreyLook) -> None:
        self._grid = grid
        # A mine that was hit may also lie on the dark of the frame.
        grounds = {**look.grounds, "exploded": (*look.grounds["exploded"], grid.dark)}
        self._grounds = {kind: np.array(some, np.float32) for kind, some in grounds.items()}
        self._glyphs = prepared(look.glyphs)

    def classify(self, tiles: NDArray[np.uint8]) -> list[TileReading]:
        """What each tile is; see `Classifier`."""
        seen = Parts(tiles, self._grid)
        channels = tiles[..., :3].astype(np.int16)
        spread = channels.max(axis=3) - channels.min(axis=3)
        grey = spread.max(axis=(1, 2)) <= _COLOURLESS_LEVELS
        covered, opened, exploded = (
            edges & grey & self._is_on(seen, kind)
            for kind, edges in (
                ("covered", seen.raised),
                ("opened", seen.level),
                ("exploded", seen.level),
            )
        )
        looks = [UNKNOWN] * len(tiles)
        for tile in np.flatnonzero(covered & seen.flat).tolist():
            looks[tile] = HIDDEN
        for tile in np.flatnonzero(opened & seen.flat).tolist():
            looks[tile] = EMPTY
        # Darker than the ground; what is lighter is the glint on a mine.
        dark = np.asarray(seen.ink.max(axis=3).clip(0), np.float32)
        peak = dark.max(axis=(1, 2))
        light = np.asarray((seen.ink.min(axis=3) < -FLAT_LEVELS).mean(axis=(1, 2)))
        drawn = np.flatnonzero((covered | opened | exploded) & ~seen.flat & (peak > FLAT_LEVELS))
        if not drawn.size:
            return looks
        amounts = dark[drawn] / peak[drawn, None, None]
        likeness = self._glyphs.likeness(amounts, seen.side)
        for tile, amount, like in zip(drawn.tolist(), amounts, likeness, strict=True):
            name = self._glyphs.certain(like)
            cell = None
            if name == "flag" and covered[tile]:
                cell = Cell.FLAG
            elif name == "mine" and light[tile] <= GLINT_SHARE and _is_whole(amount):
                cell = Cell.EXPLODED if exploded[tile] and not opened[tile] else None
                cell = Cell.MINE if opened[tile] and not exploded[tile] else cell
            elif name is not None and name.isdigit() and opened[tile] and not light[tile]:
                cell = Cell(int(name))
            looks[tile] = TileReading(cell, self._scores(like))
        return looks

    def _is_on(self, seen: Parts, kind: str) -> NDArray[np.bool_]:
        """Which tiles have one of a kind's grounds."""
        near = distances(seen.ground, self._grounds[kind]) <= GROUND_LEVELS
        return np.asarray(near.any(axis=1))

    def _scores(self, like: Floats) -> tuple[tuple[str, float], ...]:
        best = np.argsort(like)[::-1][:2].tolist()
        return tuple((self._glyphs.names[each], round(float(like[each]), 3)) for each in best)


def _is_whole(amount: Floats) -> bool:
    """Whether a mine is of its black alone, and no cross of another grey lies over it."""
    ink = amount > _CLEAR[0]
    between = ink & (amount < _CLEAR[1])
    return float(between.sum()) <= _SHARPEST * float(ink.sum())
