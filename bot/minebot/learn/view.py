"""The board of an unknown game in one frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minebot.board import Board, Cell
from minebot.capture import Frame
from minebot.vision.grid import Grid
from minebot.vision.tiles import SAME_LEVELS

LIT = 2
"""Open cells that may change with nothing over them. Specified: the pointer's, before and now."""
ENDING_TILES = 3
"""Kinds of tiles that only an ended game shows. Specified: mine, hit mine, wrong flag."""


@dataclass(frozen=True, slots=True)
class View:
    """The board in one frame."""

    frame: Frame
    grid: Grid
    board: Board
    """Its mine total is unknown; what cannot be read counts as hidden."""
    unread: frozenset[int]
    """Squares that cannot be read."""

    def tile(self, square: int) -> NDArray[np.int16]:
        """The pixels of a cell, shape (side, side, 3)."""
        rect = self.grid.rect(*self.board.xy(square))
        return self.frame.part(rect)[..., :3].astype(np.int16)

    def differs(self, other: View, square: int) -> bool:
        """Whether a cell is drawn differently in the other view."""
        one, two = self.tile(square), other.tile(square)
        return one.shape != two.shape or bool(np.abs(one - two).mean() > SAME_LEVELS)

    def hidden(self) -> set[int]:
        """The covered cells without a flag."""
        return {*self.board.squares(Cell.HIDDEN)} - self.unread

    def flags(self) -> set[int]:
        """The cells with a flag."""
        return {*self.board.squares(Cell.FLAG)}

    @property
    def shows_mines(self) -> bool:
        """Whether it shows a mine, as a game does that has ended."""
        return Cell.MINE in self.board.cells or self.board.lost

    def disturbed(self, after: View) -> int:
        """How many cells that were open cannot be read any more later, or are not as they were."""
        cells, later = self.board.cells, after.board.cells
        if len(cells) != len(later):
            return len(cells)
        same = self.grid == after.grid
        return sum(
            later[square] != cells[square] and not (same and not after.differs(self, square))
            for square in self.board.opened
        )

    def is_covered(self, after: View) -> bool:
        """Whether something lies over the board later: cells that were open are not as they were.

        Over covered cells it makes more different tiles unreadable than the end of a game does.
        """
        strange = {after.tile(square).tobytes() for square in after.unread - self.unread}
        return self.disturbed(after) > LIT or len(strange) > ENDING_TILES

    def is_dimmed(self, after: View) -> bool:
        """Whether all cells that were open are drawn differently later, and read the same."""
        opened = self.board.opened
        return bool(opened) and all(after.differs(self, square) for square in opened)

    def is_new(self, last: Board | None) -> bool:
        """Whether it is another board than the last one; some games begin with an opening."""
        if self.shows_mines:
            return False
        if not self.board.begun:
            return not self.unread
        return last is not None and not (self.unread or self.board.follows(last))
