"""Finds a grid in a sunken frame by tracing its edges: no constant offsets, any size.

The sunken frame around the tiles is one connected outline in two known colours, dark on the left
and top, light on the right and bottom. Its bounding box gives the outer corners; the light edge on
the right, next to which no tile is light, gives the border's thickness; the tiles fill the rest.
Their size is the smallest divisor of both sides with a line across the board at every multiple.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from minebot.capture import Frame, Rect
from minebot.errors import GridNotFound
from minebot.profile.schema import RGB, FramedStyle
from minebot.vision.grid import Grid

Mask = NDArray[np.uint8]

_COMPLETE = 0.97
"""Share of a frame's side that must be there, its two corners aside. Measured, as the next one, by
`python -m benchmarks.ranges minebot.vision.framed`: 0.2 to 0.97 read alike."""
_CROSSED = 0.75
"""Fraction of a tile's first row or column in the two colours. Measured: 0.25 to 0.82 work."""


def trace(frame: Frame, style: FramedStyle) -> Grid:
    """The grid of the largest board in the frame; raises GridNotFound."""
    dark, light = (_mask(frame, colour, style.tolerance) for colour in (style.dark, style.light))
    lines = np.asarray(cv2.bitwise_or(dark, light), np.uint8)
    smallest = style.smallest_tile
    least = 3 * smallest
    reason = "nothing in the picture is framed like a board"
    for box in _boxes(lines):
        if min(box.width, box.height) < least:
            continue
        inset = _thickness(light[box.area])
        missing = _missing_sides(dark[box.area], light[box.area], inset)
        if not missing:
            return _divide(box, inset, lines, smallest)
        reason = f"the {missing[0]} edge of the board cannot be seen whole"
        if len(missing) <= 2:
            # A board, and hidden in part: should another one lie over it, that one's
            # frame must not be taken instead.
            break
    raise GridNotFound(reason)


def _boxes(lines: Mask) -> list[Rect]:
    """The boxes of all outlines, the largest first."""
    outlines, _ = cv2.findContours(lines, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    # Outlines with fewer corners than a rectangle are pieces of letters.
    boxes = [Rect(*cv2.boundingRect(each)) for each in outlines if len(each) >= 4]
    return sorted(boxes, key=lambda box: box.width * box.height, reverse=True)


def _mask(frame: Frame, colour: RGB, tolerance: int) -> Mask:
    """255 where a pixel is within `tolerance` levels of the colour, 0 elsewhere."""
    middle = np.array((*reversed(colour), 128))
    reach = np.array((tolerance, tolerance, tolerance, 128))
    return np.asarray(cv2.inRange(frame.pixels, middle - reach, middle + reach), np.uint8)


def _missing_sides(dark: Mask, light: Mask, inset: int) -> list[str]:
    """Which sides of the outline are not drawn all along."""
    sides = {"left": dark[:, 0], "top": dark[0], "right": light[:, -1], "bottom": light[-1]}
    # The two colours meet on the diagonal of the frame's corners.
    return [
        side
        for side, pixels in sides.items()
        if np.count_nonzero(pixels) < _COMPLETE * (pixels.size - 2 * inset)
    ]


def _divide(box: Rect, inset: int, lines: Mask, smallest: int) -> Grid:
    """The grid inside the frame `box`, whose border is `inset` pixels wide."""
    inner = box.grown(-inset, -inset)
    if min(inner.width, inner.height) < 2 * smallest:
        raise GridNotFound("what is framed like a board is too small for one")
    lines = lines[inner.area]
    across = cv2.reduce(lines, 0, cv2.REDUCE_AVG).ravel() / 255
    down = cv2.reduce(lines, 1, cv2.REDUCE_AVG).ravel() / 255
    both = math.gcd(inner.width, inner.height)
    for tile in (side for side in range(smallest, both + 1) if both % side == 0):
        crossed = min(across[::tile].min(), down[::tile].min())
        if crossed > _CROSSED and min(inner.width, inner.height) >= 2 * tile:
            return Grid.regular(inner, tile, tile, box)
    raise GridNotFound("what is framed like a board is not divided into square tiles")


def _thickness(light: Mask) -> int:
    """How many columns at the right end are light over the middle half of their height."""
    quarter = light.shape[0] // 4
    middle = np.asarray(light[quarter : light.shape[0] - quarter].min(axis=0))
    return int(np.append(middle[::-1], 0).argmin())
