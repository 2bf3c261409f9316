"""Patterns in which the cells of other games lie, a chess board's and others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bot.vision.looks import Looks
from bot.vision.medians import median
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
_QUARTERED = (1, 2, 4, 5)
"""The colours that are known of a cell, two in each half of its side."""
_SIXTEENTHS = (1, 2, 3, 5)
"""The same, each in another quarter."""
_ONE_KIND = 0.75
"""The least share of cells that are of one kind, if all are. Guessed."""
_DRAWN = 32
"""Levels of 255 by which what is drawn on a cell's side differs from those of others. Guessed."""
_CUT = 0.2
"""The greatest share of a fresh board's cells that have such. Guessed."""
_ALL_DIFFER = 0.6
"""And the least share of rows, or columns, that differ from each other, if all do. Guessed."""


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
    """Whether most cells are of four or sixteen squares in two shades: tiles are smaller."""
    spots = looks.spots.astype(np.float32).transpose(2, 3, 0, 1, 4)
    return _are_squares(spots, 2, _QUARTERED) or _are_squares(spots, 4, _SIXTEENTHS)


def _are_squares(spots: NDArray[np.float32], number: int, at: Sequence[int]) -> bool:
    """Whether most cells are of squares in two shades by turns, so many across as down.

    Spots have shape (7, 7, rows, columns, 3); those that are asked lie, both ways, as many in each
    square.
    """
    part = number, len(at) // number
    squares = spots[np.ix_(at, at)].reshape(*part, *part, *spots.shape[2:])
    usual = squares.mean(axis=(1, 3))
    uneven = (squares.max(axis=(1, 3)) - squares.min(axis=(1, 3))).max(axis=(0, 1, 4))
    which = parity((number, number))
    shade = [usual[which == each] for each in (0, 1)]
    same = np.max([np.ptp(each, axis=0).max(axis=2) for each in shade], axis=0)
    apart = np.abs(shade[0].mean(axis=0) - shade[1].mean(axis=0)).max(axis=2)
    # What a grain has in its quarters is not of one colour each.
    return bool((apart >= np.maximum(_QUARTERS, 2 * np.maximum(same, uneven))).mean() > _MOST_CELLS)


def are_mixed(ground: Ints) -> bool:
    """Whether cells are of several kinds that are told neither by their rows nor their columns.

    Where steps are no whole pixels cells differ, but those of a row, or of a column, as others do.
    """
    if np.count_nonzero(ground == 0) >= _ONE_KIND * ground.size:
        return False
    return all(
        np.unique(lines, axis=0).shape[0] > _ALL_DIFFER * lines.shape[0]
        for lines in (ground, ground.T)
    )


def are_cut(looks: Looks) -> bool:
    """Whether things are drawn at the sides of many cells: on tiles of which these are parts.

    Sides may differ from row to row, and from column to column.
    """
    spots = looks.spots.astype(np.int16)
    rims = np.concatenate([spots[:, :, [0, 6], 1:6], spots[:, :, 1:6, [0, 6]].swapaxes(2, 3)], 2)
    far = [np.abs(rims - np.expand_dims(median(rims, axis), axis)) for axis in (0, 1)]
    odd = np.minimum(far[0], far[1]).max(axis=(2, 3, 4)) > _DRAWN
    return bool(odd.mean() > _CUT)


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


def are_divided(ground: Ints) -> bool:
    """Whether a line of cells that are all alike lies between cells that have no kind in common.

    On both sides of empty cells a board has covered ones, or nothing else.
    """
    for lines in (ground, ground.T):
        for at in np.flatnonzero((lines == lines[:, :1]).all(axis=1)):
            kinds = [
                set(part[part >= 0].tolist()) - {lines[at, 0]} for part in (lines[:at], lines[at:])
            ]
            if all(kinds) and kinds[0].isdisjoint(kinds[1]):
                return True
    return False
