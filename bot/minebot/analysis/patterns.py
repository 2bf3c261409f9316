"""What players call a piece of reasoning: single clues, 1-1, 1-2, 1-2-1, holes, reductions.

Names follow the lists of patterns that players learn from (minesweeper.online/help/patterns):
clues are read as what they still need, and where that is not what they show it is a reduction.
"""

from __future__ import annotations

from collections.abc import Sequence

from minebot.analysis.proof_steps import ProofStep, Rule
from minebot.board import Board
from minebot.solver.constraints import constraints_of
from minebot.solver.proof import Proof

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
