"""The text forms of a board, and which of them a text is.

Two are in use. A board as a player sees it: `?` hidden, `0`-`8` opened, `F` flag,
`*` and `!` mines. And the paper puzzle as newspapers print it: `.` unknown, digits
are clues, no mine under a clue, no total; its first line is `#iMine NAME`, though
a `.` gives it away as well. In both, lines that begin with `#` are comments and
blank lines may stand anywhere.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from enum import Enum
from typing import Self

from minebot.board import Board, Cell, cell_name
from minebot.errors import UsageError

_HEADER = "#iMine"
_COMMENT = "#"
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
        rows = [line for line in lines if line and not line.startswith(_COMMENT)]
        if not rows:
            raise UsageError("there is no board: not one row of cells")
        header = next((line for line in lines if line.split()[:1] == [_HEADER]), None)
        form = _form("".join(rows)) if header is None else Form.PAPER
        _check_unknowns(rows, form)
        if form is Form.PAPER:
            rows = [row.replace(_UNKNOWN, "?") for row in rows]
        name = "" if header is None else header.removeprefix(_HEADER).strip()
        return cls(Board.parse("\n".join(rows), mines), form, name)

    def __str__(self) -> str:
        if self.form is Form.BOARD:
            return str(self.board)
        return f"{_HEADER} {self.name}".rstrip() + "\n" + str(self.board).replace("?", _UNKNOWN)


def _form(signs: str) -> Form:
    """The form whose sign for an unknown cell comes first; a board if neither does."""
    first = next((sign for sign in signs if sign in ("?", _UNKNOWN)), "?")
    return Form.PAPER if first == _UNKNOWN else Form.BOARD


def _check_unknowns(rows: list[str], form: Form) -> None:
    """Refuse the signs of the other form, which would be read as something else."""
    foreign = "?F*!" if form is Form.PAPER else _UNKNOWN
    for number, row in enumerate(rows):
        for column, sign in enumerate(row):
            if sign in foreign:
                own = _UNKNOWN if form is Form.PAPER else "?"
                raise UsageError(
                    f"{cell_name(column, number)}: no {sign!r} can stand in "
                    f"{form.value.split(' (')[0]}, where a cell not yet known is {own!r}"
                )


def drawing(board: Board, mines: Set[int], *, clues: bool) -> str:
    """A layout, one row a line: `X` a mine, `.` none; with `clues` the opened cells' digits."""
    signs = [
        "X" if square in mines else str(cell) if clues and cell <= Cell.EIGHT else "."
        for square, cell in enumerate(board.cells)
    ]
    width = board.width
    return "\n".join("".join(signs[at : at + width]) for at in range(0, len(signs), width))


def ruled(board: Board) -> str:
    """The text form with a space between cells and the numbers of rows and columns, from 1."""
    side, wide = len(str(board.height)), len(str(board.width))
    heads = zip(*(str(column + 1).rjust(wide) for column in range(board.width)), strict=True)
    rows = [f"{'':{side}}  {' '.join(digits)}" for digits in heads]
    rows += [
        f"{row:{side}}  {' '.join(cells)}" for row, cells in enumerate(str(board).splitlines(), 1)
    ]
    return "\n".join(rows)


def percent(risk: float) -> str:
    """A mine probability in per cent; `0` and `100` stand for certainty alone."""
    if risk in (0.0, 1.0):
        return str(round(100 * risk))
    if risk < 0.0005:
        return "<0.1"
    return ">99.9" if risk >= 0.9995 else f"{100 * risk:.1f}"
