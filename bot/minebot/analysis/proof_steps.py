"""The steps by which a few clues prove a cell, one after the other, as a user can follow them.

First what one clue says by itself, then what two clues say of the cells that they share,
then what the mine total says; and where none of that helps, what would follow if the cell
were not what it is, until a clue cannot be kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import Enum
from itertools import permutations

from minebot.board import Board
from minebot.solver.constraints import constraints_of


class Rule(Enum):
    """How a step concludes."""

    SATISFIED = "satisfied"
    """A clue has all its mines: its other cells are safe."""
    FULL = "full"
    """A clue needs all its covered cells: they are mines."""
    PAIR = "pair"
    """Two clues and the cells that they share."""
    TOTAL = "total"
    """The mine total."""
    SUPPOSE = "suppose"
    """The opposite is supposed; what follows from it leads to a clash."""
    CLASH = "clash"
    """A clue cannot be kept any more: what was supposed is wrong."""


@dataclass(frozen=True, slots=True)
class ProofStep:
    """One conclusion; squares are row-major."""

    rule: Rule
    text: str
    """For people, cells as (row,column) from 1."""
    clues: tuple[int, ...]
    """The clues that it rests on."""
    cells: tuple[int, ...]
    """What it decides, and what matters of it later."""
    mine: bool | None
    """Whether those are mines or safe; None if nothing is decided."""
    uses: frozenset[int] = frozenset()
    """The cells decided before that it rests on."""
    needs: tuple[int, ...] = ()
    """How many mines each of its clues still lacked."""
    inside: bool = False
    """Whether all cells of its first clue lie around the last one, too."""
    depth: int = 0
    """How many suppositions it stands under."""


@dataclass(frozen=True, slots=True)
class OpenClue:
    """A clue reduced to its undecided cells and the mines left among them."""

    clue: int
    mines: int
    cells: frozenset[int]
    uses: frozenset[int]
    """The decided covered cells around it."""


class Chain:
    """Works from clues of `board` towards a cell."""

    def __init__(self, board: Board, clues: Sequence[int]) -> None:
        self._board = board
        self._demands = [one for one in constraints_of(board) if one.clue in clues]

    def towards(self, square: int) -> tuple[list[ProofStep], dict[int, bool]]:
        """The steps to `square`, as far as one or two clues at a time go; what is known then."""
        known: dict[int, bool] = {}
        steps = list(self._forward(known, square))
        return (_sliced(steps, {square}) if square in known else steps), known

    def open_clues(self, known: Mapping[int, bool]) -> list[OpenClue]:
        """Each clue, once what is `known` is decided."""
        found = []
        for one in self._demands:
            cells = frozenset(cell for cell in one.squares if cell not in known)
            decided = frozenset(one.squares) - cells
            mines = one.mines - sum(known[cell] for cell in decided)
            found.append(OpenClue(one.clue, mines, cells, decided))
        return found

    def _forward(self, known: dict[int, bool], square: int, depth: int = 0) -> Iterator[ProofStep]:
        """Conclusions, the simplest first, until `square` is decided or nothing follows."""
        while square not in known:
            step = self._next(known, square)
            if step is None:
                return
            if step.mine is not None:
                known.update(dict.fromkeys(step.cells, step.mine))
            yield replace(step, depth=depth)
            if step.rule is Rule.CLASH:
                return

    def _next(self, known: Mapping[int, bool], square: int) -> ProofStep | None:
        """The simplest conclusion, one about `square` before others."""
        left = self.open_clues(known)
        for find in (self._clashes, self._singles, self._pairs):
            steps = list(find(left))
            if steps:
                return next((step for step in steps if square in step.cells), steps[0])
        return None

    def _clashes(self, left: Sequence[OpenClue]) -> Iterator[ProofStep]:
        for one in left:
            if not 0 <= one.mines <= len(one.cells):
                what = "too many mines" if one.mines < 0 else "too few cells left for its mines"
                text = f"{self._clue(one)} would have {what}"
                yield ProofStep(Rule.CLASH, text, (one.clue,), (), None, one.uses)

    def _singles(self, left: Sequence[OpenClue]) -> Iterator[ProofStep]:
        for one in left:
            if one.cells and one.mines == 0:
                has = "no mine around it" if not self._board.cells[one.clue] else "all its mines"
                text = f"{self._clue(one)} has {has}: {self._cells(one.cells)} safe"
                yield self._step(Rule.SATISFIED, text, (one,), one.cells, mine=False)
            elif one.cells and one.mines == len(one.cells):
                many, cells = f"{one.mines} mines", f"{one.mines} cells"
                if one.mines == 1:
                    many, cells = "a mine", "one cell"
                text = (
                    f"{self._clue(one)} {'still ' if one.uses else ''}needs {many} and has just "
                    f"{cells} left: {self._cells(one.cells, mine=True)}"
                )
                yield self._step(Rule.FULL, text, (one,), one.cells, mine=True)

    def _pairs(self, left: Sequence[OpenClue]) -> Iterator[ProofStep]:
        """What two clues decide together: alone, each still has mines and safe cells left."""
        for one, other in permutations(left, 2):
            shared = one.cells & other.cells
            beyond = other.cells - one.cells
            if not shared or not beyond:
                continue
            most = min(len(shared), one.mines, other.mines)
            least = max(0, one.mines - len(one.cells - shared))
            named = self._board.names_of(shared)
            said = f"{self._clue(other)} shares {named} with {self._clue(one)}, where at"
            if other.mines - most == len(beyond):
                mines = "one mine" if most == 1 else f"{most} mines"
                text = (
                    f"{said} most {mines} can be: the rest of its {other.mines} lie beyond, so "
                    f"{self._cells(beyond, mine=True)}"
                )
                yield self._step(Rule.PAIR, text, (one, other), beyond, mine=True)
            elif other.mines == least:
                lie = "one mine lies" if least == 1 else f"{least} mines lie"
                text = (
                    f"{said} least {lie}: that is all it {'still ' if other.uses else ''}needs, "
                    f"so {self._cells(beyond)} safe"
                )
                yield self._step(Rule.PAIR, text, (one, other), beyond, mine=False)

    def _step(
        self, rule: Rule, text: str, ends: tuple[OpenClue, ...], cells: Set[int], *, mine: bool
    ) -> ProofStep:
        return ProofStep(
            rule,
            text,
            tuple(one.clue for one in ends),
            tuple(sorted(cells)),
            mine,
            frozenset().union(*(one.uses for one in ends)),
            tuple(one.mines for one in ends),
            ends[0].cells <= ends[-1].cells,
        )

    def refute(
        self, known: Mapping[int, bool], square: int, *, mine: bool, depth: int = 0
    ) -> Iterator[ProofStep]:
        """Suppose that `square`, a mine or safe, were the opposite, until a clue clashes."""
        where = self._board.name_of(square)
        opposite, truth = ("safe", "a mine") if mine else ("a mine", "safe")
        text = f"suppose that {where} were {opposite}"
        yield ProofStep(Rule.SUPPOSE, text, (), (), None, depth=depth)
        yield from self._refute({**known, square: not mine}, depth + 1)
        text = f"that cannot be: {where} is {truth}"
        yield ProofStep(Rule.SUPPOSE, text, (), (square,), mine, depth=depth)

    def _refute(self, known: dict[int, bool], depth: int) -> Iterator[ProofStep]:
        """What follows from `known`, down to a clash."""
        steps = list(self._forward(known, -1, depth))
        if steps and steps[-1].rule is Rule.CLASH:
            *others, clash = steps
            yield from (*_sliced(others, set(clash.uses)), clash)
            return
        yield from steps
        left = self.open_clues(known)
        undecided = sorted({cell for one in left for cell in one.cells})
        if undecided:
            # A cell beside many clues is soon refuted.
            split = max(undecided, key=lambda cell: sum(cell in one.cells for one in left))
            yield from self.refute(known, split, mine=False, depth=depth)
            yield from self._refute({**known, split: False}, depth)

    def _clue(self, one: OpenClue) -> str:
        return clue_words(self._board, one.clue)

    def _cells(self, cells: Set[int], *, mine: bool = False) -> str:
        listed = self._board.names_of(cells)
        one, more = ("is a mine", "are mines") if mine else ("is", "are")
        return f"{listed} {one if len(cells) == 1 else more}"


def clue_words(board: Board, clue: int) -> str:
    """A clue in words for people: `the 2 at row 3, column 4`."""
    return f"the {board.cells[clue]} at {board.name_of(clue)}"


def _sliced(steps: Sequence[ProofStep], wanted: set[int]) -> list[ProofStep]:
    """The steps that matter for the `wanted` cells, each with the cells that matter of it."""
    kept: list[ProofStep] = []
    for step in reversed(steps):
        useful = wanted.intersection(step.cells)
        if useful:
            kept.append(replace(step, cells=tuple(sorted(useful))))
            wanted |= step.uses
    return kept[::-1]
