"""Why a cell is certain: the fewest clues that prove it, and the steps that lead there.

Why a cell is not certain, and how it compares with the one to guess, says
`minebot.analysis.recommendation`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from minebot.analysis.proof_steps import MOST_NAMED, Chain, ProofStep, Rule, clue_words
from minebot.board import Board, listed
from minebot.solver.constraints import constraints_of
from minebot.solver.proof import Proof, prove


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
        pairs = [step for step in self.steps if step.rule is Rule.PAIR]
        last, size = (pairs or self.steps)[-1].pattern, len(self.steps)
        if pairs:
            return last if len(pairs) == 1 else f"chain of {size} steps, {last}"
        return last if size == 1 else f"{last}, in {size} steps"

    @property
    def text(self) -> str:
        """In one sentence."""
        what = "a mine" if self.mine else "safe"
        clues = self.proof.clues
        words = [clue_words(self.board, clue) for clue in clues]
        if len(clues) > MOST_NAMED:
            words = [f"{len(clues)} clues together"]
        named = listed([*words, "the mine total"] if self.proof.total else words)
        return f"{self.board.name_of(self.square)} is {what} by {named} ({self.pattern})"


def why_certain(board: Board, square: int, *, mine: bool) -> Why:
    """Explain a square that is known to be safe (or a mine); raises ValueError if it is not."""
    proof = prove(board, square, mine=mine)
    if proof is None:
        raise ValueError(f"it is not certain at {board.name_of(square)}")
    return Why(board, square, mine, proof, tuple(Chain(board, proof, square, mine=mine).steps()))


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
