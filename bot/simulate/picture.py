"""Draws the result of a simulation. The only user of matplotlib, which is an extra."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.errors import UsageError
from bot.simulate.summary import Bin, Summary, interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def check(path: Path) -> None:
    """Raise UsageError now rather than after an hour: nothing to draw with, or nowhere to."""
    if find_spec("matplotlib") is None:
        raise UsageError("a picture needs matplotlib: pip install 'minebot[plots]'")
    if not path.parent.is_dir():
        raise UsageError(f"{path}: there is no folder {path.parent}")


def draw(summary: Summary, times: list[float], title: str, path: Path) -> None:
    """Write a picture: win rate by stage, risks against mines hit, time of each step."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(15, 4.8), layout="constrained")
    axes = figure.subplots(1, 3)
    figure.suptitle(title)
    _stages(axes[0], summary)
    _risks(axes[1], summary)
    _times(axes[2], times)
    try:
        figure.savefig(path, dpi=110)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be written: {error}") from error


def _bars(bins: list[Bin]) -> tuple[list[float], Any]:
    shares = [part.hits / part.count for part in bins]
    ends = [interval(part.hits, part.count) for part in bins]
    return shares, [
        [max(0.0, share - low) for share, (low, _) in zip(shares, ends, strict=True)],
        [max(0.0, high - share) for share, (_, high) in zip(shares, ends, strict=True)],
    ]


def _stages(axes: Axes, summary: Summary) -> None:
    bins = [part for part in summary.stages if part.count]
    shares, errors = _bars(bins)
    axes.errorbar([100 * part.low for part in bins], shares, errors, marker="o", capsize=3)
    axes.set(
        title="Win rate by stage",
        xlabel="safe cells open, at least, %",
        ylabel="share of these games won",
        ylim=(0, 1),
    )
    axes.grid(alpha=0.3)


def _risks(axes: Axes, summary: Summary) -> None:
    bins = [part for part in summary.risks if part.count]
    shares, errors = _bars(bins)
    axes.plot([0, 1], [0, 1], color="grey", linestyle=":", label="as many as expected")
    axes.errorbar([part.mean for part in bins], shares, errors, marker="o", linestyle="", capsize=3)
    axes.set(
        title="Risks taken, mines hit",
        xlabel="mine probability of the guess",
        ylabel="share of these guesses that hit a mine",
        xlim=(0, 0.75),
        ylim=(0, 1),
    )
    axes.legend()
    axes.grid(alpha=0.3)


def _times(axes: Axes, times: list[float]) -> None:
    shown = [max(time, 0.01) for time in times]
    edges = [0.01 * 10 ** (at / 8) for at in range(8 * 5 + 1)]
    axes.hist(shown, edges)
    axes.set(
        title="Time per step", xlabel="milliseconds", ylabel="steps", xscale="log", yscale="log"
    )
    axes.grid(alpha=0.3)
