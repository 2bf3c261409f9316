"""Over many games: in which kinds of situation a player loses games, chances and time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from minebot.analysis.review import Review


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
            habit.seconds += review.pauses[at]
    costliest = attrgetter("lost", "risk", "seconds", "times")
    return sorted(sorted(found.values(), key=attrgetter("kind")), key=costliest, reverse=True)
