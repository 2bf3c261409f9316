"""The text forms of a board: those that people type, and the languages of solvers.

Two are typed. A board as a player sees it: `?` hidden, `0`-`8` opened, `F` flag, `*` and `!` mines.
And the paper puzzle as newspapers print it: `.` unknown, digits are clues, no mine under a clue, no
total; its first line is `#iMine NAME`, though a `.` gives it away as well. In both, lines that
begin with `#` are comments and blank lines may stand anywhere.

In DIMACS CNF the models are the layouts, one for one. A clue is written out, as clauses over the
cells around it. The total takes a k-cardinality modulo totalizer (A. Morgado, A. Ignatiev, J.
Marques-Silva, "MSCG: Robust Core-Guided MaxSAT Solving", 2015): of the encodings of PySAT the
smallest whose added variables follow from those of the cells, so that no layout is counted twice.
In SMT-LIB 2 each cell is an integer of 0 or 1, each clue a sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from typing import Self

from minebot.board import SYMBOLS, Board, Cell, cell_name
from minebot.errors import UsageError
from minebot.solver.constraints import constraints_of, covered, mines_left

_HEADER = "#iMine"
_UNKNOWN = "."


class Form(Enum):
    """Which of the text forms a board was written in; the value tells people."""

    BOARD = "a board (? hidden, 0-8 opened)"
    PAPER = "a paper puzzle (. unknown, 0-8 clues, no mine under a clue)"


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A board that was typed as text; on paper, unknown cells are its hidden ones."""

    board: Board
    form: Form
    name: str = ""
    """What stood after `#iMine`."""

    @classmethod
    def parse(cls, text: str, mines: int | None = None) -> Self:
        """Read either form; `mines` is the total, if it is known.

        Raises UsageError with the row and column of what is wrong, the board's first row being 1.
        """
        lines = [line.strip() for line in text.splitlines()]
        rows = [line for line in lines if line and not line.startswith("#")]
        if not rows:
            raise UsageError("there is no board: not one row of cells")
        headers = [line for line in lines if line.split()[:1] == [_HEADER]]
        # The sign for an unknown cell that comes first tells, or the header.
        first = next((sign for sign in "".join(rows) if sign in ("?", _UNKNOWN)), "?")
        form = Form.BOARD if not headers and first == "?" else Form.PAPER
        own, foreign = (_UNKNOWN, "?F*!") if form is Form.PAPER else ("?", _UNKNOWN)
        for y, row in enumerate(rows):
            for x, sign in enumerate(row):
                if sign in foreign:
                    what = form.value.split(" (")[0]
                    raise UsageError(
                        f"{cell_name(x, y)}: no {sign!r} can stand in {what}, where a cell not yet "
                        f"known is {own!r}"
                    )
        name = headers[0].removeprefix(_HEADER).strip() if headers else ""
        return cls(Board.parse("\n".join(rows).replace(own, "?"), mines), form, name)

    def __str__(self) -> str:
        if self.form is Form.BOARD:
            return str(self.board)
        return f"{_HEADER} {self.name}".rstrip() + "\n" + str(self.board).replace("?", _UNKNOWN)


def drawing(board: Board, mines: Set[int], *, clues: bool) -> str:
    """A layout, one row a line: `X` a mine, `.` none; with `clues` the opened cells' digits."""
    signs = (SYMBOLS[: Cell.HIDDEN] if clues else "." * Cell.HIDDEN) + "..XX"
    laid = board.showing(dict.fromkeys(mines, Cell.MINE))
    return str(laid).translate(str.maketrans(SYMBOLS, signs))


def ruled(board: Board) -> str:
    """The text form with a space between cells and the numbers of rows and columns, from 1."""
    side, wide = len(str(board.height)), len(str(board.width))
    heads = zip(*(str(column + 1).rjust(wide) for column in range(board.width)), strict=True)
    lines = [*(("", digits) for digits in heads), *enumerate(str(board).splitlines(), 1)]
    return "\n".join(f"{row:{side}}  {' '.join(signs)}" for row, signs in lines)


