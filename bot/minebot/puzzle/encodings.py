"""A board in the languages of solvers: DIMACS CNF and SMT-LIB 2.

In CNF the models are the layouts, one for one. A clue is written out, as clauses over the cells
around it. The total takes a k-cardinality modulo totalizer (A. Morgado, A. Ignatiev, J.
Marques-Silva, "MSCG: Robust Core-Guided MaxSAT Solving", 2015): of PySAT's encodings the smallest
whose added variables follow from those of the cells, so that no layout is counted twice.

In SMT-LIB each cell is an integer of 0 or 1, each clue a sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from minebot.board import Board
from minebot.solver.constraints import constraints_of, covered, mines_left
from minebot.solver.sat import exactly

Clause = Sequence[int]


def dimacs(board: Board, name: str = "") -> str:
    """The CNF file; comments tell which cell each variable is.

    Positive means a mine. A board that no layout fits gives an unsatisfiable file.
    """
    from pysat.card import CardEnc, EncType  # noqa: PLC0415

    squares = covered(board)
    variables = {square: number for number, square in enumerate(squares, 1)}
    clauses: list[Clause] = []
    for demand in constraints_of(board):
        clauses += exactly([variables[square] for square in demand.squares], demand.mines)
    highest = len(variables)
    left, literals = mines_left(board), list(variables.values())
    if left is not None and 0 < left < highest:
        total = CardEnc.equals(literals, left, top_id=highest, encoding=EncType.kmtotalizer)
        highest, clauses = total.nv, clauses + total.clauses
    elif left is not None:
        clauses += exactly(literals, left)
    lines = [f"c {line}".rstrip() for line in _heading(board, name, highest)]
    lines += [
        f"c variable {variable} is {board.name_of(square)}"
        for square, variable in variables.items()
    ]
    lines.append(f"p cnf {highest} {len(clauses)}")
    lines += [" ".join(map(str, (*clause, 0))) for clause in clauses]
    return "\n".join(lines) + "\n"


def _heading(board: Board, name: str, highest: int) -> Iterator[str]:
    yield f"{name or 'a board'}: {board.width} columns, {board.height} rows"
    yield from str(board).splitlines()
    cells = len(covered(board))
    yield f"variables 1 to {cells}: a covered cell, true for a mine"
    if board.mines is None:
        yield "the total number of mines is unknown and not in here"
    elif highest > cells:
        yield f"variables {cells + 1} to {highest}: partial sums, "
        yield f"for the total of {board.mines} mines"


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
    yield from (f"; {line}" for line in str(board).splitlines())
    yield "; r3c4 is the cell in row 3, column 4, counting from 1: 1 for a mine, else 0"
    yield "(set-option :produce-models true)"
    yield "(set-logic QF_LIA)"
    symbols = {square: symbol(board, square) for square in covered(board)}
    for each in symbols.values():
        yield f"(declare-const {each} Int)"
        yield f"(assert (<= 0 {each} 1))"
    for demand in constraints_of(board):
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
