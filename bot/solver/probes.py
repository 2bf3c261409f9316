"""Certainty by contradiction: put a mine there, can that be? (And none?)"""

from __future__ import annotations

from bot.board import Board
from bot.solver.constraints import covered, demands
from bot.solver.rules import Shape
from bot.solver.sat import Problem, exactly

__all__ = ["Agreed", "backbone", "backbone_with_total", "clashing_clues"]

Agreed = tuple[bool | None, ...]
"""For each group of a front: all mines (True), all safe (False), or neither."""

_PATIENCE = 200
"""Conflicts before a search with the total is given up; 201 mid-game positions need up to 37."""


def backbone(shape: Shape) -> Agreed:
    """What all layouts of a front agree on; raises Clash if it has none."""
    with Problem() as problem:
        agreed = problem.backbone(_state(problem, shape))
    assert agreed is not None, "a search without a limit ends"
    return tuple(agreed)


def backbone_with_total(
    shape: Shape, mines: int, untouched: int
) -> tuple[Agreed, bool | None] | None:
    """What all layouts of `mines` mines agree on, in the front and in `untouched` other cells.

    None if the search came to nothing in `_PATIENCE` conflicts: sums over long
    fronts are the one thing that clause learning is bad at and counting is good at.
    Raises Clash if there is no layout.
    """
    size = sum(shape.sizes)
    cells = range(1, size + 1)
    fewer, more = size + 1, size + 2
    with Problem() as problem:
        members = _state(problem, shape)
        # Assuming `fewer` leaves the front one mine less than there are in all, so
        # that one is untouched; `more` leaves it one more than it must have.
        problem.at_most([*cells, fewer], mines)
        problem.at_most([*(-cell for cell in cells), more], size - (mines - untouched))
        agreed = problem.backbone(members, _PATIENCE)
        if agreed is None:
            return None
        elsewhere = None
        for assumption, mine in ((fewer, False), (more, True)) if untouched else ():
            possible = problem.possible([assumption], _PATIENCE)
            if possible is None:
                return None
            if not possible:
                elsewhere = mine
        return tuple(agreed), elsewhere


def _state(problem: Problem, shape: Shape) -> list[range]:
    """State the rules of a front; gives the variables of each group."""
    members: list[range] = []
    size = 0
    for count in shape.sizes:
        members.append(range(size + 1, size + 1 + count))
        size += count
    for mines, groups in shape.rules:
        problem.exactly([cell for group in groups for cell in members[group]], mines)
    return members


def clashing_clues(board: Board) -> tuple[int, ...]:
    """The squares of clues that cannot all be kept, while any fewer of them can.

    Empty if all clues of the board can be kept; its total is not looked at.
    """
    variables = {square: number for number, square in enumerate(covered(board), 1)}
    clues = dict(enumerate(demands(board), len(variables) + 1))
    with Problem() as problem:
        for clue, demand in clues.items():
            cells = [variables[square] for square in demand.squares]
            problem.add(exactly(cells, demand.mines, -clue))
        clashing = problem.clashing(list(clues))
    return tuple(sorted([clues[clue].clue for clue in clashing]))
