"""Boards as text: what a picture is of, whether it can be so, and which squares are certain."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Square = tuple[int, int]
"""A square's row and column."""


_PLACE = ("x", "y", "step_x", "step_y")


@dataclass(frozen=True)
class Board:
    """What a game shows, and where: pixels of the picture."""

    rows: tuple[str, ...]
    x: float
    y: float
    step_x: float
    step_y: float
    uneven: float = 0.0
    """How far a square's middle is at most from where the steps say, as a part of a square."""

    @staticmethod
    def of(found: Mapping[str, Any], scale: float = 1.0) -> Board:
        """From what a recipe's expression gives, in units of that many pixels."""
        rows = tuple("".join(row) for row in found["rows"])
        if not rows or len({len(row) for row in rows}) != 1:
            raise ValueError(f"no board: {rows}")
        if set("".join(rows)) - set("?012345678F*!"):
            raise ValueError(f"unknown squares: {rows}")
        x, y, step_x, step_y = (float(found[key]) * scale for key in _PLACE)
        return Board(rows, x, y, step_x, step_y, found.get("uneven", 0.0))

    def squares(self, kinds: str) -> list[Square]:
        """The squares that show one of these."""
        return [
            (row, column)
            for row, line in enumerate(self.rows)
            for column, shown in enumerate(line)
            if shown in kinds
        ]

    def around(self, square: Square) -> Iterator[Square]:
        """The neighbours of a square."""
        for down, right in itertools.product((-1, 0, 1), repeat=2):
            row, column = square[0] + down, square[1] + right
            if (down or right) and 0 <= row < len(self.rows) and 0 <= column < len(self.rows[0]):
                yield row, column

    def at(self, square: Square) -> str:
        """What a square shows."""
        return self.rows[square[0]][square[1]]

    def middle(self, square: Square) -> tuple[float, float]:
        """The pixel in the middle of a square."""
        return self.x + (square[1] + 0.5) * self.step_x, self.y + (square[0] + 0.5) * self.step_y

    def faults(self, *, wrong_flags: int = 0, spills: bool = True) -> list[str]:
        """Where the numbers cannot be so. A flag of ours is a mine but for that many."""
        found = [f"uneven by {self.uneven:.2f}"] if self.uneven > 0.1 else []
        lost = bool(self.squares("*!"))
        for square in self.squares("012345678"):
            number, near = int(self.at(square)), [self.at(other) for other in self.around(square)]
            least = sum(shown in "*!" for shown in near)
            most = least + sum(shown in "?F" for shown in near)
            if not least <= number <= most:
                found.append(f"{square}: {number}, of {least} to {most} mines")
            if number == 0 and spills and not lost and "?" in near:
                found.append(f"{square}: nothing near, yet closed squares")
            if sum(shown == "F" for shown in near) > number + wrong_flags - least * lost:
                found.append(f"{square}: {number}, too many flags")
        return found


def certain(board: Board) -> tuple[set[Square], set[Square]]:
    """The covered squares that are safe and that are mines, by one number or two at a time."""
    safe: set[Square] = set()
    mines: set[Square] = set()
    while True:
        before = len(safe), len(mines)
        sums = []
        for square in board.squares("12345678"):
            near = {other for other in board.around(square) if board.at(other) in "?F"}
            left = int(board.at(square)) - len(near & mines)
            if near - mines - safe:
                sums.append((frozenset(near - mines - safe), left))
        for group, left in sums:
            if left == 0:
                safe |= group
            elif left == len(group):
                mines |= group
        for (one, in_one), (other, in_other) in itertools.permutations(sums, 2):
            if one & other and in_other - in_one == len(other - one):
                mines |= other - one
                safe |= one - other
        if (len(safe), len(mines)) == before:
            return safe - mines, mines
