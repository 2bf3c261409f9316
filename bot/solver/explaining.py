"""Why a board cannot be: the clues that clash, or the total that they leave no room for."""

from __future__ import annotations

from bot.board import Board
from bot.errors import Contradiction
from bot.solver.constraints import Reading
from bot.solver.counting import count
from bot.solver.probes import clashing_clues
from bot.solver.propagation import propagate
from bot.solver.rules import fronts

__all__ = ["explain"]


def explain(board: Board) -> Contradiction:
    """What to raise for a board that no layout fits.

    Its `clues` are an irreducible set that clashes: any fewer of them could all be
    kept. They are empty if all clues can be kept, but not with that total.
    """
    clues = clashing_clues(board)
    if clues:
        named = ", ".join(
            f"{board.cells[square]} at ({x}, {y})"
            for square, (x, y) in zip(clues, map(board.xy, clues), strict=True)
        )
        what = "clue" if len(clues) == 1 else "clues"
        return Contradiction(f"no layout fits the {what} {named}", clues)
    reading = Reading()
    reading.take(board.with_mines(None))
    rules = reading.rules
    propagate(rules)
    counts = [count(front.shape) for front in fronts(rules)]
    least = reading.shown + len(rules.mined) + sum(counted.base for counted in counts)
    most = least + sum(len(counted.layouts) - 1 for counted in counts) + len(rules.untouched())
    fitting = f"{least} mines" if least == most else f"{least} to {most} mines"
    return Contradiction(f"no layout of {board.mines} mines in all; the clues fit {fitting}")
