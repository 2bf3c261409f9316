"""Why a cell is certain: the fewest clues that prove it, and the steps that lead there.

Why a cell is not certain, and how it compares with the one to guess, says
`minebot.analysis.recommendation`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from minebot.analysis.proof_steps import Chain, OpenClue, ProofStep, Rule, clue_words
from minebot.board import Board, listed
from minebot.solver.constraints import constraints_of, covered, mines_left
from minebot.solver.counting import room
from minebot.solver.proof import Proof, prove

_LISTED = 4
"""Number of clues that a sentence names one by one. Specified: a readable line."""


@dataclass(frozen=True, slots=True)
class Why:
    """Why a covered cell is certainly safe, or certainly a mine; squares are row-major."""

    board: Board
    square: int
    mine: bool
    proof: Proof
    """The clues, and whether the mine total is needed."""
    pattern: str
    """What players call it: `1-2-1`; what kind of reasoning it is where it has no name."""
    steps: tuple[ProofStep, ...]

    @property
    def text(self) -> str:
        """In one sentence."""
        what = "a mine" if self.mine else "safe"
        clues = self.proof.clues
        words = [clue_words(self.board, clue) for clue in clues]
        if len(clues) > _LISTED:
            words = [f"{len(clues)} clues together"]
        named = listed([*words, "the mine total"] if self.proof.total else words)
        return f"{self.board.name_of(self.square)} is {what} by {named} ({self.pattern})"


def why_certain(board: Board, square: int, *, mine: bool) -> Why:
    """Explain a square that is known to be safe (or a mine); raises ValueError if it is not."""
    proof = prove(board, square, mine=mine)
    if proof is None:
        raise ValueError(f"it is not certain at {board.name_of(square)}")
    chain = Chain(board, proof.clues)
    steps, known = chain.towards(square)
    if square not in known:
        if proof.total:
            steps.append(_by_total(board, chain, proof, known, (square, mine)))
        else:
            steps += chain.refute(known, square, mine=mine)
    name = pattern(board, square, proof, steps)
    return Why(board, square, mine, proof, name, tuple(steps))


def _by_total(
    board: Board, chain: Chain, proof: Proof, known: dict[int, bool], claim: tuple[int, bool]
) -> ProofStep:
    """The step that counts mines; `claim` is a square and whether it is a mine."""
    square, mine = claim
    left = mines_left(board)
    assert left is not None, "the proof needs the total"
    left -= sum(known.values())
    undecided = {cell for cell in covered(board) if cell not in known}
    clues = [one for one in chain.open_clues(known) if one.cells]
    so = f"so {board.name_of(square)} is {'a mine' if mine else 'safe'}"
    of_all = f"{left} of {board.mines} mines {'is' if left == 1 else 'are'} left"
    if left == 0 and not mine:
        text = f"all {board.mines} mines are accounted for, {so}"
    elif left == len(undecided) and mine:
        text = f"{of_all}, and as many cells: {so}"
    else:
        shared = _shared_out(board, clues, left, undecided, claim)
        text = f"{of_all}, {shared}, {so}" if shared else _otherwise(board, proof, square, mine)
    named = tuple(sorted(one.clue for one in clues)) or proof.clues
    return ProofStep(Rule.TOTAL, text, named, (square,), mine, frozenset(known))


def _shared_out(
    board: Board,
    clues: Sequence[OpenClue],
    left: int,
    undecided: set[int],
    claim: tuple[int, bool],
) -> str:
    """What clues without a cell in common leave for the other cells, if it decides them."""
    square, mine = claim
    taken: set[int] = set()
    chosen, mines = [], 0
    for one in sorted(clues, key=lambda one: (len(one.cells), one.clue)):
        if square not in one.cells and not taken & one.cells:
            taken |= one.cells
            chosen.append(one.clue)
            mines += one.mines
    elsewhere = len(undecided - taken)
    if not chosen or left - mines != (elsewhere if mine else 0):
        return ""
    named = " and ".join(clue_words(board, clue) for clue in chosen[:_LISTED])
    if len(chosen) > _LISTED:
        named = f"{len(chosen)} clues that share no cell"
    need = "needs" if len(chosen) == 1 else "need"
    if not mine:
        return f"and {named} {need} {'it' if mines == 1 else f'all {mines}'}"
    rest = "one other cell" if elsewhere == 1 else f"{elsewhere} other cells"
    return f"{named} {need} {mines} of them, and there is room for the rest in just {rest}"


def _otherwise(board: Board, proof: Proof, square: int, mine: bool) -> str:
    """How the total would be missed if the cell were not what it is."""
    assert board.mines is not None
    where = f"were {board.name_of(square)} {'safe' if mine else 'a mine'}"
    fitting = room(board, proof.clues, {square: not mine})
    total = f"there are {board.mines} in all"
    if fitting is not None and fitting[0] > board.mines:
        return f"{where}, these clues would need at least {fitting[0]} mines, but {total}"
    if fitting is not None and fitting[1] < board.mines:
        return f"{where}, there would be room for at most {fitting[1]} mines, but {total}"
    return f"{where}, no layout of these clues would have {board.mines} mines"


_ROWS = {(1, 2, 1): "1-2-1", (1, 2, 2, 1): "1-2-2-1"}


def pattern(board: Board, square: int, proof: Proof, steps: Sequence[ProofStep]) -> str:
    """The name for the `steps` that prove `square`."""
    if proof.total:
        return "mine count"
    rules = {step.rule for step in steps}
    if Rule.SUPPOSE in rules:
        return "contradiction"
    named = _row(board, square, proof)
    if named:
        return named
    pairs = [step for step in steps if step.rule is Rule.PAIR]
    if not pairs:
        last = "satisfied clue" if steps[-1].rule is Rule.SATISFIED else "full clue"
        return last if len(steps) == 1 else f"{last}, in {len(steps)} steps"
    name = _pair(board, pairs[-1])
    if len(pairs) > 1:
        return f"chain of {len(steps)} steps, {name}"
    return name


def family(name: str) -> str:
    """The pattern's name without what differs from board to board: steps, reductions, overlaps."""
    name = name.partition(", in ")[0].removesuffix(" by reduction")
    if name.endswith("hole"):
        return "hole"
    return name.split()[0] if name.startswith(("chain", "overlap")) else name


def _pair(board: Board, step: ProofStep) -> str:
    """The name of two clues that share cells."""
    one, other = step.clues
    low, high = sorted(step.needs)
    name = f"{low}-{high}"
    (ax, ay), (bx, by) = board.xy(one), board.xy(other)
    if abs(ax - bx) + abs(ay - by) != 1:
        # Where one clue's cells all lie around the other, players speak of a hole.
        name = f"{name} hole" if step.inside else f"overlap of {low} and {high}"
    shown = sorted((board.cells[one], board.cells[other]))
    return name if shown == [low, high] else f"{name} by reduction"


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
