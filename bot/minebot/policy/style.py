"""What clicks are spent on, and which click saves most: a chord, or a cell to open.

A chord opens all safe cells around a number at the cost of one click and the flags that are missing
there. What a cell is worth is the chance that it needs a click of its own: less than 1 if it may
open together with an empty cell beside it.
"""

from __future__ import annotations

from collections.abc import Collection, Set
from enum import Enum
from math import prod

from minebot.board import Board, Cell

USUAL_DENSITY = 0.2
"""Fraction of mines assumed if the total is unknown. Specified: about that of an expert board."""
_FLAG_COST = 0.8
"""Clicks that a flag counts as, for later chords use it too. Measured: docs/measurements.md,
"Fewest clicks"."""
_LATER = 0.5
"""Share of what chords on the cells that a chord opens may save. Measured: as `_FLAG_COST`."""
_UNDECIDED = 0.5
"""Worth of a cell that may be a mine, where it turns out to be safe. Measured: as `_FLAG_COST`."""


class Style(Enum):
    """What clicks are spent on."""

    FAST = "fast"
    """All certain moves of a frame at once: it opens cells, then flags mines."""
    EFFICIENT = "efficient"
    """As few clicks as possible: chords, and only the flags that these need."""
    NO_FLAGS = "no-flags"
    """As fast, without a flag."""

    @property
    def flags(self) -> bool:
        """Whether each proven mine is flagged."""
        return self is Style.FAST

    @property
    def chords(self) -> bool:
        """Whether chords are made where the game has them."""
        return self is Style.EFFICIENT


def most_efficient(board: Board, safe: Collection[int], mines: Set[int]) -> tuple[int, list[int]]:
    """Return the square to click, and the mines to flag first if that is a chord on a number.

    `safe` are hidden squares proven to hold no mine, at least one; `mines` are the proven mines. A
    chord is chosen only if each covered neighbour of its number is one or the other.
    """
    free = set(safe)
    undecided = {*board.squares(Cell.HIDDEN, Cell.FLAG)} - free - mines
    around = {square: board.neighbours(square) for square in range(len(board.cells))}
    total = USUAL_DENSITY * len(board.cells) if board.mines is None else board.mines
    risk = min(1.0, max(0.0, total - len(mines)) / len(undecided)) if undecided else 0.0

    def clear(square: int) -> float:
        """The chance that no undecided neighbour is a mine."""
        return float((1 - risk) ** sum(at in undecided for at in around[square]))

    near = free | {at for square in free for at in around[square] if at in undecided}
    empty = {
        square: clear(square) * (1 if square in free else 1 - risk)
        for square in near
        if mines.isdisjoint(around[square])
    }

    def worth(square: int) -> float:
        """The chance that a safe cell needs a click of its own."""
        chance = empty.get(square, 0.0)
        return chance + (1 - chance) * prod(1 - empty.get(at, 0.0) for at in around[square])

    worths = {square: worth(square) for square in free} | dict.fromkeys(undecided, _UNDECIDED)

    def missing(square: int) -> list[int]:
        return [at for at in around[square] if at in mines and board.cells[at] != Cell.FLAG]

    def saved(square: int) -> float:
        """The clicks that a chord saves if no undecided neighbour is a mine."""
        gain = sum(worths.get(at, 0.0) for at in around[square])
        return gain - _FLAG_COST * len(missing(square)) - 1

    # An empty cell opens its neighbours without a chord.
    later = {
        square: 0.0 if square in empty else max(0.0, clear(square) * saved(square))
        for square in free
    }
    values = {square: worths[square] - 1 + later[square] for square in free}
    for square in {at for one in free for at in around[one] if _is_number(board, at)}:
        if undecided.isdisjoint(around[square]):
            values[square] = saved(square) + _LATER * sum(
                later.get(at, 0.0) for at in around[square]
            )
    best = max(values, key=lambda square: (values[square], -square))
    return best, missing(best) if _is_number(board, best) else []


def _is_number(board: Board, square: int) -> bool:
    return Cell.EMPTY < board.cells[square] <= Cell.EIGHT
