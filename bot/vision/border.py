"""Compares the outermost tiles of a board with inner ones, and with what lies beyond them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

__all__ = ["Border", "border", "goes_on"]

Pixels = NDArray[np.uint8]
Floats = NDArray[np.floating]

_ALIKE = 5.0
"""So many levels the outermost tiles may differ from inner ones: gradients show through, 3.4."""
_OTHER = 8.0
"""So many levels what lies beyond must differ from tiles: in the darkest theme it is 9."""
_LINE_LEVELS = 4.0
"""So many levels a line's colour may change across it: a plain window's does not."""
_CORNER_TILES = 2
"""How much of a line shows its colour, in tiles from the corner: what lies behind it differs."""
_UNEVEN_TILES = 0.15
"""By how much the lines of a frame may differ in thickness, in tiles, or by 2 pixels: those of
the most uneven one have 1, 1, 3 and 2 pixels around tiles of 26."""
_SAME = 2.0
"""So many levels tiles that a tear has moved along may differ from others."""
_AWAY = 64
"""So many pixels away, at most, the rest of a torn board is looked for."""
_PLAIN = 5.0
"""What differs by fewer levels within a tile's length shows no tiles."""
_RIM_TILES = 0.12
"""How much of an outermost tile is compared with inner ones, in tiles."""
_BEYOND_TILES = 0.3
"""How much of what lies beyond it is compared with what a next tile would show, in tiles."""


@dataclass(frozen=True, slots=True)
class Border:
    """How the two outermost columns compare with inner ones, in levels of 255."""

    within: float
    """How unlike their outer parts are: of a grid off by a pixel they hold a line of the frame."""
    first: Floats
    """The colour of the line before the first column, near the first row."""
    last: Floats
    """The colour of the line behind the last column, near the last row."""
    thickness: tuple[int, int]
    """How many pixels wide these two lines are, half a tile at most."""

    def is_like(self, other: Border, levels: float) -> bool:
        """Whether the lines are drawn alike: a window over one side of a board has another edge."""
        first, last = np.abs(self.first - other.first), np.abs(self.last - other.last)
        return bool(max(first.max(), last.max()) <= levels)

    def is_as_thick(self, other: Border, tile: int) -> bool:
        """Whether all four lines are as thick: a plain window over a board goes on and on."""
        thickness = (*self.thickness, *other.thickness)
        return max(thickness) - min(thickness) <= max(2, _UNEVEN_TILES * tile)


