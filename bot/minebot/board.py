"""The game's vocabulary: cells, squares, moves and boards, all of them values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from functools import lru_cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

from minebot.errors import UsageError


class Cell(IntEnum):
    """What a player sees on one square; 0 to 8 are the opened ones.

    There is no "unknown": a tile that cannot be read is an error of vision.
    """

    EMPTY = 0
    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    HIDDEN = 9
    FLAG = 10
    MINE = 11
    EXPLODED = 12


SYMBOLS = "012345678?F*!"
"""The text form of each cell, at the index of its value."""


def cell_name(x: int, y: int) -> str:
    """Name the cell at `x` and `y` (from 0) for people, from 1: `row 3, column 4`."""
    return f"row {y + 1}, column {x + 1}"


def listed(words: Sequence[object]) -> str:
    """Words as a sentence lists them: `1, 2 and 3`."""
    *first, last = map(str, words)
    return f"{', '.join(first)} and {last}" if first else last


def counted(number: int, one: str, more: str | None = None) -> str:
    """A number with its noun: `1 guess`, `2 guesses`; `more` is the plural unless it is with s."""
    return f"{number} {one if number == 1 else more or one + 's'}"


class Action(Enum):
    """What a move, or a click, does to a square."""

    OPEN = "open"
    FLAG = "flag"
    UNFLAG = "unflag"
    CHORD = "chord"
    """On a number: opens all its other neighbours at once."""

    @property
    def opens(self) -> bool:
        """Whether it opens cells."""
        return self in (Action.OPEN, Action.CHORD)


@dataclass(frozen=True, slots=True)
class Move:
    """One decided action at (x, y), counting from 0; recordings write it as `open 3,4`."""

    action: Action
    x: int
    y: int

    def __str__(self) -> str:
        return f"{self.action.value} {self.x},{self.y}"

    @property
    def said(self) -> str:
        """The move for people: `open row 5, column 4`."""
        return f"{self.action.value} {cell_name(self.x, self.y)}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read back what `str` wrote; raises UsageError."""
        match = re.fullmatch(r"(open|flag|unflag|chord) (\d+),(\d+)", text)
        if match is None:
            raise UsageError(f"not a move: {text!r} (expected such as 'open 3,4')")
        return cls(Action(match[1]), int(match[2]), int(match[3]))


@lru_cache(maxsize=64)
def neighbourhood(width: int, height: int) -> tuple[tuple[int, ...], ...]:
    """For each row-major square, the up to eight squares that touch it, ascending."""
    return tuple(
        tuple(
            ny * width + nx
            for ny in range(max(0, y - 1), min(height, y + 2))
            for nx in range(max(0, x - 1), min(width, x + 2))
            if (nx, ny) != (x, y)
        )
        for y in range(height)
        for x in range(width)
    )


