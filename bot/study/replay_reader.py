"""Reads a replay file of another program, in a process of its own: `python` this FILE.

The library that knows the formats ends its whole process over a file that it cannot read.
What it reads goes to standard output as JSON: the board, and what the mouse did.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def read(path: Path) -> dict[str, object]:
    """The facts of the replay in a file, by its suffix; the process may end instead."""
    import ms_toollib  # noqa: PLC0415  # an extra

    kinds: dict[str, Any] = {
        ".avf": ms_toollib.AvfVideo,
        ".evf": ms_toollib.EvfVideo,
        ".mvf": ms_toollib.MvfVideo,
        ".rmv": ms_toollib.RmvVideo,
    }
    video = kinds[path.suffix.lower()](str(path))
    video.parse()
    events = []
    for event in video.events:
        if event.event.is_mouse():
            mouse = event.event.unwrap_mouse()
            events.append([event.time, mouse.mouse, mouse.x, mouse.y])
    return {
        "mines": [[cell == -1 for cell in row] for row in video.board],
        "pixels": video.pix_size,
        "seconds": video.rtime,
        "events": events,
    }


if __name__ == "__main__":
    json.dump(read(Path(sys.argv[1])), sys.stdout)
