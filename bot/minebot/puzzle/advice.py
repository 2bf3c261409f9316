"""Which move the player would make on a board, and why not another one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from minebot.board import Action, Board, Cell, Move
from minebot.errors import Contradiction
from minebot.policy.guessing.prepare import prepare
from minebot.policy.guessing.recommend import Choice, Reason
from minebot.policy.plan import certain_moves, first_move, guess
from minebot.puzzle.answer import showing, unflagged, weight
from minebot.puzzle.texts import percent
from minebot.solver import Solver, Verdict
from minebot.solver.probabilities import ODDS

_COMPARED = 3
"""Other cells that a guess is compared with, besides a corner. Specified: a readable answer."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """What opening a square may bring."""

    square: int
    risk: float
    """The chance, from 0 to 1, that it is a mine."""
    progress: float
    """The chance, from 0 to 1, that it is none and its number makes another cell safe."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The move the player would make; `why` is for people."""

    move: Move
    why: str
    risk: float
    progress: float | None = None
    """As in `Prospect`; None if nothing had to be weighed: a certain or a first move."""
    compared: tuple[Prospect, ...] = ()
    """The other cells that a guess was held against, the least risky one first."""
    choice: Choice | None = None
    """What decided for a guess, and the runners-up."""


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
    # Flags are somebody's opinion: what to open is asked as if there were none.
    chosen = guess(unflagged(board), verdict.risk, set(verdict.mines), prepare=prepare).guess
    if chosen is None:
        return None
    move = Move(Action.OPEN, chosen.x, chosen.y)
    return _weighed(board, verdict.risk, move, chosen.choice)


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


def _weighed(
    board: Board, risk: Sequence[float | None], move: Move, choice: Choice | None
) -> Advice:
    reason = choice.reason if choice else Reason.LEAST_RISK
    solver = Solver()
    square = board.square(move.x, move.y)
    chosen = _prospect(solver, board, risk, square)
    others = [_prospect(solver, board, risk, other) for other in _rivals(board, risk, square)]
    why = f"open {board.name_of(square)}: no cell is certain; what decided: {reason.value}; "
    why += _describe(chosen)
    if others:
        corners = _corners(board)
        held = "; ".join(
            f"{board.name_of(other.square)}{' (a corner)' if other.square in corners else ''}, "
            f"{_describe(other)}"
            for other in others
        )
        why += f" (compared with {held})"
    return Advice(move, why, chosen.risk, chosen.progress, tuple(others), choice)


def _describe(prospect: Prospect) -> str:
    progress = percent(prospect.progress)
    return f"mine risk {percent(prospect.risk)} %, chance of a new safe cell {progress} %"


def _corners(board: Board) -> tuple[int, ...]:
    width, height = board.width, board.height
    return (0, width - 1, (height - 1) * width, height * width - 1)


def _rivals(board: Board, risk: Sequence[float | None], chosen: int) -> list[int]:
    """The least risky other cells, and the least risky corner, which everybody asks about."""
    ranked = sorted(
        (chance, square)
        for square, chance in enumerate(risk)
        if chance is not None and chance < 1 and square != chosen
    )
    rivals = [square for _, square in ranked[:_COMPARED]]
    corner = next((square for _, square in ranked if square in _corners(board)), None)
    if corner is not None and corner not in rivals:
        rivals.append(corner)
    return rivals


def _prospect(solver: Solver, board: Board, risk: Sequence[float | None], square: int) -> Prospect:
    """Work out what each number that the square may show would make certain."""
    chance = risk[square]
    assert chance is not None
    weights = []
    helps = []
    for number in range(9):
        shown = showing(board, square, Cell(number))
        try:
            verdict = solver.solve(shown, risk=True)
        except Contradiction:
            continue
        weights.append(weight(shown, ODDS) if verdict.layouts is None else verdict.layouts)
        helps.append(bool(verdict.safe))
    helping = sum(part for part, help_ in zip(weights, helps, strict=True) if help_)
    return Prospect(square, chance, (1 - chance) * (helping / sum(weights)))
