"""Tells the cells apart by their colours, all tiles at once.

A tile's edges say whether it is covered (raised: light left and top, dark opposite)
or opened (flat, with a line on its left and top). Inside, every pixel of a number is a
blend of the background and one ink, because glyphs are antialiased: the sum of
(background - pixel) over the tile points from the background to the ink, whatever
the tile's size and the font. A pixel off that line belongs to something else.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.board import Cell
from bot.profile.values import RGB, FramedLook, InkLook
from bot.vision.look import Look
from bot.vision.rim import commonest

__all__ = ["Inks"]

Floats = NDArray[np.float32]

_FLAT_LEVELS = 14.0
"""A tile whose every pixel lies this near the background, in levels of 255, has no ink."""
_GROUND_LEVELS = 12.0
"""How far the background may lie from one that the profile knows."""
_OFF_LINE = 0.12
"""How much of a number's colour may lie off the line from background to ink."""
_INK_SHARE = (0.03, 0.5)
"""The least and the most of a tile's inside that a number's ink covers."""
_MINE_SHARE = (0.06, 0.85)
"""The least and the most that a mine's disc and spikes cover."""
_LEANS = 0.97
"""The cosine between all ink and a colour from which it may be that colour's."""
_MINE_SYMMETRY = 0.8
"""How much of a mine is its own mirror image; of a 7 it is about half."""
_GLINT_SHARE = 0.08
"""The most that the glint on a mine covers."""
_CERTAIN = 0.1
"""The least by which the best candidate must beat the next one."""


