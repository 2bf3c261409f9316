"""Tells the cells apart by their colours, all tiles at once.

A tile's edges say whether it is covered (raised: light left and top, dark opposite)
or opened (one dark line on its left and top). Inside, every pixel of a number is a
blend of the background and one ink, because glyphs are antialiased: the sum of
(background - pixel) over the tile points from the background to the ink, whatever
the tile's size and the font. A pixel off that line belongs to something else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.board import Cell
from bot.profile import RGB, Profile

__all__ = ["Look", "Looks"]

Floats = NDArray[np.float32]

_FLAT_LEVELS = 14.0
"""A tile whose every pixel lies this near the background, in levels of 255, has no ink."""
_GROUND_LEVELS = 12.0
"""How far the background may lie from one that the profile knows."""
_OFF_LINE = 0.12
"""How much of a number's colour may lie off the line from background to ink."""
_INK_SHARE = (0.03, 0.5)
"""The least and the most of a tile's inside that a number's ink covers."""
_MINE_SHARE = 0.2
"""The least that a mine's disc and spikes cover."""
_GLINT_LEVELS = 60.0
"""A mine's glint is brighter than the background by more than this, over all channels."""
_CERTAIN = 0.1
"""The least by which the best candidate must beat the next one."""


@dataclass(frozen=True, slots=True)
class Look:
    """What one tile was read as.

    `cell` is None where nothing fits or two things fit almost alike. `scores` are the
    best candidates, 1 being a perfect match. `flash` marks a tile drawn by an
    animation, of which nothing can be said.
    """

    cell: Cell | None
    scores: tuple[tuple[str, float], ...] = ()
    flash: bool = False

    @property
    def margin(self) -> float:
        """By how much the best candidate beats the next."""
        if not self.scores:
            return 0.0
        rest = self.scores[1][1] if len(self.scores) > 1 else 0.0
        return self.scores[0][1] - rest


