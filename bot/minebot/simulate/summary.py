"""What many games show together, in figures and as a picture; the only user of matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from minebot.errors import UsageError
from minebot.extras import require
from minebot.policy.confidence import interval
from minebot.simulate.games import Record

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_STAGES = 10
"""Number of stages of a game. Specified: each is a tenth of its safe cells."""
_BINS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 1.0)
"""Edges of the bins of risks. Specified: 5 points wide where most guesses are."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Things counted together: how many, how many of them came true."""

    low: float
    high: float
    count: int
    hits: int
    mean: float
    """Of the risks that were taken, or of the shares of cells that were open at the end."""


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
        times = sorted(time for record in games for time in record.milliseconds) or [0.0]
        last = len(times) - 1
        ended = [(record.opened, record.won) for record in games]
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
            tuple(_bin(ended, stage / _STAGES, inf) for stage in range(_STAGES)),
            tuple(_bin(taken, low, high) for low, high in pairwise(_BINS)),
            (times[last // 2], sum(times) / len(times), times[round(0.99 * last)], times[-1]),
        )

    def facts(self) -> dict[str, Any]:
        """As JSON has it."""
        low, high = interval(self.wins, self.games)
        names = ("median", "mean", "p99", "slowest")
        return {
            "summary": {
                "games": self.games,
                "won": self.wins,
                "rate": round(self.wins / max(1, self.games), 6),
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


def _bin(things: Sequence[tuple[float, bool]], low: float, high: float) -> Bin:
    inside = [(value, hit) for value, hit in things if low <= value < high]
    mean = sum(value for value, _ in inside) / len(inside) if inside else 0.0
    return Bin(low, high, len(inside), sum(hit for _, hit in inside), mean)


def check(path: Path) -> None:
    """Raise UsageError now rather than after an hour: nothing to draw with, or nowhere to."""
    require("plots", "a picture")
    if not path.parent.is_dir():
        raise UsageError(f"{path}: there is no folder {path.parent}")


def draw(summary: Summary, times: list[float], title: str, path: Path) -> None:
    """Write a picture: win rate by stage, risks against mines hit, time of each step."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(15, 4.8), layout="constrained")
    stages, risks, steps = figure.subplots(1, 3)
    figure.suptitle(title)
    _draw_shares(stages, summary.stages, lambda stage: 100 * stage.low)
    stages.set(
        title="Win rate by stage",
        xlabel="safe cells open, at least, %",
        ylabel="share of these games won",
        ylim=(0, 1),
    )
    risks.plot([0, 1], [0, 1], color="grey", linestyle=":", label="as many as expected")
    _draw_shares(risks, summary.risks, lambda risk: risk.mean, linestyle="")
    risks.set(
        title="Risks taken, mines hit",
        xlabel="mine probability of the guess",
        ylabel="share of these guesses that hit a mine",
        xlim=(0, 0.75),
        ylim=(0, 1),
    )
    risks.legend()
    steps.hist([max(time, 0.01) for time in times], [0.01 * 10 ** (at / 8) for at in range(41)])
    steps.set(
        title="Time per step", xlabel="milliseconds", ylabel="steps", xscale="log", yscale="log"
    )
    for axes in (stages, risks, steps):
        axes.grid(alpha=0.3)
    try:
        figure.savefig(path, dpi=110)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be written: {error}") from error


def _draw_shares(axes: Axes, bins: Sequence[Bin], at: Callable[[Bin], float], **style: str) -> None:
    """Draw how many of the things in each bin came true, with their intervals."""
    shown = [part for part in bins if part.count]
    shares = [part.hits / part.count for part in shown]
    ends = [interval(part.hits, part.count) for part in shown]
    errors = [
        [max(0.0, share - low) for share, (low, _) in zip(shares, ends, strict=True)],
        [max(0.0, high - share) for share, (_, high) in zip(shares, ends, strict=True)],
    ]
    axes.errorbar([*map(at, shown)], shares, errors, marker="o", capsize=3, **style)
