"""Compares the outermost tiles of a board with inner ones, and with what lies beyond them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

__all__ = ["ALIKE", "Border", "border"]

Pixels = NDArray[np.uint8]
Floats = NDArray[np.floating]

_NOWHERE = np.full(3, np.nan)

ALIKE = 5.0
"""So many levels the outermost tiles may differ from inner ones: gradients show through, 3.4."""
_RIM_TILES = 0.12
"""How much of an outermost tile is compared with inner ones, in tiles."""
_BEYOND_TILES = 0.3
"""How much of what lies beyond it is compared with what a next tile would show, in tiles."""


@dataclass(frozen=True, slots=True)
class Border:
    """How the two outermost columns compare with inner ones, in levels of 255."""

    within: float
    """How unlike their outer parts are: of a grid off by a pixel they hold a line of the frame."""
    beyond: float
    """How unlike a next tile is what lies beyond them: little where the board goes on."""
    first: Floats
    """The colour of most of the line before the first column."""
    last: Floats
    """The colour of most of the line behind the last column."""

    def is_like(self, other: Border, levels: float) -> bool:
        """Whether the lines are drawn alike: a window over one side of a board has another edge."""
        first, last = np.abs(self.first - other.first), np.abs(self.last - other.last)
        return bool(max(first.max(), last.max()) <= levels)


def border(
    pixels: Pixels, corner: tuple[int, int], shape: tuple[int, int], step: int, gap: int
) -> Border:
    """The border of a board at its left and at its right end."""
    tile, (wide, high), (left, top) = step - gap, shape, corner
    narrow, broad = max(2, round(_RIM_TILES * tile)), max(3, round(_BEYOND_TILES * tile))
    before, behind = left - gap - 1, left + wide * step
    bottom = top + high * step - gap
    if min(before, top) < 0 or behind >= pixels.shape[1] or bottom > pixels.shape[0]:
        return Border(math.inf, 0.0, _NOWHERE, _NOWHERE)

    def strips(first: int, columns: int, width: int) -> Floats:
        """Upright strips of tiles, shape (tiles, pixels); beyond the picture they are black."""
        end = first + (columns - 1) * step + width
        inside = pixels[top:bottom, max(0, first) : end]
        sides = ((0, 0), (max(0, -first), max(0, end - pixels.shape[1])), (0, 0))
        inside = np.pad(inside, sides) if any(sides[1]) else inside
        down, across, channel = inside.strides
        cut = as_strided(
            inside,
            (columns, high, tile, width, 3),
            (step * across, step * down, down, across, channel),
            writeable=False,
        )
        return cut.astype(np.float32, order="C").reshape(columns * high, -1)

    last, end = left + (wide - 1) * step, left + tile - narrow
    within = []
    for outermost, inwards in ((left, left + step), (last + tile - narrow, end)):
        within.append(_farness(strips(outermost, 1, narrow), strips(inwards, wide - 1, narrow)))
        if within[-1] > ALIKE:
            return Border(math.inf, 0.0, _NOWHERE, _NOWHERE)  # most places fail here, and soon
    inner = strips(left + step, wide - 2, tile)
    within += [_farness(strips(x, 1, tile), inner) for x in (left, last)]
    # A tile that is covered but for its first pixels is a tile begun, not a frame.
    beyond = [
        farness
        for width in {narrow, (narrow + broad) // 2, broad}
        for farness in (
            _farness(
                strips(left - gap - width, 1, width), strips(left + tile - width, wide - 1, width)
            ),
            _farness(strips(last + step, 1, width), strips(left + step, wide - 1, width)),
        )
    ]
    lines = pixels[top:bottom]
    return Border(
        max(within),
        min(beyond),
        np.median(lines[:, before], axis=0),
        np.median(lines[:, behind], axis=0),
    )


def _farness(some: Floats, others: Floats) -> float:
    """The median distance from some strips to the nearest of others, in levels."""
    one, other = (np.einsum("ij,ij->i", each, each) for each in (some, others))
    squares = one[:, None] + other - 2 * some @ others.T
    nearest = np.sqrt(np.maximum(squares.min(axis=1), 0) / some.shape[1])
    return float(np.median(nearest))
