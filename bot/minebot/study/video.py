"""Games from a screen recording: its frames are looked at as a window would be.

Nothing is made up: a frame that cannot be read is left to the next one, and the review says how
many there were.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

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


class _Video:
    """The frames of a video, as somebody who looks on would see them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.looked = 0
        """How many of them were looked at."""
        self.step = 0.0
        """The longest time between two frames that follow each other, in seconds; gaps apart."""

    def __iter__(self) -> Iterator[QueuedFrame]:
        """The frames. Raises UsageError if there are none, or too many."""
        command = [sys.executable, "-P", "-m", video_reader.__name__, str(self._path.resolve())]
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as decoder:
            try:
                yield from self._decoded(decoder)
            finally:
                decoder.kill()
        if decoder.returncode == video_reader.TOO_LARGE:
            raise UsageError("larger than any screen")
        if not self.looked:
            raise UsageError(f"not a video that can be read, by its name {self._path.suffix[1:]}")
        if decoder.returncode:
            raise UsageError(f"decoding it takes more than {video_reader.LIMITS}")

    def _decoded(self, decoder: subprocess.Popen[bytes]) -> Iterator[QueuedFrame]:
        assert decoder.stdout is not None
        frame: Frame | None = None
        before = 0.0
        while len(header := decoder.stdout.read(HEADER.size)) == HEADER.size:
            seconds, width, height = HEADER.unpack(header)
            if width:
                pixels = np.frombuffer(decoder.stdout.read(4 * width * height), np.uint8)
                if pixels.size < 4 * width * height:
                    break
                frame = Frame(pixels.reshape(height, width, 4), seconds)
            gap = seconds - before if self.looked else 0.0
            if self.looked and gap < _LEAST_STEP_SECONDS:
                continue
            if self.looked == FRAMES:
                raise UsageError(f"longer than {FRAMES} frames: cut it into pieces")
            if gap <= BLIND_SECONDS:
                self.step = max(self.step, gap)
            self.looked += 1
            yield QueuedFrame(frame, seconds, gap if gap > BLIND_SECONDS else 0.0)
            before = seconds
        decoder.wait()


def games(path: Path, mines: int | None = None) -> list[PlayedGame]:
    """The games in a video, each with notes of how well it could be seen.

    `mines` is the mine total, where it is known. Raises UsageError if it is no video, or no game
    is seen in it.
    """
    with file_errors(path), StatusReader(None) as status:
        with path.open("rb"):  # or says why not
            pass
        video = _Video(path)
        reader = FirstSightReader(profile_at_first_sight(Window("video", path.name)))
        total = MineTotal(status, mines, SystemClock(Stop()), Timing())
        watcher = Watcher(str(path), reader, total, video, _STEADY_SECONDS)
        found = list(watcher.games())
        if watcher.unfinished is not None:
            found.append(watcher.unfinished)
        if not found:
            what = "board" if watcher.unread == video.looked else "click"
            raise UsageError(f"no {what} is seen in any of {video.looked} frames")
        notes = (
            ("frames not read", f"{watcher.unread} of {video.looked}"),
            ("times within", f"{video.step:.3f} s"),
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
