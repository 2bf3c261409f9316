"""How good each click of a game was, judged by what its player could see."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import log10

from minebot.analysis.played_game import ClickEvent
from minebot.analysis.recommendation import Recommendation, recommend
from minebot.board import Action
from minebot.solver import Verdict
from minebot.solver.constraints import Conflict
from minebot.solver.counting import ODDS, weight

_CLOSE = 1e-9
"""Difference up to which two probabilities count as equal. Specified: above rounding errors."""
NEAR = 0.005
"""Loss of winning chance up to which a guess counts as good. Specified: one game in 200."""


class Rating(Enum):
    """What a click is worth; the value tells people."""

    FIRST = "first click"
    CERTAIN = "certain"
    FORCED = "forced guess"
    """Nothing was certain, and all candidates were equally good."""
    GOOD = "good guess"
    """Nothing was certain, and no guess was better."""
    NEEDLESS = "guess where a safe cell was there"
    WORSE = "worse guess than needed"
    MINE = "opened a certain mine"
    DOUBTFUL = "flag that nothing proves"
    WRONG = "flag on a safe cell"
    UNDONE = "took a right flag off"
    WASTED = "wasted click"
    OVERTAKEN = "overtaken by an opening"
    """The player had clicked before the opening was to be seen."""
    UNSEEN = "not seen by itself"
    """Several clicks were seen at once, so that none of them can be judged."""

    @property
    def mistake(self) -> bool:
        """Whether a better click was there to be seen; a wasted one only took its time."""
        return self in (
            Rating.NEEDLESS, Rating.WORSE, Rating.MINE,
            Rating.DOUBTFUL, Rating.WRONG, Rating.UNDONE,
        )  # fmt: skip

    @property
    def guess(self) -> bool:
        """Whether it may have hit a mine, for all that could be seen."""
        return self in (Rating.FORCED, Rating.GOOD, Rating.NEEDLESS, Rating.WORSE, Rating.MINE)


@dataclass(frozen=True, slots=True)
class RatedMove:
    """A click and what it was worth; chances are from 0 to 1."""

    act: ClickEvent
    mark: Rating
    verdict: Verdict
    """On the board before it, with all risks."""
    risk: float = 0.0
    """That it would hit a mine."""
    avoidable: float = 0.0
    """How much of that risk was not needed."""
    compared: Recommendation | None = None
    """Of a guess where nothing was certain: the best one, and the runners-up."""
    pause: float = 0.0
    """Seconds lost before it, over a cell that was safe."""

    @property
    def luck(self) -> float:
        """-log10 of the chance that it went well; 0 if nothing was left to luck."""
        if not self.mark.guess or self.risk >= 1.0:
            return 0.0
        return -log10(1.0 - self.risk) + 0.0


def rate(act: ClickEvent, verdict: Verdict) -> RatedMove:
    """What a click was worth, given the verdict on the board before it with all risks."""
    square, action = act.click.square, act.click.action
    if act.overtaken or act.wasted or not act.sure:
        idle = Rating.OVERTAKEN if act.overtaken else Rating.WASTED
        return RatedMove(act, idle if act.sure else Rating.UNSEEN, verdict)
    if not action.opens:
        return RatedMove(act, _flagged(verdict, square, action), verdict)
    if not act.before.begun:
        return RatedMove(act, Rating.FIRST, verdict)
    risk = _risk(act, verdict)
    if risk == 0.0:
        return RatedMove(act, Rating.CERTAIN, verdict)
    if risk == 1.0 or verdict.safe:
        mark = Rating.MINE if risk == 1.0 else Rating.NEEDLESS
        return RatedMove(act, mark, verdict, risk, risk)
    return _guessed(act, verdict, risk)


def _risk(act: ClickEvent, verdict: Verdict) -> float:
    """The chance that a click which opens something hits a mine."""
    risks = [(verdict.risk or ())[at] or 0.0 for at in act.aimed]
    if len(risks) == 1 or not any(risks) or 1.0 in risks:
        return max(risks, default=0.0)
    try:
        return 1.0 - weight(act.before, ODDS, act.aimed) / weight(act.before, ODDS)
    except Conflict:
        return 1.0


def _guessed(act: ClickEvent, verdict: Verdict, risk: float) -> RatedMove:
    """A guess where nothing was certain, held against the best one."""
    asked = act.click.square if act.click.action is Action.OPEN else None
    compared = recommend(act.before, verdict, asked)
    best, chosen, lost = compared.best, compared.asked, 0.0
    if best is not None and (chosen is None or chosen.square != best.square):
        lost = max(0.0, risk - best.risk)
        if chosen is not None and chosen.win is not None and best.win is not None:
            lost = best.win - chosen.win
    if lost > NEAR:
        return RatedMove(act, Rating.WORSE, verdict, risk, lost, compared)
    risks = {round(one, 9) for one in verdict.risk or () if one is not None and one < 1.0}
    is_forced = best is None or (len(risks) == 1 and lost <= _CLOSE)
    mark = Rating.FORCED if is_forced else Rating.GOOD
    return RatedMove(act, mark, verdict, risk, 0.0, compared)


def _flagged(verdict: Verdict, square: int, action: Action) -> Rating:
    if square in verdict.mines:
        return Rating.CERTAIN if action is Action.FLAG else Rating.UNDONE
    if action is Action.UNFLAG:
        return Rating.CERTAIN
    return Rating.WRONG if square in verdict.safe else Rating.DOUBTFUL
