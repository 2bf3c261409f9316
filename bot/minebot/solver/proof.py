"""Proves by contradiction that a cell is safe, or a mine, or that clues conflict.

The SAT solver, MiniCard, has "at most k of these" built in, so a rule takes two constraints and the
mine total two more.

For the smallest proof clues are added from near to far until they prove it. Their distance and
number often show that no smaller set does. Otherwise implicit hitting sets decide (A. Ignatiev, A.
Previti, M. Liffiton, J. Marques-Silva: Smallest MUS extraction with minimal hitting set
dualization, CP 2015): the clues left out of a set that proves nothing must be hit by every proof,
so a smallest hitting set that proves it is a smallest proof.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from minebot.board import Board
from minebot.errors import UsageError
from minebot.solver.constraints import Conflict, Constraint, constraints_of, covered, mines_left
from minebot.solver.counting import compute_probabilities, count_all

MAX_CONFLICTS = 200
"""Conflicts after which a search with the mine total is left to counting. Measured: 201 mid-game
positions need at most 37; proofs are found alike with 20, 100 and 200 (`benchmarks/why.py`)."""
_WITH_TOTAL = 150
"""Searches, with the mine total, before the smallest proof found so far is taken: each may take a
count. Measured by `benchmarks/why.py --positions 120`: with 50, 3 of 600 proofs are not known to be
the smallest, with 150 and 500 none."""
_CHOICES = 100_000
"""Searches times clues before the smallest proof found so far is taken. Measured by the same
command: with 20,000 and 100,000 all 600 proofs are the smallest. On 30x16 it takes about 0.1 s."""


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

    def possible(self, assumptions: Sequence[int], patience: int = -1) -> bool | None:
        """Whether there is a model; None if `patience` conflicts, -1 for all, do not tell."""
        self._solver.conf_budget(patience)
        found: bool | None = self._solver.solve_limited(assumptions=assumptions)
        return found

    def backbone(
        self, groups: Sequence[Sequence[int]], patience: int = -1
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


@dataclass(frozen=True, slots=True)
class Proof:
    """Clues that prove something together, but not if any of them is left out."""

    clues: tuple[int, ...]
    """The squares of the clues, row-major, ascending."""
    total: bool
    """Whether the mine total is needed too: all clues together do not do without it."""
    smallest: bool
    """Whether no set of fewer clues does; False if that would have taken too long to tell."""


def prove(board: Board, square: int, *, mine: bool) -> Proof | None:
    """The smallest proof that the covered `square` holds a mine, or none; None if it is not so.

    Shown mines cost nothing, flags prove nothing. If the clues alone prove it, the total is not
    used. The board must have a layout. Raises UsageError if `square` is not covered.
    """
    open_squares = covered(board)
    if square not in open_squares:
        raise UsageError(f"the cell at {board.name_of(square)} is not covered")
    clues = constraints_of(board)
    rings = _rings(clues, square)
    with Problem() as problem:
        search = _Search(problem, square, mine)
        for radius, ring in enumerate(rings, 1):
            search.add(ring)
            found = search.irreducible()
            if found is not None:
                # A proof without the total hangs together: a smaller one is near the cell.
                for further in rings[radius : len(found) - 1]:
                    search.add(further)
                near = [one.clue for part in rings[: len(found) - 1] for one in part]
                return search.smallest(found, near, least=radius)
    left = mines_left(board)
    if left is None:
        return None
    with Problem() as problem:
        search = _Search(problem, square, mine)
        search.add(clues)
        search.total(open_squares, left)
        return search.smallest_of_all(least=0)


def clash(board: Board) -> Proof | None:
    """The smallest set of clues that cannot all be kept, whatever the total; None if all can."""
    clues = constraints_of(board)
    with Problem() as problem:
        search = _Search(problem)
        search.add(clues)
        return search.smallest_of_all(least=1)


def _rings(clues: Sequence[Constraint], square: int) -> list[list[Constraint]]:
    """The clues by how many of them it takes to get to `square`, each sharing a cell with the next.

    Those that do not hang together with it are left out.
    """
    beside: defaultdict[int, list[Constraint]] = defaultdict(list)
    for clue in clues:
        for cell in clue.squares:
            beside[cell].append(clue)
    rings = []
    seen: set[int] = set()
    reached, edge = {square}, [square]
    while edge:
        ring = {one.clue: one for cell in edge for one in beside[cell] if one.clue not in seen}
        seen.update(ring)
        edge = sorted({cell for one in ring.values() for cell in one.squares} - reached)
        reached.update(edge)
        if ring:
            rings.append(list(ring.values()))
    return rings


class _GivenUp(Exception):
    """The search would take too long."""


class _Search:
    """Finds clues that refute the opposite of a square's true state."""

    def __init__(self, problem: Problem, square: int | None = None, mine: bool = False) -> None:
        self._problem = problem
        self._new = itertools.count(1).__next__
        self._cells = defaultdict[int, int](self._new)
        self._switches: dict[int, int] = {}
        self._demands: dict[int, Constraint] = {}
        self._searches = 0
        self._limit = 0
        self._square, self._mine = square, mine
        self._left: int | None = None
        """How many mines all `_covered` squares hold, None while nothing is said of it."""
        self._covered: Sequence[int] = ()
        self._by_count = False
        """Whether the last search was left to counting."""
        if square is not None:
            cell = self._cells[square]
            self._problem.add([(-cell if mine else cell,)])

    def add(self, clues: Iterable[Constraint]) -> None:
        """Take up clues, each of which can be left out."""
        for one in clues:
            switch = self._new()
            self._switches[one.clue], self._demands[one.clue] = switch, one
            literals = [self._cells[square] for square in one.squares]
            self._problem.exactly_if(switch, literals, one.mines, [self._new() for _ in literals])

    def total(self, squares: Sequence[int], mines: int) -> None:
        """Require that exactly `mines` of all covered `squares` hold mines."""
        self._left, self._covered = mines, squares
        self._problem.exactly([self._cells[square] for square in squares], mines)

    def _refuted(self, clues: Collection[int]) -> bool:
        """Whether nothing fits these clues."""
        self._searches += 1
        switches = [self._switches[clue] for clue in clues]
        possible = self._problem.possible(switches, -1 if self._left is None else MAX_CONFLICTS)
        self._by_count = possible is None
        return self._counted_out(clues) if possible is None else not possible

    def _counted_out(self, clues: Iterable[int]) -> bool:
        """Whether nothing fits these clues, found by counting layouts."""
        assert self._left is not None
        known = {} if self._square is None else {self._square: not self._mine}
        try:
            rules, counts = count_all(self._covered, map(self._demands.__getitem__, clues), known)
            compute_probabilities(counts, self._left - len(rules.mined), len(rules.untouched()))
        except Conflict:
            return True
        return False

    def _core(self, clues: Collection[int]) -> set[int]:
        """Of the clues just refuted, some that are so already."""
        if self._by_count:
            return set(clues)
        core = set(self._problem.core())
        return {clue for clue in clues if self._switches[clue] in core}

    def irreducible(self) -> list[int] | None:
        """Clues that refute it while any fewer of them do not; None if all together do not."""
        if not self._refuted(self._switches):
            return None
        needed: list[int] = []
        left = self._core(self._switches)
        while left:
            # Far clues were taken up last, and are the first to be left out.
            left.remove(one := max(left, key=self._switches.__getitem__))
            trial = (*needed, *left)
            if self._refuted(trial):
                left &= self._core(trial)
            else:
                needed.append(one)
        return needed

    def smallest_of_all(self, *, least: int) -> Proof | None:
        """The smallest proof among all clues taken up; None if they prove nothing."""
        found = self.irreducible()
        return None if found is None else self.smallest(found, list(self._demands), least=least)

    def smallest(self, found: list[int], among: Sequence[int], *, least: int) -> Proof:
        """The smallest proof, `found` being one, and all smaller ones being `among` those clues.

        No proof has fewer than `least` clues.
        """
        proven, total = True, self._left is not None
        if len(found) > least:
            limit = _CHOICES // len(among)
            self._limit = self._searches + (min(_WITH_TOTAL, limit) if total else limit)
            try:
                found = self._hit(found, among)
            except _GivenUp:
                proven = False
        return Proof(tuple(sorted(found)), total, proven)

    def _hit(self, found: list[int], among: Sequence[int]) -> list[int]:
        # It loads much that games do without.
        from pysat.examples.hitman import Hitman  # noqa: PLC0415

        with Hitman(solver="mc", htype="sorted") as hitman:
            chosen: list[int] = []
            while len(chosen) < len(found):
                if self._refuted(chosen):
                    return chosen
                held = set(chosen)
                while True:
                    # Sets without a clue in common, as many as there are: each raises the bound.
                    missing = self._left_out(held, among)
                    hitman.hit(missing)
                    held |= missing
                    if self._refuted(held):
                        break
                chosen = hitman.get()
        return found

    def _left_out(self, held: Collection[int], among: Sequence[int]) -> set[int]:
        """Which clues are left out when as many as can be are kept with `held`, which can be."""
        kept = {*held, *self._kept(among)}
        for clue in reversed(among):
            if clue in kept:
                continue
            if self._searches > self._limit:
                raise _GivenUp
            if not self._refuted([*kept, clue]):
                kept.add(clue)
                kept |= self._kept(among)
        return set(among) - kept

    def _kept(self, among: Iterable[int]) -> set[int]:
        """The clues that hold in the model that was just found, if one was."""
        if self._by_count:
            return set()
        true = self._problem.true()
        return {
            clue
            for clue in among
            if sum([self._cells[square] in true for square in self._demands[clue].squares])
            == self._demands[clue].mines
        }
