"""Finds lattices in pictures of any game, by a trained network and an exact fit."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from minebot.capture import Rect
from minebot.vision.detection.fit import GridCandidate, fit
from minebot.vision.models import network

Bytes = NDArray[np.uint8]

COARSE = 4
"""Factor by which a picture is reduced for the first search. Specified: cells of 28 pixels show."""
REFINED = 16.0
"""Pixels of a cell at which a lattice from the reduced picture is searched again. Specified: in the
middle of the sizes that the network was trained on, and no larger than needed."""
FULL = 0.9
"""Scale at which pictures with small cells are searched: the smallest, of 8 pixels, remain larger
than the 7 that the network was trained on. Measured: 1.0 takes a quarter longer and finds 444 of
457 lattices, 0.9 finds 447, 0.8 445 (drawn ones, fixtures/screenshots, versions, others/dev)."""
LARGE = 1_000_000
"""Pixels from which only parts are searched in full. Specified: 1366x768 has that many."""
LARGEST = 3840 * 2160
"""Pixels that the network takes at a time; a larger part is reduced.
Specified: a 4K screen is looked at in full. The network takes 80 bytes a pixel, 0.5 GB."""
_NEAR = 0.4
"""Probability of a lattice in the reduced picture from which that part is searched in full.
Specified: below 0.5, the line for a board."""
_MARGIN = 6
"""Pixels of the reduced picture's maps around such a part. Specified: one cell and more."""
_COHERENCE = 0.5
"""Confidence of a fit from which it is a candidate. Measured on fixtures/versions, others/dev and
100 drawn pictures: from 0.25 to 0.65 the same 414 boards are found, at 0.8 two fewer."""
_PADDING = 16
"""Number that the sides of a picture must be a multiple of. Specified by the network."""
_AROUND = (4, 8, 16, 32)
"""Cells around a lattice in which more of it is searched, until its end is seen. Specified: a wider
part takes longer, but is seldom needed."""
_BEYOND = 3
"""Cells beyond a lattice that must be seen to know that it ends. Specified: fewer than the least of
`_AROUND`, so that a lattice which is found where it was searched needs no second search."""


def detect(pixels: Bytes, *, in_full: bool) -> list[GridCandidate]:
    """All lattices in the picture that might be boards, the largest first.

    `pixels` has shape (height, width, 3), blue-green-red. With `in_full` a picture that is not
    large is searched in full if the reduced one shows no lattice.
    """
    picture = _bounds(pixels)
    if in_full:
        is_large = picture.width * picture.height > LARGE
        return [] if is_large else _within(pixels, picture)
    coarse = _maps(_shrunk(pixels))
    found = [_refined(pixels, one.scaled(COARSE)) for one in _fitted(coarse)]
    for one in found:
        _erase(coarse, one)
    part = _part(np.maximum(coarse[0], coarse[1]) > _NEAR, picture)
    if part is not None:
        found += [_whole(pixels, one, part) for one in _within(pixels, part)]
    kept: list[GridCandidate] = []
    for one in found:
        if not any(one.overlaps(other) for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: -one.area)


def _fitted(maps: NDArray[np.floating]) -> list[GridCandidate]:
    return [one for one in fit(maps) if one.confidence >= _COHERENCE]


def _refined(pixels: Bytes, rough: GridCandidate) -> GridCandidate:
    """The lattice as it is seen at the size that suits the network best."""
    for cells in _AROUND:
        part = _around(rough, cells)
        found = _within(pixels, part, min(FULL, REFINED / min(rough.pitch)))
        rough = next((one for one in found if one.overlaps(rough)), rough)
        if _around(rough, _BEYOND).clipped(_bounds(pixels)).within(part):
            break
    return rough


def _whole(pixels: Bytes, found: GridCandidate, part: Rect) -> GridCandidate:
    """Search the lattice again in a larger part if it comes near the edge of this one."""
    picture = _bounds(pixels)
    if _around(found, _BEYOND).clipped(picture).within(part):
        return found
    if picture.width * picture.height > LARGE:
        return _refined(pixels, found)
    seen = _within(pixels, picture)
    return next((one for one in seen if one.overlaps(found)), found)


def _bounds(pixels: Bytes) -> Rect:
    """All of the picture."""
    return Rect(0, 0, pixels.shape[1], pixels.shape[0])


def _around(lattice: GridCandidate, cells: int) -> Rect:
    """The lattice and this number of cells around it."""
    left, top, right, bottom = lattice.bounds
    wide, high = cells * lattice.pitch[0], cells * lattice.pitch[1]
    edges = left - wide, top - high, right + wide, bottom + high
    return Rect.between(*map(round, edges))


def _within(pixels: Bytes, part: Rect, scale: float = FULL) -> list[GridCandidate]:
    """Find the lattices in a part of the picture, scaled by `scale`."""
    picture = _bounds(pixels)
    part = part.clipped(picture)
    some = pixels[part.area]
    scale = min(scale, FULL * math.sqrt(LARGEST / (some.shape[0] * some.shape[1])))
    if scale < 1:
        size = round(some.shape[1] * scale), round(some.shape[0] * scale)
        some = np.asarray(cv2.resize(some, size, interpolation=cv2.INTER_AREA), np.uint8)
    found = [one.scaled(1 / scale, part.left, part.top) for one in _fitted(_maps(some))]
    # A lattice that continues beyond the part is not cut off.
    sides = ("left", "top", "right", "bottom")
    ends = [side for side in sides if getattr(part, side) == getattr(picture, side)]
    return [one if one.cut_off in ends else replace(one, cut_off="") for one in found]


def _erase(coarse: NDArray[np.floating], found: GridCandidate) -> None:
    """Take a lattice that was found off the maps of the small picture."""
    size = 4 * COARSE
    near = Rect.between(*(round(side / size) for side in found.bounds)).grown(1, 1)
    coarse[:2, *near.area] = 0


def _part(mask: NDArray[np.bool_], picture: Rect) -> Rect | None:
    """The part of the picture that holds all of the mask."""
    near = np.argwhere(mask)
    if not len(near):
        return None
    scale = COARSE * 4
    top, left = ((int(first) - _MARGIN) * scale for first in near.min(0))
    bottom, right = ((int(last) + 1 + _MARGIN) * scale for last in near.max(0))
    return Rect.between(left, top, right, bottom).clipped(picture)


def _shrunk(pixels: Bytes) -> Bytes:
    height, width = (size // COARSE * COARSE for size in pixels.shape[:2])
    size = max(1, width // COARSE), max(1, height // COARSE)
    whole = pixels[: size[1] * COARSE, : size[0] * COARSE]
    return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)


def _maps(pixels: Bytes) -> NDArray[np.floating]:
    """The network's maps of a picture, the first two as probabilities."""
    height, width = pixels.shape[:2]
    padding = 0, -height % _PADDING, 0, -width % _PADDING
    padded = cv2.copyMakeBorder(pixels, *padding, cv2.BORDER_REPLICATE)
    maps: NDArray[np.floating] = network("lattice")(
        np.asarray(cv2.dnn.blobFromImage(padded, 1 / 255))
    )[0]
    maps = maps[:, : -(-height // 4), : -(-width // 4)]
    maps[:2] = 1 / (1 + np.exp(-maps[:2]))
    return maps
