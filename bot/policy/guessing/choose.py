"""Which cell to guess, and why: the order in which the ways to judge are tried."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from enum import Enum
from threading import Lock
from typing import TYPE_CHECKING

from bot.board import Board
from bot.policy.guessing.prepare import prepare

if TYPE_CHECKING:
    from bot.policy.guessing.compiled_board import CompiledBoard

_ONE_AT_A_TIME = Lock()
"""Boards of one size share their memory."""
_DIGITS = 9
"""Numbers that agree in so many digits are ties: rounding, in the fifteenth, must not decide."""
_WORTH = 0.90
"""Cells with this share of the best safety are considered, as in the best engine known
(MineSweeperSolver, D. N. Hill), like the next two."""
_PROGRESS = 0.1
"""The share of a score that the chance of progress adds."""
_NEXT = 0.8
"""The share of the safest next move in a score; the second safest has the rest."""


class Strategy(Enum):
    """How to guess; each is the one before it with one step more."""

    LEAST_RISK = "least-risk"
    """The cell that is least likely a mine."""
    PROGRESS = "progress"
    """Among those, the one most likely to make another cell certain."""
    LOOKAHEAD = "lookahead"
    """The one after which the game is most likely to go on, whatever number it shows."""
    ENDGAME = "endgame"
    """Few layouts left: the exact best strategy."""
    FULL = "full"
    """All that is known to help."""


class Reason(Enum):
    """What decided for a guess."""

    LEAST_RISK = "least risk"
    PROGRESS = "least risk, then the best chance of progress"
    LOOKAHEAD = "the best prospects after the number it shows"
    FORCED = "no later move can tell more about this front"
    ENDGAME = "the best strategy over all layouts left"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cell that might have been guessed; chances are from 0 to 1."""

    x: int
    y: int
    risk: float
    """The chance that there is a mine."""
    progress: float | None = None
    """The chance that it is opened and makes another cell certain; None: not looked at."""
    opening: float | None = None
    """The chance that it opens an area, that is shows no number; None: not looked at."""
    score: float | None = None
    """What the candidates were compared by, the greater the better; None: by their risk."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The cell to guess and what it was compared with."""

    reason: Reason
    candidates: tuple[Candidate, ...]
    """Best first: the first one is the choice."""

    @property
    def best(self) -> Candidate:
        """The cell to guess."""
        return self.candidates[0]


def choose(
    board: Board,
    risk: Sequence[float | None],
    mines: Set[int],
    strategy: Strategy,
    prepare: Callable[[], object] = prepare,
) -> Choice:
    """Choose among the cells of `board`, none of which is certain to be safe.

    `risk` is each covered cell's exact mine probability, `mines` are those known to be
    mines. Where the total is unknown, or there is more than can be weighed here, the
    least risk decides. `prepare` has the compiled parts ready. Raises ValueError if
    there is nothing to choose from.
    """
    risks = {
        square: chance
        for square, chance in enumerate(risk)
        if chance is not None and square not in mines and chance < 1.0
    }
    if not risks:
        raise ValueError("no cell is left to guess")
    if strategy is not Strategy.LEAST_RISK and board.mines is not None:
        # The least risk can do without the compiled parts.
        prepare()
        from bot.policy.guessing.compiled_board import CompiledBoard  # noqa: PLC0415

        with _ONE_AT_A_TIME:
            compiled = CompiledBoard(board, risks)
            if compiled.weigh():
                return _judge(board, risks, compiled, strategy)
    return _least_risk(board, risks)


def _judge(
    board: Board, risks: dict[int, float], compiled: CompiledBoard, strategy: Strategy
) -> Choice:
    if strategy in (Strategy.ENDGAME, Strategy.FULL):
        won = compiled.endgame()
        if won:
            return _strategy(board, risks, won, Reason.ENDGAME)
    if strategy is Strategy.FULL:
        won = compiled.forced()
        if won:
            return _strategy(board, risks, won, Reason.FORCED)
    if strategy is Strategy.PROGRESS:
        return _progress(board, risks, compiled)
    return _lookahead(board, risks, compiled)


def _least_risk(board: Board, risks: dict[int, float]) -> Choice:
    """The least risky cells; among equals the ones that touch most opened cells."""

    def touched(square: int) -> int:
        return sum(board.cells[other] <= 8 for other in board.neighbours(square))

    ranked = sorted(
        risks, key=lambda square: (round(risks[square], _DIGITS), -touched(square), square)
    )
    return Choice(
        Reason.LEAST_RISK,
        tuple(Candidate(*board.xy(square), risks[square]) for square in ranked[:8]),
    )


def _progress(board: Board, risks: dict[int, float], compiled: CompiledBoard) -> Choice:
    """PSEQ's order: least risk, the chance of a new safe cell, how many, what is learnt."""
    least = min(risks.values())
    equals = [square for square, chance in risks.items() if chance - least < 10**-_DIGITS]
    seen = compiled.look(equals)
    keys = {
        square: (
            round(outlook.progress, _DIGITS),
            round(outlook.clears, _DIGITS),
            round(outlook.surprise, _DIGITS),
            -square,
        )
        for square, outlook in seen.items()
    }
    ranked = sorted(keys, key=keys.__getitem__, reverse=True)
    return Choice(
        Reason.PROGRESS,
        tuple(_candidate(board, risks, compiled, square, None) for square in ranked),
    )


def _lookahead(board: Board, risks: dict[int, float], compiled: CompiledBoard) -> Choice:
    """The best chance to survive this move and the next one, with a bonus for progress."""
    safest = 1 - min(risks.values())
    worth = [square for square, chance in risks.items() if 1 - chance >= _WORTH * safest]
    scores = {}
    for square, outlook in compiled.look(worth).items():
        ahead = _NEXT * outlook.best + (1 - _NEXT) * outlook.second
        # A dead cell tells nothing and is as well opened last.
        scores[square] = round(
            ahead * (1 + _PROGRESS * outlook.progress) * (1 if outlook.numbers > 1 else 0.5),
            _DIGITS,
        )
    ranked = sorted(scores, key=lambda square: (-scores[square], square))
    return Choice(
        Reason.LOOKAHEAD,
        tuple(_candidate(board, risks, compiled, square, scores[square]) for square in ranked),
    )


def _strategy(
    board: Board, risks: dict[int, float], won: dict[int, float], reason: Reason
) -> Choice:
    """By the share of the layouts that the best strategy wins after each cell."""
    ranked = sorted(won, key=lambda square: (-round(won[square], _DIGITS), square))
    return Choice(
        reason,
        tuple(Candidate(*board.xy(square), risks[square], score=won[square]) for square in ranked),
    )


def _candidate(
    board: Board, risks: dict[int, float], compiled: CompiledBoard, square: int, score: float | None
) -> Candidate:
    outlook = compiled.seen[square]
    return Candidate(*board.xy(square), risks[square], outlook.progress, outlook.opening, score)
