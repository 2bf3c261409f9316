"""Records games: the last observations for a failure report, or all of them in a folder.

A folder has a picture and a text board for each observation, as `minebot replay` reads them, and
`journal.jsonl` with times, verdicts and moves. It grows while the game is played: what was written
is complete, however the program ends. `animate` makes an animation of it.
"""

from __future__ import annotations

import json
import logging
import queue
import threading
from bisect import bisect_left
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Self

from PIL import Image

from minebot.board import Board, Move
from minebot.capture import Frame
from minebot.errors import Contradiction, UsageError, VisionError, file_errors
from minebot.policy.plan import Plan
from minebot.recording import pictures
from minebot.solver import Verdict
from minebot.stop import POLL_SECONDS, Stop

_JOURNAL = "journal.jsonl"
_KEPT = 4
"""Frames kept in memory. Specified: enough for a report of a failure."""
_WAITING = 8
"""Looks that wait for the disk at a time. Specified: at most 270 MB of pictures 3840x2160."""
_PATIENCE = 20.0
"""Seconds that the disk gets at the end for what still waits. Specified: a limit."""
_ANIMATION_STEP = 0.04
"""Shortest time between two pictures, in seconds. Specified: few viewers of GIFs show more."""
_ANIMATION_PICTURES = 300
"""Largest number of pictures in an animation. Specified: a limit of 300 MB of memory for a window
of a million pixels; longer games lose pictures."""
_PICTURE_MILLISECONDS = 20
"""Shortest time for a picture. Specified: browsers show shorter ones for 100."""
_END_MILLISECONDS = 3000
"""Milliseconds for which the end is shown. Specified: long enough to see the finished board."""


@dataclass(slots=True)
class Entry:
    """One look at the window and what followed from it."""

    seconds: float
    """On the clock of the player."""
    frame: Frame
    board: Board | None = None
    """As it was read, None if the frame could not be read."""
    problem: str = ""
    """Why the board was not believed, empty if it was."""
    safe: tuple[int, ...] = ()
    mines: tuple[int, ...] = ()
    guess: tuple[int, int, float] | None = None
    moves: list[Move] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    """When each of the moves was clicked, by the same clock."""
    ended: float | None = None
    """When the game ended, by the same clock, if this frame shows that it has."""
    total: int | None = None
    """The mine total, as far as it was known."""


class Recorder:
    """A journal that keeps the last looks, and hands each to a recording if there is one.

    A look is handed on once the next one has come: then it is known what followed.
    """

    def __init__(self, clock: Callable[[], float], recording: Recording | None = None) -> None:
        self._clock = clock
        self._recording = recording
        self.entries: deque[Entry] = deque(maxlen=_KEPT)

    def looked(self, frame: Frame, board: Board) -> None:
        """A frame was read. Raises Stopped while it waits for the disk."""
        self._add(Entry(self._clock(), frame, board))

    def thought(self, verdict: Verdict, plan: Plan, total: int | None) -> None:
        """The verdict on the last board, what is to be done, and the mine total if it is known."""
        entry = self.entries[-1]
        entry.total = total
        entry.safe, entry.mines = verdict.safe, verdict.mines
        if plan.guess is not None:
            entry.guess = (plan.moves[-1].x, plan.moves[-1].y, plan.guess.risk)

    def clicked(self, move: Move, seconds: float) -> None:
        """A click was sent at that moment of the player's clock."""
        self.entries[-1].moves.append(move)
        self.entries[-1].times.append(seconds)

    def ended(self, seconds: float) -> None:
        """The game ended at that moment, as the last look shows."""
        self.entries[-1].ended = seconds

    def failed(
        self, frame: Frame, error: VisionError | Contradiction, board: Board | None = None
    ) -> None:
        """A frame could not be read, or its `board` makes no sense. Raises Stopped as `looked`."""
        self._add(Entry(self._clock(), frame, board, str(error)))

    def _add(self, entry: Entry) -> None:
        self.entries.append(entry)
        if self._recording is not None:
            self._recording.follow(entry)

    def write(self, folder: Path) -> None:
        """Write the observations that are kept into `folder`; raises UsageError."""
        with file_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
        for number, entry in enumerate(self.entries):
            _write(folder, number, entry)


