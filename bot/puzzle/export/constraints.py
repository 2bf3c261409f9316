"""What a board demands, with no encoding chosen yet: so many mines among these squares."""

from __future__ import annotations

from dataclasses import dataclass

from bot.board import Board, Cell

__all__ = ["Demand", "covered", "demands", "mines_left"]

_SHOWN_MINES = (Cell.MINE, Cell.EXPLODED)


@dataclass(frozen=True, slots=True)
class Demand:
    """Exactly `mines` mines lie in the covered `squares` around the clue at `clue`.

    `mines` may be less than 0 or more than there are squares: no layout fits then.
    """

    clue: int
    mines: int
    squares: tuple[int, ...]


def covered(board: Board) -> tuple[int, ...]:
    """The squares that may hold a mine, hidden or flagged, in reading order."""
    return tuple(board.squares(Cell.HIDDEN, Cell.FLAG))


def demands(board: Board) -> list[Demand]:
    """What each clue demands; clues with nothing covered around them that hold are left out."""
    open_squares = frozenset(covered(board))
    found = []
    for clue in board.squares(*map(Cell, range(9))):
        around = board.neighbours(clue)
        squares = tuple(square for square in around if square in open_squares)
        mines = board.cells[clue] - sum(board.cells[square] in _SHOWN_MINES for square in around)
        if squares or mines:
            found.append(Demand(clue, mines, squares))
    return found


def mines_left(board: Board) -> int | None:
    """How many mines the covered squares hold in all, None while the total is unknown."""
    if board.mines is None:
        return None
    return board.mines - sum(board.count(kind) for kind in _SHOWN_MINES)
