"""Tells the cells apart by likeness to samples: background, ink, and the glyph's shape.

The glyph is cut out by its bounding box and scaled to one size, so that neither the
tile's size nor a pixel's shift matters. What is like no sample, or like two of
different cells, is not read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import SYMBOLS, Cell
from bot.profile.toml import SHAPE
from bot.profile.values import RGB, Sample, SampleLook
from bot.vision.look import Look
from bot.vision.rim import commonest

__all__ = ["Features", "Samples", "features", "likeness"]

Floats = NDArray[np.float32]

_INSET = 0.08
"""The border of a tile that is not looked at, in tiles: rounded corners and shadows."""
_FLAT_LEVELS = 14.0
"""A tile whose every pixel lies this near the background, in levels of 255, has no glyph."""
_GROUND_LEVELS = 8.0
"""How far the background may lie from a sample's."""
_INK_LEVELS = 70.0
"""How far the glyph's strongest colour may: thin strokes do not reach their full colour."""
_SOLID = 0.5
"""The share of the strongest ink from which a pixel belongs to the glyph."""
_LIKE = 0.72
"""The least likeness to the best sample."""
_CERTAIN = 0.08
"""The least by which it must beat the best sample of another cell."""


@dataclass(frozen=True, slots=True)
class Features:
    """What one tile is like."""

    ground: RGB
    ink: RGB | None = None
    aspect: float = 1.0
    height: float = 0.0
    shape: tuple[int, ...] = ()


def features(tile: NDArray[np.uint8]) -> Features:
    """The features of one tile, shape (t, t, 3 or 4), blue-green-red first."""
    side = tile.shape[0]
    inset = max(1, math.ceil(_INSET * side))
    inside = tile[inset : side - inset, inset : side - inset, :3].astype(np.float32)
    rim = np.concatenate((inside[0], inside[-1], inside[:, 0], inside[:, -1]))
    ground = commonest(rim[None])[0]
    far = np.abs(inside - ground).max(axis=2)
    strongest = float(far.max())
    if strongest <= _FLAT_LEVELS:
        return Features(_rgb(ground))
    amount = far / strongest
    rows, columns = np.nonzero(amount > _SOLID)
    top, bottom, left, right = rows.min(), rows.max() + 1, columns.min(), columns.max() + 1
    glyph = cv2.resize(amount[top:bottom, left:right], (SHAPE, SHAPE), interpolation=cv2.INTER_AREA)
    return Features(
        _rgb(ground),
        _rgb(inside[amount > 0.8].mean(axis=0)),
        float((right - left) / (bottom - top)),
        float((bottom - top) / side),
        tuple(np.rint(15 * glyph).astype(int).ravel().tolist()),
    )


def likeness(seen: Features, sample: Sample) -> float:
    """How like the sample a tile is, from 0 to 1."""
    if min(_distance(seen.ground, ground) for ground in sample.grounds) > _GROUND_LEVELS:
        return 0.0
    if seen.ink is None or sample.ink is None:
        return float(seen.ink is None and sample.ink is None)
    if _distance(seen.ink, sample.ink) > _INK_LEVELS:
        return 0.0
    shape = _correlation(np.array(seen.shape, float), np.array(sample.shape, float))
    wider = abs(math.log(seen.aspect / sample.aspect))
    higher = abs(seen.height - sample.height)
    return max(0.0, shape * (1 - 0.3 * min(1, wider)) * (1 - min(1, higher)))


def _distance(one: RGB, other: RGB) -> float:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def _correlation(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    one, other = one - one.mean(), other - other.mean()
    scale = math.sqrt(float((one @ one) * (other @ other)))
    # A glyph that fills its box evenly, such as a bar, has no shape to compare.
    return float(one @ other) / scale if scale else float(not one.any() and not other.any())


def _rgb(colour: NDArray[np.floating]) -> RGB:
    blue, green, red = (round(float(level)) for level in colour)
    return red, green, blue


class Samples:
    """Classifies tiles by a profile's samples."""

    def __init__(self, look: SampleLook) -> None:
        samples = [sample for sample in look.samples if isinstance(sample, Sample)]
        names = list(dict.fromkeys(sample.phase for sample in samples))
        self._samples = [[sample for sample in samples if sample.phase == name] for name in names]
        self.phases = len(names)

    def classify(self, tiles: NDArray[np.uint8]) -> list[tuple[Look, ...]]:
        """Each tile's look in each phase; see `Classifier`."""
        return [
            tuple(_look(seen, samples) for samples in self._samples)
            for seen in map(features, tiles)
        ]


def _look(seen: Features, samples: Sequence[Sample]) -> Look:
    scores: dict[Cell, float] = {}
    for sample in samples:
        score = likeness(seen, sample)
        if score > scores.get(sample.cell, 0.0):
            scores[sample.cell] = score
    best = sorted(scores.items(), key=lambda item: -item[1])[:2]
    named = tuple((SYMBOLS[cell], round(score, 3)) for cell, score in best)
    if not best or best[0][1] < _LIKE:
        return Look(None, named)
    if len(best) > 1 and best[0][1] - best[1][1] < _CERTAIN:
        return Look(None, named)
    return Look(best[0][0], named)
