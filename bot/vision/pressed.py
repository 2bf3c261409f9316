"""Whether what looks like an opened empty cell may only be pressed.

A covered cell looks like an opened empty one while the button is down on it. A really
empty one is opened together with all its neighbours but flags, in one repaint, and
leaves no number beside it with too few covered cells; it comes to touch a hidden cell
only when a flag is taken off.
"""

from __future__ import annotations

from collections.abc import Set

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import Board, Cell
from bot.errors import Unsettled

__all__ = ["settled"]

_AROUND = np.ones((3, 3), np.uint8)
"""A cell and its neighbours."""


def settled(
    board: Board,
    before: Board | None = None,
    proven: Set[int] = frozenset(),
    *,
    patient: bool = False,
) -> Board:
    """The board that was read, once no cell on it may only be pressed; else raises Unsettled.

    `before` is the board that was believed last, whose empty cells are empty, None for a
    picture by itself; `proven` are the squares known to hold mines. With `patient` the
    board has looked so for longer than a button is held down: then an empty cell is
    believed beside flags that may be wrong, never beside a hidden cell or a mine.
    """
    if before is not None and not board.follows(before):
        before = None  # a board of another game tells nothing
    cells = _grid(board)
    emptied = cells == Cell.EMPTY
    if before is not None:
        emptied &= _grid(before) != Cell.EMPTY
    if not emptied.any() or (patient and (before is None or board.lost)):
        return board
    doubtful = cells == Cell.HIDDEN
    if not patient:
        doubtful |= _lacking(cells)
    if before is not None and not board.lost:
        if patient:
            doubtful.ravel()[list(proven)] = True
        else:
            doubtful |= cells == Cell.FLAG
    pressed = emptied & (cv2.dilate(doubtful.view(np.uint8), _AROUND) > 0)
    if pressed.any():
        x, y = board.xy(int(pressed.argmax()))
        raise Unsettled(f"the cell at ({x}, {y}) is being pressed")
    return board


def _grid(board: Board) -> NDArray[np.uint8]:
    """The cells, shape (height, width)."""
    return np.frombuffer(board.cells, np.uint8).reshape(board.height, board.width)


def _lacking(cells: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """The numbers with too few covered cells around them."""
    covered = (cells > Cell.EIGHT).view(np.uint8)
    around = cv2.boxFilter(covered, -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray((cells <= Cell.EIGHT) & (cells > around))
