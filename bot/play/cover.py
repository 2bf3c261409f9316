"""Tells what a game shows over its own board, such as a message at the end, from a new look."""

from __future__ import annotations

from bot.board import Cell
from bot.capture import Frame
from bot.play.eye import Sight
from bot.vision.changes import differ

_CHANGED = 3
"""So many open cells at least have changed when something lies over a board. Guessed: a pointer
lights one or two."""


def is_covered(last: Sight, now: Frame) -> bool:
    """Whether something lies over the board that was seen last: cells that were open have changed.

    A number that was never met leaves those as they are.
    """
    if now.pixels.shape != last.frame.pixels.shape:
        return False
    opened = sorted(last.board.squares(*map(Cell, range(9))))
    changed = differ(last.frame, now, last.grid)[opened]
    return bool(opened) and int(changed.sum()) >= min(_CHANGED, len(opened))
