"""Solves a board by propagation, then probes, then counting; or explains why it has no layout."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from minebot.board import Board, listed
from minebot.errors import Contradiction
from minebot.solver.constraints import (
    BoardConstraints,
    Component,
    ComponentSignature,
    Conflict,
    apart,
    components,
    join,
    propagate,
)
from minebot.solver.counting import compute_probabilities, count, room, weight
from minebot.solver.proof import MAX_CONFLICTS, Problem, clash

_KEPT = 4096
"""Component signatures whose backbone and count a solver keeps. Specified: some 20 MB."""
Agreed = tuple[bool | None, ...]
"""For each group of a component: all mines (True), all safe (False), or neither."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known about the covered squares of a board; squares are row-major.

    A flag is a player's opinion: flagged squares are judged as hidden ones.
    """

    safe: tuple[int, ...]
    """Squares that hold no mine in any layout, ascending."""
    mines: tuple[int, ...]
    """Squares that hold a mine in every layout, ascending."""
    risk: tuple[float | None, ...] | None = None
    """Each covered square's mine probability, None for the others; None if not asked for."""
    layouts: int | None = None
    """How many mine layouts fit; None if risk is, or while the total is unknown."""


def solve(board: Board, *, risk: bool | Literal["auto"] = "auto", every: bool = False) -> Verdict:
    """Solve a single board; see `Solver.solve`."""
    return Solver().solve(board, risk=risk, every=every)


class Solver:
    """Solves the boards of a game one after another, and remembers what remains true.

    Any board may follow any other: one that does not belong to the last game starts a new one.
    """

    def __init__(self) -> None:
        self._reading = BoardConstraints()
        self._backbone = lru_cache(_KEPT)(backbone)
        self._count = lru_cache(_KEPT)(count)

    def solve(
        self, board: Board, *, risk: bool | Literal["auto"] = "auto", every: bool = False
    ) -> Verdict:
        """Judge `board`.

        Stops as soon as a stage has found a safe square, so `safe` and `mines` may be incomplete.
        With `every`, and if risks are computed, they hold every square that the clues and the total
        decide. `risk` may be True, False or "auto": only if no square is safe.

        While the total is unknown, certainty follows from the clues alone, and the prior odds of a
        mine are 1 to 4 for each cell.

        Raises Contradiction if no layout fits. Without `every` or risk a conflict far from the safe
        squares may go unnoticed.
        """
        try:
            return self._solve(board, risk, every)
        except Conflict:
            self._reading.forget()
            raise explain(board) from None

    def is_possible(self, board: Board) -> bool:
        """Whether a mine layout fits the board; much faster than `solve`, which says why not."""
        try:
            self._solve(board, risk=False, every=True)
        except Conflict:
            self._reading.forget()
            return False
        return True

    def _solve(self, board: Board, risk: bool | Literal["auto"], every: bool) -> Verdict:
        self._reading.take(board)
        rules = self._reading.rules
        hurry = risk is not True and not every
        propagate(rules, hurry=hurry)
        if risk is True:
            return self._weigh(board)
        if hurry and rules.safe:
            return self._verdict()
        self._probe()
        if hurry and rules.safe:
            return self._verdict()
        certain = self._probe_with_total()
        if certain and (rules.safe or not risk):
            return self._verdict()
        weighed = self._weigh(board)
        return weighed if risk and not weighed.safe else Verdict(weighed.safe, weighed.mines)

    def _verdict(self) -> Verdict:
        return Verdict(
            tuple(sorted(self._reading.rules.safe)), tuple(sorted(self._reading.rules.mined))
        )

    def _probe(self) -> None:
        """Decide what is certain in each component by itself."""
        for component in components(self._reading.rules):
            self._decide(component, self._backbone(component.shape))
        propagate(self._reading.rules)

    def _probe_with_total(self) -> bool:
        """Decide what is certain given the mines left; whether that could be worked out."""
        rules = self._reading.rules
        mines = self._reading.mines_left()
        if mines is None:
            return True
        untouched = rules.untouched()
        loose = []
        least = spread = 0
        for component in components(rules):
            chosen, between = apart(component.shape)
            fixed = sum(component.shape.rules[rule][0] for rule in chosen)
            if between:
                loose.append(component)
                least += fixed
                spread += sum(component.shape.sizes[group] for group in between)
            else:
                mines -= fixed  # a front that the total says nothing about
        if mines - len(untouched) < least and least + spread < mines:
            return True
        component = join(loose)
        found = backbone_with_total(component.shape, mines, len(untouched))
        if found is None:
            return False
        agreed, elsewhere = found
        self._decide(component, agreed)
        if elsewhere is not None:
            rules.decide(untouched, mine=elsewhere)
        return True

    def _decide(self, component: Component, agreed: Agreed) -> None:
        for group, value in zip(component.groups, agreed, strict=True):
            if value is not None:
                self._reading.rules.decide(group, mine=value)

    def _weigh(self, board: Board) -> Verdict:
        rules = self._reading.rules
        found = components(rules)
        mines, untouched = self._reading.mines_left(), rules.untouched()
        counts = [self._count(component.shape) for component in found]
        weighed = compute_probabilities(counts, mines, len(untouched))
        known = dict.fromkeys(rules.safe, 0.0) | dict.fromkeys(rules.mined, 1.0)
        known |= dict.fromkeys(untouched, weighed.untouched)
        for component, risks in zip(found, weighed.risks, strict=True):
            for group, value in zip(component.groups, risks, strict=True):
                known |= dict.fromkeys(group, value)
        risk = tuple(map(known.get, range(len(board.cells))))
        return Verdict(
            tuple([square for square, value in enumerate(risk) if value == 0.0]),
            tuple([square for square, value in enumerate(risk) if value == 1.0]),
            risk,
            weighed.layouts,
        )


