"""Games from a screen recording: its frames are looked at as a window would be.

Nothing is made up: a frame that cannot be read is left to the next one, and the review says how
many there were.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import IO

import numpy as np

from minebot.analysis.played_game import PlayedGame
from minebot.capture import Frame, Window
from minebot.errors import UsageError, file_errors
from minebot.play.identify import profile_at_first_sight
from minebot.play.mine_total import MineTotal
from minebot.play.timing import Timing
from minebot.stop import Stop, SystemClock
from minebot.study import video_reader
from minebot.study.frame_queue import BLIND_SECONDS, QueuedFrame
from minebot.study.video_reader import HEADER
from minebot.study.watching import Watcher
from minebot.vision.first_sight_reader import FirstSightReader
from minebot.vision.status import StatusReader

SUFFIXES = (".mp4", ".mkv", ".webm", ".mov", ".avi")
"""Of the files that are read."""
FRAMES = 2 * 3600 * 30
"""Frames that are looked at. Specified: two hours, 30 a second."""
_STEADY_SECONDS = 0.06
"""Seconds for which a change has to show. Specified: two frames at 30 a second; the pointer, which
may look like a flag, crosses a cell in less."""
_LEAST_STEP_SECONDS = 0.03
"""Of frames that follow sooner, not all are looked at. Specified: 30 a second show all that a hand
does, and to read one takes 30 ms."""


def _frames(path: Path, looked: list[float]) -> Iterator[QueuedFrame]:
    """The frames of a video, as somebody who looks on would see them, and when into `looked`.

    Raises UsageError if there are none, or too many.
    """
    command = [sys.executable, "-P", "-m", video_reader.__name__, str(path.resolve())]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as decoder:
        assert decoder.stdout is not None
        try:
            yield from _decoded(decoder.stdout, looked)
            decoder.wait()
        finally:
            decoder.kill()
    if decoder.returncode == video_reader.TOO_LARGE:
        raise UsageError("larger than any screen")
    if not looked:
        raise UsageError(f"not a video that can be read, by its name {path.suffix[1:]}")
    if decoder.returncode:
        raise UsageError(f"decoding it takes more than {video_reader.LIMITS}")


def _decoded(stream: IO[bytes], looked: list[float]) -> Iterator[QueuedFrame]:
    frame: Frame | None = None
    while len(header := stream.read(HEADER.size)) == HEADER.size:
        seconds, width, height = HEADER.unpack(header)
        if width:
            pixels = np.frombuffer(stream.read(4 * width * height), np.uint8)
            if pixels.size < 4 * width * height:
                break
            frame = Frame(pixels.reshape(height, width, 4), seconds)
        gap = seconds - looked[-1] if looked else 0.0
        if looked and gap < _LEAST_STEP_SECONDS:
            continue
        if len(looked) == FRAMES:
            raise UsageError(f"longer than {FRAMES} frames: cut it into pieces")
        looked.append(seconds)
        yield QueuedFrame(frame, seconds, gap if gap > BLIND_SECONDS else 0.0)


def games(path: Path, mines: int | None = None) -> list[PlayedGame]:
    """The games in a video, each with notes of how well it could be seen.

    `mines` is the mine total, where it is known. Raises UsageError if it is no video, or no game
    is seen in it.
    """
    with file_errors(path), StatusReader(None) as status:
        path.open("rb").close()  # or says why not
        reader = FirstSightReader(profile_at_first_sight(Window("video", path.name)))
        total = MineTotal(status, mines, SystemClock(Stop()), Timing())
        looked: list[float] = []
        watcher = Watcher(str(path), reader, total, _frames(path, looked), _STEADY_SECONDS)
        found = list(watcher.games())
        if watcher.unfinished is not None:
            found.append(watcher.unfinished)
        if not found:
            what = "board" if watcher.unread == len(looked) else "click"
            raise UsageError(f"no {what} is seen in any of {len(looked)} frames")
        steps = (after - before for before, after in pairwise(looked))
        longest = max((step for step in steps if step <= BLIND_SECONDS), default=0.0)
        notes = (
            ("frames not read", f"{watcher.unread} of {len(looked)}"),
            ("times within", f"{longest:.3f} s"),
        )
        many = len(found) > 1
        return [
            replace(
                game,
                source=f"{path} ({number})" if many else str(path),
                notes=(*notes, ("clicks not certain", str(sum(not act.sure for act in game.acts)))),
            )
            for number, game in enumerate(found, 1)
        ]
