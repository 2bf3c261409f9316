"""Whether a lattice of cells can be a board of Minesweeper, by how its cells look.

Calendars, keyboards, tables and other puzzles have cells in rows and columns too. What tells a
board from them are the rules of the game: covered cells look alike, numbers lie on opened
cells alone, and an opened cell without a number has no covered neighbour.
"""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.vision.beside import Around
from bot.vision.looks import Looks
from bot.vision.medians import median
from bot.vision.patterns import (
    are_cut,
    are_divided,
    are_mixed,
    are_quartered,
    may_be_chess,
    repeats_itself,
    shades,
)
from bot.vision.tables import THROUGHOUT, are_one_colour, are_parted, is_raised, may_be_a_table

Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

_AROUND = np.ones((3, 3), np.uint8)
"""A cell and its eight neighbours."""
_FEW = 0.012
"""What fewer cells than this share have, or than 2, is an accident: the pointer lies there, a mine
was hit. Guessed."""
_MARKS = 4
"""So many things are drawn on covered cells at most: flags, question marks, crosses. Guessed."""
_FLAGS = 2
"""The same where most of them have a mark: nearly all are mines, and have a flag. Guessed."""
_ODD = 0.1
"""This share of what is drawn on opened ones may be odd: the pointer lies there. Guessed."""
_ALONE = 1
"""The same where no cell is opened: nothing is known to be marked. Guessed."""
_ONE_MARK = 0.8
"""And this share of those marks is the same. Guessed."""
_HALF = 0.5
"""The least share of covered cells that show the same. Guessed."""
_UNMARKED = 0.88
"""The same where none is opened. Guessed."""
_EMPTY = 2
"""So few empty cells tell nothing. Guessed."""
_WRONG = 0.15
"""The greatest share of empty cells next to covered ones: some may be mistaken. Guessed."""
_LONELY = 0.25
"""The greatest share of numbers next to none: the game may have ended. Guessed."""
_SHADE = 16
"""Cells of a fresh board differ by no more in their middle, in levels of 255. Guessed."""
_NEARLY = 0.8
"""Where so many cells are covered, what the others show is not asked. Guessed."""
_WHOLE = 0.95
"""The least share of a line's cells that have the same mark, if what lies around a board has it."""
_HOVERED = 0.05
"""So many of them at most do: the pointer lies there. Guessed."""
_POINTER = 3
"""The pointer covers no cells further from each other. Guessed."""
_ONE_GROUND = 0.8
"""The share of the numbers that lie on one ground, or each kind of them on its own. Guessed."""
_NEAR_COVERED = 0.92
"""The least share of them that touch a covered cell, where no empty cell tells more. Guessed."""
_NUMBERS = 14
"""So many things are drawn on opened ones: eight numbers, mines, what lies under the pointer."""

_LINES_AROUND = "its outermost lines are of what lies around it"


def sense(looks: Looks, around: Around) -> tuple[float, str]:
    """How well the cells keep to the rules, from 0 to 1, and what speaks against it."""
    total = looks.ground.size
    few = max(2, _FEW * total)
    counts = np.bincount(looks.ground[looks.ground >= 0], minlength=1)
    common = [int(number) for number in np.flatnonzero(counts >= few)]
    if are_quartered(looks):
        return 0.0, "its cells are of four squares each"
    if may_be_chess(looks, common):
        return 0.0, "it may be a chess board"
    if len(common) > 1 and (repeats_itself(looks.ground) or are_divided(looks.ground)):
        return 0.0, "its kinds of cells lie in a pattern"
    if np.count_nonzero(looks.inked) < few:
        return _fresh(looks, around)
    odd = 1 - counts[common].sum() / total
    if odd > 0.15:
        return 0.0, "its cells are of too many kinds"
    best = 0.0, "none of its cells look covered"
    for covered in common:
        if best[0] > 0.9:
            break
        found = _supposed(looks, covered, common, few, around)
        if found[0] > best[0] or not best[0]:
            best = max(best, found, key=lambda each: each[0]) if best[0] else found
    return best[0] * (1 - odd), best[1]


