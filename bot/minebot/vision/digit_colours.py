"""Classifies tiles by their colours, all at once.

A tile's edges say whether it is covered (raised: light left and top, dark opposite) or opened
(flat, with a line on its left and top). Inside, every pixel of a number is a blend of the
background and one ink, because glyphs are antialiased: the sum of (background - pixel) over the
tile points from the background to the ink, whatever the tile's size and the font. A pixel off that
line belongs to something else. The shape of a number must not contradict its colour; flags and
mines are recognised by their shapes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from minebot.board import Cell
from minebot.profile.appearance import RGB, DigitColourStyle, FramedStyle
from minebot.vision.glyphs import Glyphs
from minebot.vision.tiles import TileReading, commonest

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]

_GROUND_LEVELS = 20.0
"""Distance of the background from a known one, in levels of 255. Measured, as all numbers here, by
`python -m benchmarks.ranges minebot.vision.digit_colours`: 16 to 30 work."""
_FLAT_LEVELS = 14.0
"""Distance from the background, in levels of 255, up to which every pixel of a tile with nothing on
it lies. Measured: 9.3 to 70 work."""
_OFF_LINE = 0.12
"""Fraction of a colour off the line from background to ink. Measured: 0.08 to 0.6 work."""
_GLINT_SHARE = 0.08
"""Largest fraction of a tile's inside under a mine's glint. Measured: 0.04 to 0.24 work."""
_CERTAIN = 0.1
"""Smallest lead of the best candidate over the next one. Measured: 0.02 to 0.3 work."""
_SHOWN = 0.5
"""Smallest amount of a flag's inks in the pixel with most of it. Measured: 0.1 to 0.75 work."""

_UNKNOWN, _FLASH = TileReading(None), TileReading(None, flash=True)
_HIDDEN, _EMPTY = (
    TileReading(Cell.HIDDEN, (("hidden", 1.0),)),
    TileReading(Cell.EMPTY, (("empty", 1.0),)),
)
"""Tiles that certainly have no ink."""


class TileColours:
    """The parts of tiles: `raised` and `level` edges, the `ground`, the ink on it."""

    def __init__(self, tiles: NDArray[np.uint8], grid: FramedStyle) -> None:
        """`tiles` has shape (n, t, t, 3 or 4), blue-green-red first."""
        pixels = tiles[..., :3].astype(np.float32)
        self.side = side = pixels.shape[1]
        bevel = max(1, math.ceil(grid.bevel * side))
        inside = pixels[:, bevel : side - bevel, bevel : side - bevel]
        # The rim around the glyph: even where one touches it, most of it is background.
        rim = (inside[:, 0], inside[:, -1], inside[:, :, 0], inside[:, :, -1])
        self.ground = commonest(np.concatenate(rim, axis=1))
        """Shape (n, 3), blue-green-red."""
        self.raised, self.level = _edges(pixels, self.ground, grid)
        self.ink = self.ground[:, None, None] - inside
        """Background minus pixel, shape (n, s, s, 3)."""
        self.amounts = _farthest(self.ink)
        """How far each pixel is from the background, in levels of 255."""
        self.peak = self.amounts.max(axis=(1, 2))
        self.flat = self.peak <= _FLAT_LEVELS


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


