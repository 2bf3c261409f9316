"""Patterns in which the cells of other games lie, a chess board's and others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.vision.looks import Looks
from bot.vision.turns import parity

Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

_TURNS = 32
"""Two shades of tiles differ by no more levels of 255; those of a chess board do. Guessed."""
_TURNS_OPENED = 48
"""The same where there are opened ones too. Guessed."""
_TURNS_CHESS = 16
"""The same of as many tiles as a chess board has. Guessed."""
_MIXED = 0.6
"""The least share of rows, and of columns, that have cells of more than one kind where those lie
in a pattern. Guessed."""
_DIFFERENT = 0.5
"""And the greatest share of those rows that differ from each other. Guessed."""
_CHANGES = 0.28
"""The least share of neighbours in them that differ: opened cells lie together. Guessed."""
_QUARTERS = 4
"""Levels of 255 by which two squares of a cell differ at least. Guessed."""
_MOST_CELLS = 0.5
"""More cells than this share are of four squares, if all are. Guessed."""


def shades(looks: Looks, cells: Bools) -> list[Bools]:
    """The cells; where they have two shades by turns, those of each."""
    if not (looks.turned & cells).any():
        return [cells]
    squares = parity((cells.shape[0], cells.shape[1]))
    parts = [cells & (squares == which) for which in (0, 1)]
    return [part for part in parts if part.any()]


def may_be_chess(looks: Looks, common: list[int]) -> bool:
    """Whether cells have two shades by turns that are far apart, as those of a chess board."""
    most = _TURNS_CHESS if looks.ground.shape == (8, 8) else _TURNS
    for kind in common:
        cells = looks.turned & (looks.ground == kind)
        both = shades(looks, cells) if cells.any() else []
        if len(both) == 2:
            one, other = (
                np.median(looks.spots[shade][:, 2:5:2, 2:5:2].astype(np.int16), axis=(0, 1, 2))
                for shade in both
            )
            if np.abs(one - other).max() > (most if len(common) == 1 else _TURNS_OPENED):
                return True
    return False


def are_quartered(looks: Looks) -> bool:
    """Whether most cells are of four squares in two shades: the tiles are half as wide."""
    spots = looks.spots.astype(np.int16)
    near, far = slice(1, 3), slice(4, 6)
    quarters = [spots[:, :, one, other] for one in (near, far) for other in (near, far)]
    one, two, three, four = (quarter.mean(axis=(2, 3)) for quarter in quarters)
    uneven = np.max([np.ptp(quarter, axis=(2, 3)) for quarter in quarters], axis=(0, 3))
    same = np.maximum(np.abs(one - four).max(axis=2), np.abs(two - three).max(axis=2))
    apart = np.abs(one + four - two - three).max(axis=2) / 2
    # What a grain has in its quarters is not of one colour each.
    return bool((apart >= np.maximum(_QUARTERS, 2 * np.maximum(same, uneven))).mean() > _MOST_CELLS)


def repeats_itself(ground: Ints) -> bool:
    """Whether most rows are like other ones, and most columns, but change from cell to cell.

    So they are where some lines are thicker, and where a chess board's squares are cut in parts.
    """
    for lines in (ground, ground.T):
        changes = lines[:, 1:] != lines[:, :-1]
        is_mixed = changes.any(axis=1)
        mixed = lines[is_mixed]
        different = np.unique(mixed, axis=0).shape[0]
        if mixed.shape[0] < _MIXED * lines.shape[0] or different > _DIFFERENT * mixed.shape[0]:
            return False
        if changes[is_mixed].mean() < _CHANGES:
            return False
    return True
