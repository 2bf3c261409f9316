"""The constraints of a board: "n mines among these squares", and what they decide by themselves.

The cheap deductions use one constraint by itself and two constraints that overlap. In what is
left, cells in exactly the same constraints form a group, and constraints that share cells,
directly or through others, form a component.

The compiled engine reads its own boards, because one guess makes thousands of them: see
`minebot.policy.guessing.compute_risk`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minebot.board import Board, Cell, neighbourhood, within_one

# Plain numbers: looking a member up in an enumeration costs more than using it.
_HIDDEN = int(Cell.HIDDEN)
_UNFLAG = bytes.maketrans(bytes([Cell.FLAG]), bytes([_HIDDEN]))


@dataclass(frozen=True, slots=True)
class Constraint:
    """Exactly `mines` mines lie in the covered `squares` around the clue at `clue`.

    `mines` may be less than 0 or more than there are squares: no layout fits then.
    """

    clue: int
    mines: int
    squares: tuple[int, ...]


def covered(board: Board) -> tuple[int, ...]:
    """The squares that may hold a mine, hidden or flagged, in reading order."""
    return tuple(board.squares(Cell.HIDDEN, Cell.FLAG))


def constraints_of(board: Board) -> list[Constraint]:
    """The constraint of each clue, except satisfied ones without a covered neighbour."""
    open_squares = frozenset(covered(board))
    found = []
    for clue in board.squares(*map(Cell, range(9))):
        around = board.neighbours(clue)
        squares = tuple(square for square in around if square in open_squares)
        mines = board.cells[clue] - sum(board.cells[square] > Cell.FLAG for square in around)
        if squares or mines:
            found.append(Constraint(clue, mines, squares))
    return found


def mines_left(board: Board) -> int | None:
    """How many mines the covered squares hold in all, None while the total is unknown."""
    shown = board.count(Cell.MINE) + board.count(Cell.EXPLODED)
    return None if board.mines is None else board.mines - shown


class BoardConstraints:
    """The rules of a board, updated during the game.

    What was certain on an earlier board of a game remains certain: opened cells only add clues.
    """

    __slots__ = ("_cells", "_game", "_mines_left", "rules")

    def __init__(self) -> None:
        self._game: tuple[int | None, ...] = ()
        """Width, height and mine total of the board."""
        self._cells = b""
        """Its cells, flags taken off."""
        self._mines_left: int | None = None
        self.rules = ConstraintStore(())

    def take(self, board: Board) -> None:
        """Bring the rules up to date, at the cost of what has changed; raises Conflict.

        A board that cannot follow the one before starts afresh.
        """
        cells = board.cells.translate(_UNFLAG)
        now = np.frombuffer(cells, np.uint8)
        game = board.width, board.height, board.mines
        changed = self._changed(now) if game == self._game else None
        if changed is None:
            mined, clues = _glance(now.reshape(board.height, board.width))
            self.rules = ConstraintStore(np.flatnonzero(now == _HIDDEN).tolist())
            self.rules.decide(np.flatnonzero(mined).tolist(), mine=True)
        else:
            for square in np.flatnonzero(changed).tolist():
                self.rules.reveal(square, mine=cells[square] > _HIDDEN)
            clues = changed & (now < _HIDDEN)
        self._game, self._cells, self._mines_left = game, cells, mines_left(board)
        shows_mines = max(cells) > _HIDDEN
        around = neighbourhood(board.width, board.height)
        add = self.rules.add
        for square in np.flatnonzero(clues).tolist():
            near = around[square]
            mines = cells[square]
            if shows_mines:
                mines -= sum([cells[other] > _HIDDEN for other in near])
            add(square, mines, near)

    def mines_left(self) -> int | None:
        """How many mines the undecided cells hold, None while the total is unknown."""
        return None if self._mines_left is None else self._mines_left - len(self.rules.mined)

    def _changed(self, cells: NDArray[np.uint8]) -> NDArray[np.bool_] | None:
        """The squares that have changed; None if it is another game."""
        before = np.frombuffer(self._cells, np.uint8)
        changed: NDArray[np.bool_] = cells != before
        return None if (changed & (before != _HIDDEN)).any() else changed


def _glance(cells: NDArray[np.uint8]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The mines of clues that need all their covered squares, and the clues that say more.

    Most clues of a board that is seen for the first time are done with here, all
    at once, instead of one by one.
    """
    hidden = cells == _HIDDEN
    covered = within_one(cells >= _HIDDEN)
    mined = hidden & (within_one((cells == covered) & (cells > 0) & (cells < _HIDDEN)) > 0)
    undecided = within_one(hidden & ~mined)
    return mined, (cells < _HIDDEN) & ((undecided > 0) | (cells != covered))


