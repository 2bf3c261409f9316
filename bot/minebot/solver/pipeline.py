"""Solves a board by propagation, then probes, then counting; or explains why it has no layout."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Literal

from minebot.board import Board, listed
from minebot.errors import Contradiction
from minebot.solver.constraints import (
    BoardConstraints,
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
Agreed = list[bool | None]
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
            self._reading = BoardConstraints()
            raise explain(board) from None

    def is_possible(self, board: Board) -> bool:
        """Whether a mine layout fits the board; much faster than `solve`, which says why not."""
        try:
            self._solve(board, risk=False, every=True)
        except Conflict:
            self._reading = BoardConstraints()
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
            agreed = self._backbone(component.shape)
            assert agreed is not None, "a search without a total ends"
            self._decide(component.groups, agreed)
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
        agreed = backbone(component.shape, mines, len(untouched))
        if agreed is not None:
            self._decide([*component.groups, untouched], agreed)
        return agreed is not None

    def _decide(self, groups: Iterable[Collection[int]], agreed: Agreed) -> None:
        for group, value in zip(groups, agreed, strict=True):
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


def backbone(
    shape: ComponentSignature, mines: int | None = None, untouched: int = 0
) -> Agreed | None:
    """What all layouts of a component agree on; raises Conflict if there is none.

    With `mines` these are all in the component and in `untouched` other cells, whose value comes
    last. Then None if `MAX_CONFLICTS` did not suffice: clause learning is bad at sums over long
    components, and counting is good at them.
    """
    size = sum(shape.sizes)
    cells = range(1, size + 1)
    fewer, more = size + 1, size + 2
    left = iter(cells)
    members = [tuple(islice(left, number)) for number in shape.sizes]
    with Problem() as problem:
        for need, groups in shape.rules:
            problem.exactly([cell for group in groups for cell in members[group]], need)
        if mines is None:
            return problem.backbone(members)
        # `fewer` leaves the component one mine less than there are in all, so that one
        # is untouched; `more` leaves it one more than it must have.
        problem.at_most([*cells, fewer], mines)
        problem.at_most([*(-cell for cell in cells), more], size - (mines - untouched))
        found = problem.backbone([*members, (fewer,), (more,)], MAX_CONFLICTS)
    if found is None:
        return None
    *agreed, some_mined, some_safe = found
    return [*agreed, False if some_mined is False else True if some_safe is False else None]


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
