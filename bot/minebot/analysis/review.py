"""What is to be said of a game that was played: marks, luck, pace, and its costliest moments; and
of many games, what loses them."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import chain, pairwise
from operator import attrgetter

from minebot.analysis.efficiency import LostClicks, lost_clicks, zini
from minebot.analysis.move_rating import RatedMove, Rating, rate
from minebot.analysis.played_game import PlayedGame
from minebot.play.result import Figures
from minebot.solver import Solver

COSTLIEST = 3
"""Number of moments listed first. Specified: docs/review.md."""
_PAUSE = 3.0
"""Gap that counts as a hesitation, as a multiple of the median gap. Specified: docs/review.md."""
_LEAST_PAUSE = 0.5
"""Seconds below which no gap is a hesitation. Specified: people react in 0.2 to 0.4 s."""


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
        return Figures(self.game.layout, self.game.final, self.game.seconds, len(self.marks))

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
    def moments(self) -> tuple[RatedMove, ...]:
        """Every mistake and every hesitation, the costliest first."""
        costly = (one for one in self.marks if one.costly)
        return tuple(sorted(costly, key=lambda one: (-one.avoidable, -one.pause)))

    @property
    def costliest(self) -> tuple[RatedMove, ...]:
        """The three costliest moments, fewer where there were fewer."""
        return self.moments[:COSTLIEST]


def review(game: PlayedGame) -> Review:
    """Judge every click of a game. Raises Contradiction where a board of it cannot be."""
    # Several clicks may follow each other on one board.
    judge = lru_cache(1)(partial(Solver().solve, risk=True))
    gaps = [max(0.0, now - last) for last, now in pairwise(act.click.seconds for act in game.acts)]
    usual = statistics.median(gaps) if gaps else 0.0
    least = max(_LEAST_PAUSE, _PAUSE * usual)
    marks = []
    for at, (act, gap) in enumerate(zip(game.acts, [0.0, *gaps], strict=False)):
        marked = rate(act, judge(act.before))
        is_late = gap > least and marked.verdict.safe and act.before.begun and act.sure
        marks.append(replace(marked, at=at, pause=gap - usual if is_late else 0.0))
    return Review(game, tuple(marks))


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
    for marked in chain.from_iterable(review.marks for review in reviews):
        lost = marked.act.after.lost
        if marked.costly or lost:
            habit = found.setdefault(marked.kind, Weakness(marked.kind))
            habit.times += 1
            habit.lost += lost
            habit.risk += marked.avoidable
            habit.seconds += marked.pause
    costliest = attrgetter("lost", "risk", "seconds", "times")
    return sorted(sorted(found.values(), key=attrgetter("kind")), key=costliest, reverse=True)