def _fresh(looks: Looks, around: Around) -> tuple[float, str]:
    """The same of cells of which none has a number."""
    every = np.ones(looks.ground.shape, np.bool_)
    if _are_scattered(looks.inked) and _drawings(looks.shown, 0) > _ALONE:
        return 0.0, "it has marks, but no opened cell"
    middles = looks.spots[..., 3, 3, :].astype(np.int16)
    alike = 0.0
    for shade in shades(looks, every):
        far = np.abs(middles[shade] - median(middles[shade])).max(axis=1)
        alike += float(np.count_nonzero(far <= _SHADE)) / every.size
    if alike < 1 - _HOVERED:
        return 0.0, "no cell of it has a number"
    if not looks.turned.any() and are_mixed(looks.ground):
        return 0.0, "its cells are of several kinds, but have no numbers"
    if are_cut(looks):
        return 0.0, "what is drawn there lies between its cells"
    is_plain = not looks.turned.any() and not is_raised(looks, every)
    if around.is_even and is_plain and any(are_parted(looks)):
        return 0.0, "some lines between its cells are thicker"
    objection = may_be_a_table(looks, every, around)
    return (0.0, objection) if objection else (alike, "")


def _are_scattered(inked: Bools) -> bool:
    """Whether what is drawn on cells lies further apart than what the pointer covers."""
    rows, columns = np.nonzero(inked)
    return bool(rows.size and max(np.ptp(rows), np.ptp(columns)) > _POINTER)


def _supposed(
    looks: Looks, covered: int, common: list[int], few: float, around: Around
) -> tuple[float, str]:
    """The same if cells with that ground are the covered ones."""
    hidden = looks.ground == covered
    objection = may_be_a_table(looks, hidden, around)
    if objection:
        return 0.0, objection
    if _are_marked_lines(looks, hidden):
        return 0.0, _LINES_AROUND
    opened = ~hidden & np.isin(looks.ground, common)
    plain = hidden & ~looks.inked
    marks = _drawings(looks.shown[hidden & looks.inked], few)
    alike = _share_of_commonest(looks.shown[hidden])
    # Numbers do not lie on what is covered.
    most = plain.sum() >= _HALF * hidden.sum()
    if marks > (_MARKS if most else _FLAGS) or not (
        most or _share_of_commonest(looks.shown[hidden & looks.inked]) >= _ONE_MARK
    ):
        return 0.0, "what is drawn on its cells are no flags"
    if plain.sum() >= _NEARLY * hidden.size:
        return _hardly_open(looks, plain, opened, marks)
    if not opened.any():
        return (1.0, "") if alike >= _UNMARKED else (0.0, "too many of its cells are marked")
    return _running(looks, (hidden, plain, opened), marks, few)


def _hardly_open(looks: Looks, plain: Bools, opened: Bools, marks: int) -> tuple[float, str]:
    """The same of a board that is covered but for some cells."""
    if not opened.any():
        each = _drawings(looks.shown[looks.inked], 0) if _are_scattered(looks.inked) else 0
        marks = max(marks, each)
    if not opened.any() and marks > _ALONE:
        return 0.0, "it has marks, but no opened cell"
    if _are_lines(opened & ~looks.inked):
        return 0.0, _LINES_AROUND
    return float(plain.mean()), ""


def _are_marked_lines(looks: Looks, hidden: Bools) -> bool:
    """Whether the cells of an outermost line look covered, and all have the same mark.

    No whole line of a board has flags: what goes on around it has other colours than a tile.
    """
    marked = hidden & looks.inked
    for line in (np.s_[0], np.s_[-1], np.s_[:, 0], np.s_[:, -1]):
        some = marked[line]
        if some.mean() >= _WHOLE and _share_of_commonest(looks.shown[line]) >= _WHOLE:
            return True
    return False


