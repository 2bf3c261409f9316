"""What lies beside a lattice, where the picture goes on, and between its cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.vision.cells import Cells
from bot.vision.looks import Looks
from bot.vision.medians import median
from bot.vision.patches import Bools
from bot.vision.pieces import Pixels
from bot.vision.span import Span

_BESIDE = (0.35, 0.6, 0.85)
"""So far outside the cells is looked for their colour, in steps. Guessed."""
_SAMPLES = 64
"""So many pixels tell between which colours a line changes."""
_EVENLY = 4
"""From one of them to the next no more levels of 255 change where it does so evenly. Guessed."""
_ONE_COLOUR = 16
"""Levels of 255 by which the pixels of a line that is of one colour differ. Guessed."""
_GROUND = 5
"""What differs by less is the same ground between tiles, in levels of 255. Guessed."""
_MOST = 0.8
"""The least share of tiles around which it is of one colour, and of a line's cells that differ
from the board's, if they are none of it. Guessed."""
_CELLS = 3
"""So many cells of a kind tell how they look. Guessed."""
_USUAL = 90
"""So many of 100 of them tell how far they differ from each other."""
_FAR = 5
"""Levels of 255 by which another cell differs from them at least. Guessed."""
_LEVEL = 0.02
"""Where the faces of more cells have its colour, too, those may be opened ones. Guessed."""


@dataclass(frozen=True, slots=True)
class Around:
    """What lies beside a lattice and between its cells."""

    sides: Sequence[NDArray[np.float64]]
    """The colours beside its sides where the picture goes on, blue-green-red."""
    gap: float
    """Between the flat pieces of its cells, in pixels."""
    gap_steps: float
    """The same in steps."""
    is_even: bool
    """Whether all cells have as many pixels."""
    is_oblong: bool
    """Whether they are not about as wide as high."""


def beside(pixels: Pixels, cells: Cells) -> list[np.ndarray]:
    """The colours beside each side of the cells, where the picture goes on."""
    height, width = pixels.shape[:2]
    left, right = cells.x[0] - cells.step[0] / 2, cells.x[-1] + cells.step[0] / 2
    top, bottom = cells.y[0] - cells.step[1] / 2, cells.y[-1] + cells.step[1] / 2
    sides: tuple[list[Pixels], ...] = ([], [], [], [])
    # What is left of a picture there may be a part of tiles, unless it is of one colour.
    (wide, high), least = cells.step, _BESIDE[1]
    room = left / wide, (width - right) / wide, top / high, (height - bottom) / high
    is_cut = [each < least for each in room]
    for far in _BESIDE:
        x0, x1 = int(left - far * cells.step[0]), int(right + far * cells.step[0])
        y0, y1 = int(top - far * cells.step[1]), int(bottom + far * cells.step[1])
        across, down = slice(max(0, x0), x1), slice(max(0, y0), y1)
        for number, is_seen, line in (
            (0, x0 >= 0, pixels[down, x0 : x0 + 1]),
            (1, x1 < width, pixels[down, x1 : x1 + 1]),
            (2, y0 >= 0, pixels[y0 : y0 + 1, across]),
            (3, y1 < height, pixels[y1 : y1 + 1, across]),
        ):
            if not is_seen or not line.size:
                continue
            if is_cut[number] and np.ptp(line, axis=(0, 1)).max() > _ONE_COLOUR:
                continue
            sides[number].append(line.reshape(-1, 3))
    medians = [median(np.concatenate(side)) for side in sides if side]
    return [*medians, *(end for side in sides if side for end in _ends_of(side[0]))]


def _ends_of(line: Pixels) -> Iterator[np.ndarray]:
    """The colours between which a line changes evenly; none where it does not."""
    some = line[:: max(1, len(line) // _SAMPLES)].astype(np.int16)
    if len(some) > 1 and np.abs(np.diff(some, axis=0)).max() <= _EVENLY:
        yield from (some[0], some[-1])


def between(looks: Looks, span: Span) -> Bools:
    """Which cells are plain ground where all of the span's are tiles of another colour on it."""
    spots = looks.spots.astype(np.int16)
    own = spots[span.cells]
    faces = median(own[:, :, 2:5:2, 2:5:2].reshape(*own.shape[:2], 4, 3), axis=2)
    corners = own[:, :, [0, 0, 6, 6], [0, 6, 0, 6]]
    rims = median(corners, axis=2)
    apart = np.ptp(corners, axis=2).max(axis=2) <= _GROUND
    level = np.abs(faces - rims).max(axis=2) <= _GROUND
    if apart.mean() < _MOST or level.mean() >= _LEVEL:
        return np.zeros(spots.shape[:2], np.bool_)
    far = np.abs(spots[:, :, 2:5, 2:5] - median(rims.reshape(-1, 3)))
    return np.asarray(far.max(axis=(2, 3, 4)) <= _GROUND)


def is_another(looks: Looks, span: Span, side: int) -> bool:
    """Whether most cells of the next line differ from the span's of their kinds: in the middle,
    where nothing is drawn, or all at one of the sides with which they touch each other."""
    beyond = span.line(side, 1)
    own, kinds = looks.ground[span.cells], looks.ground[beyond].ravel()
    plain, empty = ~looks.inked[span.cells], ~looks.inked[beyond].ravel()
    known = int(np.count_nonzero(kinds >= 0))
    for row, column in ((3, 3), (3, 0), (3, 6)) if side > 1 else ((3, 3), (0, 3), (6, 3)):
        is_middle = row == column
        spots = looks.spots[:, :, row, column].astype(np.int16)
        inside, outside = spots[span.cells], spots[beyond].reshape(-1, 3)
        off = 0
        for kind in np.unique(kinds[kinds >= 0]):
            some = inside[(own == kind) & plain if is_middle else own == kind]
            if len(some) < _CELLS:
                continue
            usual = median(some)
            varies = float(np.percentile(np.abs(some - usual).max(axis=1), _USUAL))
            far = np.abs(outside - usual).max(axis=1) > max(_FAR, 2 * varies)
            off += int(np.count_nonzero(far & (kinds == kind) & (empty | (not is_middle))))
        if off >= _MOST * known:
            return True
    return False