def border(
    pixels: Pixels, corner: tuple[int, int], shape: tuple[int, int], step: int, gap: int
) -> Border | None:
    """The border of a board at its left and at its right end; None if no board ends there.

    The comparisons come in the order of their cost: most places fail the first.
    """
    strips = _Strips(pixels, corner, shape, step, gap)
    tile, wide, left = step - gap, shape[0], corner[0]
    narrow, broad = strips.narrow, strips.broad
    before, behind = left - gap - 1, left + wide * step
    top, bottom = corner[1], strips.bottom
    # A board that the picture's edge cuts off goes on where nothing is seen.
    ahead, after = left - gap, pixels.shape[1] - behind
    if min(ahead, after) < narrow or top < 0 or bottom > pixels.shape[0]:
        return None

    def unlike(x: int, inner: int, width: int) -> float:
        """How unlike the column of strips at `x` is to those from `inner` on, a tile apart."""
        return _farness(strips.cut(x, 1, width), strips.cut(inner, wide - 1, width))

    last = left + (wide - 1) * step
    inwards, outwards = left + step, left + tile
    within = max(
        unlike(left, inwards, narrow), unlike(last + tile - narrow, outwards - narrow, narrow)
    )
    if within > _ALIKE:
        return None
    # A tile that is covered but for its first pixels is a tile begun, not a frame.
    for width in sorted({narrow, (narrow + broad) // 2, broad}):
        fore, aft = min(width, ahead), min(width, after)
        if unlike(left - gap - fore, outwards - fore, fore) < _OTHER:
            return None
        if unlike(behind, inwards, aft) < _OTHER:
            return None
    whole = strips.cut(inwards, wide - 2, tile)
    within = max(within, *(_farness(strips.cut(x, 1, tile), whole) for x in (left, last)))
    if within > _ALIKE:
        return None
    lines, most = pixels[top:bottom], max(3, tile // 2)
    thickness = (
        _thickness(lines[:, max(0, before + 1 - most) : before + 1][:, ::-1]),
        _thickness(lines[:, behind : behind + most]),
    )
    near = _CORNER_TILES * step
    first, end = (np.median(line, axis=0) for line in (lines[:near, before], lines[-near:, behind]))
    return Border(within, first, end, thickness)


def goes_on(
    pixels: Pixels, corner: tuple[int, int], shape: tuple[int, int], step: int, gap: int
) -> bool:
    """Whether tiles lie beyond the left or right end, moved along or away by a tear."""
    strips = _Strips(pixels, corner, shape, step, gap)
    tile, left, behind = step - gap, corner[0], corner[0] + shape[0] * step
    half, last = tile // 2, left + tile - tile // 2
    width = max(3, strips.broad - strips.narrow)  # the tear may lie a little off the border
    ahead, after = left - gap - strips.narrow - width, behind + strips.narrow
    along, away = range(1, step), range(-half, _AWAY)
    return (
        _repeats(strips, ahead + step, width, [(ahead, by) for by in along])
        or _repeats(strips, after - (shape[0] - 1) * step, width, [(after, by) for by in along])
        # Of a tile that lies further off the far half shows, whatever covers the rest.
        or _repeats(strips, left, half, [(left - step - by, 0) for by in away])
        or _repeats(strips, last, half, [(behind + by + tile - half, 0) for by in away])
    )


def _repeats(strips: _Strips, inner: int, width: int, places: Iterable[tuple[int, int]]) -> bool:
    """Whether strips at one of the places, moved along by so much, are those from `inner` on."""
    others = strips.cut(inner, strips.shape[0] - 1, width)
    lean = _averages(others, width)
    for x, along in places:
        if x < 0 or x + width > strips.pixels.shape[1]:
            continue
        some = strips.cut(x, 1, width, along)
        # Averages are never further apart, and soon compared.
        if (
            _farness(_averages(some, width), lean) < _SAME
            and np.median(some.std(axis=1)) >= _PLAIN
            and _farness(some, others) < _SAME
        ):
            return True
    return False


@dataclass(frozen=True, slots=True)
class _Strips:
    """Cuts upright strips out of a board's tiles, and out of what lies beside them."""

    pixels: Pixels
    corner: tuple[int, int]
    shape: tuple[int, int]
    step: int
    gap: int

    @property
    def narrow(self) -> int:
        """Pixels of a tile's rim."""
        return max(2, round(_RIM_TILES * (self.step - self.gap)))

    @property
    def broad(self) -> int:
        """Pixels by which one looks beyond."""
        return max(3, round(_BEYOND_TILES * (self.step - self.gap)))

    @property
    def bottom(self) -> int:
        """The pixel after the last row of tiles."""
        return self.corner[1] + self.shape[1] * self.step - self.gap

    def cut(self, first: int, columns: int, width: int, along: int = 0) -> Floats:
        """Strips a tile high, shape (strips, pixels): each column's, from the pixel `first` on.

        Moved down by so many pixels there is one fewer in a column.
        """
        rows, end = self.shape[1] - bool(along), first + (columns - 1) * self.step + width
        inside = self.pixels[self.corner[1] + along : self.bottom, first:end]
        down, across, channel = inside.strides
        cut = as_strided(
            inside,
            (columns, rows, self.step - self.gap, width, 3),
            (self.step * across, self.step * down, down, across, channel),
            writeable=False,
        )
        return cut.astype(np.float32, order="C").reshape(columns * rows, -1)


def _averages(strips: Floats, width: int) -> Floats:
    """Each strip's average lightness across, shape (strips, pixels along)."""
    averages: Floats = strips.reshape(len(strips), -1, 3 * width).mean(axis=2)
    return averages


def _thickness(columns: Pixels) -> int:
    """How many columns have the colour that most of the first one has."""
    colours = np.median(columns, axis=0)
    differs = np.abs(colours - colours[0]).max(axis=1) > _LINE_LEVELS
    return int(differs.argmax()) if differs.any() else len(colours)


def _farness(some: Floats, others: Floats) -> float:
    """How far half of some strips, or just over, lie from the nearest of others, in levels.

    The other half of a row of tiles may hold numbers that no other row has.
    """
    one, other = (np.einsum("ij,ij->i", each, each) for each in (some, others))
    squares = one[:, None] + other - 2 * some @ others.T
    nearest = np.sqrt(np.maximum(squares.min(axis=1), 0) / some.shape[1])
    middle = (len(nearest) - 1) // 2
    return float(np.partition(nearest, middle)[middle])
