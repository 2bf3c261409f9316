"""Classifies raised tiles in a sunken frame.

A tile's edges say whether it is covered (raised: light left and top, dark opposite) or opened
(flat, with a line on its left and top); its background must agree. What is drawn on it, the network
says, and the inks must agree. The network looks at the tile alone, beside a covered and an empty
one that are drawn in the game's colours: equal tiles get equal answers, whatever else the board
shows.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from minebot.board import Cell
from minebot.profile.schema import RGB, FramedStyle
from minebot.vision.classification import PITCH, Bytes, Label, cut, encode, own_answers
from minebot.vision.rules import DOUBT
from minebot.vision.tiles import TileReading, commonest

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]

_SAME_LEVELS = 20.0
"""Distance of a colour from a known one, in levels of 255. Measured, as the next ones, by
`python -m benchmarks.ranges minebot.vision.framed_tiles`: 16 to 30 work."""
_INK_LEVELS = 40.0
"""As `_SAME_LEVELS`, for the inks of a sign, which thin strokes on small tiles do not quite reach.
Measured: 15 to 150 work; with 60, more covered and empty tiles with blots are read as a sign."""
_FLAT_LEVELS = 14.0
"""Distance from the background, in levels of 255, up to which every pixel of a tile with nothing on
it lies. Measured: 2.8 to 70 work."""
_OTHER_INK = 0.01
"""Factor of the chance of a sign whose inks are not shown, where those of another sign are.
Measured: 0.002 to 0.05 work; without it, 24 of 32 drawings of the classic look in simple fonts are
refused, for their 6 and their 8."""
_SIGNS = {label: label for label in Label}
_SIGNS |= {Label.WRONG_FLAG: Label.FLAG, Label.EXPLODED: Label.MINE}
"""The sign of each label: what it lies on tells a wrong flag and the mine that was hit."""
_NAMED = {str(number): Label(number) for number in range(1, 9)}
_NAMED |= {"flag": Label.FLAG, "mine": Label.MINE}
"""The signs by their names in profiles."""
_ON_COVERED = {Label.FLAG: Cell.FLAG, Label.QUESTION: Cell.HIDDEN}
_ON_OPENED = {sign: Cell(sign) for sign in _NAMED.values()}
_ON_EXPLODED = {Label.MINE: Cell.EXPLODED}
"""The cells that signs make on covered and opened tiles, and on that of the mine that was hit."""

_UNKNOWN, _FLASH = TileReading(None), TileReading(None, flash=True)
_HIDDEN = TileReading(Cell.HIDDEN, (("hidden", 1.0),))
_EMPTY = TileReading(Cell.EMPTY, (("empty", 1.0),))


class TileColours:
    """The parts of tiles: `raised` and `level` edges, the `ground`, whether it is `flat`."""

    def __init__(self, tiles: NDArray[np.uint8], grid: FramedStyle) -> None:
        """`tiles` has shape (n, t, t, 3 or 4), blue-green-red first."""
        pixels = tiles[..., :3].astype(np.float32)
        side = pixels.shape[1]
        bevel = max(1, math.ceil(grid.bevel * side))
        self.colours = pixels[:, bevel : side - bevel, bevel : side - bevel]
        """Without their edges, shape (n, s, s, 3)."""
        # The rim around the drawing: even where one touches it, most of it is background.
        inside = self.colours
        rim = inside[:, 0], inside[:, -1], inside[:, :, 0], inside[:, :, -1]
        self.ground = commonest(np.concatenate(rim, axis=1))
        """Shape (n, 3), blue-green-red."""
        self.raised, self.level = _edges(pixels, self.ground, grid)
        self.flat = _apart(inside, self.ground[:, None, None]).max(axis=(1, 2)) <= _FLAT_LEVELS
        """Whether nothing is drawn on the ground."""

    def is_on(self, grounds: Iterable[RGB]) -> Bools:
        """Which tiles have one of these backgrounds."""
        apart = [_apart(self.ground, _bgr(colour)) for colour in grounds]
        return np.asarray(np.min(apart, axis=0) <= _SAME_LEVELS)


def _edges(pixels: Floats, ground: Floats, grid: FramedStyle) -> tuple[Bools, Bools]:
    """Which tiles are raised, and which are level, by the middle half of each edge.

    The left and top of a level tile may be dark or light: the game does not always wipe off the
    light edge of the cover. If the colours are so similar that a tile would be both, it is neither.
    """
    middle = slice(pixels.shape[1] // 4, pixels.shape[1] - pixels.shape[1] // 4)
    before = np.stack((pixels[:, middle, 0], pixels[:, 0, middle]), axis=1)
    after = np.stack((pixels[:, middle, -1], pixels[:, -1, middle]), axis=1)

    def drawn(strips: Floats, colour: Floats) -> Bools:
        return np.asarray((np.abs(strips - colour) <= grid.tolerance).all(axis=(2, 3)))

    dark, light = _bgr(grid.dark), _bgr(grid.light)
    lit = drawn(before, light)
    raised = (lit & drawn(after, dark)).all(axis=1)
    level = ((drawn(before, dark) | lit) & drawn(after, ground[:, None, None])).all(axis=1)
    return np.asarray(raised & ~level), np.asarray(level & ~raised)


class FramedTiles:
    """Classifies tiles of one game."""

    def __init__(self, grid: FramedStyle) -> None:
        self._grid = grid
        self._inks = {_NAMED[name]: inks for name, inks in grid.inks.items()}

    @cached_property
    def _examples(self) -> Floats:
        """A covered and an empty tile, described; not before a fresh board's first click."""
        return encode(_sized(_covered_and_empty(self._grid)))

    def classify(self, tiles: NDArray[np.uint8]) -> list[TileReading]:
        """What each tile is; they have shape (n, t, t, 3 or 4), blue-green-red first."""
        seen = TileColours(tiles, self._grid)
        grounds = self._grid.grounds
        covered = seen.raised & seen.is_on(grounds.covered)
        opened = seen.level & seen.is_on(grounds.opened)
        exploded = seen.level & seen.is_on(grounds.exploded)
        readings = [_FLASH if flash else _UNKNOWN for flash in seen.is_on(grounds.flash).tolist()]
        for tile in np.flatnonzero(seen.flat & (covered | opened)).tolist():
            readings[tile] = _HIDDEN if covered[tile] else _EMPTY
        drawn = np.flatnonzero(~seen.flat & (covered | opened | exploded))
        if drawn.size:
            answers = own_answers(encode(_sized(tiles[drawn, ..., :3])), self._examples)
            for tile, answer in zip(drawn.tolist(), answers, strict=True):
                on = _ON_COVERED if covered[tile] else _ON_OPENED if opened[tile] else _ON_EXPLODED
                readings[tile] = self._reading(answer, seen.colours[tile], on)
        return readings

    def _reading(self, answer: Floats, colours: Floats, cells: Mapping[Label, Cell]) -> TileReading:
        """What a tile shows, if that is certain and one of these cells.

        `answer` is the network's; `colours` are the tile's, shape (s, s, 3), for it must show the
        sign's inks.
        """
        inked = {sign for sign, inks in self._inks.items() if _shows(colours, inks)}
        chances = dict.fromkeys(_SIGNS.values(), 0.0)
        for label, chance in zip(Label, answer.tolist(), strict=True):
            sign = _SIGNS[label]
            chances[sign] += chance if sign in inked or not inked else chance * _OTHER_INK
        total = sum(chances.values())
        ordered = sorted(chances.items(), key=lambda one: -one[1])
        sign, chance = ordered[0]
        is_read = chance >= (1 - DOUBT) * total and (sign in inked or sign not in self._inks)
        scores = tuple((sign.name.lower(), chance / total) for sign, chance in ordered)
        return TileReading(cells.get(sign) if is_read else None, scores)


