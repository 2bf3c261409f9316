"""Boards one step on, and how many layouts fit one whose total is unknown."""

from __future__ import annotations

from dataclasses import replace

from bot.board import Board, Cell
from bot.solver.constraints import Reading
from bot.solver.counting import count
from bot.solver.rules import fronts, propagate

__all__ = ["showing", "unflagged", "weight"]


def weight(board: Board, odds: int = 1) -> int:
    """The layouts that fit the clues, whatever their mines, as an exact number.

    Each counts `odds` times over for every covered cell without a mine: with 1 this
    is the plain number of layouts, with the solver's own odds the weight by which
    it judges boards whose total is unknown. The total of `board` is not looked at.
    Raises `bot.solver.rules.Clash` if there is no layout.
    """
    reading = Reading()
    reading.take(board.with_mines(None))
    rules = reading.rules
    propagate(rules)
    whole: int = (1 + odds) ** len(rules.untouched()) * odds ** len(rules.safe)
    for front in fronts(rules):
        counted = count(front.shape)
        cells = sum(front.shape.sizes)
        whole *= sum(
            layouts * odds ** (cells - counted.base - extra)
            for extra, layouts in enumerate(counted.layouts)
            if layouts
        )
    return whole


def showing(board: Board, square: int, cell: Cell) -> Board:
    """The board once `square` shows `cell`; no other square opens with it."""
    cells = bytearray(board.cells)
    cells[square] = cell
    return replace(board, cells=bytes(cells))


def unflagged(board: Board) -> Board:
    """The board with every flag taken off."""
    return replace(board, cells=board.cells.replace(bytes([Cell.FLAG]), bytes([Cell.HIDDEN])))
