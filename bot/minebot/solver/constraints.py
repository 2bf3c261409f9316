"""The constraints of a board, "n mines among these squares", as values or in a store.

The compiled engine reads its own boards, because one guess makes thousands of them: see
`minebot.policy.guessing.compute_risk`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minebot.board import Board, Cell, neighbourhood, within_one
from minebot.solver.constraint_store import ConstraintStore

# Plain numbers: looking a member up in an enumeration costs more than using it.
_HIDDEN = int(Cell.HIDDEN)
_SHOWN_MINES = (Cell.MINE, Cell.EXPLODED)
_UNFLAG = bytes.maketrans(bytes([Cell.FLAG]), bytes([_HIDDEN]))


@dataclass(frozen=True, slots=True)
class Constraint:
    """Exactly `mines` mines lie in the covered `squares` around the clue at `clue`.

    `mines` may be less than 0 or more than there are squares: no layout fits then.
    """

    clue: int
    mines: int
    squares: tuple[int, ...]


def covered(board: Board) -> tuple[int, ...]:
    """The squares that may hold a mine, hidden or flagged, in reading order."""
    return tuple(board.squares(Cell.HIDDEN, Cell.FLAG))


def constraints_of(board: Board) -> list[Constraint]:
    """The constraint of each clue, except satisfied ones without a covered neighbour."""
    open_squares = frozenset(covered(board))
    found = []
    for clue in board.squares(*map(Cell, range(9))):
        around = board.neighbours(clue)
        squares = tuple(square for square in around if square in open_squares)
        mines = board.cells[clue] - sum(board.cells[square] in _SHOWN_MINES for square in around)
        if squares or mines:
            found.append(Constraint(clue, mines, squares))
    return found


def mines_left(board: Board) -> int | None:
    """How many mines the covered squares hold in all, None while the total is unknown."""
    if board.mines is None:
        return None
    return board.mines - sum(board.count(kind) for kind in _SHOWN_MINES)


class BoardConstraints:
    """The rules of a board, updated during the game.

    What was certain on an earlier board of a game remains certain: opened cells only add clues.
    """

    __slots__ = ("_board", "_cells", "rules", "shown")

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Treat the next board as the first of a new game."""
        self._board: Board | None = None
        self._cells = b""
        """Those of the board, flags taken off."""
        self.rules = ConstraintStore(())
        self.shown = 0
        """The mines that the board itself shows."""

    def take(self, board: Board) -> None:
        """Bring the rules up to date, at the cost of what has changed; raises Conflict.

        A board that cannot follow the one before starts afresh.
        """
        cells = board.cells.translate(_UNFLAG)
        now = np.frombuffer(cells, np.uint8)
        changed = self._changed(board, now)
        if changed is None:
            mined, clues = _glance(now.reshape(board.height, board.width))
            self.rules = ConstraintStore(np.flatnonzero(now == _HIDDEN).tolist())
            self.rules.decide(np.flatnonzero(mined).tolist(), mine=True)
        else:
            for square in np.flatnonzero(changed).tolist():
                self.rules.reveal(square, mine=cells[square] > _HIDDEN)
            clues = changed & (now < _HIDDEN)
        self._board, self._cells = board, cells
        self.shown = cells.count(Cell.MINE) + cells.count(Cell.EXPLODED)
        around = neighbourhood(board.width, board.height)
        add = self.rules.add
        for square in np.flatnonzero(clues).tolist():
            near = around[square]
            mines = cells[square]
            if self.shown:
                mines -= sum([cells[other] > _HIDDEN for other in near])
            add(square, mines, near)

    def mines_left(self) -> int | None:
        """How many mines the undecided cells hold, if the total is known."""
        if self._board is None or self._board.mines is None:
            return None
        return self._board.mines - self.shown - len(self.rules.mined)

    def _changed(self, board: Board, cells: NDArray[np.uint8]) -> NDArray[np.bool_] | None:
        """The squares that have changed; None if it is another game."""
        last = self._board
        if last is None or (last.width, last.mines) != (board.width, board.mines):
            return None
        before = np.frombuffer(self._cells, np.uint8)
        if len(before) != len(cells):
            return None
        changed: NDArray[np.bool_] = cells != before
        return None if (changed & (before != _HIDDEN)).any() else changed


def _glance(cells: NDArray[np.uint8]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The mines of clues that need all their covered squares, and the clues that say more.

    Most clues of a board that is seen for the first time are done with here, all
    at once, instead of one by one.
    """
    hidden = cells == _HIDDEN
    covered = within_one(cells >= _HIDDEN)
    mined = hidden & (within_one((cells == covered) & (cells > 0) & (cells < _HIDDEN)) > 0)
    undecided = within_one(hidden & ~mined)
    return mined, (cells < _HIDDEN) & ((undecided > 0) | (cells != covered))
