"""A recording as one animated picture."""

from __future__ import annotations

import json
from bisect import bisect_left
from itertools import pairwise
from pathlib import Path

import cv2
from PIL import Image

from minebot.errors import UsageError, file_errors
from minebot.recording import pictures

_STEP = 0.04
"""Shortest time between two pictures, in seconds. Specified: few viewers of GIFs show more."""
_MOST = 300
"""Largest number of pictures in an animation. Specified: a limit of 300 MB of memory for a window
of a million pixels; longer games lose pictures."""
_LEAST = 20
"""Shortest time for a picture in milliseconds. Specified: browsers show shorter ones for 100."""
_END = 3000
"""Milliseconds for which the end is shown. Specified: long enough to see the finished board."""


def animate(folder: Path, path: Path) -> None:
    """Write what was recorded in a folder as a GIF, in the time it took.

    Pictures of another size than the first one are left out. Raises UsageError if
    nothing was recorded, or the file cannot be written.
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
    gaps = [round(1000 * (times[after] - times[before])) for before, after in pairwise(kept)]
    drawn = [_drawn(looks[number][0]) for number in kept]
    # A window that has been resized on the way cannot go into the same animation.
    shown = [
        each for each in zip(drawn, [*gaps, _END], strict=True) if each[0].size == drawn[0].size
    ]
    images, durations = zip(*shown, strict=True)
    with file_errors(path):
        images[0].save(
            path,
            save_all=True,
            append_images=images[1:],
            duration=[max(_LEAST, duration) for duration in durations],
            loop=0,
        )


def _drawn(file: Path) -> Image.Image:
    rgb = cv2.cvtColor(pictures.load(file).pixels, cv2.COLOR_BGRA2RGB)
    # Without dithering, what does not change takes no room in the file.
    return Image.fromarray(rgb).quantize(64, dither=Image.Dither.NONE)


def journal(folder: Path) -> list[tuple[Path, float]]:
    """A recording's pictures in order, each with its seconds; raises UsageError."""
    with file_errors(folder):
        text = (folder / "journal.jsonl").read_text(encoding="utf-8")
    # A program that was killed may have left the last line unfinished.
    entries = map(json.loads, text[: text.rfind("\n") + 1].splitlines())
    return [(folder / entry["picture"], entry["seconds"]) for entry in entries]
