"""What many games show together: win rates with intervals, stages, risks kept and times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import Any, Self

from bot.simulate.games import Record

_STAGES = 10
"""Stages of a game, each a tenth of its safe cells."""
_BINS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 1.0)
"""Edges of the risks that are taken together."""
_Z = 1.959964
"""Standard deviations to each side of a 95 % interval."""


def interval(wins: int, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share (E. B. Wilson 1927); (0, 1) for no game."""
    if not games:
        return 0.0, 1.0
    share, spread = wins / games, _Z * _Z / games
    middle = share + spread / 2
    wide = _Z * sqrt((share * (1 - share) + spread / 4) / games)
    return max(0.0, (middle - wide) / (1 + spread)), min(1.0, (middle + wide) / (1 + spread))


@dataclass(frozen=True, slots=True)
class Bin:
    """Things counted together: how many, how many of them came true."""

    low: float
    high: float
    count: int
    hits: int
    mean: float
    """Of what was expected: the mean risk; of stages the lower edge."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of a simulation."""

    games: int
    wins: int
    guesses: int
    unguessed: int
    """Games without a guess after the first click."""
    stages: tuple[Bin, ...]
    """Of the games that got as far as `low`, how many were won."""
    risks: tuple[Bin, ...]
    """Guesses by their risk, and how many hit a mine: an honest solver keeps to the diagonal."""
    milliseconds: tuple[float, ...]
    """Of all steps together: median, mean, 99th percentile, slowest."""

    @classmethod
    def of(cls, records: Iterable[Record]) -> Self:
        """Sum up."""
        games = sorted(records, key=lambda record: record.game)
        times = sorted(time for record in games for time in record.milliseconds)
        taken = [
            (risk, not record.won and at == len(record.risks) - 1)
            for record in games
            for at, risk in enumerate(record.risks)
        ]
        return cls(
            len(games),
            sum(record.won for record in games),
            len(taken),
            sum(not record.risks for record in games),
            tuple(_stage(games, stage / _STAGES) for stage in range(_STAGES)),
            tuple(_risk(taken, low, high) for low, high in pairwise(_BINS)),
            _times(times),
        )

    @property
    def rate(self) -> float:
        """The share of games won."""
        return self.wins / self.games if self.games else 0.0

    def facts(self) -> dict[str, Any]:
        """As JSON has it."""
        low, high = interval(self.wins, self.games)
        names = ("median", "mean", "p99", "slowest")
        return {
            "summary": {
                "games": self.games,
                "won": self.wins,
                "rate": round(self.rate, 6),
                "interval": [round(low, 6), round(high, 6)],
                "guesses": self.guesses,
                "without_guess": self.unguessed,
                "stages": [
                    {"opened": part.low, "games": part.count, "won": part.hits}
                    for part in self.stages
                ],
                "risks": [
                    {
                        "from": part.low,
                        "to": part.high,
                        "guesses": part.count,
                        "mines": part.hits,
                        "expected": round(part.mean, 6),
                    }
                    for part in self.risks
                ],
                "milliseconds": {
                    name: round(value, 3)
                    for name, value in zip(names, self.milliseconds, strict=True)
                },
            }
        }


def _stage(games: Sequence[Record], opened: float) -> Bin:
    reached = [record for record in games if record.opened >= opened]
    return Bin(
        opened, opened + 1 / _STAGES, len(reached), sum(record.won for record in reached), opened
    )


def _risk(taken: Sequence[tuple[float, bool]], low: float, high: float) -> Bin:
    inside = [(risk, hit) for risk, hit in taken if low <= risk < high]
    mean = sum(risk for risk, _ in inside) / len(inside) if inside else 0.0
    return Bin(low, high, len(inside), sum(hit for _, hit in inside), mean)


def _times(times: Sequence[float]) -> tuple[float, ...]:
    if not times:
        return 0.0, 0.0, 0.0, 0.0
    last = len(times) - 1
    return times[last // 2], sum(times) / len(times), times[round(0.99 * last)], times[-1]
