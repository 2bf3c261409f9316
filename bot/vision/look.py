"""What a tile was taken for, and what tells that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bot.board import Cell

__all__ = ["Classifier", "Look"]


@dataclass(frozen=True, slots=True)
class Look:
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

    def classify(self, tiles: NDArray[np.uint8]) -> list[tuple[Look, ...]]:
        """For each tile its look in each phase.

        `tiles` has shape (n, t, t, 3 or 4), blue-green-red first.
        """
        ...
