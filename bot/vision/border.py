"""Compares the outermost tiles of a board with inner ones, and with what lies beyond them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

__all__ = ["Border", "border"]

Pixels = NDArray[np.uint8]
Floats = NDArray[np.floating]

_ALIKE = 5.0
"""So many levels the outermost tiles may differ from inner ones: gradients show through, 3.4."""
_OTHER = 10.0
"""So many levels what lies beyond must differ from tiles: in the darkest theme it is 16."""
_LINE_LEVELS = 16.0
"""So many levels a line's colour may change across it."""
_UNEVEN_TILES = 0.15
"""By how much the lines of a frame may differ in thickness, in tiles, or by 2 pixels: those of
the most uneven one have 1, 1, 3 and 2 pixels around tiles of 26."""
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
    """The colour of most of the line before the first column."""
    last: Floats
    """The colour of most of the line behind the last column."""
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
    tile, (wide, high), (left, top) = step - gap, shape, corner
    narrow, broad = max(2, round(_RIM_TILES * tile)), max(3, round(_BEYOND_TILES * tile))
    before, behind = left - gap - 1, left + wide * step
    bottom = top + high * step - gap
    # A board that the picture's edge cuts off goes on where nothing is seen.
    ahead, after = left - gap, pixels.shape[1] - behind
    if min(ahead, after) < narrow or top < 0 or bottom > pixels.shape[0]:
        return None

    def strips(first: int, columns: int, width: int) -> Floats:
        """Upright strips of tiles, shape (tiles, pixels)."""
        end = first + (columns - 1) * step + width
        inside = pixels[top:bottom, first:end]
        down, across, channel = inside.strides
        cut = as_strided(
            inside,
            (columns, high, tile, width, 3),
            (step * across, step * down, down, across, channel),
            writeable=False,
        )
        return cut.astype(np.float32, order="C").reshape(columns * high, -1)

    def unlike(x: int, inner: int, width: int) -> float:
        """How unlike the column of strips at `x` is to those from `inner` on, a tile apart."""
        return _farness(strips(x, 1, width), strips(inner, wide - 1, width))

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
    whole = strips(inwards, wide - 2, tile)
    within = max(within, *(_farness(strips(x, 1, tile), whole) for x in (left, last)))
    if within > _ALIKE:
        return None
    lines, most = pixels[top:bottom], max(3, tile // 2)
    first, thick = _line(lines[:, max(0, before + 1 - most) : before + 1][:, ::-1])
    end, broad = _line(lines[:, behind : behind + most])
    return Border(within, first, end, (thick, broad))


def _line(columns: Pixels) -> tuple[Floats, int]:
    """The colour of most of the first column, and how many columns have it."""
    colours = np.median(columns, axis=0)
    differs = np.abs(colours - colours[0]).max(axis=1) > _LINE_LEVELS
    return colours[0], int(differs.argmax()) if differs.any() else len(colours)


def _farness(some: Floats, others: Floats) -> float:
    """How far half of some strips, or just over, lie from the nearest of others, in levels.

    The other half of a row of tiles may hold numbers that no other row has.
    """
    one, other = (np.einsum("ij,ij->i", each, each) for each in (some, others))
    squares = one[:, None] + other - 2 * some @ others.T
    nearest = np.sqrt(np.maximum(squares.min(axis=1), 0) / some.shape[1])
    return float(np.quantile(nearest, 0.5, method="lower"))
