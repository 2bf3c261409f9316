"""How good each click of a game was, judged by what its player could see, and what that was."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from math import log10

from minebot.analysis.explanation import Why, why_certain
from minebot.analysis.played_game import ClickEvent
from minebot.analysis.recommendation import Recommendation, recommend
from minebot.board import Action
from minebot.puzzle.texts import percent
from minebot.solver import Verdict
from minebot.solver.constraints import Conflict
from minebot.solver.counting import ODDS, weight

_CLOSE = 1e-9
"""Difference up to which two probabilities count as equal. Specified: above rounding errors."""
NEAR = 0.005
"""Loss of winning chance up to which a guess counts as good. Specified: one game in 200."""
_LOOKED_AT = 12
"""Safe cells near the click whose proofs are compared to find the easiest. Specified: a limit; 12
proofs take 9 ms (docs/measurements.md, "Why a cell is certain")."""


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
        flags = (Rating.DOUBTFUL, Rating.WRONG, Rating.UNDONE)
        return self in (Rating.NEEDLESS, Rating.WORSE, Rating.MINE, *flags)

    @property
    def guess(self) -> bool:
        """Whether it may have hit a mine, for all that could be seen."""
        return self in (Rating.FORCED, Rating.GOOD, Rating.NEEDLESS, Rating.WORSE, Rating.MINE)


@dataclass(frozen=True)
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
    at: int = 0
    """Which of the game's clicks, from 0."""

    @property
    def costly(self) -> bool:
        """Whether it was a mistake or a hesitation."""
        return self.mark.mistake or self.pause > 0

    @property
    def luck(self) -> float:
        """-log10 of the chance that it went well; 0 if nothing was left to luck."""
        if not self.mark.guess or self.risk >= 1.0:
            return 0.0
        return -log10(1.0 - self.risk) + 0.0

    @cached_property
    def why(self) -> Why | None:
        """What was there to be seen if it was a mistake or came late; None if nothing was."""
        board, square = self.act.before, self.act.click.square
        if self.mark in (Rating.MINE, Rating.UNDONE) and square in self.verdict.mines:
            return why_certain(board, square, mine=True)
        if self.mark is Rating.WRONG:
            return why_certain(board, square, mine=False)
        return self.easiest() if self.mark is Rating.NEEDLESS or not self.mark.mistake else None

    def easiest(self) -> Why | None:
        """The safe cell with the shortest proof, of the first few beside the click's cell."""
        board, square = self.act.before, self.act.click.square
        near = sorted(self.verdict.safe, key=lambda at: board.distance(square, at))
        found = [why_certain(board, at, mine=False) for at in near[:_LOOKED_AT]]
        return min(
            found,
            key=lambda one: (one.proof.total, len(one.proof.clues), len(one.steps)),
            default=None,
        )

    @property
    def kind(self) -> str:
        """The kind of situation in few words, to be counted over many games."""
        if not self.costly:
            return f"{self.mark.value}, unlucky"
        pattern = "" if self.why is None else f": {self.why.pattern.partition(', in')[0]}"
        if not self.mark.mistake:
            return f"hesitated{pattern}"
        if self.mark is Rating.NEEDLESS:
            is_chord = self.act.click.action is Action.CHORD
            return f"{'chord on a wrong flag' if is_chord else 'safe cell missed'}{pattern}"
        if self.mark is Rating.WORSE and self.compared is not None:
            return f"worse guess: {self.compared.reason}"
        return f"{self.mark.value}{pattern}"

    @property
    def text(self) -> str:
        """What happened and what should have been seen, for people."""
        click = self.act.click
        verb = {Action.OPEN: "opened", Action.FLAG: "flagged", Action.UNFLAG: "took the flag off",
                Action.CHORD: "chorded on"}[click.action]  # fmt: skip
        said = f"{verb} {self.act.before.name_of(click.square)}: {self.mark.value}"
        if self.mark.guess:
            said += f", mine risk {percent(self.risk)} %"
        if self.pause:
            said += f", after {self.pause:.1f} s more than usual"
        if self.why is not None:
            return f"{said}; {self.why.text}"
        if self.mark is Rating.WORSE and self.compared is not None:
            return f"{said}; {self.compared.text}"
        return said


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