def backbone(shape: ComponentSignature) -> Agreed:
    """What all layouts of a component agree on; raises Conflict if it has none."""
    with Problem() as problem:
        agreed = problem.backbone(_state(problem, shape))
    assert agreed is not None, "a search without a limit ends"
    return tuple(agreed)


def backbone_with_total(
    shape: ComponentSignature, mines: int, untouched: int
) -> tuple[Agreed, bool | None] | None:
    """What all layouts of `mines` mines agree on, in the component and in `untouched` other cells.

    None if `MAX_CONFLICTS` did not suffice: clause learning is bad at sums over long components,
    and counting is good at them. Raises Conflict if there is no layout.
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
        agreed = problem.backbone(members, MAX_CONFLICTS)
        if agreed is None:
            return None
        elsewhere = None
        for assumption, mine in ((fewer, False), (more, True)) if untouched else ():
            possible = problem.possible([assumption], MAX_CONFLICTS)
            if possible is None:
                return None
            if not possible:
                elsewhere = mine
        return tuple(agreed), elsewhere


def _state(problem: Problem, shape: ComponentSignature) -> list[range]:
    """State the rules of a component; gives the variables of each group."""
    members: list[range] = []
    size = 0
    for cells in shape.sizes:
        members.append(range(size + 1, size + 1 + cells))
        size += cells
    for mines, groups in shape.rules:
        problem.exactly([cell for group in groups for cell in members[group]], mines)
    return members


def with_risks(board: Board, verdict: Verdict) -> Verdict:
    """Add all risks and layouts to a verdict of all that is certain; raises Contradiction."""
    if len(verdict.safe) + len(verdict.mines) == board.covered:
        known = dict.fromkeys(verdict.safe, 0.0) | dict.fromkeys(verdict.mines, 1.0)
        return replace(verdict, risk=tuple(map(known.get, range(len(board.cells)))), layouts=1)
    weighed = Solver().solve(board, risk=True)
    return weighed if weighed.layouts is not None else replace(weighed, layouts=weight(board))


def explain(board: Board) -> Contradiction:
    """Make the error for a board without a layout.

    Its `clues` are a smallest conflicting set: any fewer of them can be satisfied. They are empty
    if all clues can be satisfied, but not with that total.
    """
    found = clash(board)
    if found is not None:
        clues = found.clues
        named = listed([f"{board.cells[square]} at {board.name_of(square)}" for square in clues])
        what = "clue" if len(clues) == 1 else "clues"
        return Contradiction(f"no layout fits the {what} {named}", clues)
    left = room(board)
    assert left is not None, "all clues can be kept"
    least, most = left
    fitting = f"{least} mines" if least == most else f"{least} to {most} mines"
    return Contradiction(f"no layout of {board.mines} mines in all; the clues fit {fitting}")
