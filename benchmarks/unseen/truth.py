"""What a game says that it shows: its board, and where that lies in a picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from minebot.board import Board, Cell

_PLACE = ("x", "y", "step_x", "step_y")
_MAX_UNEVEN = 0.1
"""Largest distance of a cell's middle from its place in an even grid, as a fraction of a cell."""


def lost(board: Board) -> bool:
    """Whether a mine shows: many games do not tell which was hit."""
    return max(board.cells) > Cell.FLAG


@dataclass(frozen=True, slots=True)
class Truth:
    """A board and its place in pixels of the picture."""

    board: Board
    x: float
    y: float
    step_x: float
    step_y: float
    uneven: float = 0.0
    """Largest distance of a cell's middle from its place, as a fraction of a cell."""

    @classmethod
    def of(cls, found: Mapping[str, Any], scale: float = 1.0) -> Truth:
        """Take over what a recipe's expression gives, in units of `scale` pixels."""
        board = Board.parse("\n".join("".join(row) for row in found["rows"]))
        x, y, step_x, step_y = (float(found[key]) * scale for key in _PLACE)
        return cls(board, x, y, step_x, step_y, found.get("uneven", 0.0))

    def place(self) -> dict[str, float]:
        """The numbers that a picture's `.json` file holds."""
        return {
            **{key: round(getattr(self, key), 4) for key in _PLACE},
            "columns": self.board.width,
            "rows": self.board.height,
        }

    def middle(self, square: int) -> tuple[float, float]:
        """The pixel in the middle of a cell."""
        x, y = self.board.xy(square)
        return self.x + (x + 0.5) * self.step_x, self.y + (y + 0.5) * self.step_y

    def square_at(self, x: float, y: float) -> int | None:
        """The cell in which a pixel lies, None outside the board."""
        column, row = int((x - self.x) // self.step_x), int((y - self.y) // self.step_y)
        inside = 0 <= column < self.board.width and 0 <= row < self.board.height
        return self.board.square(column, row) if inside else None

    def faults(self, *, wrong_flags: int = 0, spills: bool = True) -> list[str]:
        """Say why the board cannot be right, with that many wrong flags at most.

        With `spills` zeros open all their neighbours.
        """
        board = self.board
        found = [f"uneven by {self.uneven:.2f}"] if self.uneven > _MAX_UNEVEN else []
        found += board.problems()
        for square in board.squares(*map(Cell, range(9))):
            number, near = board.cells[square], [board.cells[s] for s in board.neighbours(square)]
            mines = sum(cell > Cell.FLAG for cell in near)
            if number == 0 and spills and not lost(board) and Cell.HIDDEN in near:
                found.append(f"{board.xy(square)}: a zero beside a hidden cell")
            if near.count(Cell.FLAG) > number + wrong_flags - mines * lost(board):
                found.append(f"{board.xy(square)}: {number}, too many flags")
        return found
