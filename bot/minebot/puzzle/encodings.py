"""A board in the languages of solvers: DIMACS CNF and SMT-LIB 2.

In CNF the models are the layouts, one for one. A clue is written out, as clauses over the
cells around it. The total takes a sorting network, N. Eén and N. Sörensson, "Translating
Pseudo-Boolean Constraints into SAT" (2006), with K. E. Batcher's merge exchange (D. Knuth,
The Art of Computer Programming, 5.2.2, algorithm M): about n log² n clauses for n cells,
where a sequential counter takes n times the mines. Every variable that the network adds
is defined by the cells' variables both ways, so no layout is counted twice.

In SMT-LIB each cell is an integer of 0 or 1, each clue a sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from minebot.board import Board
from minebot.solver.constraints import constraints_of, covered, mines_left
from minebot.solver.sat import exactly

Clause = tuple[int, ...]


def dimacs(board: Board, name: str = "") -> str:
    """The CNF file; comments tell which cell each variable is, rows and columns from 1.

    Positive means a mine. A board that no layout fits gives an unsatisfiable file.
    """
    squares = covered(board)
    variables = {square: number for number, square in enumerate(squares, 1)}
    clauses: list[Clause] = []
    for demand in constraints_of(board):
        clauses += exactly([variables[square] for square in demand.squares], demand.mines)
    highest = len(variables)
    left = mines_left(board)
    if left is not None:
        highest, total = _total(list(variables.values()), left)
        clauses += total
    lines = [f"c {line}".rstrip() for line in _heading(board, name, highest)]
    lines += [
        f"c variable {variable} is row {y + 1}, column {x + 1}"
        for square, variable in variables.items()
        for x, y in [board.xy(square)]
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
        yield f"variables {cells + 1} to {highest}: a network that sorts them, "
        yield f"for the total of {board.mines} mines"


def _total(literals: list[int], count: int) -> tuple[int, list[Clause]]:
    """Exactly `count` of all `literals`, by sorting them; the highest variable, the clauses."""
    highest = len(literals)
    if not 0 < count < len(literals):
        return highest, list(exactly(literals, count))
    wires = list(literals)
    clauses: list[Clause] = []
    for upper, lower in merge_exchange(len(wires)):
        one, other = wires[upper], wires[lower]
        either, both = highest + 1, highest + 2
        highest += 2
        wires[upper], wires[lower] = either, both
        clauses += [(-one, either), (-other, either), (one, other, -either)]
        clauses += [(one, -both), (other, -both), (-one, -other, both)]
    return highest, [*clauses, (wires[count - 1],), (-wires[count],)]


def merge_exchange(size: int) -> Iterator[tuple[int, int]]:
    """The comparators of a network that sorts `size` wires, in order (algorithm M)."""
    if size < 2:
        return
    top = 1 << ((size - 1).bit_length() - 1)
    step = top
    while step:
        limit, offset, distance = top, 0, step
        while True:
            for wire in range(size - distance):
                if wire & step == offset:
                    yield wire, wire + distance
            if limit == step:
                break
            distance, limit, offset = limit - step, limit >> 1, step
        step >>= 1


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
