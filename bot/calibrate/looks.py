"""Tells the looks of a game's tiles apart, without knowing what any of them shows.

They are compared as small pictures from which half of their plain brightness has been
taken. Where cells are see-through their brightness changes from place to place, while
their drawing does not. Whatever is near one of a group belongs to the group.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.capture import Frame
from bot.errors import UsageError
from bot.vision.grid import Grid

Floats = NDArray[np.float32]

_SIDE = 20
"""Each tile is brought to so many pixels a side."""
_SHADE = 0.5
"""How much a tile's plain brightness counts."""
ALIKE = 5.0
"""Root mean square distance in levels of 255 below which two tiles look alike.

One number over KMines' gradients differs from place to place by up to 4.0, its numbers 1
and 2 on the crosses of the theme graveyard-mayhem by 6.7. One drawing on tiles of a pixel
more or less differs by up to 17: it has several looks.
"""
CLOSELY_ALIKE = 2.0
"""The same where thin numbers on large tiles look like none otherwise, and covers do not differ."""
_NEW = 1.5
"""A tile farther than this from all examples of its group becomes one."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A `Lookbook` as it can be written down."""

    examples: bytes
    """Deflated, row-major; a row is an example's 4-byte floats."""
    looks: list[int]
    merged: list[int]
    alike: float = ALIKE


class Lookbook:
    """Numbers the looks of one game's tiles, from 0, in the order in which they are met.

    Two looks that turn out to be one, by a tile between them, keep the lower number:
    ask `same` for the number that an earlier one has come to mean.
    """

    def __init__(self, alike: float = ALIKE) -> None:
        self.alike = alike
        """Tiles look alike that are nearer to each other than this; see `ALIKE`."""
        self._examples = np.empty((0, _SIDE * _SIDE * 3), np.float32)
        self._looks: list[int] = []
        """The look of each example."""
        self._merged: list[int] = []
        """For each look the one that it has become, itself as a rule."""
        self._known: dict[bytes, int] = {}

    def kept(self) -> Kept:
        """All of it, to be written down."""
        examples = zlib.compress(self._examples.astype("<f4").tobytes(), 1)
        return Kept(examples, list(self._looks), list(self._merged), self.alike)

    @classmethod
    def restored(cls, kept: Kept) -> Self:
        """The book that was written down; raises UsageError for what cannot be one."""
        book = cls(kept.alike)
        try:
            flat = np.frombuffer(zlib.decompress(kept.examples), "<f4")
            book._examples = flat.reshape(len(kept.looks), -1).astype(np.float32)
        except (zlib.error, ValueError) as error:
            raise UsageError(f"the looks of the tiles are damaged: {error}") from error
        whole = book._examples.shape[1] == _SIDE * _SIDE * 3 or not kept.looks
        numbers = range(len(kept.merged))
        known = all(look in numbers for look in (*kept.looks, *kept.merged))
        if not whole or not known or any(to > look for look, to in enumerate(kept.merged)):
            raise UsageError("the looks of the tiles are damaged")
        if not kept.looks:
            book._examples = np.empty((0, _SIDE * _SIDE * 3), np.float32)
        book._looks, book._merged = list(kept.looks), list(kept.merged)
        return book

    def __len__(self) -> int:
        """How many looks have been told apart, those included that turned out to be one."""
        return len(self._merged)

    def same(self, look: int) -> int:
        """The number that the look has now."""
        while self._merged[look] != look:
            look = self._merged[look]
        return look

    def looks(self, frame: Frame, grid: Grid) -> list[int]:
        """The look of each tile of the frame, row-major."""
        found = []
        for y in range(grid.height):
            for x in range(grid.width):
                left, top, side, _ = grid.rect(x, y)
                tile = frame.pixels[top : top + side, left : left + side, :3]
                key = tile.tobytes()
                if key not in self._known:
                    self._known[key] = self._look(tile)
                found.append(self._known[key])
        return [self.same(look) for look in found]

    def _look(self, tile: NDArray[np.uint8]) -> int:
        row = _row(tile)
        far = np.sqrt(((self._examples - row) ** 2).mean(axis=1))
        near = sorted({self.same(self._looks[index]) for index in np.flatnonzero(far < self.alike)})
        look = near[0] if near else len(self._merged)
        if not near:
            self._merged.append(look)
        for other in near[1:]:
            self._merged[other] = look
        if not near or far.min() > _NEW:
            self._examples = np.concatenate((self._examples, row[None]))
            self._looks.append(look)
        return look


def _row(tile: NDArray[np.uint8]) -> Floats:
    small = cv2.resize(tile.astype(np.float32), (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
    flat = np.asarray(small, np.float32).reshape(-1, 3)
    return np.asarray((flat - (1 - _SHADE) * np.median(flat, axis=0)).ravel(), np.float32)
