"""Compares the outermost tiles of a board with inner ones, and with what lies beyond them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

__all__ = ["Border", "View", "border", "goes_on"]

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
_FEW = 4
"""So many columns of tiles are a few."""
_ROUNDING = 0.1
"""By so many levels the distance of averages may be off."""


@dataclass(frozen=True, slots=True)
class View:
    """A picture, as it is or with its axes exchanged."""

    pixels: Pixels
    sums: NDArray[np.int32]
    """The lightness of each row, three channels together, up to before each pixel."""

    @classmethod
    def of(cls, pixels: Pixels) -> Self:
        """The view of these pixels, shape (rows, columns, 3)."""
        height, width = pixels.shape[:2]
        sums = np.zeros((height, width + 1), np.int32)
        np.cumsum(pixels.sum(axis=2, dtype=np.int32), axis=1, out=sums[:, 1:])
        return cls(pixels, sums)


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
    view: View, corner: tuple[int, int], shape: tuple[int, int], step: int, gap: int
) -> Border | None:
    """The border of a board at its left and at its right end; None if no board ends there.

    The comparisons come in the order of their cost: most places fail the first.
    """
    strips, pixels = _Strips(view, corner, shape, step, gap), view.pixels
    tile, wide, left = step - gap, shape[0], corner[0]
    narrow, broad = strips.narrow, strips.broad
    before, behind = left - gap - 1, left + wide * step
    top, bottom = corner[1], strips.bottom
    # A board that the picture's edge cuts off goes on where nothing is seen.
    ahead, after = left - gap, pixels.shape[1] - behind
    if min(ahead, after) < narrow or top < 0 or bottom > pixels.shape[0]:
        return None

    last = left + (wide - 1) * step
    inwards, outwards = left + step, left + tile
    rims = [(left, inwards, narrow), (last + tile - narrow, outwards - narrow, narrow)]
    beyond = []
    # A tile that is covered but for its first pixels is a tile begun, not a frame.
    for width in sorted({narrow, (narrow + broad) // 2, broad}):
        fore, aft = min(width, ahead), min(width, after)
        beyond += [(left - gap - fore, outwards - fore, fore), (behind, inwards, aft)]
    if any(strips.least(*rim) > _ALIKE + _ROUNDING for rim in rims):
        return None
    # Where a few of the inner tiles are like enough, or all far too unlike, the others
    # need not be looked at.
    if any(strips.unlike(*outer, _FEW) < _OTHER for outer in beyond):
        return None
    within = max(strips.unlike(*rim) for rim in rims)
    if within > _ALIKE or any(
        strips.least(*outer) < _OTHER + _ROUNDING and strips.unlike(*outer) < _OTHER
        for outer in beyond
    ):
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
    view: View, corner: tuple[int, int], shape: tuple[int, int], step: int, gap: int
) -> bool:
    """Whether tiles lie beyond the left or right end, moved along or away by a tear."""
    strips = _Strips(view, corner, shape, step, gap)
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


def _repeats(strips: _Strips, inner: int, width: int, places: Sequence[tuple[int, int]]) -> bool:
    """Whether strips at one of the places, moved along by so much, are those from `inner` on."""
    columns = strips.shape[0] - 1
    for x, along in strips.uneven(width, places):
        # Averages are never further apart, and soon compared.
        if (
            strips.least(x, inner, width, along) < _SAME + _ROUNDING
            and _farness(strips.cut(x, 1, width, along), strips.cut(inner, columns, width)) < _SAME
        ):
            return True
    return False


@dataclass(frozen=True, slots=True)
class _Strips:
    """Cuts upright strips out of a board's tiles, and out of what lies beside them."""

    view: View
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
        inside = self.view.pixels[self.corner[1] + along : self.bottom, first:end]
        down, across, channel = inside.strides
        cut = as_strided(
            inside,
            (columns, rows, self.step - self.gap, width, 3),
            (self.step * across, self.step * down, down, across, channel),
            writeable=False,
        )
        return cut.astype(np.float32, order="C").reshape(columns * rows, -1)

    def averages(self, first: int, columns: int, width: int, along: int = 0) -> Floats:
        """Each of these strips' average lightness across, shape (strips, pixels along)."""
        rows, until = self.shape[1] - bool(along), first + (columns - 1) * self.step + 1
        sums = self.view.sums[self.corner[1] + along : self.bottom]
        # Shape (pixels along, columns).
        lines = (
            sums[:, first + width : until + width : self.step] - sums[:, first : until : self.step]
        )
        down, across = lines.strides
        cut = as_strided(
            lines,
            (columns, rows, self.step - self.gap),
            (across, self.step * down, down),
            writeable=False,
        )
        return cut.astype(np.float32, order="C").reshape(columns * rows, -1) / (3 * width)

    def unlike(self, x: int, inner: int, width: int, most: int | None = None) -> float:
        """How unlike the column of strips at `x` is to those from `inner` on, a tile apart.

        With `most` it is compared with so many columns of those, and is no less unlike them
        than all.
        """
        columns = self.shape[0] - 1
        others = self.cut(inner, columns if most is None else min(most, columns), width)
        return _farness(self.cut(x, 1, width), others)

    def least(self, x: int, inner: int, width: int, along: int = 0) -> float:
        """How unlike at least the column of strips at `x` is to those from `inner` on."""
        others = self.averages(inner, self.shape[0] - 1, width)
        return _farness(self.averages(x, 1, width, along), others)

    def uneven(self, width: int, places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """The places, all moved along or none, at which most strips are not plain."""
        inside = [place for place in places if 0 <= place[0] <= self.view.pixels.shape[1] - width]
        if not inside:
            return []
        first, alongs = np.array(inside).T
        rows = np.arange(self.shape[1] - bool(alongs[0])) * self.step
        start, top, tile = first.min(), self.corner[1], self.step - self.gap
        region = np.ascontiguousarray(
            self.view.pixels[top : self.bottom, start : first.max() + width]
        )
        left, upper = (first - start)[:, None], alongs[:, None] + rows
        count = tile * width * 3

        def within(integral: NDArray[np.float64]) -> NDArray[np.float64]:
            """The mean over each strip, shape (places, rows)."""
            whole, lower, right = integral.sum(axis=2), upper + tile, left + width
            return (
                np.asarray(
                    whole[lower, right]
                    - whole[upper, right]
                    - whole[lower, left]
                    + whole[upper, left]
                )
                / count
            )

        sums, squares = cv2.integral2(region, sdepth=cv2.CV_64F, sqdepth=cv2.CV_64F)
        spread = within(np.asarray(squares)) - within(np.asarray(sums)) ** 2
        shown = np.median(spread, axis=1) >= _PLAIN**2
        return [place for place, is_uneven in zip(inside, shown, strict=True) if is_uneven]


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
