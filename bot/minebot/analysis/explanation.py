"""Why a cell is certain: the fewest clues that prove it, and the steps that lead there, one after
the other, as a user can follow them.

First what one clue says by itself, then what two clues say of the cells that they share,
then what the mine total says; and where none of that helps, what would follow if the cell
were not what it is, until a clue cannot be kept.

Why a cell is not certain, and how it compares with the one to guess, says
`minebot.analysis.recommendation`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from itertools import permutations

from minebot.board import Board, listed
from minebot.solver.constraints import constraints_of, covered
from minebot.solver.counting import room
from minebot.solver.proof import Proof, prove

_MOST_NAMED = 4
"""Number of clues that a sentence names one by one. Specified: a readable line."""


class Rule(Enum):
    """How a step concludes; the value tells people."""

    SATISFIED = "satisfied clue"
    """A clue has all its mines: its other cells are safe."""
    FULL = "full clue"
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
    clues: tuple[int, ...] = ()
    """The clues that it rests on."""
    cells: frozenset[int] = frozenset()
    """What it decides, and what matters of it later."""
    mine: bool | None = None
    """Whether those are mines or safe; None if nothing is decided."""
    pattern: str = ""
    """What players call the two clues of a pair; else empty."""
    depth: int = 0
    """How many suppositions it stands under."""


@dataclass(frozen=True)
class Why:
    """Why a covered cell is certainly safe, or certainly a mine; squares are row-major."""

    board: Board
    square: int
    mine: bool
    proof: Proof
    """The clues, and whether the mine total is needed."""
    steps: tuple[ProofStep, ...]

    @cached_property
    def pattern(self) -> str:
        """What players call it: `1-2-1`; what kind of reasoning it is where it has no name."""
        if self.proof.total:
            return "mine count"
        if any(step.rule is Rule.SUPPOSE for step in self.steps):
            return "contradiction"
        if named := _row(self.board, self.square, self.proof):
            return named
        pairs, size = [step.pattern for step in self.steps if step.pattern], len(self.steps)
        if pairs:
            return pairs[0] if len(pairs) == 1 else f"chain of {size} steps, {pairs[-1]}"
        last = self.steps[-1].rule.value
        return last if size == 1 else f"{last}, in {size} steps"

    @property
    def text(self) -> str:
        """In one sentence."""
        what = "a mine" if self.mine else "safe"
        clues = self.proof.clues
        words = [_clue_words(self.board, clue) for clue in clues]
        if len(clues) > _MOST_NAMED:
            words = [f"{len(clues)} clues together"]
        named = listed([*words, "the mine total"] if self.proof.total else words)
        return f"{self.board.name_of(self.square)} is {what} by {named} ({self.pattern})"


def why_certain(board: Board, square: int, *, mine: bool) -> Why:
    """Explain a square that is known to be safe (or a mine); raises ValueError if it is not."""
    proof = prove(board, square, mine=mine)
    if proof is None:
        raise ValueError(f"it is not certain at {board.name_of(square)}")
    return Why(board, square, mine, proof, tuple(_Chain(board, proof, square, mine=mine).steps()))


def family(name: str) -> str:
    """The pattern's name without what differs from board to board: steps, reductions, overlaps."""
    name = name.partition(", in ")[0].removesuffix(" by reduction")
    if name.endswith("hole"):
        return "hole"
    return name.split()[0] if name.startswith(("chain", "overlap")) else name


_ROWS = {(1, 2, 1): "1-2-1", (1, 2, 2, 1): "1-2-2-1"}


def _row(board: Board, square: int, proof: Proof) -> str:
    """`1-2-1` or `1-2-2-1`, where three clues of such a row prove it; else an empty text."""
    if len(proof.clues) != 3:
        return ""
    needs = {one.clue: one.mines for one in constraints_of(board)}
    x, y = board.xy(square)
    squares, wide = range(len(board.cells)), board.width
    # Along a wall: the row lies beside the cell, not around it.
    rows = [squares[at * wide : (at + 1) * wide] for at in (y - 1, y + 1) if 0 <= at < board.height]
    columns = [squares[at::wide] for at in (x - 1, x + 1) if 0 <= at < wide]
    for line in rows + columns:
        for signs, name in _ROWS.items():
            for begin in range(len(line) - len(signs) + 1):
                row = line[begin : begin + len(signs)]
                if set(row).issuperset(proof.clues) and tuple(map(needs.get, row)) == signs:
                    shown = tuple(board.cells[clue] for clue in row)
                    return name if shown == signs else f"{name} by reduction"
    return ""


@dataclass(frozen=True, slots=True)
class _OpenClue:
    """A clue reduced to its undecided cells and the mines left among them."""

    clue: int
    mines: int
    cells: frozenset[int]
    reduced: bool
    """Whether covered cells around it are decided."""


