"""Classifies drawings by their shape, independent of their ink, size and place in the tile.

A drawing is cut out by its bounding box and scaled to one size, like the templates of a profile.
Measured on the real game's drawings at every tile size from 8 to 96 pixels: the likeness of a digit
is 0.86 or more to its own templates, and 0.75 or less to those of another digit
(`tests/vision/test_glyphs.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from minebot.profile.appearance import SHAPE, Glyph

Floats = NDArray[np.float32]

LIKE = 0.85
"""Smallest likeness to a template at which a drawing is of its kind. Measured."""
SURE = 0.15
"""Smallest lead of that likeness over any other. Measured."""
_SOLID = 0.5
"""The share of the strongest ink from which a pixel belongs to the drawing. Measured, as the next
one, by `python -m benchmarks.ranges minebot.vision.glyphs`: 0.5 to 0.62 read alike."""
_NARROWER = 0.3
"""Loss of likeness of a drawing e times as wide as the template. Measured: 0.06 to 0.9 work."""


@dataclass(frozen=True, slots=True)
class Shapes:
    """Drawings as arrays, one row each."""

    forms: Floats
    """About their mean and of length 1, so that their product is a correlation; zeros of one
    that fills its box evenly, as a bar does."""
    aspects: Floats
    """The logarithms of width by height."""
    heights: Floats
    """In tiles."""

    @classmethod
    def of(cls, forms: ArrayLike, aspects: ArrayLike, heights: ArrayLike) -> Self:
        """Of forms of `SHAPE` x `SHAPE` numbers each, in any scale, and widths by heights."""
        rows = np.asarray(forms, np.float32)
        about = rows - rows.mean(axis=1, keepdims=True)
        lengths = np.sqrt(np.square(about).sum(axis=1, keepdims=True))
        return cls(
            np.asarray(about / np.where(lengths > 0, lengths, 1), np.float32),
            np.log(np.asarray(aspects, np.float32)),
            np.asarray(heights, np.float32),
        )

    def likeness(self, others: Shapes) -> Floats:
        """How like each is to each of the others, from 0 to 1, shape (n, others)."""
        alike = self.forms @ others.forms.T
        even, others_even = (~shapes.forms.any(axis=1) for shapes in (self, others))
        if even.any() and others_even.any():
            alike[np.ix_(even, others_even)] = 1
        wider = np.abs(self.aspects[:, None] - others.aspects)
        higher = np.abs(self.heights[:, None] - others.heights)
        alike *= (1 - _NARROWER * np.minimum(1, wider)) * (1 - np.minimum(1, higher))
        return np.asarray(np.maximum(0, alike), np.float32)


class Glyphs:
    """The drawings that a profile knows by name."""

    def __init__(self, glyphs: Sequence[Glyph]) -> None:
        self.names = list(dict.fromkeys(glyph.name for glyph in glyphs))
        ordered = sorted(glyphs, key=lambda glyph: self.names.index(glyph.name))
        names = [glyph.name for glyph in ordered]
        self._begins = [names.index(name) for name in self.names]
        self._shapes = Shapes.of(
            [list(glyph.shape) for glyph in ordered],
            [glyph.aspect for glyph in ordered],
            [glyph.height for glyph in ordered],
        )

    def likeness(self, amounts: Floats, side: int) -> Floats:
        """How like each of `names` each drawing is, 1 at most, shape (n, names).

        `amounts` has shape (n, s, s): how much ink there is, 1 at its strongest; of
        tiles `side` pixels wide.
        """
        alike = Shapes.of(*cut_out(amounts, side)).likeness(self._shapes)
        return np.asarray(np.maximum.reduceat(alike, self._begins, axis=1), np.float32)

    def certain(self, like: Floats) -> str | None:
        """The name that a drawing of this `likeness` has for certain."""
        second, best = np.argsort(like)[-2:].tolist()
        if like[best] < LIKE or like[best] - like[second] < SURE:
            return None
        return str(self.names[best])


def cut_out(amounts: Floats, side: int) -> tuple[Floats, Floats, Floats]:
    """Forms of `SHAPE` x `SHAPE`, flattened, 1 the strongest ink; widths by heights; heights.

    `amounts` as for `Glyphs.likeness`; the heights are in tiles.
    """
    solid = np.asarray(amounts >= _SOLID)
    top, bottom = _ends(np.any(solid, axis=2))
    left, right = _ends(np.any(solid, axis=1))
    boxes = np.stack((top, bottom, left, right), axis=1).tolist()
    forms = [
        cv2.resize(amount[a:b, c:d], (SHAPE, SHAPE), interpolation=cv2.INTER_AREA)
        for amount, (a, b, c, d) in zip(amounts, boxes, strict=True)
    ]
    widths, heights = np.array(right - left, np.float32), np.array(bottom - top, np.float32)
    flat = np.array(forms, np.float32).reshape(len(amounts), -1)
    return flat, widths / heights, heights / np.float32(side)


def _ends(lines: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The first line of each row that is set, and the one behind the last."""
    return lines.argmax(axis=1), lines.shape[1] - lines[:, ::-1].argmax(axis=1)
