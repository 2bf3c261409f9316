"""What is to be said of a game that was played: marks, luck, pace, and its costliest moments; and
of many games, what loses them."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import pairwise
from operator import attrgetter

from minebot.analysis.efficiency import LostClicks, lost_clicks, zini
from minebot.analysis.explanation import Why, why_certain
from minebot.analysis.move_rating import RatedMove, Rating, rate
from minebot.analysis.played_game import PlayedGame
from minebot.board import Action
from minebot.play.result import Figures
from minebot.puzzle.texts import percent
from minebot.solver import Solver

COSTLIEST = 3
"""Number of moments listed first. Specified: docs/review.md."""
_LOOKED_AT = 12
"""Safe cells near the click whose proofs are compared to find the easiest. Specified: a limit; 12
proofs take 9 ms (docs/measurements.md, "Why a cell is certain")."""
_PAUSE = 3.0
"""Gap that counts as a hesitation, as a multiple of the median gap. Specified: docs/review.md."""
_LEAST_PAUSE = 0.5
"""Seconds below which no gap is a hesitation. Specified: people react in 0.2 to 0.4 s."""


@dataclass(frozen=True)
class Moment:
    """A click that cost something, and what should have been seen."""

    at: int
    """Which of the game's clicks, from 0."""
    marked: RatedMove

    @cached_property
    def why(self) -> Why | None:
        """The safe cell, or the mine, that was there to be seen."""
        return missed(self.marked)

    @property
    def kind(self) -> str:
        """The kind of situation in few words, to be counted over many games."""
        mark, compared = self.marked.mark, self.marked.compared
        pattern = "" if self.why is None else f": {self.why.pattern.partition(', in')[0]}"
        if not mark.mistake:
            return f"hesitated{pattern}"
        if mark is Rating.NEEDLESS:
            is_chord = self.marked.act.click.action is Action.CHORD
            return f"{'chord on a wrong flag' if is_chord else 'safe cell missed'}{pattern}"
        if mark is Rating.WORSE and compared is not None:
            return f"worse guess: {compared.reason}"
        return f"{mark.value}{pattern}"

    @property
    def text(self) -> str:
        """What happened and what should have been seen, for people."""
        marked, click = self.marked, self.marked.act.click
        verb = {Action.OPEN: "opened", Action.FLAG: "flagged", Action.UNFLAG: "took the flag off",
                Action.CHORD: "chorded on"}[click.action]  # fmt: skip
        said = f"{verb} {marked.act.before.name_of(click.square)}: {marked.mark.value}"
        if marked.mark.guess:
            said += f", mine risk {percent(marked.risk)} %"
        if marked.pause:
            said += f", after {marked.pause:.1f} s more than usual"
        if self.why is not None:
            return f"{said}; {self.why.text}"
        if marked.mark is Rating.WORSE and marked.compared is not None:
            return f"{said}; {marked.compared.text}"
        return said


@dataclass(frozen=True)
class Review:
    """A game and what is to be said of it."""

    game: PlayedGame
    marks: tuple[RatedMove, ...]
    """One for each click."""

    @property
    def counts(self) -> Counter[Rating]:
        """How many clicks have each mark."""
        return Counter(one.mark for one in self.marks)

    @property
    def luck(self) -> float:
        """The sum of -log10 of the safety of all guesses; 1 is one chance in ten."""
        return sum(one.luck for one in self.marks)

    @cached_property
    def figures(self) -> Figures:
        """What the game is measured by."""
        game = self.game
        return Figures(game.layout, game.final, game.seconds, len(self.marks))

    @cached_property
    def zini(self) -> tuple[int, int] | None:
        """The board's ZiNi, and that of a human, who begins with the openings."""
        layout = self.game.layout
        return None if layout is None else (zini(layout), zini(layout, human=True))

    @cached_property
    def lost_clicks(self) -> tuple[LostClicks, ...]:
        """Where clicks were lost, most first; none if it is not known where the mines were."""
        layout = self.game.layout
        return () if layout is None else lost_clicks(self.marks, layout)

    @property
    def hesitated(self) -> float:
        """Seconds lost over cells that were safe."""
        return sum(one.pause for one in self.marks)

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """Every mistake and every hesitation, the costliest first."""
        costly = [
            Moment(at, one) for at, one in enumerate(self.marks) if one.mark.mistake or one.pause
        ]
        costly.sort(key=lambda one: (-one.marked.avoidable, -one.marked.pause, one.at))
        return tuple(costly)

    @property
    def costliest(self) -> tuple[Moment, ...]:
        """The three costliest moments, fewer where there were fewer."""
        return self.moments[:COSTLIEST]


def review(game: PlayedGame) -> Review:
    """Judge every click of a game. Raises Contradiction where a board of it cannot be."""
    # Several clicks may follow each other on one board.
    judge = lru_cache(1)(partial(Solver().solve, risk=True))
    marks = [rate(act, judge(act.before)) for act in game.acts]
    gaps = [max(0.0, now - last) for last, now in pairwise(act.click.seconds for act in game.acts)]
    usual = statistics.median(gaps) if gaps else 0.0
    least = max(_LEAST_PAUSE, _PAUSE * usual)
    for at, gap in enumerate(gaps, 1):
        act = marks[at].act
        if gap > least and marks[at].verdict.safe and act.before.begun and act.sure:
            marks[at] = replace(marks[at], pause=gap - usual)
    return Review(game, tuple(marks))


def missed(marked: RatedMove) -> Why | None:
    """What was there to be seen at a mistake, or at a click that came late; None if nothing was."""
    board, square = marked.act.before, marked.act.click.square
    if marked.mark in (Rating.MINE, Rating.UNDONE) and square in marked.verdict.mines:
        return why_certain(board, square, mine=True)
    if marked.mark is Rating.WRONG:
        return why_certain(board, square, mine=False)
    return easiest(marked) if marked.mark is Rating.NEEDLESS or not marked.mark.mistake else None


def easiest(marked: RatedMove) -> Why | None:
    """The safe cell with the shortest proof, of the first few beside the last clicks' cells."""
    board, square = marked.act.before, marked.act.click.square
    near = sorted(marked.verdict.safe, key=lambda at: board.distance(square, at))
    found = [why_certain(board, at, mine=False) for at in near[:_LOOKED_AT]]
    return min(
        found, key=lambda one: (one.proof.total, len(one.proof.clues), len(one.steps)), default=None
    )


@dataclass(slots=True)
class Weakness:
    """One kind of situation, and what it cost in all."""

    kind: str
    times: int = 0
    lost: int = 0
    """Games that ended with it."""
    risk: float = 0.0
    """The sum of the risks that were taken without need; 1 is a game that was given away."""
    seconds: float = 0.0
    """Time lost over cells that were safe."""


def habits(reviews: Sequence[Review]) -> list[Weakness]:
    """Every kind of mistake and hesitation, and every guess that ended a game; costliest first."""
    found: dict[str, Weakness] = {}
    for review in reviews:
        told = {moment.at: moment for moment in review.moments}
        for at, marked in enumerate(review.marks):
            lost = marked.act.after.lost
            if at not in told and not lost:
                continue
            kind = told[at].kind if at in told else f"{marked.mark.value}, unlucky"
            habit = found.setdefault(kind, Weakness(kind))
            habit.times += 1
            habit.lost += lost
            habit.risk += marked.avoidable
            habit.seconds += marked.pause
    costliest = attrgetter("lost", "risk", "seconds", "times")
    return sorted(sorted(found.values(), key=attrgetter("kind")), key=costliest, reverse=True)