class DigitColours:
    """Classifies raised tiles by the colours of their backgrounds and inks."""

    def __init__(self, grid: FramedStyle, style: DigitColourStyle) -> None:
        self._grid = grid
        grounds = [(name, colour) for name, some in style.grounds.items() for colour in some]
        self._grounds = _all_bgr(colour for _, colour in grounds)
        self._kinds = {
            name: [row for row, (kind, _) in enumerate(grounds) if kind == name]
            for name in style.grounds
        }
        digits = style.digits
        self._cells = list(digits)
        self._digits = _all_bgr(digits.values())
        self._inks = {name: _bgr(ink) for name, ink in style.inks.items()}
        far = _distances(self._digits, _all_bgr([style.inks["mine"]]))
        self._inked_as_mines = set(np.flatnonzero((far <= _GROUND_LEVELS).any(axis=1)).tolist())
        """The numbers, by their place in `_cells`, whose ink does not tell them from a mine."""
        self._glyphs = prepared(style.glyphs)

    def classify(self, tiles: NDArray[np.uint8]) -> list[TileReading]:
        """What each tile is; they have shape (n, t, t, 3 or 4), blue-green-red first."""
        seen = TileColours(tiles, self._grid)
        near = _distances(seen.ground, self._grounds) <= _GROUND_LEVELS
        on = {name: np.asarray(near[:, rows].any(axis=1)) for name, rows in self._kinds.items()}
        readings = [_FLASH if flash else _UNKNOWN for flash in on["flash"].tolist()]
        covered, opened = seen.raised & on["covered"], seen.level & on["opened"]
        flagged = covered & ~seen.flat
        for tile in np.flatnonzero(covered & seen.flat):
            readings[tile] = _HIDDEN
        for tile in np.flatnonzero(opened & seen.flat):
            readings[tile] = _EMPTY
        exploded = seen.level & on["exploded"]
        drawn = np.flatnonzero(flagged | ((opened | exploded) & ~seen.flat))
        if drawn.size:
            amounts = seen.amounts[drawn] / seen.peak[drawn, None, None]
            for row in np.flatnonzero(flagged[drawn]).tolist():
                ground, ink = seen.ground[drawn[row]], seen.ink[drawn[row]]
                blend, _ = self._blend(("flag", "flag_base"), ground, ink)
                amounts[row] = blend.sum(axis=2).clip(0, 1)
            likeness = self._glyphs.likeness(amounts, seen.side)
            fits = _fits(seen.ink[drawn], seen.ground[drawn, None] - self._digits)
            for number, like, fit in zip(drawn.tolist(), likeness, fits, strict=True):
                ground, ink = seen.ground[number], seen.ink[number]
                shape = self._glyphs.certain(like)
                if flagged[number] and shape == "flag":
                    readings[number] = self._blended(("flag", "flag_base"), ground, ink, 2)
                elif opened[number] and shape != "mine":
                    readings[number] = self._number(shape, fit)
                elif shape == "mine" and opened[number] and not exploded[number]:
                    readings[number] = self._mined(ground, ink)
                elif shape == "mine" and exploded[number] and not opened[number]:
                    readings[number] = self._mine(Cell.EXPLODED, ground, ink)
        return readings

    def _number(self, shape: str | None, fit: Floats) -> TileReading:
        """The number whose ink it has, unless the shape says otherwise."""
        order = np.argsort(fit)[::-1]
        scores = tuple((str(int(self._cells[i])), float(fit[i])) for i in order[:2])
        best = int(order[0])
        if fit[best] < 1 - 2 * _OFF_LINE or fit[best] - fit[order[1:2]].max(initial=0) < _CERTAIN:
            return TileReading(None, scores)
        if shape != scores[0][0] and (shape or best in self._inked_as_mines):
            return TileReading(None, (scores[0], (f"shaped as {shape or 'none'}", scores[0][1])))
        return TileReading(self._cells[best], scores)

    def _mined(self, ground: Floats, ink: Floats) -> TileReading:
        """A mine, or what was a flag: without a mine there, it ends as one crossed out."""
        reading = self._mine(Cell.MINE, ground, ink)
        if reading.cell is not None:
            return reading
        # On tiles of 8 and 9 pixels the cross leaves nothing of the mine.
        return self._blended(("cross", "mine"), ground, ink, 1)

    def _mine(self, cell: Cell, ground: Floats, ink: Floats) -> TileReading:
        """A mine is of one ink, its glint apart."""
        towards = ground - self._inks["mine"]
        amounts = ink @ towards / max(float(towards @ towards), 1.0)
        rest = _farthest(ink - amounts[..., None] * towards)
        score = 1 - float((rest > _FLAT_LEVELS).mean())
        return TileReading(
            cell if score >= 1 - _GLINT_SHARE else None, (("mine", round(score, 3)),)
        )

    def _blended(
        self, inks: tuple[str, str], ground: Floats, ink: Floats, needed: int
    ) -> TileReading:
        """A flag, or one crossed out: blends of two inks, of which the `needed` first show."""
        amounts, score = self._blend(inks, ground, ink)
        certain = score > 1 - _OFF_LINE and amounts.max(axis=(0, 1))[:needed].min() > _SHOWN
        return TileReading(Cell.FLAG if certain else None, (("flag", round(score, 3)),))

    def _blend(self, inks: tuple[str, str], ground: Floats, ink: Floats) -> tuple[Floats, float]:
        """How much of each of two inks each pixel holds, and how well that explains them."""
        basis = np.stack([ground - self._inks[name] for name in inks])
        amounts = np.asarray(ink @ np.linalg.pinv(basis), np.float32)
        return amounts, 1 - _energy(ink - amounts @ basis) / _energy(ink)


prepared = cache(Glyphs)
"""The drawings of a profile, prepared once."""


def _fits(ink: Floats, towards: Floats) -> Floats:
    """How well each tile's ink is each colour's, 1 perfect, shape (n, colours).

    `towards` are background minus colour, shape (n, colours, 3). Each pixel holds an
    amount of the colour from 0 to 1; off the line, below 0 or above 1, it is not that
    colour's. Where glyphs are too thin to reach the full colour the amount's peak stays
    below 1, which tells black from grey on a grey background.
    """
    # Pixels last: sums along an axis that lies together are several times as fast.
    pixels = np.ascontiguousarray(ink.reshape(len(ink), -1, 3).swapaxes(1, 2))
    lengths = np.maximum(np.square(towards).sum(axis=2), 1)
    amounts = (towards / lengths[..., None]) @ pixels
    peak = amounts.max(axis=2)
    # What lies off the line, by Pythagoras.
    whole = np.square(pixels).sum(axis=(1, 2))[:, None]
    off = np.maximum(0, whole - np.square(amounts).sum(axis=2) * lengths)
    straight = 1 - np.sqrt(off / whole)
    like = straight * np.minimum(peak, 1 / np.where(peak > 0, peak, 1))
    return np.asarray(np.maximum(like, 0), np.float32)


def _farthest(ink: Floats) -> Floats:
    """The largest of the three channels; a maximum over so short an axis is slow."""
    blue, green, red = np.abs(np.moveaxis(ink, -1, 0))
    return np.asarray(np.maximum(np.maximum(blue, green), red), np.float32)


def _energy(vectors: Floats) -> float:
    return float(np.sqrt(np.square(vectors).sum()))


def _distances(some: Floats, others: Floats) -> Floats:
    """How far each of some colours is from each of others, by the channel that differs most."""
    return np.asarray(np.abs(some[:, None] - others).max(axis=2))


def _bgr(colour: RGB) -> Floats:
    return np.array(colour[::-1], np.float32)


def _all_bgr(colours: Iterable[RGB]) -> Floats:
    """Shape (n, 3), also where there is none."""
    return np.array([colour[::-1] for colour in colours], np.float32).reshape(-1, 3)