def _are_lines(empty: Bools) -> bool:
    """Whether empty cells lie in the outermost lines alone, and are most of those.

    Empty cells of a board open those beside them.
    """
    lines = np.stack([empty[0], empty[-1]]), np.stack([empty[:, 0], empty[:, -1]])
    return any(
        np.count_nonzero(both) == np.count_nonzero(empty) and both.mean(axis=1).max() > _HALF
        for both in lines
    )


def _running(
    looks: Looks, cells: tuple[Bools, Bools, Bools], marks: int, few: float
) -> tuple[float, str]:
    """The same of a running board, its covered cells, those without a mark, and its opened ones."""
    hidden, plain, opened = cells
    # Where all have numbers, what seems to be empty is the plainest of those.
    empty = opened & ~looks.inked & looks.even
    numbers = opened & ~empty
    if not numbers.any():
        return 0.0, "no cell of it has a number"
    flat = not is_raised(looks, plain) and are_one_colour(looks, plain, empty)
    if flat and all(are_parted(looks, THROUGHOUT)):
        return 0.0, "its cells differ by their lines alone"
    if _drawings(looks.shown[numbers], _ODD * numbers.sum() + few) > _NUMBERS:
        return 0.0, "too much is drawn on its opened cells"
    if np.count_nonzero(empty) < _EMPTY:
        return _without_openings(looks, cells, marks, few)
    wrong = float(_next_to(plain)[empty].mean())
    lonely = 1 - float(_next_to(hidden)[numbers].mean())
    if wrong > _WRONG or lonely > _LONELY:
        empties, others = (
            "empty cells lie next to covered ones",
            "numbers lie next to no covered cell",
        )
        return 0.0, empties if wrong > _WRONG else others
    return 1 - wrong - lonely / 2, ""


def _next_to(cells: Bools) -> Bools:
    """Those that are, or touch, one of the cells."""
    return np.asarray(cv2.dilate(cells.astype(np.uint8), _AROUND), np.bool_)


def _without_openings(
    looks: Looks, cells: tuple[Bools, Bools, Bools], marks: int, few: float
) -> tuple[float, str]:
    """The same of a board without an empty cell, or with few: numbers are all that tells it."""
    hidden, plain, numbers = cells
    lonely = numbers & ~_next_to(hidden)
    if lonely.any():
        # Of few empty cells it is not known how such cells look with nothing on them.
        shown = looks.shown[lonely]
        empty = numbers & (looks.shown == np.bincount(shown[shown >= 0], minlength=1).argmax())
        if empty.any() and _next_to(plain)[empty].mean() <= _WRONG:
            numbers = numbers & ~empty
    if not numbers.any():
        return 0.0, "no cell of it has a number"
    near = float(_next_to(hidden)[numbers].mean())
    kinds = _drawings(looks.shown[numbers], few)
    if 2 < kinds <= 9 and _are_of_a_kind(looks, numbers) and marks < 3 and near > _NEAR_COVERED:
        return 0.6, ""
    return 0.4, "no cell of it is empty"


def _are_of_a_kind(looks: Looks, numbers: Bools) -> bool:
    """Whether all numbers have one ground, or each its own."""
    if _share_of_commonest(looks.ground[numbers]) > _ONE_GROUND:
        return True
    known = numbers & (looks.shown >= 0) & (looks.ground >= 0)
    pairs = Counter(zip(looks.shown[known].tolist(), looks.ground[known].tolist(), strict=True))
    most: dict[int, int] = {}
    for (shown, _), count in pairs.items():
        most[shown] = max(count, most.get(shown, 0))
    return sum(most.values()) > _ONE_GROUND * int(np.count_nonzero(numbers))


def _share_of_commonest(shown: Ints) -> float:
    known = shown[shown >= 0]
    return float(np.bincount(known).max() / shown.size) if known.size else 0.0


def _drawings(shown: Ints, few: float) -> int:
    """How many different things are shown, those shown once counting too."""
    known = np.unique(shown[shown >= 0]).size
    return int(known + max(0, np.count_nonzero(shown < 0) - few))
