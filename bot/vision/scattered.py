"""Tiles that lie on the same lines, but not next to each other: a late board's covered ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.vision.pieces import Boxes

Bools = NDArray[np.bool_]

_OTHERS = 0.2
"""So many boxes, as a share of those on its lines, lie elsewhere on a board. Guessed."""
_FAR = 6
"""They lie no more steps from the next. Guessed."""


def on_lines(boxes: Boxes, step: tuple[float, float], chosen: Bools) -> Bools:
    """The chosen boxes, and those as large on their lines, or further ones, near those or each
    other.

    Of a board with few covered tiles no six may lie next to each other. Where other boxes lie
    among them it is chance which are on the lines: then those alone that were chosen.
    """
    x, y = boxes.middles
    fits = np.ones(x.size, np.bool_)
    for sides in (boxes.width, boxes.height):
        fits &= np.abs(sides - np.median(sides[chosen])) <= 1
    every = chosen
    while True:
        placed, among = fits.copy(), np.ones(x.size, np.bool_)
        for middles, wide in ((x, step[0]), (y, step[1])):
            first, last = middles[every].min(), middles[every].max()
            away = (middles - np.where(middles > last, last, first)) / wide
            number = np.round(away)
            among &= (middles >= first) & (middles <= last)
            placed &= np.abs(away - number) * wide <= slack(step)
            placed &= (number >= -_FAR) & ((middles <= last) | (number <= _FAR))
        if np.count_nonzero(among & fits & ~placed) > _OTHERS * np.count_nonzero(every):
            return chosen
        if np.array_equal(every, every | placed):
            return every
        every = every | placed


def slack(step: tuple[float, float]) -> float:
    """By how many pixels a box may lie off where a step from another one has it."""
    return max(1.1, 0.07 * min(step))
