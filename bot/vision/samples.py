"""Tells the cells apart by likeness to samples: background, ink, and the glyph's shape.

The glyph is cut out by its bounding box and scaled to one size, so that neither the
tile's size nor a pixel's shift matters. What is like no sample, or like two of
different cells, is not read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import SYMBOLS, Cell
from bot.profile.values import RGB, SHAPE, Sample, SampleLook
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
    return float(_Table([sample]).likeness([seen])[0, 0])


class _Table:
    """Samples as arrays, one row each, so that all are compared at once."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        most = max(len(sample.grounds) for sample in samples)
        padded = [(sample.grounds * most)[:most] for sample in samples]
        self._grounds = np.array(padded, np.float64)
        self._glyphs = _Glyphs.of(samples)

    def likeness(self, seen: Sequence[Features]) -> NDArray[np.float64]:
        """How like each tile is to each sample, shape (tiles, samples)."""
        tiles = _Glyphs.of(seen)
        grounds = np.array([one.ground for one in seen], np.float64)[:, None, None]
        ground = np.abs(grounds - self._grounds).max(axis=3).min(axis=2)
        like = np.where(
            tiles.there[:, None] & self._glyphs.there,
            tiles.likeness(self._glyphs),
            tiles.there[:, None] == self._glyphs.there,
        )
        return np.where(ground > _GROUND_LEVELS, 0.0, like)


@dataclass(frozen=True, slots=True)
class _Glyphs:
    """Glyphs as arrays, one row each; a row of zeros where there is none."""

    there: NDArray[np.bool_]
    inks: NDArray[np.float64]
    sizes: NDArray[np.float64]
    """The logarithm of the aspect, and the height."""
    shapes: NDArray[np.float64]
    """Their mean taken away and of length 1, or zeros."""

    @classmethod
    def of(cls, glyphs: Sequence[Features | Sample]) -> Self:
        shapes = np.zeros((len(glyphs), SHAPE * SHAPE))
        for row, glyph in zip(shapes, glyphs, strict=True):
            if glyph.shape:
                row[:] = glyph.shape
        shapes -= shapes.mean(axis=1)[:, None]
        lengths = np.sqrt((shapes**2).sum(axis=1))[:, None]
        return cls(
            np.array([glyph.ink is not None for glyph in glyphs]),
            np.array([glyph.ink or (0, 0, 0) for glyph in glyphs], np.float64),
            np.array([(math.log(glyph.aspect), glyph.height) for glyph in glyphs]),
            np.divide(shapes, lengths, out=np.zeros_like(shapes), where=lengths > 0),
        )

    def likeness(self, others: _Glyphs) -> NDArray[np.float64]:
        """How like each is to each of the others."""
        shape = self.shapes @ others.shapes.T
        # A glyph that fills its box evenly, such as a bar, has no shape to compare.
        plain, others_plain = ~self.shapes.any(axis=1), ~others.shapes.any(axis=1)
        shape[np.ix_(plain, others_plain)] = 1.0
        wider, higher = np.minimum(1, np.abs(self.sizes[:, None] - others.sizes)).transpose(2, 0, 1)
        far = np.abs(self.inks[:, None] - others.inks).max(axis=2) > _INK_LEVELS
        return np.where(far, 0.0, np.maximum(0, shape * (1 - 0.3 * wider) * (1 - higher)))


def _rgb(colour: NDArray[np.floating]) -> RGB:
    blue, green, red = (round(float(level)) for level in colour)
    return red, green, blue


class Samples:
    """Classifies tiles by a profile's samples."""

    def __init__(self, look: SampleLook) -> None:
        samples = [sample for sample in look.samples if isinstance(sample, Sample)]
        names = list(dict.fromkeys(sample.phase for sample in samples))
        self.phases = len(names)
        self._table = _Table(samples)
        self._cells = np.array([sample.cell for sample in samples])
        self._phases = [np.array([sample.phase == name for sample in samples]) for name in names]

    def classify(self, tiles: NDArray[np.uint8]) -> list[tuple[Look, ...]]:
        """Each tile's look in each phase; see `Classifier`."""
        like = self._table.likeness([features(tile) for tile in tiles])
        phases = [self._looks(like, phase) for phase in self._phases]
        return list(zip(*phases, strict=True))

    def _looks(self, like: NDArray[np.float64], phase: NDArray[np.bool_]) -> list[Look]:
        cells = np.unique(self._cells[phase])
        kinds = [phase & (self._cells == cell) for cell in cells]
        scores = np.stack([like[:, kind].max(axis=1) for kind in kinds], axis=1)
        return [_look([Cell(cell) for cell in cells], row) for row in scores.tolist()]


def _look(cells: Sequence[Cell], scores: Sequence[float]) -> Look:
    found = [(cell, score) for cell, score in zip(cells, scores, strict=True) if score > 0]
    best = sorted(found, key=lambda item: -item[1])[:2]
    named = tuple((SYMBOLS[cell], round(score, 3)) for cell, score in best)
    if not best or best[0][1] < _LIKE:
        return Look(None, named)
    if len(best) > 1 and best[0][1] - best[1][1] < _CERTAIN:
        return Look(None, named)
    return Look(best[0][0], named)