class Conflict(Exception):
    """No mine layout satisfies all rules; which of them conflict is found elsewhere."""


class ConstraintStore:
    """The rules that are still open, and the cells that are decided.

    The key of a rule is the square of its clue. A decided cell is removed from its rules, so they
    only shrink. Rules that have changed are stale until `propagate` checks whether they can still
    be satisfied.
    """

    __slots__ = ("cells", "mined", "mines", "of_cell", "safe", "stale", "undecided")

    def __init__(self, undecided: Iterable[int]) -> None:
        self.undecided = set(undecided)
        """Covered cells that are neither certainly safe nor certainly mines."""
        self.safe: set[int] = set()
        """Covered cells that are certainly safe."""
        self.mined: set[int] = set()
        """Covered cells that certainly hold a mine."""
        self.cells: dict[int, set[int]] = {}
        """The undecided cells of each rule."""
        self.mines: dict[int, int] = {}
        """How many mines are among them."""
        self.of_cell: defaultdict[int, list[int]] = defaultdict(list)
        """The rules of each undecided cell that has any, in the order they were added."""
        self.stale: set[int] = set()
        """The rules that have changed since they were last looked at."""

    def add(self, rule: int, mines: int, cells: Collection[int]) -> None:
        """Add "`mines` mines among `cells`"; cells that are not covered are passed over."""
        if self.mined:
            mines -= len(self.mined.intersection(cells))
        members = self.undecided.intersection(cells)
        if not members and not mines:
            return
        self.cells[rule] = members
        self.mines[rule] = mines
        self.stale.add(rule)
        of_cell = self.of_cell
        for cell in members:
            of_cell[cell].append(rule)

    def decide(self, cells: Collection[int], *, mine: bool) -> None:
        """Decide undecided cells: all are mines, or all are safe."""
        (self.mined if mine else self.safe).update(cells)
        self._leave(cells, mine)

    def reveal(self, cell: int, *, mine: bool) -> None:
        """Take a cell out of everything, for the board now shows it; raises Conflict."""
        if cell in self.undecided:
            self._leave((cell,), mine)
        elif cell in (self.safe if mine else self.mined):
            raise Conflict
        else:
            self.safe.discard(cell)
            self.mined.discard(cell)

    def _leave(self, cells: Collection[int], mine: bool) -> None:
        self.undecided.difference_update(cells)
        members, mines = self.cells, self.mines
        for cell in cells:
            rules = self.of_cell.pop(cell, ())
            self.stale.update(rules)
            for rule in rules:
                members[rule].remove(cell)
                if mine:
                    mines[rule] -= 1

    def subtract(self, inner: int, outer: int) -> None:
        """Replace `outer`, which contains `inner`, by what it says beyond it."""
        shared = self.cells[inner]
        self.cells[outer] -= shared
        self.mines[outer] -= self.mines[inner]
        self.stale.add(outer)
        for cell in shared:
            self.of_cell[cell].remove(outer)

    def drop(self, rule: int) -> None:
        """Remove a rule whose cells are all decided."""
        del self.cells[rule], self.mines[rule]
        self.stale.discard(rule)

    def untouched(self) -> set[int]:
        """The undecided cells without a rule."""
        return self.undecided.difference(self.of_cell)


def propagate(rules: ConstraintStore, *, hurry: bool = False) -> None:
    """Decide what single rules and pairs of rules decide, until nothing changes.

    In a hurry, pairs are compared only while no cell is known to be safe. Raises Conflict if a rule
    cannot be satisfied; not raising proves nothing.
    """
    unpaired: set[int] = set()
    while True:
        _singles(rules, unpaired)
        if hurry and rules.safe:
            rules.stale |= unpaired & rules.cells.keys()
            return
        while unpaired and not rules.stale:
            rule = unpaired.pop()
            if rule in rules.cells:
                _overlaps(rules, rule)
        if not rules.stale:
            return


