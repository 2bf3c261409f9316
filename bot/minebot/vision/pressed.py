"""Tells pressed cells from open empty ones.

A covered cell is drawn like an open empty one while the button is down on it. An empty cell opens
together with all its neighbours except flags, in one repaint, and leaves no number beside it with
too few covered cells; it touches a hidden cell only after a flag is taken off.
"""

from __future__ import annotations

from collections.abc import Set

import cv2
import numpy as np
from numpy.typing import NDArray

from minebot.board import Board, Cell, within_one
from minebot.errors import Unsettled

_PRESSED = 3
"""Columns and rows that a click with two buttons presses at once. Specified by the game."""


def settled(
    board: Board,
    before: Board | None = None,
    proven: Set[int] = frozenset(),
    *,
    patient: bool = False,
    four_neighbour_flood: bool = False,
) -> Board:
    """Return the board if none of its cells may only be pressed; else raise Unsettled.

    `before` is the last board that was believed, whose empty cells are empty; None for a single
    picture. `proven` are the squares known to hold mines. `patient` means that the board has stayed
    the same for longer than a button is held down. Then an empty cell is believed beside flags that
    may be wrong. Beside a hidden cell it is believed only if it opened together with a neighbour
    that is believed, since some games forget a cell; beside a mine, never. With
    `four_neighbour_flood` (empty cells open only the cells at their sides, or only some) it is then
    believed with hidden cells at its corners, and, as in a single picture, if more cells are drawn
    empty than one hand presses.
    """
    if before is not None and not board.follows(before):
        before = None  # a board of another game tells nothing
    cells = board.grid
    emptied = cells == Cell.EMPTY
    if before is not None:
        emptied &= before.grid != Cell.EMPTY
    if not emptied.any() or (patient and (before is None or board.lost)):
        return board
    hidden = cells == Cell.HIDDEN
    corners_may_stay = patient and four_neighbour_flood
    doubtful = np.zeros_like(hidden) if corners_may_stay else hidden.copy()
    if not patient:
        # Numbers with too few covered cells around them.
        doubtful |= (cells <= Cell.EIGHT) & (cells > within_one(cells > Cell.EIGHT))
    mines = np.zeros_like(hidden)
    if before is not None and not board.lost:
        mines.ravel()[list(proven)] = True
        doubtful |= mines if patient else cells == Cell.FLAG
    pressed = emptied & (within_one(doubtful) > 0)
    if corners_may_stay:
        sides = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
        pressed |= emptied & (cv2.dilate(hidden.view(np.uint8), sides) > 0)
    if four_neighbour_flood and (patient or before is None) and is_spread(pressed):
        return board
    if patient:
        pressed &= ~_opened(pressed & (within_one(mines) == 0), emptied & ~pressed)
    if pressed.any():
        raise Unsettled(f"the cell at {board.name_of(int(pressed.argmax()))} is being pressed")
    return board


def _opened(pressed: NDArray[np.bool_], empty: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Those of the pressed cells that an empty one has opened, or one of their own."""
    opened = np.zeros_like(pressed)
    while (more := pressed & ~opened & (within_one(empty | opened) > 0)).any():
        opened |= more
    return opened


def is_spread(squares: NDArray[np.bool_]) -> bool:
    """Whether they are more than the button presses: a cell, or a number and all around it."""
    return any(np.ptp(at) >= _PRESSED for at in np.nonzero(squares) if at.size)
