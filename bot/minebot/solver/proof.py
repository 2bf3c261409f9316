"""Finds the smallest set of clues which proves that a cell is safe, or a mine, or a conflict.

Clues are added from near to far until they prove it. Their distance and number often show that no
smaller set does. Otherwise implicit hitting sets decide (A. Ignatiev, A. Previti, M. Liffiton, J.
Marques-Silva: Smallest MUS extraction with minimal hitting set dualization, CP 2015): the clues
left out of a set that proves nothing must be hit by every proof, so a smallest hitting set that
proves it is a smallest proof.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from minebot.board import Board
from minebot.errors import UsageError
from minebot.solver.constraints import Conflict, Constraint, constraints_of, covered, mines_left
from minebot.solver.counting import compute_probabilities, count_all
from minebot.solver.sat import MAX_CONFLICTS, Problem

_WITH_TOTAL = 150
"""Searches, with the mine total, before the smallest proof found so far is taken: each may take a
count. Measured by `benchmarks/why.py --positions 120`: with 50, 3 of 600 proofs are not known to be
the smallest, with 150 and 500 none."""
_CHOICES = 100_000
"""Searches times clues before the smallest proof found so far is taken. Measured by the same
command: with 20,000 and 100,000 all 600 proofs are the smallest. On 30x16 it takes about 0.1 s."""


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
        return search.smallest_of(clues, least=0)


def clash(board: Board) -> Proof | None:
    """The smallest set of clues that cannot all be kept, whatever the total; None if all can."""
    clues = constraints_of(board)
    with Problem() as problem:
        search = _Search(problem)
        search.add(clues)
        return search.smallest_of(clues, least=1)


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
        possible = self._problem.possible(switches, None if self._left is None else MAX_CONFLICTS)
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

    def smallest_of(self, clues: Iterable[Constraint], *, least: int) -> Proof | None:
        """The smallest proof by all clues taken up; None if they prove nothing."""
        found = self.irreducible()
        if found is None:
            return None
        return self.smallest(found, [one.clue for one in clues], least=least)

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
        kept = set(held)
        kept |= self._kept(among)
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
