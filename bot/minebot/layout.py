"""The truth below a board: where the mines lie, and what a click opens.

For simulation, for pictures whose truth is computed, and for tests. The solver and
the player never see a `Layout`, only the `Board` that it shows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import Self

from minebot.board import Board, Cell, neighbourhood
from minebot.errors import UsageError


@dataclass(frozen=True, slots=True)
class Layout:
    """A field of `width` x `height` squares; `mines` are the row-major squares with a mine."""

    width: int
    height: int
    mines: frozenset[int]
    numbers: bytes = field(init=False, repr=False, compare=False)
    """How many mines touch each square, whatever it holds itself."""

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise UsageError(f"a field of {self.width}x{self.height} has no squares")
        numbers = bytearray(self.width * self.height)
        neighbours = neighbourhood(self.width, self.height)
        for mine in self.mines:
            if not 0 <= mine < len(numbers):
                raise UsageError(f"square {mine} is not on a {self.width}x{self.height} field")
            for square in neighbours[mine]:
                numbers[square] += 1
        object.__setattr__(self, "numbers", bytes(numbers))

    @classmethod
    def scattered(
        cls, width: int, height: int, mines: int, random: Random, clear: Collection[int] = ()
    ) -> Self:
        """`mines` mines laid at random, each layout as likely as the next, none on `clear`."""
        free = [square for square in range(width * height) if square not in clear]
        if not 0 <= mines <= len(free):
            raise UsageError(f"{mines} mines do not fit {len(free)} squares")
        return cls(width, height, frozenset(random.sample(free, mines)))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a drawing: one row a line, `*` a mine, any other sign none."""
        rows = text.split()
        if len({len(row) for row in rows}) != 1:
            raise UsageError("the rows of a field must be equally long, and there must be one")
        signs = "".join(rows)
        mines = frozenset(square for square, sign in enumerate(signs) if sign == "*")
        return cls(len(rows[0]), len(rows), mines)

    @classmethod
    def below(cls, board: Board) -> Self | None:
        """What lies below a board that shows all of it; None if it does not.

        All of it is shown when the covered squares are the mines, as when a game is won,
        or when the game has shown them, as most do when it is lost. A flag counts as a mine
        only where that agrees with every number. With the total unknown nothing but a board
        without a hidden cell shows all.
        """
        if board.mines is None and Cell.HIDDEN in board.cells:
            return None
        covered = frozenset(board.squares(Cell.HIDDEN, Cell.FLAG))
        shown = frozenset(board.shown_mines)
        flags = frozenset(board.squares(Cell.FLAG))
        for mines in (shown | covered, shown | flags, shown):
            layout = cls(board.width, board.height, mines)
            fits = board.mines in (None, len(mines)) and (mines or not board.mines)
            if fits and all(layout.numbers[at] == board.cells[at] for at in board.opened):
                return layout
        return None

    def square(self, x: int, y: int) -> int:
        """The row-major number of column x, row y, both from 0."""
        return y * self.width + x

    def neighbours(self, square: int) -> tuple[int, ...]:
        """The up to eight squares that touch `square`."""
        return neighbourhood(self.width, self.height)[square]

    @property
    def openings(self) -> tuple[frozenset[int], ...]:
        """What one click opens that meets no number: connected empty squares and their rims."""
        found: list[frozenset[int]] = []
        left = {at for at in range(self.width * self.height) if self._is_empty(at)}
        while left:
            found.append(self.opened_by(min(left)))
            left -= found[-1]
        return tuple(found)

    @property
    def bbbv(self) -> int:
        """The fewest clicks that open every safe square, without chords; players call it 3BV."""
        return self.bbbv_of(at for at in range(self.width * self.height) if at not in self.mines)

    def bbbv_of(self, opened: Iterable[int]) -> int:
        """How much of it is done when these safe squares are open: openings begun, and the
        numbers that are in no opening."""
        seen, openings = frozenset(opened), self.openings
        begun = [part for part in openings if any(self._is_empty(at) for at in part & seen)]
        return len(begun) + len(seen.difference(*openings))

    def _is_empty(self, square: int) -> bool:
        return not self.numbers[square] and square not in self.mines

    def opened_by(self, square: int, covered: Collection[int] | None = None) -> frozenset[int]:
        """The squares that a click on a safe `square` opens: itself, or its whole opening.

        `covered` are those that can still open, all by default; a flagged square, as
        an opened one, stays as it is and stops the flood. Raises UsageError on a mine.
        """
        if square in self.mines:
            raise UsageError(f"square {square} holds a mine and opens nothing")
        opened = {square}
        waiting = [square]
        while waiting:
            here = waiting.pop()
            if self.numbers[here]:
                continue
            fresh = [other for other in self.neighbours(here) if other not in opened]
            if covered is not None:
                fresh = [other for other in fresh if other in covered]
            opened.update(fresh)
            waiting.extend(fresh)
        return frozenset(opened)

    def seen(self, opened: Iterable[int], flags: Iterable[int] = ()) -> Board:
        """What a player sees when the safe squares `opened` are open and `flags` are set."""
        cells = bytearray([Cell.HIDDEN]) * (self.width * self.height)
        for square in flags:
            cells[square] = Cell.FLAG
        for square in opened:
            cells[square] = self.numbers[square]
        return Board(self.width, self.height, len(self.mines), bytes(cells))


class First(Enum):
    """What a game promises of the first click."""

    OPENING = "opening"
    """No mine in the 3x3 around it."""
    SAFE = "safe"
    """No mine under it."""

    def clear(self, width: int, height: int, square: int) -> set[int]:
        """The squares without a mine when the first click goes to `square`."""
        around = neighbourhood(width, height)[square] if self is First.OPENING else ()
        return {square, *around}