def _singles(rules: ConstraintStore, unpaired: set[int]) -> None:
    """Decide the stale rules that are all mines or all safe; the rest go to `unpaired`."""
    while rules.stale:
        # Round by round: a rule that changes often in between is looked at once.
        stale, rules.stale = rules.stale, set()
        for rule in stale:
            mines, cells = rules.mines[rule], rules.cells[rule]
            size = len(cells)
            if 0 < mines < size:
                unpaired.add(rule)
            elif mines not in (0, size):
                raise Conflict
            elif size:
                rules.decide(tuple(cells), mine=mines > 0)
            else:
                rules.drop(rule)


def _overlaps(rules: ConstraintStore, rule: int) -> None:
    """Compare a rule with those that share cells with it.

    If one has n more mines than the other and n cells of its own, these are all mines, and the
    other's own cells are all safe. A rule within another one is subtracted from it.
    """
    cells, mines = rules.cells[rule], rules.mines[rule]
    size = len(cells)
    for other in {other for cell in cells for other in rules.of_cell[cell]}:
        if other == rule:
            continue
        others = rules.cells[other]
        own = size - len(cells & others)
        others_own = len(others) - size + own
        more = mines - rules.mines[other]
        if not others_own:
            rules.subtract(other, rule)
            return
        if not own:
            rules.subtract(rule, other)
        elif more in (own, -others_own):
            mine_here = more == own
            here, there = cells - others, others - cells
            rules.decide(here, mine=mine_here)
            rules.decide(there, mine=not mine_here)
            return


@dataclass(frozen=True, slots=True)
class ComponentSignature:
    """A component without the names of its cells, so that equal components share results.

    `sizes` holds the number of cells of each group, `rules` the mines and the groups of each rule.
    """

    sizes: tuple[int, ...]
    rules: tuple[tuple[int, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class Component:
    """Connected rules; `groups[i]` are the cells of group i of the shape."""

    shape: ComponentSignature
    groups: tuple[tuple[int, ...], ...]


def components(rules: ConstraintStore) -> list[Component]:
    """Group the undecided cells of all rules and split them into independent components."""
    alike: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for cell, of in rules.of_cell.items():
        alike[tuple(of)].append(cell)
    groups_of: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for group in alike:
        for rule in group:
            groups_of[rule].append(group)
    found = []
    left = dict.fromkeys(alike)
    while left:
        first, _ = left.popitem()
        number = {first: 0}
        reached = [first]
        # Two clues may have become equal: the dict keeps one of them.
        said: dict[tuple[int, tuple[int, ...]], None] = {}
        seen: set[int] = set()
        for group in reached:  # grows while it is walked
            for rule in group:
                if rule in seen:
                    continue
                seen.add(rule)
                for other in groups_of[rule]:
                    if other not in number:
                        number[other] = len(reached)
                        reached.append(other)
                        del left[other]
                about = sorted([number[other] for other in groups_of[rule]])
                said[rules.mines[rule], tuple(about)] = None
        groups = tuple([tuple(alike[group]) for group in reached])
        found.append(Component(ComponentSignature(tuple(map(len, groups)), tuple(said)), groups))
    return found


def join(parts: Iterable[Component]) -> Component:
    """Combine several components into one."""
    sizes: list[int] = []
    rules: list[tuple[int, tuple[int, ...]]] = []
    groups: list[tuple[int, ...]] = []
    for part in parts:
        start = len(sizes)
        sizes += part.shape.sizes
        groups += part.groups
        for mines, about in part.shape.rules:
            rules.append((mines, tuple([start + group for group in about])))
    return Component(ComponentSignature(tuple(sizes), tuple(rules)), tuple(groups))


def apart(shape: ComponentSignature) -> tuple[list[int], list[int]]:
    """Rules without a cell in common, large ones first, and the groups that none is about.

    The mines of such rules are known in advance: only the groups between them
    make the number of mines of a component vary.
    """
    between = set(range(len(shape.sizes)))
    chosen = []
    sizes = [sum([shape.sizes[group] for group in groups]) for _, groups in shape.rules]
    for rule in sorted(range(len(sizes)), key=sizes.__getitem__, reverse=True):
        groups = shape.rules[rule][1]
        if between.issuperset(groups):
            between.difference_update(groups)
            chosen.append(rule)
    return chosen, sorted(between)
