"""Reads a replay file of another program, in a process of its own: `python` this KIND.

The library that knows the formats ends its whole process over a file that it cannot read. The file
comes on standard input; what is read of it goes to standard output as JSON: the board, and what the
mouse's buttons did.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
from itertools import islice

SECONDS = 10
"""Processor time that reading may take. Specified; measured: 600,000 events take 0.6 s."""
_BYTES = 1 << 30
"""Memory that reading may take. Specified; measured: 600,000 events take 0.4 GB."""
_DIES_WITH_PARENT = 1
"""PR_SET_PDEATHSIG. Specified by Linux's prctl(2)."""


def read(kind: str, data: bytes, most: int) -> dict[str, object]:
    """The facts of a replay, with its first `most` events; the process may end instead."""
    import ms_toollib  # noqa: PLC0415  # an extra

    # AvfVideo, EvfVideo, MvfVideo or RmvVideo
    video = getattr(ms_toollib, f"{kind.capitalize()}Video")(raw_data=data)
    video.parse()
    mouse = ((one.time, one.event.unwrap_mouse()) for one in video.events if one.event.is_mouse())
    buttons = ([at, one.mouse, one.x, one.y] for at, one in mouse if one.mouse != "mv")
    return {
        "mines": [[cell == -1 for cell in row] for row in video.board],
        "pixels": video.pix_size,
        "seconds": video.rtime,
        "events": [*islice(buttons, most)],
    }


def confine(seconds: int, most: int) -> None:
    """Have this process end with the one that asked, take no more than that processor time and
    those bytes of memory, and leave no file: the library writes a log where it is."""
    if sys.platform != "linux":
        os.chdir(tempfile.gettempdir())
        return
    import ctypes  # noqa: PLC0415
    import resource  # noqa: PLC0415

    ctypes.CDLL(None).prctl(_DIES_WITH_PARENT, signal.SIGKILL)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    os.chdir("/proc/self")  # where nobody can make a file


if __name__ == "__main__":
    confine(SECONDS, _BYTES)
    json.dump(read(sys.argv[1], sys.stdin.buffer.read(), int(sys.argv[2])), sys.stdout)
