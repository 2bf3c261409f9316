"""Tells drawings apart by their shape alone, whatever their ink, size and place in the tile.

A drawing is cut out by its bounding box and scaled to one size, as the samples of a
profile are. Measured on the real game's own drawings at every tile from 8 to 96
pixels: a digit is like its own samples by 0.86 or more, and like those of another
digit by 0.75 or less (`tests/vision/test_glyphs.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.profile.values import SHAPE, Glyph

__all__ = ["LIKE", "SURE", "Glyphs", "measured"]

Floats = NDArray[np.float32]

LIKE = 0.85
"""The least likeness to a sample from which a drawing is one of its kind."""
SURE = 0.15
"""The least by which it must be more like it than like any other."""
_SOLID = 0.5
"""The share of the strongest ink from which a pixel belongs to the drawing."""
_NARROWER = 0.3
"""How much a drawing e times as wide as the sample, of the same height, is less like it."""


class Glyphs:
    """The drawings that a profile knows."""

    def __init__(self, glyphs: Sequence[Glyph]) -> None:
        self.names = list(dict.fromkeys(glyph.name for glyph in glyphs))
        ordered = sorted(glyphs, key=lambda glyph: self.names.index(glyph.name))
        names = [glyph.name for glyph in ordered]
        self._begins = [names.index(name) for name in self.names]
        shapes = np.frombuffer(b"".join(glyph.shape for glyph in ordered), np.uint8)
        self._shapes = _centred(shapes.reshape(len(ordered), -1).astype(np.float32))
        self._aspects = np.log(np.array([glyph.aspect for glyph in ordered], np.float32))
        self._heights = np.array([glyph.height for glyph in ordered], np.float32)

    def likeness(self, amounts: Floats, side: int) -> Floats:
        """How like each of `names` each drawing is, 1 at most, shape (n, names).

        `amounts` has shape (n, s, s): how much ink there is, 1 at its strongest; of
        tiles `side` pixels wide.
        """
        return self.compare(*measured(amounts, side))

    def compare(self, shapes: Floats, aspects: Floats, heights: Floats) -> Floats:
        """The same for drawings that have been `measured`."""
        wider = np.abs(np.log(aspects)[:, None] - self._aspects)
        higher = np.abs(heights[:, None] - self._heights)
        alike = _centred(shapes) @ self._shapes.T
        alike *= (1 - _NARROWER * np.minimum(1, wider)) * (1 - np.minimum(1, higher))
        return np.asarray(np.maximum.reduceat(alike, self._begins, axis=1), np.float32)

    def certain(self, like: Floats) -> str | None:
        """The name that a drawing of this `likeness` has for certain."""
        second, best = np.argsort(like)[-2:].tolist()
        if like[best] < LIKE or like[best] - like[second] < SURE:
            return None
        return str(self.names[best])


def measured(amounts: Floats, side: int) -> tuple[Floats, Floats, Floats]:
    """Shapes of `SHAPE` x `SHAPE` pixels, flattened; widths by heights; heights in tiles."""
    solid = np.asarray(amounts >= _SOLID)
    top, bottom = _ends(np.any(solid, axis=2))
    left, right = _ends(np.any(solid, axis=1))
    boxes = np.stack((top, bottom, left, right), axis=1).tolist()
    shapes = [
        cv2.resize(amount[a:b, c:d], (SHAPE, SHAPE), interpolation=cv2.INTER_AREA)
        for amount, (a, b, c, d) in zip(amounts, boxes, strict=True)
    ]
    widths, heights = np.array(right - left, np.float32), np.array(bottom - top, np.float32)
    flat = np.array(shapes, np.float32).reshape(len(amounts), -1)
    return flat, widths / heights, heights / np.float32(side)


def _ends(lines: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The first line of each row that is set, and the one behind the last."""
    return lines.argmax(axis=1), lines.shape[1] - lines[:, ::-1].argmax(axis=1)


def _centred(shapes: Floats) -> Floats:
    """The shapes about their mean and of length 1, so that their product is a correlation."""
    about = shapes - shapes.mean(axis=1, keepdims=True)
    lengths = np.sqrt(np.square(about).sum(axis=1, keepdims=True))
    # A bar fills its box evenly: it has no shape to compare.
    return np.asarray(about / np.where(lengths > 0, lengths, 1), np.float32)
