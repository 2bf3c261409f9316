"""Chooses the cell to guess, with the reason and the candidates."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from enum import Enum

from minebot.board import Board
from minebot.policy.guessing.prepare import prepare
from minebot.policy.guessing.settings import GuessingSettings

_DIGITS = 9
"""Digits to which risks must agree to be ties. Specified: rounding affects the fifteenth."""


class Strategy(Enum):
    """How to guess (`minebot simulate --policy`); each adds a step to the previous one."""

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


SETTINGS = {
    Strategy.PROGRESS: GuessingSettings(worth=1.0, pseq=True),
    Strategy.LOOKAHEAD: GuessingSettings(),
    Strategy.ENDGAME: GuessingSettings(layouts=1_000),
    Strategy.FULL: GuessingSettings(
        progress=0.001, layouts=1_000, small=6_000, forced=True, fifty=True, deeper=0.96
    ),
}
"""The strategies for which the compiled parts are needed: what each is to them."""


class Reason(Enum):
    """What decided for a guess."""

    LEAST_RISK = "least risk"
    PROGRESS = "least risk, then the best chance of progress"
    LOOKAHEAD = "the best prospects after the number it shows"
    DEEPER = "the best prospects after the next two numbers"
    FIFTY = "a coin's toss now, or else it need not be made"
    FORCED = "no later move can tell more about this front"
    ENDGAME = "the best strategy over all layouts left"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cell that might be opened; chances are from 0 to 1, None if nobody looked."""

    square: int
    risk: float
    """The chance that there is a mine."""
    progress: float | None = None
    """The chance that it is opened and makes another cell certain."""
    win: float | None = None
    """The chance to win if it is opened now and all goes on as well as can be."""
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
    *,
    every: bool = False,
) -> Choice:
    """Choose a cell of `board` to guess, when no cell is certainly safe.

    `risk` is each covered cell's exact mine probability, `mines` are the known mines. If the total
    is unknown, or the position is too large for the engine, the least risk decides. `prepare` makes
    the compiled parts ready. With `every`, the chances of all cells are computed as far as
    possible, not only which one is best. Raises ValueError if there is nothing to choose from.
    """
    risks = {
        square: chance
        for square, chance in enumerate(risk)
        if chance is not None and square not in mines and chance < 1.0
    }
    if not risks:
        raise ValueError("no cell is left to guess")
    if strategy in SETTINGS and board.mines is not None:
        prepare()
        settings = SETTINGS[strategy]._replace(every=every)
        return _judge(board, risks, settings) or _least_risk(board, risks)
    return _least_risk(board, risks)


def _judge(board: Board, risks: dict[int, float], settings: GuessingSettings) -> Choice | None:
    """What the compiled parts choose; None if there is more than they can weigh."""
    # They load for seconds.
    from minebot.policy.guessing import decide, lookahead  # noqa: PLC0415
    from minebot.policy.guessing.engine import ranked  # noqa: PLC0415

    what, rows = ranked(board, risks, settings)
    if what == decide.NOTHING:
        return None
    searched = what in (decide.ENDGAME, decide.FORCED)
    reason = {
        decide.ENDGAME: Reason.ENDGAME,
        decide.FORCED: Reason.FORCED,
        decide.FIFTY: Reason.FIFTY,
        decide.DEEPER: Reason.DEEPER,
        decide.LOOKAHEAD: Reason.PROGRESS if settings.pseq else Reason.LOOKAHEAD,
    }[what]
    candidates = []
    for row in rows.tolist():
        square = int(row[lookahead.SQUARE])
        candidates.append(
            Candidate(
                square,
                risks[square],
                None if searched else row[lookahead.PROGRESS],
                row[lookahead.SCORE] if what == decide.ENDGAME else None,
                None if settings.pseq else row[lookahead.SCORE],
            )
        )
    return Choice(reason, tuple(candidates))


def _least_risk(board: Board, risks: dict[int, float]) -> Choice:
    """The least risky cells; among equals the ones that touch most opened cells."""

    def touched(square: int) -> int:
        return sum(board.cells[other] <= 8 for other in board.neighbours(square))

    ranked = sorted(
        risks, key=lambda square: (round(risks[square], _DIGITS), -touched(square), square)
    )
    return Choice(
        Reason.LEAST_RISK,
        tuple(Candidate(square, risks[square]) for square in ranked[:8]),
    )
