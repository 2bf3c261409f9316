"""What a tile was taken for, what tells that, and the background of a tile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bot.board import Cell

__all__ = ["FLAT_LEVELS", "Classifier", "TileReading", "commonest"]

Floats = NDArray[np.float32]

FLAT_LEVELS = 14.0
"""A tile whose every pixel lies this near its background, in levels of 255, has nothing drawn
on it. Guessed: games draw their faintest cells with 25 or more."""
_PLACES = np.array([1 << 16, 1 << 8, 1], np.float32)
"""Makes one number of 24 bits of blue, green and red; float32 holds it exactly."""


@dataclass(frozen=True, slots=True)
class TileReading:
    """What one tile was read as.

    `cell` is None where nothing fits or two things fit almost alike. `scores` are the
    best candidates, 1 being a perfect match. `flash` marks a tile drawn by an
    animation, of which nothing can be said.
    """

    cell: Cell | None
    scores: tuple[tuple[str, float], ...] = ()
    flash: bool = False

    @property
    def margin(self) -> float:
        """By how much the best candidate beats the next."""
        if not self.scores:
            return 0.0
        rest = self.scores[1][1] if len(self.scores) > 1 else 0.0
        return self.scores[0][1] - rest


class Classifier(Protocol):
    """Tells the cells apart.

    A game may draw the same cell in several ways, and two cells in the same way, when
    another phase of the game begins: all boards are read in one phase or another.
    """

    @property
    def phases(self) -> int:
        """How many phases there are, at least one."""
        ...

    def classify(self, tiles: NDArray[np.uint8]) -> list[tuple[TileReading, ...]]:
        """For each tile its reading in each phase.

        `tiles` has shape (n, t, t, 3 or 4), blue-green-red first.
        """
        ...


def commonest(pixels: Floats) -> Floats:
    """The colour that stands most often in each row of `pixels`, shape (n, m, 3)."""
    keys = np.sort(np.asarray(pixels, np.float32) @ _PLACES, axis=1)
    # What more than half of them are is in their middle.
    key = keys[:, keys.shape[1] // 2]
    rare = 2 * np.count_nonzero(keys == key[:, None], axis=1) <= keys.shape[1]
    if rare.any():
        key[rare] = _longest_run(keys[rare])
    key = key.astype(np.int64)
    return np.stack((key >> 16, key >> 8 & 255, key & 255), axis=1).astype(np.float32)


def _longest_run(keys: Floats) -> Floats:
    """The value that stands most often in each sorted row."""
    index = np.broadcast_to(np.arange(keys.shape[1]), keys.shape)
    begins = np.diff(keys, axis=1, prepend=-1) != 0
    runs = index - np.maximum.accumulate(np.where(begins, index, 0), axis=1)
    return np.asarray(keys[np.arange(len(keys)), runs.argmax(axis=1)])
