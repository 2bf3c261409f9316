"""The flat pieces of a picture: what lies between its edges, as boxes."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
"""Shape (height, width, 3), blue-green-red."""
Mask = NDArray[np.uint8]

_PAIR = np.ones((2, 2), np.uint8)
"""Each pixel with the ones left of it, above it, and above on the left."""


@dataclass(frozen=True, slots=True)
class Boxes:
    """Boxes of pieces, one an entry: all arrays have shape (n,), in pixels."""

    left: NDArray[np.int32]
    top: NDArray[np.int32]
    width: NDArray[np.int32]
    height: NDArray[np.int32]
    area: NDArray[np.int32]
    """How many pixels the piece itself has."""

    def __len__(self) -> int:
        return self.left.size

    def where(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> Boxes:
        """The chosen ones, by a mask or by their numbers."""
        return Boxes(
            self.left[chosen],
            self.top[chosen],
            self.width[chosen],
            self.height[chosen],
            self.area[chosen],
        )

    @property
    def middles(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The middle of each, across and down: a box of one pixel at 3 has 3.5."""
        return self.left + self.width / 2, self.top + self.height / 2


def edges(pixels: Pixels, levels: int) -> Mask:
    """255 where a channel differs by more than so many levels from a pixel left or above."""
    ranges = cv2.morphologyEx(pixels, cv2.MORPH_GRADIENT, _PAIR)
    # In place: new memory for each step takes longer than what is done in it.
    flat = cv2.inRange(ranges, (0, 0, 0), (levels, levels, levels))
    return np.asarray(cv2.bitwise_not(flat, dst=flat), np.uint8)


def lines(pixels: Pixels, along: int, levels: int) -> Mask:
    """255 where the means of so many pixels along a line, upright or level, differ by more from
    those beside it: of a grain little is left in them, of a line that long all."""
    mask = np.zeros(pixels.shape[:2], np.uint8)
    upright, level = cv2.blur(pixels, (1, along)), cv2.blur(pixels, (along, 1))
    beside = cv2.absdiff(upright[:, 1:], upright[:, :-1]).max(axis=2)
    above = cv2.absdiff(level[1:], level[:-1]).max(axis=2)
    mask[:, 1:][beside > levels] = 255
    mask[1:][above > levels] = 255
    return mask


def pieces(edges: Mask, lost: int = 0) -> Boxes:
    """The connected pieces without an edge in them.

    A piece begins a pixel late: the edge towards what is left of it is its own pixel. The boxes
    have that pixel, and so many more on each side as were lost.
    """
    flat = np.asarray(cv2.bitwise_not(edges), np.uint8)
    count, labels = cv2.connectedComponents(flat, connectivity=4, ltype=cv2.CV_32S)
    row, begin, end = _runs(flat)
    number = np.asarray(labels, np.int32)[row, begin]
    # A run is all of one piece: of all pixels, as OpenCV counts them, it takes twice as long.
    left, right = np.full(count, flat.shape[1]), np.zeros(count, np.intp)
    np.minimum.at(left, number, begin)
    np.maximum.at(right, number, end)
    top, bottom = np.zeros((2, count), np.intp)
    # Rows rise: the last one that is written stays.
    top[number[::-1]], bottom[number] = row[::-1], row + 1
    area = np.bincount(number, end - begin, count)
    boxes = np.stack([left, top, right - left, bottom - top, area])[:, 1:].astype(np.int32)
    left, top, width, height, area = boxes
    return Boxes(left - 1 - lost, top - 1 - lost, width + 1 + 2 * lost, height + 1 + 2 * lost, area)


def _runs(mask: Mask) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """The runs of pixels that are not 0: their rows, where they begin, and where they end."""
    framed = cv2.copyMakeBorder(mask, 0, 0, 1, 1, cv2.BORDER_CONSTANT, value=0)
    changes = np.flatnonzero(framed[:, 1:] != framed[:, :-1])
    row, column = np.divmod(changes, mask.shape[1] + 1)
    return row[::2], column[::2], column[1::2]
