"""Cells with a pixel more or less than others, as some have where steps are no whole pixels.

Their lines, bevels and gaps may have a pixel more or less, too: so one kind of cell may look like
several, each of another size.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]
Floats = NDArray[np.float32]

_PURE = 0.97
"""The least share of a group's cells that have one size, if it is that size's. Guessed."""
_NEAR = 4.0
"""Their faces differ by no more levels of 255. Guessed."""
_PIXEL = 1.5
"""And their sides by no more than so many pixels of what is drawn at them would make. Guessed."""


def sizes(lengths: tuple[Ints, Ints]) -> Ints:
    """A number for each cell, row-major, the same for those with as many pixels, of which columns
    and rows have so many."""
    (_, across), (_, down) = (np.unique(each, return_inverse=True) for each in lengths)
    return np.add.outer(down * (int(across.max(initial=0)) + 1), across).ravel()


def own_sizes(ground: Ints, size: Ints) -> Ints:
    """The size of each group's cells, -1 of one with cells of several. Both are of each cell."""
    counts = np.zeros((int(ground.max(initial=-1)) + 1, int(size.max()) + 1), np.intp)
    np.add.at(counts, (ground[ground >= 0], size[ground >= 0]), 1)
    is_pure = counts.max(axis=1) >= _PURE * counts.sum(axis=1)
    return np.where(is_pure, counts.argmax(axis=1), -1)


def matched(own: Ints, usual: Floats, drawn: Floats) -> Ints:
    """The group of another size that each group is the same as, or itself.

    `own` is the size of each group's cells, `usual` of each the colour of its face and the mean
    ones of its sides, shape (groups, 5, 3), and `drawn` by how much of a side one pixel of what is
    drawn at it changes the mean, in levels, shape (groups,).
    """
    groups = len(usual)
    others = np.arange(groups)
    far = np.abs(usual[:, None] - usual[None])
    most = _PIXEL * np.maximum.outer(drawn, drawn)
    away = far[:, :, 1:].max(axis=(2, 3))
    away[(far[:, :, 0].max(axis=2) > _NEAR) | (away > np.maximum(_NEAR, most))] = np.inf
    away[own[:, None] == own] = np.inf
    for one in range(groups):
        for kind in np.unique(own):
            there = np.flatnonzero(own == kind)
            other = there[away[one, there].argmin()]
            # Each is what is nearest to the other one, of its size.
            back = np.flatnonzero(own == own[one])
            if np.isfinite(away[one, other]) and back[away[other, back].argmin()] == one:
                others[others == others[max(one, other)]] = others[min(one, other)]
    return others
