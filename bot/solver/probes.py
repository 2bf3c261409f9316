"""Certainty by contradiction: put a mine there, can that be? (And none?)

The only user of the SAT solver. MiniCard takes "at most k of these" as it is,
so a rule costs two constraints and the total mine count two more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any

from pysat.solvers import Solver as SatSolver  # type: ignore[import-untyped]  # ships no types

from bot.board import Board, Cell
from bot.errors import Contradiction
from bot.solver.rules import Clash, Shape

__all__ = ["backbone", "explain"]

_COVERED = (Cell.HIDDEN, Cell.FLAG)
_SHOWN_MINES = (Cell.MINE, Cell.EXPLODED)


def backbone(
    shape: Shape, mines: int | None = None, untouched: int = 0
) -> tuple[tuple[bool | None, ...], bool | None]:
    """What every layout agrees on: for each group, and for the untouched cells.

    True is all mines, False is all safe, None is neither. With `mines` given,
    only layouts of that many mines in all count, `untouched` further cells
    taking those that are not in the groups. Raises Clash if there are none.
    """
    members: list[range] = []
    size = 0
    for count in shape.sizes:
        members.append(range(size + 1, size + 1 + count))
        size += count
    with SatSolver(name="mc") as sat:
        for need, groups in shape.rules:
            _exactly(sat, [cell for group in groups for cell in members[group]], need)
        if mines is None:
            return _agreed(sat, members), None
        fewer, more = size + 1, size + 2
        everywhere = list(range(1, size + 1))
        # Assuming `fewer` leaves the groups one mine less than there are in all, so
        # that one is untouched; `more` leaves them one more than they must have.
        _at_most(sat, [*everywhere, fewer], mines)
        _at_most(sat, [*(-cell for cell in everywhere), more], size - (mines - untouched))
        agreed = _agreed(sat, members)
        if not untouched:
            return agreed, None
        if not sat.solve(assumptions=[fewer]):
            return agreed, False
        if not sat.solve(assumptions=[more]):
            return agreed, True
        return agreed, None


def _at_most(sat: Any, literals: list[int], most: int) -> None:
    if most < 0:
        raise Clash
    if most == 0:
        for literal in literals:
            sat.add_clause([-literal])
    elif most < len(literals):
        sat.add_atmost(literals, most)


def _exactly(sat: Any, cells: list[int], mines: int) -> None:
    _at_most(sat, cells, mines)
    _at_most(sat, [-cell for cell in cells], len(cells) - mines)


def _agreed(sat: Any, members: Sequence[range]) -> tuple[bool | None, ...]:
    """For each group the value that its cells have in every model; raises Clash.

    Every model found strikes out what it disagrees with, so few groups are ever
    probed; the cells of a group are alike, so one of them speaks for all.
    """
    agreed: list[bool | None] = [None] * len(members)
    open_groups: dict[int, bool] = {}
    if not sat.solve():
        raise Clash
    model = sat.get_model()
    for group, cells in enumerate(members):
        values = {model[cell - 1] > 0 for cell in cells}
        if len(values) == 1:
            open_groups[group] = values.pop()
    while open_groups:
        # Steering the search away from what is still agreed strikes out more at once.
        wanted = [
            -cell if value else cell
            for group, value in open_groups.items()
            for cell in members[group]
        ]
        sat.set_phases(wanted)
        group, value = open_groups.popitem()
        cell = members[group][0]
        if sat.solve(assumptions=[-cell if value else cell]):
            model = sat.get_model()
            open_groups = {
                other: seen
                for other, seen in open_groups.items()
                if all((model[cell - 1] > 0) is seen for cell in members[other])
            }
        else:
            agreed[group] = value
    return tuple(agreed)


def explain(board: Board) -> Contradiction:
    """Say why no layout fits `board`: the clues of an irreducible clash, or the total."""
    if board.mines is not None:
        shown = sum(board.count(kind) for kind in _SHOWN_MINES)
        if not shown <= board.mines <= shown + board.covered:
            return Contradiction(
                f"{board.mines} mines in all do not fit {shown} shown mines and "
                f"{board.covered} covered cells"
            )
    variables = {square: number for number, square in enumerate(board.squares(*_COVERED), 1)}
    clues = {
        square: len(variables) + number
        for number, square in enumerate(board.squares(*map(Cell, range(9))), 1)
    }
    with SatSolver(name="mc") as sat:
        for square, selector in clues.items():
            _add_clue(sat, board, square, variables, selector)
        core = _irreducible(sat.solve, sat.get_core, clues.values())
        total = core is None
        if total and board.mines is not None:
            _exactly(sat, list(variables.values()), board.mines - shown)
            core = _irreducible(sat.solve, sat.get_core, clues.values())
        assert core is not None, "a board that has a layout needs no explanation"
    squares = [square for square, selector in clues.items() if selector in core]
    named = ", ".join(
        f"{board.cells[square]} at ({x}, {y})" for square in squares for x, y in [board.xy(square)]
    )
    what = "clue" if len(squares) == 1 else "clues"
    return Contradiction(
        f"no layout of {board.mines} mines fits the {what} {named}"
        if total
        else f"no layout fits the {what} {named}",
        squares,
    )


def _add_clue(
    sat: Any, board: Board, square: int, variables: dict[int, int], selector: int
) -> None:
    """Demand one clue where `selector` is assumed: plain clauses, at most 70 of them."""
    around = board.neighbours(square)
    cells = [variables[other] for other in around if other in variables]
    mines = board.cells[square] - sum(board.cells[other] in _SHOWN_MINES for other in around)
    if not 0 <= mines <= len(cells):
        sat.add_clause([-selector])
        return
    for some in combinations(cells, mines + 1):
        sat.add_clause([-selector, *(-cell for cell in some)])
    for some in combinations(cells, len(cells) - mines + 1):
        sat.add_clause([-selector, *some])


def _irreducible(
    satisfiable: Callable[..., bool], core: Callable[[], list[int]], selectors: Iterable[int]
) -> set[int] | None:
    """A set of selectors that clash while any fewer of them do not; None if they do not."""
    if satisfiable(assumptions=list(selectors)):
        return None
    needed: set[int] = set()
    left = set(core() or ())
    while left:
        one = left.pop()
        if satisfiable(assumptions=[*needed, *left]):
            needed.add(one)
        else:
            left &= set(core() or ())
    return needed
