"""Positions to begin with: moments of made-up games in which one named pattern opens a cell."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from minebot.analysis.explanation import why_certain
from minebot.analysis.patterns import family
from minebot.board import Board
from minebot.layout import Layout
from minebot.solver import Solver

PATTERNS = ("1-1", "1-2", "1-3", "2-2", "1-2-1", "hole", "overlap", "contradiction", "mine count")
"""The families of patterns that there are positions for."""
_SIDE, _MINES = 9, 12
"""Columns, rows and mines of a game. Specified: a beginner's board, as crowded as an expert's."""


def positions(name: str, random: Random) -> Iterator[Board]:
    """Boards, without end, on which all cells that are certainly safe are so by this pattern."""
    while True:
        found = _position(*_begun(name, random), name, random)
        if found is not None:
            yield found


def _begun(name: str, random: Random) -> tuple[Layout, set[int]]:
    """A game and what is open in it, around a patch of three rows without a mine.

    Chance hardly ever leaves 1-2-1 alone. So its two mines are laid, in the covered first row.
    """
    columns = 5 if name == "1-2-1" else 3
    left, top = random.randrange(_SIDE - columns + 1), random.randrange(_SIDE - 2)
    wall, *patch = [
        [(top + row) * _SIDE + left + column for column in range(columns)] for row in range(3)
    ]
    mines = wall[1::2] if name == "1-2-1" else []
    clear = {*wall, *patch[0], *patch[1]}
    others = Layout.scattered(_SIDE, _SIDE, _MINES - len(mines), random, clear)
    layout = Layout(_SIDE, _SIDE, others.mines.union(mines))
    shown = clear.difference(wall) if mines else clear
    return layout, {at for square in shown for at in layout.opened_by(square)}


def _position(layout: Layout, opened: set[int], name: str, random: Random) -> Board | None:
    """The first such board of a game that leaves cells of that pattern to the last."""
    solver = Solver()
    while covered := set(range(_SIDE * _SIDE)) - opened - layout.mines:
        board = layout.seen(opened)
        safe = solver.solve(board, risk=False, every=True).safe
        named = {at: family(why_certain(board, at, mine=False).pattern) for at in safe}
        others = [at for at in safe if named[at] != name]
        if safe and not others:
            return board
        if name == "1-2-1" and name not in named.values():
            return None
        for square in others or [random.choice(sorted(covered))]:
            opened |= layout.opened_by(square)
    return None
