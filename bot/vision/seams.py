"""Lines that are drawn between the cells of a lattice."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.vision.cells import Floats
from bot.vision.pieces import Pixels

Bools = NDArray[np.bool_]

_EDGE = 5
"""Levels of 255 by which a line differs from what is beside it. Guessed."""
_DRAWN = 0.85
"""The least share of a line that is drawn. Guessed."""
_LINED = 0.8
"""The least share of those lines that are drawn where cells go on. Guessed."""
_CROSSED = 0.25
"""And the greatest share of cells with a line through their middle, as texts have. Guessed."""
_SOME = 12
"""So many lines tell whether they are drawn. Guessed."""
_AROUND = 0.12
"""So far off may a line be drawn, in steps. Guessed."""
_WHOLE = (0.25, -0.25)
"""Where the strip in which lines between cells are looked for lies, before the middle of those, in
steps. Guessed."""
_BESIDE = (0.4, 0.28)
"""And that next to the last cells. Guessed."""
_THIN = 2
"""A line at a cell's side has no more pixels. Guessed."""


def go_on(pixels: Pixels, middles: Floats, wide: float, middle: float, step: float) -> bool:
    """Whether lines between columns with these middles, so wide, go on in the row of cells beyond.

    That has its middle there, and is a step high, a negative one if it lies before the others.
    """
    # Only a part of them may be seen, beside what lies on them.
    whole, near, before = (
        (middle - begin * step, middle - end * step)
        for begin, end in (_WHOLE, _BESIDE, (0.5 - max(_AROUND, _THIN / abs(step)), _WHOLE[0]))
    )
    left, right = max(0, round(middles[0] - wide)), round(middles[-1] + wide)
    pixels, middles = pixels[:, left:right], middles - left
    if not any(are_lined(pixels, middles, wide, ends) for ends in (whole, near)):
        return False
    # They begin where the last ones end: a strip of one colour between is around a board.
    begin, end = max(0, round(middles[0] - wide / 2)), round(middles[-1] + wide / 2)
    band = _band(pixels[:, begin:end], before)
    return not band.size or bool((np.ptp(band, axis=1).max(axis=1) > _EDGE).all())


def are_lined(pixels: Pixels, middles: Floats, step: float, ends: tuple[float, float]) -> bool:
    """Whether there are lines between columns with these middles, in the rows between the ends."""
    some = middles[:: max(1, middles.size // _SOME)]
    between = (middles[1:] + middles[:-1])[:: max(1, middles.size // _SOME)] / 2
    changed = _changed(pixels, ends)
    # Text has changes everywhere: what is between cells is drawn there alone.
    are_drawn = _shares(changed, np.concatenate([some, between]), _AROUND * step) >= _DRAWN
    inside, lined = are_drawn[: some.size], are_drawn[some.size :]
    return bool(lined.mean() >= _LINED and inside.mean() < _CROSSED)


def drawn(pixels: Pixels, at: float, around: float, ends: tuple[float, float]) -> float:
    """On which share of the rows between the ends the colour changes near that column."""
    left, right = max(0, int(at - around) - 3), int(at + around) + 4
    changed = _changed(pixels[:, left:right], ends)
    return float(_shares(changed, np.array([at - left]), around)[0])


def _changed(pixels: Pixels, ends: tuple[float, float]) -> Bools:
    """Where the colour changes in the rows between the ends: from each column to the next."""
    band = np.ascontiguousarray(_band(pixels, ends))
    if not band.shape[0] or band.shape[1] < 2:
        return np.zeros((band.shape[0], max(0, band.shape[1] - 1)), np.bool_)
    changes = cv2.absdiff(band[:, 1:], band[:, :-1]) > _EDGE
    return np.asarray(changes[..., 0] | changes[..., 1] | changes[..., 2])


def _band(pixels: Pixels, ends: tuple[float, float]) -> Pixels:
    """The rows between two places, the one before the other or after it."""
    begin, end = sorted(max(0, round(each)) for each in ends)
    return pixels[begin:end]


def _shares(changed: Bools, at: Floats, around: float) -> Floats:
    """The shares of rows that change near these columns; 1.0 beyond the picture."""
    reach = max(1.5, around)
    left, right = np.round(at - reach).astype(int) - 1, np.round(at + reach).astype(int)
    within = (left > 0) & (right < changed.shape[1])
    shares = np.ones(at.size)
    if not changed.shape[0]:
        shares[within] = 0.0
    elif within.any():
        before = np.cumsum(changed, axis=1, dtype=np.int32)
        some = before[:, right[within] - 1] > before[:, left[within] - 1]
        shares[within] = some.mean(axis=0)
    return shares