@dataclass(frozen=True, slots=True)
class Board:
    """What a player sees: `cells` is row-major, one byte a `Cell`.

    `mines` is the total number of mines, None while it is not known.
    """

    width: int
    height: int
    mines: int | None
    cells: bytes

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise UsageError(f"a board of {self.width}x{self.height} has no cells")
        if len(self.cells) != self.width * self.height:
            raise UsageError(
                f"{len(self.cells)} cells do not fill a board of {self.width}x{self.height}"
            )
        if max(self.cells) > Cell.EXPLODED:
            raise UsageError(f"no cell has the value {max(self.cells)}")
        if self.mines is not None and not 0 <= self.mines <= len(self.cells):
            raise UsageError(
                f"{self.mines} mines do not fit the {len(self.cells)} cells of a "
                f"{self.width}x{self.height} board"
            )

    @classmethod
    def hidden(cls, width: int, height: int, mines: int | None = None) -> Self:
        """A board on which nothing has been opened."""
        return cls(width, height, mines, bytes([Cell.HIDDEN]) * (width * height))

    @classmethod
    def parse(cls, text: str, mines: int | None = None) -> Self:
        """Read the text form: one row a line, `?` hidden, `0`-`8`, `F`, `*`, `!`.

        Blank lines around the board are passed over. Raises UsageError with the
        row and column, counting from 1, of what is wrong.
        """
        rows = [line.strip() for line in text.strip().splitlines()]
        if not rows:
            raise UsageError("the board is empty")
        width = len(rows[0])
        cells = bytearray()
        for number, row in enumerate(rows):
            for column, symbol in enumerate(row):
                if symbol not in SYMBOLS:
                    raise UsageError(f"{cell_name(column, number)}: no cell is written {symbol!r}")
            if len(row) != width:
                raise UsageError(
                    f"{cell_name(min(len(row), width), number)}: the row has {len(row)} cells, "
                    f"the first one {width}"
                )
            cells.extend(map(SYMBOLS.index, row))
        return cls(width, len(rows), mines, bytes(cells))

    def __str__(self) -> str:
        text = "".join([SYMBOLS[cell] for cell in self.cells])
        return "\n".join(
            text[start : start + self.width] for start in range(0, len(text), self.width)
        )

    def square(self, x: int, y: int) -> int:
        """The row-major number of column x, row y, both from 0."""
        return y * self.width + x

    def xy(self, square: int) -> tuple[int, int]:
        """The column and row, from 0, of a row-major square."""
        return square % self.width, square // self.width

    def name_of(self, square: int) -> str:
        """Name a square for people: see `cell_name`."""
        return cell_name(*self.xy(square))

    def names_of(self, squares: Iterable[int]) -> str:
        """Name squares for people: `row 1, columns 4 and 5; row 2, column 3`."""
        rows: dict[int, list[int]] = {}
        for x, y in map(self.xy, sorted(squares)):
            rows.setdefault(y + 1, []).append(x + 1)
        return "; ".join(
            f"row {row}, column{'s' if len(columns) > 1 else ''} {listed(columns)}"
            for row, columns in rows.items()
        )

    def neighbours(self, square: int) -> tuple[int, ...]:
        """The up to eight squares that touch `square`."""
        return neighbourhood(self.width, self.height)[square]

    def around(self, squares: Iterable[int]) -> set[int]:
        """The squares that touch at least one of these."""
        return {other for square in squares for other in self.neighbours(square)}

    def distance(self, one: int, other: int) -> int:
        """How many moves a chess king needs from one square to the other."""
        (ax, ay), (bx, by) = self.xy(one), self.xy(other)
        return max(abs(ax - bx), abs(ay - by))

    def squares(self, *kinds: Cell) -> Iterator[int]:
        """The squares that show one of `kinds`, ascending."""
        wanted = frozenset(kinds)
        return (square for square, cell in enumerate(self.cells) if cell in wanted)

    def count(self, kind: Cell) -> int:
        """How many squares show `kind`."""
        return self.cells.count(kind)

    def with_mines(self, mines: int | None) -> Self:
        """Return a copy of the board with another mine total."""
        return replace(self, mines=mines)

    def unflagged(self) -> Self:
        """Return a copy with every flag taken off."""
        return replace(self, cells=self.cells.replace(bytes([Cell.FLAG]), bytes([Cell.HIDDEN])))

    def showing(self, changes: Mapping[int, int]) -> Self:
        """Return a copy that shows these cells on these squares; nothing else opens with them."""
        cells = bytearray(self.cells)
        for square, cell in changes.items():
            cells[square] = cell
        return replace(self, cells=bytes(cells))

    @property
    def lost(self) -> bool:
        """Whether a mine was hit."""
        return Cell.EXPLODED in self.cells

    @property
    def covered(self) -> int:
        """How many squares are hidden or flagged."""
        return self.count(Cell.HIDDEN) + self.count(Cell.FLAG)

    @property
    def shown_mines(self) -> tuple[int, ...]:
        """The squares that show a mine, exploded or not, ascending."""
        return tuple(self.squares(Cell.MINE, Cell.EXPLODED))

    @property
    def opened(self) -> set[int]:
        """The squares that show a number, or that they are empty."""
        return {square for square, cell in enumerate(self.cells) if cell <= Cell.EIGHT}

    @property
    def begun(self) -> bool:
        """Whether any cell is opened."""
        return self.covered < len(self.cells)

    @property
    def grid(self) -> NDArray[np.uint8]:
        """The cells as an array of shape (height, width)."""
        return np.frombuffer(self.cells, np.uint8).reshape(self.height, self.width)

    def problems(self) -> list[str]:
        """Every reason why no game could show this board, empty when it is plausible.

        Cheap and local: clues that their surroundings cannot satisfy, and a mine
        total that the covered cells cannot hold. Flags are opinions and count as
        covered cells. The solver finds what only a search can find.
        """
        cells = self.grid
        covered = within_one((cells == Cell.HIDDEN) | (cells == Cell.FLAG))
        shown = within_one(cells > Cell.FLAG)
        clashes = (cells <= Cell.EIGHT) & ((cells < shown) | (cells > shown + covered))
        found = [
            f"the {cells[y, x]} at {cell_name(x, y)} touches {shown[y, x]} shown mines and "
            f"{covered[y, x]} covered cells"
            for y, x in np.argwhere(clashes).tolist()
        ]
        if self.mines is not None:
            seen = len(self.shown_mines)
            if not seen <= self.mines <= seen + self.covered:
                found.append(
                    f"{self.mines} mines do not fit {seen} shown mines and {self.covered} "
                    "covered cells"
                )
        return found

    def changes(self, previous: Board) -> Iterator[tuple[int, Cell, Cell]]:
        """Each square that shows something else than on a `previous` board: square, old, new."""
        pairs = enumerate(zip(previous.cells, self.cells, strict=False))
        return ((at, Cell(old), Cell(new)) for at, (old, new) in pairs if old != new)

    def follows(self, previous: Board) -> bool:
        """Whether this can be a later moment of the same game as `previous`.

        Opened cells stay as they are; covered ones may become anything.
        """
        if (self.width, self.height) != (previous.width, previous.height):
            return False
        return bool(((self.grid == previous.grid) | (previous.grid > Cell.EIGHT)).all())


def within_one(squares: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """How many of `squares`, shape (height, width), are in the 3x3 around each square."""
    height, width = squares.shape
    padded = np.zeros((height + 2, width + 2), np.uint8)
    padded[1:-1, 1:-1] = squares
    rows = padded[:-2] + padded[1:-1] + padded[2:]
    return np.asarray(rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:])
