"""The chance that several cells are safe together, exactly."""

from __future__ import annotations

from collections.abc import Collection

from minebot.board import Board
from minebot.solver.constraint_store import Conflict, ConstraintStore, components, propagate
from minebot.solver.constraints import constraints_of, covered, mines_left
from minebot.solver.counting import count
from minebot.solver.probabilities import ODDS, compute_probabilities


def all_safe(board: Board, squares: Collection[int]) -> float:
    """The chance, from 0 to 1, that none of the covered `squares` holds a mine.

    As everywhere, a cell is a mine with odds of one to `ODDS` while the total is unknown.
    """
    whole = _weight(board, ())
    return _weight(board, squares) / whole if whole else 0.0


def _weight(board: Board, safe: Collection[int]) -> int:
    """The layouts without a mine on `safe`; weighted by the odds where the total is unknown."""
    rules = ConstraintStore(covered(board))
    try:
        rules.decide(list(safe), mine=False)
        for one in constraints_of(board):
            rules.add(one.clue, one.mines, one.squares)
        propagate(rules)
        found = [(component, count(component.shape)) for component in components(rules)]
        left, untouched = mines_left(board), len(rules.untouched())
        if left is not None:
            counts = [counted for _, counted in found]
            return compute_probabilities(counts, left - len(rules.mined), untouched).layouts or 0
    except Conflict:
        return 0
    whole: int = (1 + ODDS) ** untouched * ODDS ** len(rules.safe)
    for component, counted in found:
        cells = sum(component.shape.sizes)
        whole *= sum(
            layouts * ODDS ** (cells - counted.base - extra)
            for extra, layouts in enumerate(counted.layouts)
            if layouts
        )
    return whole
