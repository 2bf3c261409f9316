"""Finds how a game draws its grid, in pictures of which nothing is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np

from bot.capture import Frame
from bot.errors import Clipped, GridNotFound, VisionError
from bot.profile.values import RGB, ApartLook, FramedLook, GridLook, LatticeLook, TouchingLook
from bot.vision.candidate import Lattice
from bot.vision.grid import Grid
from bot.vision.lattice import find, judged
from bot.vision.locate import locate

_GROUNDS = 6
"""So many of a picture's commonest colours are tried as the ground between tiles."""
_GROUND_SHARE = 0.005
"""The least share of the picture that the ground has: tiles with gaps of a pixel leave 5 %."""
_TOLERANCE = 8
"""How far the ground may lie from its colour, in levels of 255."""
_BEVEL = 0.1
"""Width of a raised tile's bevel, in tiles; only profiles that tell cells by inks need it."""
_SMALLEST = 12
"""In pixels; smaller tiles are not looked for."""
_SMALLEST_FRAMED = 8
"""A frame in two colours is certain enough for smaller ones."""
_GAPS = (0, 1, 2)
"""Widths in pixels of the line between touching tiles."""
_AROUND = 3
"""So many pixels outside the tiles the ground is looked for again."""
_RING = 0.9
"""The least share of ground there."""
_SAME_SPAN = 0.75
"""By so many pixels at most two grids differ from their first line to their last that have the same
steps. Guessed: one is rounded."""
_LEAST = 4
"""The least columns and rows of a board of which nothing is known."""


def fitting(pictures: Sequence[tuple[Frame, tuple[int, int]]]) -> GridLook:
    """The look of the grid that is found in all pictures, each with its columns and rows.

    Raises GridNotFound when no look finds them all.
    """
    for look in (*candidates(pictures[0][0]), LatticeLook()):
        grids = ((_found(frame, look), size) for frame, size in pictures)
        if all(grid is not None and (grid.width, grid.height) == size for grid, size in grids):
            return look
    width, height = pictures[0][1]
    raise GridNotFound(
        f"no grid of {width}x{height} tiles is found in every picture, neither of tiles that "
        "stand apart nor of tiles that touch: is each picture the whole window, and its text "
        "the board in it?"
    )


def discover(frame: Frame) -> tuple[GridLook, Grid]:
    """The look of the grid with the most tiles in a picture, and that grid.

    Where the tiles are drawn in a way that has a finder of its own, which sees more of what may
    be wrong, it is that one's. Raises GridNotFound, Clipped.
    """
    known = _known(frame)
    try:
        lattice = find(frame)
    except Clipped:
        # The other finders would take what is seen of it for the whole.
        raise
    except GridNotFound:
        # A calendar has rows and columns as well.
        if known is None or not judged(frame, known[1]).is_sure:
            raise
        return known
    grid = lattice.grid()
    if known is not None and agree(known[1], grid) and _has_steps_of(known[1], lattice):
        return known
    return LatticeLook(), grid


def _has_steps_of(grid: Grid, lattice: Lattice) -> bool:
    """Whether the grid's lines are as far apart: some finders know steps of whole pixels alone."""
    for lines, at in ((grid.columns, lattice.cells.x), (grid.rows, lattice.cells.y)):
        is_even = len(set(np.diff(lines).tolist())) == 1
        if is_even and abs(lines[-1] - lines[0] - (at[-1] - at[0])) > _SAME_SPAN:
            return False
    return True


def found_elsewhere(frame: Frame, grid: Grid) -> Grid | None:
    """Where a board as large as before has gone; None where it is still there, or unseen."""
    try:
        _, found = discover(frame)
    except VisionError:
        return None
    began, now = grid.centre(0, 0), found.centre(0, 0)
    there = grid.moved(now.x - began.x, now.y - began.y)
    # Two finders may see one board a pixel from each other.
    return there if agree(there, found) and not agree(grid, found) else None