class _Chain:
    """Works from the clues of a proof towards a cell."""

    def __init__(self, board: Board, proof: Proof, square: int, *, mine: bool) -> None:
        """`proof` shows that `square` is a mine, or safe."""
        self._board = board
        self._proof = proof
        self._square, self._mine = square, mine
        self._demands = [one for one in constraints_of(board) if one.clue in proof.clues]

    def steps(self) -> list[ProofStep]:
        """As far as one or two clues at a time go, then by the total, or else by contradiction."""
        known: dict[int, bool] = {}
        steps = list(self._forward(known, self._square))
        if self._square in known:
            return self._sliced(steps, {self._square})
        if self._proof.total:
            return [*steps, self._by_total(known)]
        return [*steps, *self._refute(known, self._square, self._mine)]

    def _open_clues(self, known: Mapping[int, bool]) -> list[_OpenClue]:
        """Each clue, once what is `known` is decided."""
        found = []
        for one in self._demands:
            cells = frozenset(one.squares).difference(known)
            mines = one.mines - sum(known.get(cell, False) for cell in one.squares)
            found.append(_OpenClue(one.clue, mines, cells, len(cells) < len(one.squares)))
        return found

    def _forward(self, known: dict[int, bool], square: int) -> Iterator[ProofStep]:
        """Conclusions, the simplest first, until `square` is decided or nothing follows."""
        while square not in known and (step := self._next(known, square)):
            yield step
            if step.mine is None:  # a clash
                return
            known.update(dict.fromkeys(step.cells, step.mine))

    def _next(self, known: Mapping[int, bool], square: int) -> ProofStep | None:
        """The simplest conclusion, one about `square` before others."""
        left = self._open_clues(known)
        for find in (self._clashes, self._singles, self._pairs):
            if steps := list(find(left)):
                return min(steps, key=lambda step: square not in step.cells)
        return None

    def _clashes(self, left: Sequence[_OpenClue]) -> Iterator[ProofStep]:
        for one in left:
            if not 0 <= one.mines <= len(one.cells):
                what = "too many mines" if one.mines < 0 else "too few cells left for its mines"
                text = f"{self._clue(one)} would have {what}"
                yield ProofStep(Rule.CLASH, text, (one.clue,))

    def _singles(self, left: Sequence[_OpenClue]) -> Iterator[ProofStep]:
        for one in left:
            if one.cells and one.mines == 0:
                has = "no mine around it" if not self._board.cells[one.clue] else "all its mines"
                text = f"{self._clue(one)} has {has}: {self._cells(one.cells)} safe"
                yield ProofStep(Rule.SATISFIED, text, (one.clue,), one.cells, False)
            elif one.cells and one.mines == len(one.cells):
                many, cells = f"{one.mines} mines", f"{one.mines} cells"
                if one.mines == 1:
                    many, cells = "a mine", "one cell"
                text = (
                    f"{self._clue(one)} {'still ' if one.reduced else ''}needs {many} and has just "
                    f"{cells} left: {self._cells(one.cells, mine=True)}"
                )
                yield ProofStep(Rule.FULL, text, (one.clue,), one.cells, True)

    def _pairs(self, left: Sequence[_OpenClue]) -> Iterator[ProofStep]:
        """What two clues decide together: alone, each still has mines and safe cells left."""
        for one, other in permutations(left, 2):
            shared = one.cells & other.cells
            beyond = other.cells - one.cells
            if not shared or not beyond:
                continue
            most = min(len(shared), one.mines, other.mines)
            least = max(0, one.mines - len(one.cells - shared))
            name, clues = _pair_name(self._board, one, other), (one.clue, other.clue)
            where = self._board.names_of(shared)
            said = f"{self._clue(other)} shares {where} with {self._clue(one)}, where at"
            if other.mines - most == len(beyond):
                mines = "one mine" if most == 1 else f"{most} mines"
                text = (
                    f"{said} most {mines} can be: the rest of its {other.mines} lie beyond, so "
                    f"{self._cells(beyond, mine=True)}"
                )
                yield ProofStep(Rule.PAIR, text, clues, beyond, True, name)
            elif other.mines == least:
                lie = "one mine lies" if least == 1 else f"{least} mines lie"
                text = (
                    f"{said} least {lie}: that is all it {'still ' if other.reduced else ''}needs, "
                    f"so {self._cells(beyond)} safe"
                )
                yield ProofStep(Rule.PAIR, text, clues, beyond, False, name)

    def _by_total(self, known: Mapping[int, bool]) -> ProofStep:
        """Count mines: what clues without a cell in common leave for the other cells."""
        board, square, mine = self._board, self._square, self._mine
        total, clues = board.mines, [one for one in self._open_clues(known) if one.cells]
        assert total is not None, "the proof needs the total"
        taken: set[int] = set()
        chosen, mines = [], 0
        for one in sorted(clues, key=lambda one: (len(one.cells), one.clue)):
            if square not in one.cells and not taken & one.cells:
                taken |= one.cells
                chosen.append(one)
                mines += one.mines
        named = " and ".join(map(self._clue, chosen[:_MOST_NAMED]))
        if len(chosen) > _MOST_NAMED:
            named = f"{len(chosen)} clues that share no cell"
        need = "needs" if len(chosen) == 1 else "need"
        left = total - len(board.shown_mines) - sum(known.values())
        elsewhere = len(set(covered(board)).difference(known, taken))
        of_all = f"{left} of {total} mines {'is' if left == 1 else 'are'} left"
        so = f"so {board.name_of(square)} is {'a mine' if mine else 'safe'}"
        if left - mines != (elsewhere if mine else 0):
            text = self._otherwise(total)
        elif not left:
            text = f"all {total} mines are accounted for, {so}"
        elif not chosen:
            text = f"{of_all}, and as many cells: {so}"
        elif not mine:
            text = f"{of_all}, and {named} {need} {'it' if mines == 1 else f'all {mines}'}, {so}"
        else:
            rest = "one other cell" if elsewhere == 1 else f"{elsewhere} other cells"
            there = f"there is room for the rest in just {rest}"
            text = f"{of_all}, {named} {need} {mines} of them, and {there}, {so}"
        rests_on = tuple(sorted(one.clue for one in clues)) or self._proof.clues
        return ProofStep(Rule.TOTAL, text, rests_on, frozenset({square}), mine)

    def _otherwise(self, total: int) -> str:
        """How the total would be missed if the cell were not what it is."""
        where = self._board.name_of(self._square)
        were = f"were {where} {'safe' if self._mine else 'a mine'}"
        opposite = {self._square: not self._mine}
        least, most = room(self._board, self._proof.clues, opposite) or (total, total)
        if least <= total <= most:
            return f"{were}, no layout of these clues would have {total} mines"
        clash = f"these clues would need at least {least} mines"
        if most < total:
            clash = f"there would be room for at most {most} mines"
        return f"{were}, {clash}, but there are {total} in all"

    def _refute(self, known: Mapping[int, bool], square: int, mine: bool) -> Iterator[ProofStep]:
        """Suppose that `square`, a mine or safe, were the opposite, until a clue clashes."""
        where = self._board.name_of(square)
        opposite, truth = ("safe", "a mine") if mine else ("a mine", "safe")
        text = f"suppose that {where} were {opposite}"
        yield ProofStep(Rule.SUPPOSE, text)
        for step in self._to_clash({**known, square: not mine}):
            yield replace(step, depth=step.depth + 1)
        text = f"that cannot be: {where} is {truth}"
        yield ProofStep(Rule.SUPPOSE, text, (), frozenset({square}), mine)

    def _to_clash(self, known: dict[int, bool]) -> Iterator[ProofStep]:
        """What follows from `known`, down to a clash."""
        steps = list(self._forward(known, -1))
        if steps and steps[-1].rule is Rule.CLASH:
            *others, clash = steps
            yield from (*self._sliced(others, self._board.around(clash.clues)), clash)
            return
        yield from steps
        left = self._open_clues(known)
        undecided = sorted({cell for one in left for cell in one.cells})
        if undecided:
            # A cell beside many clues is soon refuted.
            split = max(undecided, key=lambda cell: sum(cell in one.cells for one in left))
            yield from self._refute(known, split, False)
            yield from self._to_clash({**known, split: False})

    def _sliced(self, steps: Sequence[ProofStep], wanted: set[int]) -> list[ProofStep]:
        """The steps that matter for the `wanted` cells, each with the cells that matter of it."""
        kept: list[ProofStep] = []
        for step in reversed(steps):
            if useful := step.cells & wanted:
                kept.append(replace(step, cells=useful))
                # Of the cells around its clues it rests on those that were decided before.
                wanted |= self._board.around(step.clues)
        return kept[::-1]

    def _clue(self, one: _OpenClue) -> str:
        return _clue_words(self._board, one.clue)

    def _cells(self, cells: Set[int], *, mine: bool = False) -> str:
        listed = self._board.names_of(cells)
        one, more = ("is a mine", "are mines") if mine else ("is", "are")
        return f"{listed} {one if len(cells) == 1 else more}"


def _pair_name(board: Board, one: _OpenClue, other: _OpenClue) -> str:
    """What players call two clues that share cells."""
    low, high = sorted((one.mines, other.mines))
    name = f"{low}-{high}"
    (ax, ay), (bx, by) = board.xy(one.clue), board.xy(other.clue)
    if abs(ax - bx) + abs(ay - by) != 1:
        # Where one clue's cells all lie around the other, players speak of a hole.
        name = f"{name} hole" if one.cells <= other.cells else f"overlap of {low} and {high}"
    shown = sorted((board.cells[one.clue], board.cells[other.clue]))
    return name if shown == [low, high] else f"{name} by reduction"


def _clue_words(board: Board, clue: int) -> str:
    """A clue in words for people: `the 2 at row 3, column 4`."""
    return f"the {board.cells[clue]} at {board.name_of(clue)}"
