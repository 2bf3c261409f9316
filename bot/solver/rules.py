"""What a board says, without its geometry: "so many mines among these cells".

A clue becomes a rule about the cells around it that are still undecided. Cells
that are in exactly the same rules are alike and form a group; rules that share
cells, directly or through others, form a front. Nothing past this module knows
rows and columns.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Clash", "Front", "Rules", "Shape", "fronts"]


class Clash(Exception):
    """No mine layout keeps all rules; which ones clash is worked out elsewhere."""


class Rules:
    """The rules that are still open, and the cells that are already decided.

    A rule goes by the square of its clue. Everything here only ever shrinks:
    deciding a cell takes it out of its rules, and a rule that contains another
    one is replaced by their difference.
    """

    __slots__ = ("cells", "mined", "mines", "of_cell", "safe", "stale")

    def __init__(self) -> None:
        self.cells: dict[int, set[int]] = {}
        """The undecided cells of each rule; never empty."""
        self.mines: dict[int, int] = {}
        """How many mines are among them."""
        self.of_cell: dict[int, list[int]] = {}
        """The rules of each undecided cell that has any, in the order they were added."""
        self.safe: set[int] = set()
        """Cells that are certainly safe."""
        self.mined: set[int] = set()
        """Cells that certainly hold a mine."""
        self.stale: set[int] = set()
        """The rules that have changed since they were last looked at."""

    def add(self, rule: int, mines: int, cells: Iterable[int]) -> None:
        """Add "`mines` mines among `cells`", decided cells already left out; raises Clash."""
        members = set(cells)
        if not 0 <= mines <= len(members):
            raise Clash
        if not members:
            return
        self.cells[rule] = members
        self.mines[rule] = mines
        self.stale.add(rule)
        for cell in members:
            self.of_cell.setdefault(cell, []).append(rule)

    def forget(self, cell: int, *, mine: bool) -> None:
        """Take a cell whose content the board now shows out of all rules; raises Clash."""
        if cell in (self.safe if mine else self.mined):
            raise Clash
        self.safe.discard(cell)
        self.mined.discard(cell)
        self._leave(cell, mine=mine)

    def decide(self, cell: int, *, mine: bool) -> None:
        """Note what an undecided cell certainly is; raises Clash."""
        (self.mined if mine else self.safe).add(cell)
        self._leave(cell, mine=mine)

    def _leave(self, cell: int, *, mine: bool) -> None:
        for rule in self.of_cell.pop(cell, ()):
            members = self.cells[rule]
            members.remove(cell)
            left = self.mines[rule] - mine
            if not 0 <= left <= len(members):
                raise Clash
            if members:
                self.mines[rule] = left
                self.stale.add(rule)
            else:
                self._drop(rule)

    def subtract(self, inner: int, outer: int) -> None:
        """Replace `outer`, which contains `inner`, by what it says beyond it; raises Clash."""
        shared = self.cells[inner]
        members = self.cells[outer]
        members -= shared
        for cell in shared:
            self.of_cell[cell].remove(outer)
        left = self.mines[outer] - self.mines[inner]
        if not 0 <= left <= len(members):
            raise Clash
        if members:
            self.mines[outer] = left
            self.stale.add(outer)
        else:
            self._drop(outer)

    def _drop(self, rule: int) -> None:
        del self.cells[rule], self.mines[rule]
        self.stale.discard(rule)


@dataclass(frozen=True, slots=True)
class Shape:
    """A front with its cells left unnamed, so that like fronts share what is known of them.

    `sizes` holds the number of cells of each group, `rules` the mines of each
    rule and the groups it is about.
    """

    sizes: tuple[int, ...]
    rules: tuple[tuple[int, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class Front:
    """Rules that hang together: `groups[i]` are the cells of group i of the shape."""

    shape: Shape
    groups: tuple[tuple[int, ...], ...]


def fronts(rules: Rules) -> list[Front]:
    """Group the undecided cells of all rules and split them into independent fronts."""
    alike: dict[tuple[int, ...], list[int]] = {}
    for cell, of in rules.of_cell.items():
        if of:
            alike.setdefault(tuple(of), []).append(cell)
    groups_of: dict[int, list[tuple[int, ...]]] = {}
    for group in alike:
        for rule in group:
            groups_of.setdefault(rule, []).append(group)
    found = []
    left = dict.fromkeys(alike)
    while left:
        first, _ = left.popitem()
        number = {first: 0}
        reached = [first]
        seen: dict[int, None] = {}
        for group in reached:  # grows while it is walked
            for rule in group:
                if rule not in seen:
                    seen[rule] = None
                    for other in groups_of[rule]:
                        if other not in number:
                            number[other] = len(reached)
                            reached.append(other)
                            del left[other]
        # Two clues may have come to say the same thing: the set keeps one of them.
        said = {
            (rules.mines[rule], tuple(sorted([number[group] for group in groups_of[rule]])))
            for rule in seen
        }
        groups = tuple(tuple(alike[group]) for group in reached)
        found.append(Front(Shape(tuple(map(len, groups)), tuple(sorted(said))), groups))
    return found
