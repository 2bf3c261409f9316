"""A game that is recorded while it is played."""

from __future__ import annotations

import numpy as np

from minebot.board import Board
from minebot.capture import Frame

BOARD = Board.hidden(4, 3, None)


def frame(shade: int = 0) -> Frame:
    return Frame(np.full((30, 40, 4), shade % 256, np.uint8))


class Ticks:
    """A clock that goes on by so much each time it is asked."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now
