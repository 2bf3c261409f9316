"""Layouts by trying them all, for boards of at most a dozen covered cells."""

from __future__ import annotations

from itertools import product

from hypothesis import strategies as st

from minebot.board import Board, Cell
from minebot.layout import Layout
from minebot.puzzle.answer import failures

COVERED = (Cell.HIDDEN, Cell.FLAG)


def layouts(board: Board) -> list[frozenset[int]]:
    """Every set of mines that fits, those that the board shows included."""
    shown = frozenset(board.squares(Cell.MINE, Cell.EXPLODED))
    covered = list(board.squares(*COVERED))
    tried = (
        shown.union(square for square, mine in zip(covered, mines, strict=True) if mine)
        for mines in product((False, True), repeat=len(covered))
    )
    return [mines for mines in tried if not failures(board, mines)]


@st.composite
def boards(draw: st.DrawFn, *, possible: bool = True) -> Board:
    """Boards with few covered cells, of a real layout, or (not `possible`) of any digits."""
    width, height = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    squares = range(width * height)
    mines = draw(st.frozensets(st.sampled_from(squares)))
    layout = Layout(width, height, mines)
    hidden = draw(st.frozensets(st.sampled_from(squares), max_size=8))
    cells = bytearray(
        Cell.MINE if square in mines else layout.numbers[square] for square in squares
    )
    for square in hidden:
        cells[square] = draw(st.sampled_from(COVERED))
    if not possible:
        opened = [square for square in squares if cells[square] <= Cell.EIGHT]
        for square in opened:
            cells[square] = draw(st.integers(max(0, cells[square] - 1), cells[square] + 1)) % 9
    total = draw(st.sampled_from((None, len(mines))))
    return Board(width, height, total, bytes(cells))