class Recording:
    """A folder to which every observation is written while the game runs; for a `with` block.

    A thread of its own writes. Where the disk is slower than the game, the game waits;
    once the disk takes nothing more, the game goes on without it, and `problem` says so.
    """

    def __init__(self, folder: Path, stop: Stop) -> None:
        """Raises UsageError if the folder cannot be made or holds something already."""
        with file_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UsageError(f"{folder} is not empty: name a new folder to record in")
        self.folder = folder
        self.written = 0
        """Looks that are in the folder, whole."""
        self._seen = 0
        self._stop = stop
        self._error = ""
        self._last: Entry | None = None
        """The newest, of which it is not known yet what follows."""
        self._waiting: queue.Queue[Entry | None] = queue.Queue(_WAITING)
        self._thread = threading.Thread(target=self._work, name="recording", daemon=True)

    @property
    def problem(self) -> str:
        """Once it is closed: why the folder lacks looks, and how many; empty when it has all."""
        if self.written == self._seen:
            return ""
        why = self._error or f"{self.folder}: the disk is too slow"
        return f"{why}; of {self._seen} frames {self._seen - self.written} are not recorded"

    def follow(self, entry: Entry) -> None:
        """The next look: the one before is complete. Raises Stopped while it waits for the disk."""
        last, self._last = self._last, entry
        self._seen += 1
        while last is not None and self._thread.is_alive():
            with suppress(queue.Full):
                self._waiting.put(last, timeout=POLL_SECONDS)
                return
            self._stop.check()

    def _work(self) -> None:
        while (entry := self._waiting.get()) is not None:
            if not self._error:
                try:
                    _write(self.folder, self.written, entry)
                except Exception as error:  # noqa: BLE001 - `problem` says it
                    self._error = str(error) or type(error).__name__
                else:
                    self.written += 1

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Have what still waits written, if the disk takes it in `_PATIENCE`; log a `problem`."""
        with suppress(queue.Full):
            for entry in (self._last, None):
                self._waiting.put(entry, timeout=_PATIENCE)
            self._thread.join(_PATIENCE)
        if self.problem:
            logging.getLogger(__name__).warning("%s", self.problem)


def _write(folder: Path, number: int, entry: Entry) -> None:
    """Write an observation so that `minebot replay` never finds half of it; raises UsageError."""
    name = f"{number:06d}"
    facts = {
        "picture": f"{name}.png",
        "seconds": round(entry.seconds, 4),
        "problem": entry.problem,
        "safe": entry.safe,
        "mines": entry.mines,
        "guess": entry.guess,
        "total": entry.total,
        "moves": [str(move) for move in entry.moves],
        "times": [round(seconds, 4) for seconds in entry.times],
        "ended": None if entry.ended is None else round(entry.ended, 4),
    }
    with file_errors(folder):
        if entry.board is not None:
            (folder / f"{name}.txt").write_text(f"{entry.board}\n", encoding="utf-8")
        part = folder / f"{name}.part"
        part.write_bytes(pictures.png(entry.frame, fast=True))
        part.replace(folder / f"{name}.png")
        with (folder / _JOURNAL).open("a", encoding="utf-8") as file:
            file.write(json.dumps(facts) + "\n")


def animate(folder: Path, path: Path) -> None:
    """Write what was recorded in a folder as a GIF, in the time it took.

    Pictures of another size than the first one are left out. Raises UsageError if
    nothing was recorded, or the file cannot be written.
    """
    looks = journal(folder)
    if not looks:
        raise UsageError(f"{path}: no frame was kept to make an animation of")
    times = [seconds for _, seconds in looks]
    step = max(_ANIMATION_STEP, (times[-1] - times[0]) / _ANIMATION_PICTURES)
    kept = [0]
    while (after := bisect_left(times, times[kept[-1]] + step)) < len(times) - 1:
        kept.append(after)
    kept.append(len(times) - 1)
    gaps = [round(1000 * (times[after] - times[before])) for before, after in pairwise(kept)]
    lengths = [*(max(_PICTURE_MILLISECONDS, gap) for gap in gaps), _END_MILLISECONDS]
    drawn = [_drawn(looks[number][0]) for number in kept]
    # A window that has been resized on the way cannot go into the same animation.
    timed = zip(drawn, lengths, strict=True)
    shown = [each for each in timed if each[0].size == drawn[0].size]
    images, durations = zip(*shown, strict=True)
    with file_errors(path):
        images[0].save(path, save_all=True, append_images=images[1:], duration=durations, loop=0)


def _drawn(file: Path) -> Image.Image:
    rgb = pictures.load(file).pixels[..., 2::-1]
    # Without dithering, what does not change takes no room in the file.
    return Image.fromarray(rgb).quantize(64, dither=Image.Dither.NONE)


def journal(folder: Path) -> list[tuple[Path, float]]:
    """A recording's pictures in order, each with its seconds; raises UsageError."""
    with file_errors(folder):
        text = (folder / _JOURNAL).read_text(encoding="utf-8")
    # A program that was killed may have left the last line unfinished.
    entries = map(json.loads, text[: text.rfind("\n") + 1].splitlines())
    return [(folder / entry["picture"], entry["seconds"]) for entry in entries]
