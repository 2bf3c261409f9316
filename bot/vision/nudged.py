"""Reads tiles that lie a part of a pixel elsewhere than those that were met.

Where the steps of a board are no whole pixels its tiles are not all drawn alike: each begins at
another part of a pixel. What cannot be read as it lies is read again a little to each side.
"""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.vision.tiles import Classifier, TileReading

_BY = (-1.0, -0.5, 0.0, 0.5, 1.0)
"""The pixels by which a tile is moved, across and down: beginnings are rounded. Guessed."""
_MOST = 64
"""Where more tiles at once cannot be read, it is for another reason. Guessed."""


class Nudged:
    """Another classifier, which also reads what is off by a part of a pixel."""

    def __init__(self, classifier: Classifier) -> None:
        self._classifier = classifier
        self.phases = classifier.phases

    def classify(self, tiles: NDArray[np.uint8]) -> list[tuple[TileReading, ...]]:
        """Each tile's look in each phase; see `Classifier`."""
        looks = self._classifier.classify(tiles)
        unread = [
            index for index, each in enumerate(looks) if all(look.cell is None for look in each)
        ]
        if len(unread) <= _MOST:
            for index in unread:
                looks[index] = self._nudged(tiles[index], looks[index])
        return looks

    def _nudged(
        self, tile: NDArray[np.uint8], look: tuple[TileReading, ...]
    ) -> tuple[TileReading, ...]:
        """What the tile is wherever it is anything; `look` where that is not one thing alone."""
        height, width = tile.shape[:2]
        moved = [
            cv2.warpAffine(
                tile,
                np.array([[1, 0, right], [0, 1, down]]),
                (width, height),
                borderMode=cv2.BORDER_REPLICATE,
            )
            for right, down in product(_BY, repeat=2)
            if right or down
        ]
        phases = zip(*self._classifier.classify(np.array(moved)), strict=True)
        return tuple(_agreed(readings, own) for readings, own in zip(phases, look, strict=True))


def _agreed(readings: tuple[TileReading, ...], own: TileReading) -> TileReading:
    """The surest of those that are the same cell; `own` if there is none, or another one."""
    read = [reading for reading in readings if reading.cell is not None]
    if len({reading.cell for reading in read}) != 1:
        return own
    return max(read, key=lambda reading: reading.margin)
