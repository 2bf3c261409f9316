"""What speaks for cells being a table's, or a puzzle's of lines, or no cells at all.

Those are flat, on the page's ground, and some of the lines between them may be thicker.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from bot.vision.beside import Around
from bot.vision.looks import Looks
from bot.vision.medians import median
from bot.vision.patches import Bools
from bot.vision.patterns import shades

Levels = NDArray[np.int16]

_BEVEL = 4
"""Least difference of a raised tile's corners from its middle, in levels of 255. Guessed."""
_GAP = 3
"""Pixels between flat pieces that are no table's lines. Guessed."""
_GAP_MOST = 0.3
"""Nor is there more between tiles, in steps. Guessed."""
_LONG = 3
"""No fresh board is so many times as wide as high, or as high as wide. Guessed."""
_SAME_GROUND = 8
"""What differs by less is one colour, in levels of 255. Guessed."""
_BARE = 4
"""Cells whose sides differ by no more levels of 255 from their middle have none. Guessed."""
_FEW_BARE = 0.25
"""The greatest share of such cells: those at the end of a plain area may have its. Guessed."""
_PARTS = 0.34
"""The greatest share of a puzzle's lines that are thicker than others. Guessed."""
THROUGHOUT = 0.85
"""The least share of the cells at such a line that show it. Guessed."""


def may_be_a_table(looks: Looks, covered: Bools, around: Around) -> str:
    """What speaks for covered cells being a table's, which are not raised; nothing if none does."""
    # Nor do a table's colours take turns both ways.
    if is_raised(looks, covered) or looks.turned.any():
        return ""
    if around.is_oblong:
        return "its cells are oblong, and not raised"
    if _is_ground(looks, covered, around):
        return "its cells are of the ground around them"
    if covered.all() and _are_bare(looks):
        return "nothing lies between its cells"
    if covered.all() and max(covered.shape) > _LONG * min(covered.shape):
        return "it is as long as a table"
    return ""


def _are_bare(looks: Looks) -> bool:
    """Whether cells have no sides, as a plain area that some lines divide."""
    middles = looks.spots[:, :, 3:4, 3]
    # Of most boards the middles of four sides tell it, which takes less time than all samples.
    for some in (looks.spots[:, :, [3, 3, 0, 6], [0, 6, 3, 3]], looks.spots):
        far = np.abs(some.reshape(*looks.ground.shape, -1, 3).astype(np.int16) - middles)
        if (far.max(axis=(2, 3)) <= _BARE).mean() <= _FEW_BARE:
            return False
    return True


def is_raised(looks: Looks, hidden: Bools) -> bool:
    """Whether the cells are lighter above on the left than below on the right, or darker."""
    if not hidden.any():
        return False
    spots = median(looks.spots[hidden])
    for begin, end in ((0, 6), (1, 5)):
        sides = (spots[3, begin], spots[3, end]), (spots[begin, 3], spots[end, 3])
        if all(_are_opposed(one - spots[3, 3], other - spots[3, 3]) for one, other in sides):
            return True
    return False


def _are_opposed(one: Levels, other: Levels) -> bool:
    """Whether the one is lighter and the other is darker, or the other way."""
    apart = (np.sign(one) != np.sign(other)) & (np.minimum(abs(one), abs(other)) >= _BEVEL)
    return bool(apart.any())


def are_parted(looks: Looks, along: float = 0.5) -> Iterator[bool]:
    """Whether, between columns and between rows, several lines, but few, are drawn otherwise than
    the rest, at that share of the cells along them at least.

    Of a board only those at its border are: of a running one most cells at a line may be covered
    as they are opened at others, but not all from one end to the other.
    """
    for spots in (looks.spots, looks.spots.transpose(1, 0, 3, 2, 4)):
        middles = spots[:, :, 3].astype(np.int16)
        between = np.concatenate([middles[:, 1:-2, 5:], middles[:, 2:-1, :2]], axis=2)
        usual = median(median(between))
        far = np.abs(between - usual).max(axis=(2, 3), initial=0) > _SAME_GROUND
        parted = np.count_nonzero(far.mean(axis=0) >= along)
        yield bool(2 <= parted <= _PARTS * far.shape[1])


def are_one_colour(looks: Looks, plain: Bools, empty: Bools) -> bool:
    """Whether covered cells have the colour of empty ones, as in a table all have."""
    if not plain.any() or not empty.any():
        return False
    middles = looks.spots[:, :, 3, 3].astype(np.int16)
    away = median(middles[plain]) - median(middles[empty])
    return bool(np.abs(away).max() <= _BEVEL // 2)


def _is_ground(looks: Looks, hidden: Bools, around: Around) -> bool:
    """Whether the cells' colour goes on beside the lattice, as that of a table does."""
    if around.gap >= _GAP and around.gap_steps <= _GAP_MOST:
        return False
    for shade in shades(looks, hidden):
        spots = median(looks.spots[shade])
        if any(
            bool(np.abs(part - side).max() < _SAME_GROUND)
            for part in (spots[3:4, 3:4], spots[2:5:2, 2:5:2])
            for side in around.sides
        ):
            return True
    return False