def _known(frame: Frame) -> tuple[GridLook, Grid] | None:
    """The grid with the most tiles of those drawn in a way that has a finder of its own."""
    best: tuple[GridLook, Grid] | None = None
    for look in candidates(frame):
        # Lines between touching tiles are looked for where nothing else fits.
        if (
            best is not None
            and isinstance(look, TouchingLook)
            and (look.gap or _is_surrounded(frame, *best))
        ):
            break
        grid = _found(frame, look)
        if grid is None or min(grid.width, grid.height) < _LEAST:
            continue
        if best is None or _is_better(grid, best[1]):
            best = look, grid
    return best


def agree(grid: Grid, lattice: Grid) -> bool:
    """Whether the two are one, but for the gaps between tiles that one of them may leave out."""
    if (grid.width, grid.height) != (lattice.width, lattice.height):
        return False
    corners = ((0, 0), (grid.width - 1, grid.height - 1))
    middles = [(grid.centre(x, y), lattice.centre(x, y)) for x, y in corners]
    slack = max(2, lattice.tile // 8)
    return all(max(abs(one.x - two.x), abs(one.y - two.y)) <= slack for one, two in middles)


def _is_better(grid: Grid, than: Grid) -> bool:
    """Whether it has more tiles, or larger ones: what lies within raised tiles is smaller.

    By a pixel they may be larger because a wrong ground leaves an edge to them.
    """
    tiles, others = grid.width * grid.height, than.width * than.height
    return tiles > others or (tiles == others and grid.tile > than.tile + 1)


def _is_surrounded(frame: Frame, look: GridLook, grid: Grid) -> bool:
    """Whether the ground between tiles goes on around the board; a raised tile's line does not."""
    if not isinstance(look, ApartLook):
        return False
    left, top, width, height = grid.bounds
    lines = (
        frame.pixels[max(0, top - _AROUND), left : left + width],
        frame.pixels[min(frame.height - 1, top + height + _AROUND), left : left + width],
        frame.pixels[top : top + height, max(0, left - _AROUND)],
        frame.pixels[top : top + height, min(frame.width - 1, left + width + _AROUND)],
    )
    ring = np.concatenate(lines)[:, 2::-1].astype(np.int16)
    near = (np.abs(ring - np.array(look.grounds[0])) <= look.tolerance).all(axis=1)
    return bool(near.mean() >= _RING)


def candidates(frame: Frame) -> Iterator[GridLook]:
    """The ways of drawing a grid that have a finder of their own and may be the picture's."""
    for ground in _commonest(frame):
        yield ApartLook((ground,), _TOLERANCE, _SMALLEST)
    for dark, light in permutations(_commonest(frame), 2):
        if sum(dark) < sum(light):
            yield FramedLook(dark, light, _TOLERANCE, _BEVEL, _SMALLEST_FRAMED)
    for gap in _GAPS:
        yield TouchingLook(gap, _SMALLEST)


def _commonest(frame: Frame) -> Iterator[RGB]:
    """The colours that cover much of the picture, the commonest first."""
    blue, green, red = (frame.pixels[..., channel].astype(np.uint32) for channel in range(3))
    values, counts = np.unique(red << 16 | green << 8 | blue, return_counts=True)
    shares = Counter(dict(zip(values.tolist(), counts.tolist(), strict=True)))
    for value, count in shares.most_common(_GROUNDS):
        if count >= _GROUND_SHARE * blue.size:
            yield value >> 16, value >> 8 & 255, value & 255


def _found(frame: Frame, look: GridLook) -> Grid | None:
    """The grid of that look, unless there is none or its tiles are made of ground.

    What lies around flat tiles has holes in the places of tiles.
    """
    try:
        grid = locate(frame, look)
    except GridNotFound:
        return None
    if isinstance(look, ApartLook) and 2 * _hollow(frame, grid, look) > grid.width * grid.height:
        return None
    return grid


def _hollow(frame: Frame, grid: Grid, look: ApartLook) -> int:
    """How many tiles show the ground near their upper left corner, where no glyph reaches."""
    inset = max(2, grid.tile // 8)
    rows, columns = (np.array(lines) + inset for lines in (grid.rows, grid.columns))
    shown = frame.pixels[np.ix_(rows, columns)][..., 2::-1].astype(np.int16)
    near = (np.abs(shown - np.array(look.grounds[0])) <= look.tolerance).all(axis=2)
    return int(near.sum())
