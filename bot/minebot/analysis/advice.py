"""Which move the player would make on a board, and why not another one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from minebot.analysis.guess_explanation import ComparedCell, GuessExplanation, compare
from minebot.board import Action, Board, Cell, Move
from minebot.errors import Contradiction
from minebot.policy.guessing.prepare import prepare
from minebot.policy.plan import certain_moves, first_move
from minebot.puzzle.answer import showing, weight
from minebot.puzzle.texts import percent
from minebot.solver import Solver, Verdict
from minebot.solver.probabilities import ODDS


@dataclass(frozen=True, slots=True)
class Advice:
    """The move the player would make; `why` is for people."""

    move: Move
    why: str
    risk: float
    guess: GuessExplanation | None = None
    """What the cell was compared with; None if nothing had to be weighed: a certain or a first
    move. Each of its options has its chance of progress."""


def advise(
    board: Board, verdict: Verdict, prepare: Callable[[], object] = prepare
) -> Advice | None:
    """What to do on `board`, given its verdict with risks; None when nothing is left to do.

    `prepare` is for a guess: see `minebot.policy.plan.guess`.
    """
    moves = certain_moves(board, verdict.safe, set(verdict.mines), flags=True)
    if moves and (verdict.safe or board.covered == len(verdict.mines)):
        return _certain(
            board, next((move for move in moves if move.action is Action.OPEN), moves[0])
        )
    assert verdict.risk is not None
    if board.covered == len(board.cells):
        moves = first_move(board).moves
        return _first(board, verdict.risk, moves[0]) if moves else None
    found = compare(board, verdict, prepare=prepare)
    return _weighed(board, found) if found.options else None


def _certain(board: Board, move: Move) -> Advice:
    where = board.name_of(board.square(move.x, move.y))
    why = {
        Action.OPEN: f"open {where}: no layout that fits has a mine there",
        Action.FLAG: f"flag {where}: every layout that fits has a mine there",
        Action.UNFLAG: f"take the flag off {where}: it is not proven, and in the way",
    }[move.action]
    return Advice(move, why, risk=float(move.action is Action.FLAG))


def _first(board: Board, risk: Sequence[float | None], move: Move) -> Advice:
    square = board.square(move.x, move.y)
    chance = risk[square]
    assert chance is not None
    why = (
        f"open {board.name_of(square)}: nothing is open yet, and a first click there opens well; "
        f"mine risk {percent(chance)} %, unless the game keeps the first click safe"
    )
    return Advice(move, why, chance)


def _weighed(board: Board, found: GuessExplanation) -> Advice:
    solver = Solver()
    options = tuple(with_progress(solver, board, option) for option in found.options)
    best, *others = options
    why = f"open {board.name_of(best.square)}: no cell is certain; "
    why += f"what decided: {found.reason}; {best.text}"
    if others:
        held = "; ".join(f"{board.name_of(other.square)}, {other.text}" for other in others)
        why += f" (compared with {held})"
    move = Move(Action.OPEN, *board.xy(best.square))
    return Advice(move, why, best.risk, replace(found, options=options))


def with_progress(solver: Solver, board: Board, option: ComparedCell) -> ComparedCell:
    """Work out what each number that the cell may show would make certain, if nothing has yet."""
    if option.progress is not None:
        return option
    weights = []
    helps = []
    for number in range(9):
        shown = showing(board, option.square, Cell(number))
        try:
            verdict = solver.solve(shown, risk=True)
        except Contradiction:
            continue
        weights.append(weight(shown, ODDS) if verdict.layouts is None else verdict.layouts)
        helps.append(bool(verdict.safe))
    helping = sum(part for part, help_ in zip(weights, helps, strict=True) if help_)
    return replace(option, progress=(1 - option.risk) * (helping / sum(weights)))
