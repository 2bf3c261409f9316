"""The truth below a board: where the mines lie, and how a game answers clicks.

For simulation, for pictures whose truth is computed, and for tests. The solver and
the player never see a `Layout`, only the `Board` that it shows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import Self

from bot.board import Board, Cell, neighbourhood
from bot.errors import UsageError

__all__ = ["First", "GameRules", "GameState", "Layout"]


@dataclass(frozen=True, slots=True)
class Layout:
    """A field of `width` x `height` squares; `mines` are the row-major squares with a mine."""

    width: int
    height: int
    mines: frozenset[int]
    _numbers: bytes = field(init=False, repr=False, compare=False)

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
        object.__setattr__(self, "_numbers", bytes(numbers))

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

    def square(self, x: int, y: int) -> int:
        """The row-major number of column x, row y, both from 0."""
        return y * self.width + x

    def neighbours(self, square: int) -> tuple[int, ...]:
        """The up to eight squares that touch `square`."""
        return neighbourhood(self.width, self.height)[square]

    def number(self, square: int) -> int:
        """How many mines touch `square`, whatever it holds itself."""
        return self._numbers[square]

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
            if self._numbers[here]:
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
            cells[square] = self._numbers[square]
        return Board(self.width, self.height, len(self.mines), bytes(cells))


class First(Enum):
    """What a game promises of the first click."""

    OPENING = "opening"
    """No mine in the 3x3 around it."""
    SAFE = "safe"
    """No mine under it."""


@dataclass(frozen=True, slots=True)
class GameRules:
    """How a game lays its mines and answers clicks, as far as games differ."""

    first: First = First.OPENING
    chords: bool = True
    """Whether a click on a number with as many flags around it opens the rest."""
    flags_when_won: bool = True
    """Whether winning flags the remaining mines."""
    flags_to_win: bool = False
    """Whether every mine, and nothing else, must be flagged before the game is won."""

    def deal(self, width: int, height: int, mines: int, first: int, random: Random) -> Layout:
        """Lay the mines for a first click on square `first`; raises UsageError without room."""
        clear = {first}
        if self.first is First.OPENING:
            clear.update(neighbourhood(width, height)[first])
        return Layout.scattered(width, height, mines, random, clear)


class GameState:
    """One game on a known layout, click after click. Squares are row-major."""

    def __init__(self, layout: Layout, rules: GameRules | None = None) -> None:
        """`rules` are the most common ones by default."""
        self.layout = layout
        self.rules = rules or GameRules()
        self.opened: set[int] = set()
        self.covered = set(range(layout.width * layout.height))
        """What is not open, flagged or not."""
        self.flags: set[int] = set()
        self.hit: set[int] = set()
        """The mines that were set off: one, or several by one chord."""

    @property
    def lost(self) -> bool:
        """Whether a mine was set off."""
        return bool(self.hit)

    @property
    def won(self) -> bool:
        """Whether everything is done that the rules ask for."""
        if self.lost or len(self.covered) > len(self.layout.mines):
            return False
        return not self.rules.flags_to_win or self.flags == self.layout.mines

    def click(self, square: int) -> None:
        """The left button: opens a covered square, chords on a number."""
        if square in self.opened:
            self.chord(square)
        else:
            self.open(square)

    def open(self, square: int) -> None:
        """Open a covered square; one that is flagged stays, and so does all after the end."""
        self._open([square])

    def chord(self, square: int) -> None:
        """Open what is left around an open number with as many flags around it."""
        around = self.layout.neighbours(square)
        number = self.layout.number(square) if square in self.opened else 0
        if self.rules.chords and len(self.flags.intersection(around)) == number > 0:
            self._open(around)

    def flag(self, square: int) -> None:
        """Set or take off the flag of a covered square; nothing after the end."""
        if not (self.lost or self.won):
            self.flags ^= {square} & self.covered
            self._flag_if_won()

    def board(self, *, reveal: bool = False) -> Board:
        """What the player sees; after a loss also the mines not flagged, if told to `reveal`."""
        seen = self.layout.seen(self.opened, self.flags)
        cells = bytearray(seen.cells)
        if self.lost and reveal:
            for mine in self.layout.mines - self.flags:
                cells[mine] = Cell.MINE
        for mine in self.hit:
            cells[mine] = Cell.EXPLODED
        return Board(seen.width, seen.height, seen.mines, bytes(cells))

    def _open(self, squares: Iterable[int]) -> None:
        if self.lost or self.won:
            return
        for square in squares:
            if square in self.opened or square in self.flags:
                continue
            if square in self.layout.mines:
                self.hit.add(square)
            else:
                new = self.layout.opened_by(square, self.covered - self.flags)
                self.opened |= new
                self.covered -= new
        self._flag_if_won()

    def _flag_if_won(self) -> None:
        if self.won and self.rules.flags_when_won:
            self.flags = set(self.layout.mines)
