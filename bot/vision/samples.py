"""Tells the cells apart by likeness to samples: background, ink, and the glyph's shape.

The glyph is cut out by its bounding box and scaled to one size, so that neither the
tile's size nor a pixel's shift matters. What is like no sample, or like two of
different cells, is not read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.board import SYMBOLS, Cell
from bot.profile.values import RGB, SHAPE, Sample, SampleLook
from bot.vision.glyphs import Shapes, cut_out
from bot.vision.tiles import FLAT_LEVELS, TileReading, commonest, rgb

Floats = NDArray[np.float32]

_INSET = 0.08
"""The border of a tile that is not looked at, in tiles: rounded corners and shadows. Guessed."""
_GROUND_LEVELS = 8.0
"""How far the background may lie from a sample's. Guessed."""
_INK_LEVELS = 70.0
"""How far the glyph's strongest colour may: thin strokes do not reach their full colour.
Guessed."""
_FULL = 0.8
"""The share of the strongest ink from which a pixel shows the ink's own colour. Guessed."""
_AMOUNTS = 15
"""How much ink there is, at most, in the shapes that profiles hold. Specified there."""
_LIKE = 0.72
"""The least likeness to the best sample. Guessed."""
_CERTAIN = 0.08
"""The least by which it must beat the best sample of another cell. Guessed."""


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
    if strongest <= FLAT_LEVELS:
        return Features(rgb(ground))
    amount = far / strongest
    (form,), (aspect,), (height,) = cut_out(amount[None], side)
    return Features(
        rgb(ground),
        rgb(inside[amount > _FULL].mean(axis=0)),
        float(aspect),
        float(height),
        tuple(np.rint(_AMOUNTS * form).astype(int).tolist()),
    )


def likeness(seen: Features, sample: Sample) -> float:
    """How like the sample a tile is, from 0 to 1."""
    return float(_Table([sample]).likeness([seen])[0, 0])


class _Table:
    """Samples as arrays, one row each, so that all are compared at once."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        most = max(len(sample.grounds) for sample in samples)
        padded = [(sample.grounds * most)[:most] for sample in samples]
        self._grounds = np.array(padded, np.float32)
        self._drawn = np.array([sample.ink is not None for sample in samples])
        self._inks = _inks(samples)
        self._shapes = _shapes(samples)

    def likeness(self, seen: Sequence[Features]) -> Floats:
        """How like each tile is to each sample, shape (tiles, samples)."""
        grounds = np.array([one.ground for one in seen], np.float32)[:, None, None]
        ground = np.abs(grounds - self._grounds).max(axis=3).min(axis=2)
        drawn = np.array([one.ink is not None for one in seen])[:, None]
        ink = np.abs(_inks(seen)[:, None] - self._inks).max(axis=2)
        like = np.where(ink > _INK_LEVELS, 0, _shapes(seen).likeness(self._shapes))
        like = np.where(drawn & self._drawn, like, drawn == self._drawn)
        return np.asarray(np.where(ground > _GROUND_LEVELS, 0, like), np.float32)


def _inks(some: Sequence[Features | Sample]) -> Floats:
    return np.array([one.ink or (0, 0, 0) for one in some], np.float32)


def _shapes(some: Sequence[Features | Sample]) -> Shapes:
    nothing = (0,) * SHAPE**2
    return Shapes.of(
        [one.shape or nothing for one in some],
        [one.aspect for one in some],
        [one.height for one in some],
    )


class Samples:
    """Classifies tiles by a profile's samples."""

    def __init__(self, look: SampleLook) -> None:
        samples = [sample for sample in look.samples if isinstance(sample, Sample)]
        names = list(dict.fromkeys(sample.phase for sample in samples))
        self.phases = len(names)
        self._table = _Table(samples)
        self._cells = np.array([sample.cell for sample in samples])
        self._phases = [np.array([sample.phase == name for sample in samples]) for name in names]

    def classify(self, tiles: NDArray[np.uint8]) -> list[tuple[TileReading, ...]]:
        """Each tile's look in each phase; see `Classifier`."""
        like = self._table.likeness([features(tile) for tile in tiles])
        phases = [self._looks(like, phase) for phase in self._phases]
        return list(zip(*phases, strict=True))

    def _looks(self, like: Floats, phase: NDArray[np.bool_]) -> list[TileReading]:
        cells = sorted(set(self._cells[phase].tolist()))
        kinds = [phase & (self._cells == cell) for cell in cells]
        scores = np.stack([like[:, kind].max(axis=1) for kind in kinds], axis=1)
        return [_look([Cell(cell) for cell in cells], row) for row in scores.tolist()]


def _look(cells: Sequence[Cell], scores: Sequence[float]) -> TileReading:
    found = [(cell, score) for cell, score in zip(cells, scores, strict=True) if score > 0]
    best = sorted(found, key=lambda item: -item[1])[:2]
    named = tuple((SYMBOLS[cell], round(score, 3)) for cell, score in best)
    if not best or best[0][1] < _LIKE:
        return TileReading(None, named)
    if len(best) > 1 and best[0][1] - best[1][1] < _CERTAIN:
        return TileReading(None, named)
    return TileReading(best[0][0], named)