class Inks:
    """Classifies raised tiles by the colours of their backgrounds and inks."""

    def __init__(self, grid: FramedLook, look: InkLook) -> None:
        self._grid = grid
        self._dark = _bgr(grid.dark)
        self._light = _bgr(grid.light)
        self._grounds = {
            name: [colour[::-1] for colour in colours] for name, colours in look.grounds.items()
        }
        self._digits = np.stack([_bgr(ink) for ink in look.digits.values()])
        self._flag = (_bgr(look.inks["flag"]), _bgr(look.inks["flag_base"]))
        self._mine = _bgr(look.inks["mine"])

    phases = 1

    def classify(self, tiles: NDArray[np.uint8]) -> list[tuple[Look, ...]]:
        """The only look of each tile; see `Classifier`."""
        pixels = tiles[..., :3].astype(np.float32)
        side = pixels.shape[1]
        bevel = max(1, math.ceil(self._grid.bevel * side))
        inside = pixels[:, bevel : side - bevel, bevel : side - bevel]
        # The rim around the glyph: even where one touches it, most of it is background.
        rim = (inside[:, 0], inside[:, -1], inside[:, :, 0], inside[:, :, -1])
        ground = commonest(np.concatenate(rim, axis=1))
        raised, level = self._edges(pixels, ground)
        ink = ground[:, None, None] - inside
        flat = np.abs(ink).max(axis=(1, 2, 3)) <= _FLAT_LEVELS
        return [
            (self._look(bool(raised[i]), bool(level[i]), ground[i], bool(flat[i]), ink[i]),)
            for i in range(len(tiles))
        ]

    def _edges(self, pixels: Floats, ground: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which tiles are raised, and which are level, by the middle half of each edge.

        The left and top of a level one may be dark or light: the game does not always
        wipe off the light edge of the cover.
        """
        side = pixels.shape[1]
        middle = slice(side // 4, side - side // 4)
        before = (pixels[:, middle, 0], pixels[:, 0, middle])
        after = (pixels[:, middle, -1], pixels[:, -1, middle])

        def drawn(strips: tuple[Floats, Floats], colour: Floats) -> NDArray[np.bool_]:
            both = np.stack(strips, axis=1)
            near = np.abs(both - colour).max(axis=3) <= self._grid.tolerance
            return np.asarray(near.all(axis=2))

        dark, light = drawn(before, self._dark), drawn(before, self._light)
        raised = np.all(light, axis=1) & np.all(drawn(after, self._dark), axis=1)
        level = np.all(dark | light, axis=1) & np.all(drawn(after, ground[:, None, None]), axis=1)
        return np.asarray(raised), np.asarray(level)

    def _look(self, raised: bool, level: bool, ground: Floats, flat: bool, ink: Floats) -> Look:
        if raised and self._is(ground, "covered"):
            return Look(Cell.HIDDEN, (("hidden", 1.0),)) if flat else self._flagged(ground, ink)
        if level and self._is(ground, "opened"):
            return Look(Cell.EMPTY, (("empty", 1.0),)) if flat else self._number(ground, ink)
        if level and self._is(ground, "exploded") and not flat:
            return self._exploded(ground, ink)
        if self._is(ground, "flash"):
            return Look(None, flash=True)
        return Look(None)

    def _is(self, ground: Floats, name: str) -> bool:
        blue, green, red = ground.tolist()
        return any(
            abs(blue - b) <= _GROUND_LEVELS
            and abs(green - g) <= _GROUND_LEVELS
            and abs(red - r) <= _GROUND_LEVELS
            for b, g, r in self._grounds[name]
        )

    def _number(self, ground: Floats, ink: Floats) -> Look:
        scores = _fits(ink, ground - self._digits)
        fits = {str(number): float(score) for number, score in enumerate(scores, 1)}
        fits["mine"] = _disc(ink, ground - self._mine) if _leans(ink, ground - self._mine) else 0.0
        if fits["mine"] > _MINE_SYMMETRY:
            # The disc is a perfect fit for a number in the mine's black; its shape decides.
            fits = {name: fit * (1 - fits["mine"]) for name, fit in fits.items()} | {
                "mine": fits["mine"]
            }
        best = sorted(fits.items(), key=lambda item: -item[1])[:2]
        name, score = best[0]
        if score < 1 - _OFF_LINE * 2 or score - best[1][1] < _CERTAIN:
            return Look(None, tuple(best))
        return Look(Cell.MINE if name == "mine" else Cell(int(name)), tuple(best))

    def _flagged(self, ground: Floats, ink: Floats) -> Look:
        """A flag is red above and black below, and blends of these with the background."""
        red, black = (ground - colour for colour in self._flag)
        basis = np.stack((red, black), axis=1)
        # Least squares by the normal equations of two unknowns.
        one, mixed, other = float(red @ red), float(red @ black), float(black @ black)
        inverse = np.array(((other, -mixed), (-mixed, one)), np.float32)
        inverse /= one * other - mixed * mixed
        amounts = ink.reshape(-1, 3) @ basis @ inverse
        rest = ink.reshape(-1, 3) - amounts @ basis.T
        score = 1 - _energy(rest) / _energy(ink)
        cloth, pole = amounts.mean(axis=0)
        scores = (("flag", round(score, 3)),)
        certain = score > 1 - _OFF_LINE and cloth > 0.03 and pole > 0.03
        return Look(Cell.FLAG if certain else None, scores)

    def _exploded(self, ground: Floats, ink: Floats) -> Look:
        score = _disc(ink, ground - self._mine)
        return Look(Cell.EXPLODED if score > _MINE_SYMMETRY else None, (("exploded", score),))


def _fits(ink: Floats, towards: Floats) -> Floats:
    """How well the ink is each colour's, 1 perfect; `towards` are background minus colour.

    Each pixel holds an amount of the colour from 0 to 1; off the line, below 0 or above
    1, it is not that colour's. Where glyphs are too thin to reach the full colour the
    amount's peak stays below 1, which tells black from grey on a grey background.
    """
    pixels = ink.reshape(-1, 3)
    lengths = np.square(towards).sum(axis=1)
    amounts = pixels @ (towards / lengths[:, None]).T
    share, peak = amounts.mean(axis=0), amounts.max(axis=0)
    # What lies off the line, by Pythagoras.
    whole = np.square(pixels).sum()
    off = np.maximum(0, whole - np.square(amounts).sum(axis=0) * lengths)
    straight = 1 - np.sqrt(off / whole)
    possible = (share >= _INK_SHARE[0]) & (share <= _INK_SHARE[1]) & (peak > 0)
    peak = np.where(possible, peak, 1)
    return np.asarray(np.where(possible, straight * np.minimum(peak, 1 / peak), 0), np.float32)


def _leans(ink: Floats, towards: Floats) -> bool:
    """Whether all ink together has the colour; spares most numbers a look at their shape."""
    whole = ink.sum(axis=(0, 1))
    length = math.sqrt(float((whole @ whole) * (towards @ towards)))
    return float(whole @ towards) > _LEANS * length


def _disc(ink: Floats, towards: Floats) -> float:
    """How well the ink is a mine: one colour, the same from the left, right, top and bottom."""
    amounts = ink @ towards / (towards @ towards)
    rest = np.abs(ink - amounts[..., None] * towards).max(axis=-1)
    solid = amounts > 0.5
    if not _MINE_SHARE[0] <= float(solid.mean()) <= _MINE_SHARE[1]:
        return 0.0
    if float((rest > _FLAT_LEVELS).mean()) > _GLINT_SHARE:
        return 0.0
    return min(_symmetry(solid), _symmetry(solid.T))


def _symmetry(shape: NDArray[np.bool_]) -> float:
    """How much of a shape is its own mirror image; its axis may lie between two columns."""
    best = 0.0
    for part in (shape, shape[:, 1:], shape[:, :-1]):
        mirrored = part[:, ::-1]
        best = max(best, float((part & mirrored).sum() / max(1, (part | mirrored).sum())))
    return best


def _energy(vectors: NDArray[np.floating[Any]]) -> float:
    return float(np.sqrt(np.square(vectors).sum()))


def _bgr(colour: RGB) -> Floats:
    return np.array(colour[::-1], np.float32)