def percent(risk: float) -> str:
    """A mine probability in per cent; `0` and `100` stand for certainty alone."""
    if risk in (0.0, 1.0):
        return str(round(100 * risk))
    if risk < 0.0005:
        return "<0.1"
    return ">99.9" if risk >= 0.9995 else f"{100 * risk:.1f}"


def exactly(literals: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    """The clauses that make exactly `count` of `literals` true, without new variables.

    Any `count` + 1 of n literals include a false one, any n - `count` + 1 a true one: 64 clauses
    for two of eight.
    """
    if not 0 <= count <= len(literals):
        yield ()
        return
    yield from combinations([-literal for literal in literals], count + 1)
    yield from combinations(literals, len(literals) - count + 1)


def dimacs(board: Board, name: str = "") -> str:
    """The CNF file; comments tell which cell each variable is.

    Positive means a mine. A board that no layout fits gives an unsatisfiable file.
    """
    from pysat.card import CardEnc, EncType  # noqa: PLC0415

    variables = {square: number for number, square in enumerate(covered(board), 1)}
    clauses: list[Sequence[int]] = []
    for demand in constraints_of(board):
        clauses += exactly([variables[square] for square in demand.squares], demand.mines)
    highest = cells = len(variables)
    left, literals = mines_left(board), list(variables.values())
    if left is not None and 0 < left < cells:
        total = CardEnc.equals(literals, left, top_id=cells, encoding=EncType.kmtotalizer)
        highest, clauses = total.nv, clauses + total.clauses
    elif left is not None:
        clauses += exactly(literals, left)
    said = [
        f"{name or 'a board'}: {board.width} columns, {board.height} rows",
        *str(board).splitlines(),
        f"variables 1 to {cells}: a covered cell, true for a mine",
    ]
    if board.mines is None:
        said.append("the total number of mines is unknown and not in here")
    elif highest > cells:
        said.append(f"variables {cells + 1} to {highest}: partial sums,")
        said.append(f"for the total of {board.mines} mines")
    said += [f"variable {number} is {board.name_of(at)}" for at, number in variables.items()]
    lines = [*(f"c {line}" for line in said), f"p cnf {highest} {len(clauses)}"]
    lines += [" ".join(map(str, (*clause, 0))) for clause in clauses]
    return "\n".join(lines) + "\n"


def smtlib(board: Board, name: str = "") -> str:
    """The script: declarations, sums, `check-sat` and `get-value` of every cell.

    Linear integer arithmetic without quantifiers. A board that no layout fits gives
    an unsatisfiable script, whose `get-value` a solver answers with an error.
    """
    symbols = {square: symbol(board, square) for square in covered(board)}
    lines = [
        f"; {name or 'a board'}: {board.width} columns, {board.height} rows",
        *(f"; {line}" for line in str(board).splitlines()),
        "; r3c4 is the cell in row 3, column 4, counting from 1: 1 for a mine, else 0",
        "(set-option :produce-models true)",
        "(set-logic QF_LIA)",
    ]
    for each in symbols.values():
        lines += [f"(declare-const {each} Int)", f"(assert (<= 0 {each} 1))"]
    for demand in constraints_of(board):
        what = f"the {board.cells[demand.clue]} at {symbol(board, demand.clue)}"
        lines.append(_sum([symbols[square] for square in demand.squares], demand.mines, what))
    left = mines_left(board)
    if left is not None:
        lines.append(_sum(list(symbols.values()), left, f"the total of {board.mines} mines"))
    lines.append("(check-sat)")
    if symbols:
        lines.append(f"(get-value ({' '.join(symbols.values())}))")
    return "\n".join(lines) + "\n"


def symbol(board: Board, square: int) -> str:
    """The name of a cell's variable, `r3c4`: row and column from 1."""
    x, y = board.xy(square)
    return f"r{y + 1}c{x + 1}"


def _sum(symbols: Sequence[str], mines: int, what: str) -> str:
    """One sum; it starts with a zero, for a sum of one term is an error to some solvers."""
    total = " ".join(("0", *(symbols or "0")))
    wanted = str(mines) if mines >= 0 else f"(- {-mines})"
    return f"(assert (= (+ {total}) {wanted})) ; {what}"
