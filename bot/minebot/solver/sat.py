"""Proves certainty by contradiction: is a layout with a mine there possible, and one without?

No other module knows the SAT solver. MiniCard has "at most k of these" built in, so a rule takes
two constraints and the mine total two more. For export, a count is written as clauses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Self

from minebot.solver.constraints import ComponentSignature, Conflict


def exactly(literals: Sequence[int], count: int, *unless: int) -> Iterator[tuple[int, ...]]:
    """The clauses that make exactly `count` of `literals` true, without new variables.

    They hold where none of the literals `unless` is true. Any `count` + 1 of n literals
    include a false one, any n - `count` + 1 a true one: 64 clauses for two of eight.
    """
    if not 0 <= count <= len(literals):
        yield unless
        return
    for some in combinations(literals, count + 1):
        yield (*unless, *(-literal for literal in some))
    for some in combinations(literals, len(literals) - count + 1):
        yield (*unless, *some)


class Problem:
    """Variables, numbered from 1, and their constraints; a context manager."""

    def __init__(self, clauses: Iterable[Sequence[int]] = ()) -> None:
        # A large library that the first click does not need. It ships no types.
        from pysat.solvers import Solver  # noqa: PLC0415

        self._solver = Solver(name="mc")
        self.add(clauses)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Of each clause, one literal must be true."""
        for clause in clauses:
            self._solver.add_clause(clause)

    def at_most(self, literals: Sequence[int], most: int) -> None:
        """No more than `most` of the literals are true."""
        if most < 0:
            self.add([()])
        elif most == 0:
            self.add((-literal,) for literal in literals)
        elif most < len(literals):
            self._solver.add_atmost(literals, most)

    def exactly(self, literals: Sequence[int], count: int) -> None:
        """Require that exactly `count` of the literals are true."""
        self.at_most(literals, count)
        self.at_most([-literal for literal in literals], len(literals) - count)

    def exactly_if(
        self, switch: int, literals: Sequence[int], count: int, spare: Sequence[int]
    ) -> None:
        """Require that exactly `count` of the literals are true if `switch` is.

        `spare` are variables used nowhere else, one for each literal. If `switch` is true, so are
        they, and fill up the native counts, which would otherwise leave room for any literals.
        """
        free = len(literals)
        if not 0 <= count <= free:
            self.add([(-switch,)])
            return
        self.add((-switch, one) for one in spare[: max(count, free - count)])
        self.at_most([*literals, *spare[: free - count]], free)
        self.at_most([*(-literal for literal in literals), *spare[:count]], free)

    def core(self) -> list[int]:
        """Of the assumptions that were just found impossible, some that are so already."""
        return list(self._solver.get_core() or ())

    def true(self) -> set[int]:
        """The variables that are true in the model that was just found."""
        return {one for one in self._solver.get_model() if one > 0}

    def possible(self, assumptions: Sequence[int], patience: int | None = None) -> bool | None:
        """Whether there is a model; None if `patience` conflicts do not decide it."""
        if patience is None:
            found: bool = self._solver.solve(assumptions=assumptions)
            return found
        self._solver.conf_budget(patience)
        limited: bool | None = self._solver.solve_limited(assumptions=assumptions)
        return limited

    def backbone(
        self, groups: Sequence[Sequence[int]], patience: int | None = None
    ) -> list[bool | None] | None:
        """For each group of variables the value that all of them have in every model, or None.

        The variables of a group are equivalent, so one of them represents all. Every model rules
        out the values that it differs from, so few groups are ever probed. None if `patience`
        conflicts do not decide a search; raises Conflict if there is no model.
        """
        agreed: list[bool | None] = [None] * len(groups)
        found = self.possible((), patience)
        if found is False:
            raise Conflict
        same: dict[int, bool] = {}
        if found:
            model = self._solver.get_model()
            for group, members in enumerate(groups):
                # A variable that nothing is demanded of has no place in the model.
                values = {model[one - 1] > 0 if one <= len(model) else None for one in members}
                if len(values) == 1 and (value := values.pop()) is not None:
                    same[group] = value
        while found is not None and same:
            # Steering the search away from what is still the same strikes out more at once.
            self._solver.set_phases(
                [-one if value else one for group, value in same.items() for one in groups[group]]
            )
            group, value = same.popitem()
            one = groups[group][0]
            found = self.possible([-one if value else one], patience)
            if found:
                model = self._solver.get_model()
                same = {
                    other: kept
                    for other, kept in same.items()
                    if all((model[each - 1] > 0) is kept for each in groups[other])
                }
            elif found is False:
                agreed[group] = value
        return None if found is None else agreed


Agreed = tuple[bool | None, ...]
"""For each group of a component: all mines (True), all safe (False), or neither."""

MAX_CONFLICTS = 200
"""Conflicts after which a search with the mine total is left to counting. Measured: 201 mid-game
positions need at most 37; proofs are found alike with 20, 100 and 200 (`benchmarks/why.py`)."""


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
    for count in shape.sizes:
        members.append(range(size + 1, size + 1 + count))
        size += count
    for mines, groups in shape.rules:
        problem.exactly([cell for group in groups for cell in members[group]], mines)
    return members
