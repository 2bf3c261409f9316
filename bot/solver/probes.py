"""Certainty by contradiction: put a mine there, can that be? (And none?)

The only user of the SAT solver. MiniCard takes "at most k of these" as it is,
so a rule costs two constraints and the total mine count two more.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from pysat.solvers import Solver as SatSolver  # type: ignore[import-untyped]  # ships no types

from bot.board import Board, Cell
from bot.solver.rules import Clash, Shape

__all__ = ["Agreed", "backbone", "backbone_with_total", "clashing_clues"]

Agreed = tuple[bool | None, ...]
"""For each group of a front: all mines (True), all safe (False), or neither."""

_PATIENCE = 200
"""Conflicts before a search with the total is given up; 201 mid-game positions need up to 37."""


def backbone(shape: Shape) -> Agreed:
    """What all layouts of a front agree on; raises Clash if it has none."""
    with SatSolver(name="mc") as sat:
        agreed = _agreed(sat, _state(sat, shape))
    assert agreed is not None, "a search without a limit ends"
    return agreed


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
    with SatSolver(name="mc") as sat:
        members = _state(sat, shape)
        # Assuming `fewer` leaves the front one mine less than there are in all, so
        # that one is untouched; `more` leaves it one more than it must have.
        _at_most(sat, [*cells, fewer], mines)
        _at_most(sat, [*(-cell for cell in cells), more], size - (mines - untouched))
        agreed = _agreed(sat, members, _PATIENCE)
        if agreed is None:
            return None
        elsewhere = None
        for assumption, mine in ((fewer, False), (more, True)) if untouched else ():
            possible = _search(sat, [assumption], _PATIENCE)
            if possible is None:
                return None
            if not possible:
                elsewhere = mine
        return agreed, elsewhere


def _state(sat: Any, shape: Shape) -> list[range]:
    """State the rules of a front; gives the variables of each group."""
    members: list[range] = []
    size = 0
    for count in shape.sizes:
        members.append(range(size + 1, size + 1 + count))
        size += count
    for mines, groups in shape.rules:
        cells = [cell for group in groups for cell in members[group]]
        _at_most(sat, cells, mines)
        _at_most(sat, [-cell for cell in cells], len(cells) - mines)
    return members


def _at_most(sat: Any, literals: list[int], most: int) -> None:
    if most <= 0:
        for literal in literals:
            sat.add_clause([-literal])
        if most < 0:
            sat.add_clause([])
    elif most < len(literals):
        sat.add_atmost(literals, most)


def _search(sat: Any, assumptions: list[int], patience: int | None) -> bool | None:
    """Whether there is a model; None if `patience` conflicts do not tell."""
    if patience is None:
        found: bool = sat.solve(assumptions=assumptions)
        return found
    sat.conf_budget(patience)
    limited: bool | None = sat.solve_limited(assumptions=assumptions)
    return limited


def _agreed(sat: Any, members: Sequence[range], patience: int | None = None) -> Agreed | None:
    """For each group the value that its cells have in every model.

    Every model found strikes out what it disagrees with, so few groups are ever
    probed; the cells of a group are alike, so one of them speaks for all. None if
    patience ran out; raises Clash if there is no model.
    """
    agreed: list[bool | None] = [None] * len(members)
    found = _search(sat, [], patience)
    if found is False:
        raise Clash
    same: dict[int, bool] = {}
    if found:
        model = sat.get_model()
        for group, cells in enumerate(members):
            values = {model[cell - 1] > 0 for cell in cells}
            if len(values) == 1:
                same[group] = values.pop()
    while found is not None and same:
        # Steering the search away from what is still the same strikes out more at once.
        sat.set_phases(
            [-cell if mine else cell for group, mine in same.items() for cell in members[group]]
        )
        group, mine = same.popitem()
        cell = members[group][0]
        found = _search(sat, [-cell if mine else cell], patience)
        if found:
            model = sat.get_model()
            same = {
                other: value
                for other, value in same.items()
                if all((model[cell - 1] > 0) is value for cell in members[other])
            }
        elif found is False:
            agreed[group] = mine
    return None if found is None else tuple(agreed)


def clashing_clues(board: Board) -> tuple[int, ...]:
    """The squares of clues that cannot all be kept, while any fewer of them can.

    Empty if all clues of the board can be kept; its total is not looked at.
    """
    covered = board.squares(Cell.HIDDEN, Cell.FLAG)
    variables = {square: number for number, square in enumerate(covered, 1)}
    squares = [square for square, cell in enumerate(board.cells) if cell <= Cell.EIGHT]
    selectors = {len(variables) + number: square for number, square in enumerate(squares, 1)}
    with SatSolver(name="mc") as sat:
        for selector, square in selectors.items():
            _add_clue(sat, board, square, variables, selector)
        if sat.solve(assumptions=list(selectors)):
            return ()
        needed: list[int] = []
        left = set(sat.get_core())
        while left:
            one = left.pop()
            if sat.solve(assumptions=[*needed, *left]):
                needed.append(one)
            else:
                left.intersection_update(sat.get_core())
    return tuple(sorted([selectors[selector] for selector in needed]))


def _add_clue(
    sat: Any, board: Board, square: int, variables: dict[int, int], selector: int
) -> None:
    """Demand one clue where `selector` is assumed: plain clauses, at most 70 of them."""
    around = board.neighbours(square)
    cells = [variables[other] for other in around if other in variables]
    mines = board.cells[square] - sum(board.cells[other] > Cell.FLAG for other in around)
    if not 0 <= mines <= len(cells):
        sat.add_clause([-selector])
        return
    for some in combinations(cells, mines + 1):
        sat.add_clause([-selector, *(-cell for cell in some)])
    for some in combinations(cells, len(cells) - mines + 1):
        sat.add_clause([-selector, *some])
