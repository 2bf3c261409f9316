"""A board as SMT-LIB 2: one integer of 0 or 1 for each cell, one sum for each clue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.board import Board
from bot.solver.constraints import covered, demands, mines_left

__all__ = ["smtlib", "symbol"]


def smtlib(board: Board, name: str = "") -> str:
    """The script: declarations, sums, `check-sat` and `get-value` of every cell.

    Linear integer arithmetic without quantifiers. A board that no layout fits gives
    an unsatisfiable script, whose `get-value` a solver answers with an error.
    """
    return "\n".join(_lines(board, name)) + "\n"


def symbol(board: Board, square: int) -> str:
    """The name of a cell's variable, `r3c4`: row and column from 1."""
    x, y = board.xy(square)
    return f"r{y + 1}c{x + 1}"


def _lines(board: Board, name: str) -> Iterator[str]:
    yield f"; {name or 'a board'}: {board.width} columns, {board.height} rows"
    yield from (f"; {row}" for row in str(board).splitlines())
    yield "; r3c4 is the cell in row 3, column 4, counting from 1: 1 for a mine, else 0"
    yield "(set-option :produce-models true)"
    yield "(set-logic QF_LIA)"
    symbols = {square: symbol(board, square) for square in covered(board)}
    for each in symbols.values():
        yield f"(declare-const {each} Int)"
        yield f"(assert (<= 0 {each} 1))"
    for demand in demands(board):
        what = f"the {board.cells[demand.clue]} at {symbol(board, demand.clue)}"
        yield _sum([symbols[square] for square in demand.squares], demand.mines, what)
    left = mines_left(board)
    if left is not None:
        yield _sum(list(symbols.values()), left, f"the total of {board.mines} mines")
    yield "(check-sat)"
    if symbols:
        yield f"(get-value ({' '.join(symbols.values())}))"


def _sum(symbols: Sequence[str], mines: int, what: str) -> str:
    """One sum; it starts with a zero, for a sum of one term is an error to some solvers."""
    total = " ".join(("0", "0", *symbols) if not symbols else ("0", *symbols))
    wanted = str(mines) if mines >= 0 else f"(- {-mines})"
    return f"(assert (= (+ {total}) {wanted})) ; {what}"
