"""Compares the outermost tiles of a board with inner ones, and with what lies beyond them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
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
    rows = _lines(top, high, step, tile)
    before, behind = left - gap - 1, left + wide * step
    if min(before, top) < 0 or behind >= pixels.shape[1] or rows[-1] >= pixels.shape[0]:
        return Border(math.inf, 0.0, _NOWHERE, _NOWHERE)
    lines = pixels[rows]

    def strips(first: int, columns: int, width: int) -> Floats:
        """Upright strips of tiles, shape (tiles, pixels); beyond the picture they are black."""
        x = _lines(first, columns, step, width)
        there = (x >= 0) & (x < lines.shape[1])
        cut = lines[:, np.where(there, x, 0)] * there[:, None]
        shaped = cut.reshape(high, tile, columns, width, 3).transpose(2, 0, 1, 3, 4)
        return np.asarray(shaped.reshape(columns * high, -1), np.float32)

    last, end = left + (wide - 1) * step, left + tile - narrow
    within = [
        _farness(strips(left, 1, narrow), strips(left + step, wide - 1, narrow)),
        _farness(strips(last + tile - narrow, 1, narrow), strips(end, wide - 1, narrow)),
    ]
    if max(within) > ALIKE:
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
    lines = pixels[top : top + high * step - gap]
    return Border(
        max(within),
        min(beyond),
        np.median(lines[:, before], axis=0),
        np.median(lines[:, behind], axis=0),
    )


def _lines(first: int, count: int, step: int, width: int) -> NDArray[np.int64]:
    """The pixel lines of `count` strips, `width` wide, `step` apart."""
    return (first + step * np.arange(count)[:, None] + np.arange(width)).ravel()


def _farness(some: Floats, others: Floats) -> float:
    """The median distance from some strips to the nearest of others, in levels."""
    squares = (some**2).sum(axis=1)[:, None] + (others**2).sum(axis=1) - 2 * some @ others.T
    nearest = np.sqrt(np.maximum(squares.min(axis=1), 0) / some.shape[1])
    return float(np.median(nearest))
