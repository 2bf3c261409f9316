"""Chequered boards: cells of two shades by turns, as the squares of a chess board are.

Two kinds of cells of which one has only every other square, and the other only those between,
are one kind in two shades.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]

_PURE = 0.03
"""The greatest share of a shade's cells that lie on the other one's squares. Guessed."""
_EVEN = 0.3
"""Of a kind's two shades the rarer has at least this share of the other's cells. Guessed."""
_LEAST = 6
"""So many cells a shade has at least: of fewer it is chance on which squares they lie. Guessed."""
_MOST_CELLS = 0.5
"""Such kinds have this share of all cells, if the board is chequered. Guessed."""


def paired(ground: Ints, colours: NDArray[np.floating], own: tuple[slice, slice]) -> Ints:
    """The kind in another shade of each kind of cells, -1 where there is none; shape (kinds,).

    Ground is a number for each cell, shape (rows, columns), -1 where it is odd; colours are those
    of each number, shape (kinds, 3). Only the rows and columns that are the board's own are asked.
    """
    kinds = colours.shape[0]
    others = np.full(kinds, -1, np.intp)
    squares = parity((ground.shape[0], ground.shape[1]))[own]
    some = ground[own]
    counts = [
        np.bincount(some[(some >= 0) & (squares == which)], minlength=kinds) for which in (0, 1)
    ]
    total = counts[0] + counts[1]
    pure = [
        np.flatnonzero((total >= _LEAST) & (counts[1 - which] <= _PURE * total)) for which in (0, 1)
    ]
    if not pure[0].size or not pure[1].size:
        return others
    far = np.abs(colours[pure[0]][:, None] - colours[pure[1]][None]).max(axis=2)
    least = np.minimum.outer(total[pure[0]], total[pure[1]])
    most = np.maximum.outer(total[pure[0]], total[pure[1]])
    far[least < _EVEN * most] = np.inf
    while np.isfinite(far.min()):
        one, other = np.unravel_index(int(far.argmin()), far.shape)
        others[pure[0][one]], others[pure[1][other]] = pure[1][other], pure[0][one]
        far[one], far[:, other] = np.inf, np.inf
    if total[others >= 0].sum() < _MOST_CELLS * some.size:
        others[:] = -1
    return others


def parity(shape: tuple[int, int]) -> Ints:
    """0 and 1 by turns, in every row and column."""
    return np.add.outer(np.arange(shape[0]), np.arange(shape[1])) % 2


def is_every_second(some: NDArray[np.bool_]) -> bool:
    """Whether several cells of a line are such, at its even places alone or its odd ones."""
    places = np.flatnonzero(some)
    return places.size > 1 and np.unique(places % 2).size == 1
