"""Finds lattices in pictures of any game, by a trained network and an exact fit."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.vision.detection.fit import Candidate, fit
from bot.vision.models import network

Bytes = NDArray[np.uint8]

COARSE = 4
"""A picture is looked at this many times smaller first: its cells of 28 pixels and more show."""
LARGEST_FINE = 64.0
"""Pixels of the largest cells that a network sees: it was trained on 7 to 64."""
_LARGE = 500_000
"""Pixels of a picture from which only a part is looked at in full: 660x442 has 292,000, and takes
25 ms in full."""
_NEAR = 0.4
"""Probability of a lattice in the small picture from which that part is looked at in full."""
_MARGIN = 6
"""Pixels of the small picture's maps around such a part."""
_COHERENCE = 0.5
"""Confidence of a fit from which it is a candidate. Random phases reach 0.2."""
_PADDING = 16
"""The network takes pictures whose sides are multiples of this."""


def detect(pixels: Bytes) -> list[Candidate]:
    """All lattices in the picture that might be boards, the largest first.

    `pixels` has shape (height, width, 3), blue-green-red.
    """
    coarse = _maps(_shrunk(pixels))
    found = [one.scaled(COARSE) for one in fit(coarse) if one.confidence >= _COHERENCE]
    large = [one for one in found if min(one.pitch) > LARGEST_FINE]
    part, left, top = _worth_a_look(pixels, coarse)
    fine: list[Candidate] = []
    if part is not None:
        fine = [
            one.scaled(1, left, top) for one in fit(_maps(part)) if one.confidence >= _COHERENCE
        ]
    # A small cell is seen sharper in full, a large one only from afar.
    kept: list[Candidate] = []
    for one in [*large, *fine, *found]:
        if not any(one.overlaps(other) for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: -one.area)


def _worth_a_look(pixels: Bytes, coarse: NDArray[np.floating]) -> tuple[Bytes | None, int, int]:
    """The part of the picture that may hold a lattice, and where it begins; None for no part."""
    height, width = pixels.shape[:2]
    if height * width <= _LARGE:
        return pixels, 0, 0
    near = np.argwhere(np.maximum(coarse[0], coarse[1]) > _NEAR)
    if not len(near):
        return None, 0, 0
    scale = COARSE * 4
    top, left = (max(0, (int(first) - _MARGIN) * scale) for first in near.min(0))
    bottom, right = ((int(last) + 1 + _MARGIN) * scale for last in near.max(0))
    return pixels[top:bottom, left:right], left, top


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