class Looks:
    """Classifies tiles by one profile."""

    def __init__(self, profile: Profile) -> None:
        self._grid = profile.grid
        self._dark = _bgr(profile.grid.dark)
        self._light = _bgr(profile.grid.light)
        self._grounds = {
            name: np.stack([_bgr(colour) for colour in colours])
            for name, colours in profile.grounds.items()
        }
        self._digits = [(cell, _bgr(ink)) for cell, ink in profile.digits.items()]
        self._flag = (_bgr(profile.inks["flag"]), _bgr(profile.inks["flag_base"]))
        self._mine = _bgr(profile.inks["mine"])

    def classify(self, tiles: NDArray[np.uint8]) -> list[Look]:
        """One look for each tile; `tiles` has shape (n, t, t, 3 or 4), blue-green-red first."""
        pixels = tiles[..., :3].astype(np.float32)
        raised, lined = self._edges(pixels)
        side = pixels.shape[1]
        bevel = max(1, round(self._grid.bevel * side + 0.49))
        inside = pixels[:, bevel : side - bevel, bevel : side - bevel]
        ground = np.median(inside[:, [0, 0, -1, -1], [0, -1, 0, -1]], axis=1)
        ink = ground[:, None, None] - inside
        flat = np.abs(ink).max(axis=(1, 2, 3)) <= _FLAT_LEVELS
        return [
            self._look(bool(raised[i]), bool(lined[i]), ground[i], bool(flat[i]), ink[i])
            for i in range(len(tiles))
        ]

    def _edges(self, pixels: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which tiles are raised, and which have lines, by the middle half of each edge."""
        side = pixels.shape[1]
        middle = slice(side // 4, side - side // 4)
        left, top = pixels[:, middle, 0], pixels[:, 0, middle]
        right, bottom = pixels[:, middle, -1], pixels[:, -1, middle]

        def drawn(strip: Floats, colour: Floats) -> NDArray[np.bool_]:
            near = np.abs(strip - colour).max(axis=2) <= self._grid.tolerance
            return np.asarray(near.all(axis=1))

        raised = (
            drawn(left, self._light)
            & drawn(top, self._light)
            & drawn(right, self._dark)
            & drawn(bottom, self._dark)
        )
        return raised, drawn(left, self._dark) & drawn(top, self._dark)

    def _look(self, raised: bool, lined: bool, ground: Floats, flat: bool, ink: Floats) -> Look:
        if raised and self._is(ground, "covered"):
            return Look(Cell.HIDDEN, (("hidden", 1.0),)) if flat else self._flagged(ground, ink)
        if lined and self._is(ground, "opened"):
            return Look(Cell.EMPTY, (("empty", 1.0),)) if flat else self._number(ground, ink)
        if lined and self._is(ground, "exploded") and not flat:
            return self._exploded(ground, ink)
        if self._is(ground, "flash"):
            return Look(None, flash=True)
        return Look(None)

    def _is(self, ground: Floats, name: str) -> bool:
        return bool((np.abs(self._grounds[name] - ground).max(axis=1) <= _GROUND_LEVELS).any())

    def _number(self, ground: Floats, ink: Floats) -> Look:
        fits = {str(int(cell)): _fit(ink, ground - colour) for cell, colour in self._digits}
        fits["mine"] = _disc(ink, ground - self._mine)
        best = sorted(fits.items(), key=lambda item: -item[1])[:2]
        name, score = best[0]
        if score < 1 - _OFF_LINE * 2 or score - best[1][1] < _CERTAIN:
            return Look(None, tuple(best))
        return Look(Cell.MINE if name == "mine" else Cell(int(name)), tuple(best))

    def _flagged(self, ground: Floats, ink: Floats) -> Look:
        """A flag is red above and black below, and blends of these with the background."""
        red, black = (ground - colour for colour in self._flag)
        basis = np.stack((red, black), axis=1)
        amounts = ink.reshape(-1, 3) @ np.linalg.pinv(basis).T
        rest = ink.reshape(-1, 3) - amounts @ basis.T
        score = 1 - _energy(rest) / _energy(ink)
        cloth, pole = amounts.mean(axis=0)
        scores = (("flag", round(score, 3)),)
        certain = score > 1 - _OFF_LINE and cloth > 0.03 and pole > 0.03
        return Look(Cell.FLAG if certain else None, scores)

    def _exploded(self, ground: Floats, ink: Floats) -> Look:
        score = _disc(ink, ground - self._mine)
        return Look(Cell.EXPLODED if score > 1 - _OFF_LINE * 2 else None, (("exploded", score),))


def _fit(ink: Floats, towards: Floats) -> float:
    """How well the ink is one colour's, 1 perfect: `towards` is background minus that colour.

    Each pixel holds an amount of the colour from 0 to 1; off the line, below 0 or above
    1, it is not that colour's. Where glyphs are too thin to reach the full colour the
    amount's peak stays below 1, which tells black from grey on a grey background.
    """
    amounts = ink @ towards / (towards @ towards)
    share = float(amounts.mean())
    if not _INK_SHARE[0] <= share <= _INK_SHARE[1] or _glints(ink):
        return 0.0
    peak = float(amounts.max())
    rest = ink - amounts[..., None] * towards
    straight = 1 - _energy(rest) / _energy(ink)
    return max(0.0, straight * min(peak, 1 / peak))


def _disc(ink: Floats, towards: Floats) -> float:
    """How well the ink is a mine: one colour over much of the tile, with a small glint."""
    amounts = ink @ towards / (towards @ towards)
    if float((amounts > 0.5).mean()) < _MINE_SHARE or not _glints(ink):
        return 0.0
    rest = (ink - amounts[..., None] * towards)[amounts >= 0]
    return max(0.0, 1 - _energy(rest) / _energy(ink))


def _glints(ink: Floats) -> bool:
    """Whether a pixel is brighter than the background."""
    return bool(ink.sum(axis=-1).min() < -_GLINT_LEVELS)


def _energy(vectors: NDArray[np.floating[Any]]) -> float:
    return float(np.sqrt(np.square(vectors).sum()))


def _bgr(colour: RGB) -> Floats:
    return np.array(colour[::-1], np.float32)
