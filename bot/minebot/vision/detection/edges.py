"""Corrects a lattice whose pitch is a whole number of pixels, as in most games.

Equal tiles are then cut out with equal pixels.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from minebot.vision.detection.fit import GridCandidate

Floats = NDArray[np.floating]

_LINES = 64
"""Lines of pixels compared across each axis. Measured: with 200 all 624 axes are the same."""
_DRIFT, _DRIFT_PIXELS = 0.05, 0.5
"""Fraction of a cell, and pixels besides, by which an outermost cell may be off before. Measured:
the network is off by less on all of 624 axes."""
_APART = (1 / 2, 2 / 3)
"""Fractions of the columns after which edges have to recur. Specified: far enough to show a pitch
that is off by a fraction of a pixel, and with a third of the columns left to compare."""
_ALIKE = 0.6
"""Correlation of edges that recur. Measured: 457 of 501 axes of pictures with a whole number of
pixels to a cell reach it, and 15 of 121 others, all within 1.2 pixels; from 0.5 on 470 and 22, four
of them off by up to 3.4 (drawn ones, fixtures/screenshots, versions, others/dev)."""
_STRONGEST = 40.0
"""Levels of 255 from which edges count the same. Specified: messages have stronger ones."""


def in_whole_pixels(pixels: NDArray[np.uint8], lattice: GridCandidate) -> GridCandidate:
    """The lattice with a whole number of pixels as its pitch, on each axis where edges recur so.

    `pixels` has shape (height, width, 3), blue-green-red. The middle of the lattice stays.
    """
    height, width = pixels.shape[:2]
    left, top, right, bottom = (round(side) for side in lattice.bounds)
    part = pixels[max(0, top) : min(height, bottom), max(0, left) : min(width, right)]
    x, wide = _evenly(part, lattice.x, lattice.pitch[0])
    y, high = _evenly(part.transpose(1, 0, 2), lattice.y, lattice.pitch[1])
    return replace(lattice, x=x, y=y, pitch=(wide, high))


def _evenly(part: NDArray[np.uint8], middles: Floats, pitch: float) -> tuple[Floats, float]:
    """The middles and the pitch, whole if the edges of this part of the picture recur so."""
    some = np.ascontiguousarray(part[:: max(1, part.shape[0] // _LINES)])
    steps = cv2.absdiff(some[:, 1:], some[:, :-1]).max(axis=2)
    edges = np.minimum(steps, _STRONGEST).mean(axis=0)
    whole, count = round(pitch), middles.size
    drift = 2 * (_DRIFT * pitch + _DRIFT_PIXELS)
    if abs(whole - pitch) * (count - 1) > drift:
        return middles, pitch
    shifts = np.arange(-int(drift), int(drift) + 1)
    for fraction in _APART:
        lags = whole * round(fraction * count) + shifts
        if lags.max() >= edges.size:
            return middles, pitch
        alike = [_correlation(edges[:-lag], edges[lag:]) for lag in lags.tolist()]
        if shifts[int(np.argmax(alike))] != 0 or max(alike) < _ALIKE:
            return middles, pitch
    return middles.mean() + whole * (np.arange(count) - (count - 1) / 2), float(whole)


def _correlation(one: Floats, other: Floats) -> float:
    one, other = one - one.mean(), other - other.mean()
    size = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / size if size else 0.0