def _shows(colours: Floats, inks: Iterable[RGB]) -> bool:
    """Whether each of these is the colour of a pixel."""
    return all(_apart(colours, _bgr(ink)).min() <= _INK_LEVELS for ink in inks)


def _covered_and_empty(grid: FramedStyle) -> Bytes:
    """A covered and an empty tile, drawn in the game's colours; shape (2, PITCH, PITCH, 3)."""
    tiles = np.empty((2, PITCH, PITCH, 3), np.uint8)
    bevel = max(1, math.ceil(grid.bevel * PITCH))
    tiles[:] = grid.dark[::-1]
    tiles[0, :-bevel, :-bevel] = grid.light[::-1]
    tiles[0, bevel:-bevel, bevel:-bevel] = grid.grounds.covered[0][::-1]
    tiles[1, 1:, 1:] = grid.grounds.opened[0][::-1]
    return tiles


def _sized(tiles: Bytes) -> Bytes:
    """Square tiles in the size that the network takes."""
    side = tiles.shape[1]
    middle = np.array([side / 2])
    return np.concatenate([cut(tile, middle, middle, (side, side))[0] for tile in tiles])


def _apart(some: Floats, colour: Floats) -> Floats:
    """How far colours are from another, by the channel that differs most."""
    return np.asarray(np.abs(some - colour).max(axis=-1))


def _bgr(colour: RGB) -> Floats:
    return np.array(colour[::-1], np.float32)
