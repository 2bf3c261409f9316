"""The chance that several cells are safe together, exactly."""

from __future__ import annotations

from collections.abc import Collection

from minebot.board import Board
from minebot.solver.constraint_store import Clash, Rules, fronts, propagate
from minebot.solver.constraints import covered, demands, mines_left
from minebot.solver.counting import count
from minebot.solver.probabilities import ODDS, weigh


def all_safe(board: Board, squares: Collection[int]) -> float:
    """The chance, from 0 to 1, that none of the covered `squares` holds a mine.

    As everywhere, a cell is a mine with odds of one to `ODDS` while the total is unknown.
    """
    whole = _weight(board, ())
    return _weight(board, squares) / whole if whole else 0.0


def _weight(board: Board, safe: Collection[int]) -> int:
    """The layouts without a mine on `safe`; weighted by the odds where the total is unknown."""
    rules = Rules(covered(board))
    try:
        rules.decide(list(safe), mine=False)
        for one in demands(board):
            rules.add(one.clue, one.mines, one.squares)
        propagate(rules)
        found = [(front, count(front.shape)) for front in fronts(rules)]
        left, untouched = mines_left(board), len(rules.untouched())
        if left is not None:
            counts = [counted for _, counted in found]
            return weigh(counts, left - len(rules.mined), untouched).layouts or 0
    except Clash:
        return 0
    whole: int = (1 + ODDS) ** untouched * ODDS ** len(rules.safe)
    for front, counted in found:
        cells = sum(front.shape.sizes)
        whole *= sum(
            layouts * ODDS ** (cells - counted.base - extra)
            for extra, layouts in enumerate(counted.layouts)
            if layouts
        )
    return whole
