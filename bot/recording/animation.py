"""A recording as one animated picture."""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from pathlib import Path

from bot.errors import UsageError
from bot.recording import pictures
from bot.recording.recorder import journal

__all__ = ["animate"]

_STEP = 0.04
"""Seconds: pictures that follow faster than this are left out; few viewers of GIFs show more."""
_MOST = 300
"""Pictures in an animation, with which it takes at most 300 MB to make in a window of a
million pixels; of a longer game more are left out."""
_END = 3000
"""Milliseconds for which the end is shown. Guessed."""


def animate(folder: Path, path: Path) -> None:
    """Write what was recorded in a folder as a GIF, in the time it took.

    Raises UsageError where nothing was recorded, or the file cannot be written.
    """
    looks = journal(folder)
    if not looks:
        raise UsageError(f"{path}: no frame was kept to make an animation of")
    times = [seconds for _, seconds in looks]
    step = max(_STEP, (times[-1] - times[0]) / _MOST)
    kept = [0]
    while (after := bisect_left(times, times[kept[-1]] + step)) < len(times) - 1:
        kept.append(after)
    kept.append(len(times) - 1)
    durations = [round(1000 * (times[after] - times[before])) for before, after in pairwise(kept)]
    frames = (pictures.load(looks[number][0]) for number in kept)
    pictures.save_animation(path, frames, [*durations, _END])
