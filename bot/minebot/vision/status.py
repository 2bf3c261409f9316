"""Reads the mine total and the outcome from a status line or a counter.

A status line shows both, and the number of flags; a counter shows the mines minus the flags. Two
readings of a text at different sizes must agree, since a single one may lose a digit.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from minebot.capture import Frame, Rect
from minebot.errors import VisionError
from minebot.profile.schema import CounterStyle, StatusStyle
from minebot.vision.counter import read_counter
from minebot.vision.grid import Grid
from minebot.vision.text import CONTRASTS, HEIGHTS, Line, Ocr, Tesseract, lines

_MORE_HEIGHTS = (28, 40)
"""Further heights, for a line whose slash was not understood at one of `HEIGHTS`. Measured: each
reads all of 79 lines of a small font that was scaled down, of which those read 66 and 74."""
_ROOM = 2.0
"""Heights of a line without which, behind it, its end may be cut off. Specified: dots that say so,
but are not read, and a letter that found no room. Measured: 0.4 to 4."""
NO_COUNTER = "the profile does not tell where the game counts its mines"
"""The reason given for a profile with neither a status line nor a counter."""
_LONE_ZERO = re.compile(r"(?<!\S)©(?!\S)")
"""Tesseract's misreading of a lone dotted zero, as some typewriter fonts draw it."""


@dataclass(frozen=True, slots=True)
class Status:
    """What the status line says; None if it does not say."""

    marked: int | None = None
    mines: int | None = None
    ended: str | None = None
    """`won`, `lost` or `solved` (by the game itself)."""
    text: str = ""


def read_total(
    frame: Frame,
    grid: Grid,
    style: StatusStyle | CounterStyle | None,
    flags: int,
    engine: Callable[[], Ocr] = Tesseract,
) -> Status:
    """Read the mine total that the frame shows; its board has `flags` flags.

    `engine` is called if there is text. Raises VisionError without a `style` or readable text.
    """
    if style is None:
        raise VisionError(NO_COUNTER)
    if isinstance(style, StatusStyle):
        return read_status(frame, grid, style, engine())
    left = read_counter(frame, grid, style, engine)
    return Status() if left is None else Status(flags, left + flags)


def read_status(frame: Frame, grid: Grid, style: StatusStyle, ocr: Ocr) -> Status:
    """The status line in a frame, None where two readings differ; raises VisionError."""
    board = grid.frame
    if style.side == "right":
        strip = Rect(board.right, board.top, frame.width - board.right, board.height)
    elif style.side == "below":
        strip = Rect(0, board.bottom, frame.width, frame.height - board.bottom)
    else:
        strip = Rect(0, 0, frame.width, board.top)
    for contrast in CONTRASTS:
        found = lines(frame, strip.clipped(frame.bounds), contrast)
        for line in sorted(found, key=lambda one: abs(one.rect.middle.y - board.middle.y)):
            status = _read_line(line, style, ocr, crowded=_is_crowded(frame, line))
            if status.mines or status.ended or style.total.search(status.text):
                return status
    return Status()


def _is_crowded(frame: Frame, line: Line) -> bool:
    """Whether it runs to the end of the ground that it is written on, and may be cut off there."""
    row = frame.pixels[line.rect.top, line.rect.right - 1 :, :3].astype(np.int16)
    is_other = np.abs(row - row[0]).max(axis=1) > CONTRASTS[-1]
    return (is_other.argmax() if is_other.any() else len(row)) < _ROOM * line.rect.height


def _read_line(line: Line, style: StatusStyle, ocr: Ocr, *, crowded: bool) -> Status:
    """What two readings of the line agree on; more are made where one understands no total."""
    readings: list[Status] = []
    for text in line.readings(ocr, (*HEIGHTS, *_MORE_HEIGHTS)):
        readings.append(parse(text, style, crowded=crowded))
        totals = [(each.marked, each.mines) for each in readings if each.mines is not None]
        if len(readings) > 1 and (len(totals) > 1 or not any(map(str.isdigit, text))):
            break
    first, second = readings[:2]
    marked, mines = totals[0] if len(totals) == 2 and totals[0] == totals[1] else (None, None)
    return Status(marked, mines, first.ended if first.ended == second.ended else None, first.text)


def parse(text: str, style: StatusStyle, *, crowded: bool = False) -> Status:
    """What a status line's text says.

    With `crowded` a total that ends the text is not taken: it may have lost digits,
    together with the dots that would say so.
    """
    total = style.total.search(_LONE_ZERO.sub("0", text))
    ends = {"won": style.won, "lost": style.lost, "solved": style.solved}
    ended = next((name for name, said in ends.items() if said and said.search(text)), None)
    if total is None or (crowded and not text[total.end() :].strip()):
        return Status(None, None, ended, text)
    return Status(int(total["marked"]), int(total["mines"]), ended, text)


class StatusReader:
    """Reads mine totals without delaying the game: Tesseract runs in a thread.

    Only the newest frame is read; it replaces one that is still waiting. Use as a context manager.
    """

    def __init__(
        self, style: StatusStyle | CounterStyle | None, engine: Callable[[], Ocr] = Tesseract
    ) -> None:
        self._style = style
        self._totals: dict[int, int | None] = {}
        """The mine total for each sum of mines left and flags."""
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, "status line")
        self._loading: Future[Ocr] | None = None
        self._reading: Future[Status] | None = None
        """The frame handed in last."""
        self._before = Status()
        """What was read before that one."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.shutdown(cancel_futures=True)

    @property
    def latest(self) -> Status:
        """The last one read."""
        job = self._reading
        if job is None or not job.done() or job.cancelled() or job.exception():
            return self._before
        return job.result()

    @property
    def busy(self) -> bool:
        """Whether a frame handed in is still to be read."""
        return any(job is not None and not job.done() for job in (self._loading, self._reading))

    @property
    def problem(self) -> str | None:
        """Why no status line can be read, None while there is no such reason."""
        if self._style is None:
            return NO_COUNTER
        for job in (self._loading, self._reading):
            if job is not None and job.done() and not job.cancelled() and (why := job.exception()):
                return f"the mine total cannot be read: {why}; --mines N says it by hand"
        return None

    def submit(self, frame: Frame, grid: Grid, flags: int) -> None:
        """Hand in a frame whose board has `flags` flags; return at once.

        A line with another number of flags was misread, or of another moment: it is ignored.
        """
        if self.problem is not None:
            return
        if isinstance(self._style, CounterStyle) and self._style.kind == "segments":
            self._before = read_total(frame, grid, self._style, flags)
            return
        if self._loading is None:
            self._loading = self._thread.submit(self._engine)
        before = self.latest
        self._forget()
        self._before = before
        self._reading = self._thread.submit(self._read, frame, grid, flags)

    def reset(self) -> None:
        """Forget what was read, for another game."""
        self._forget()
        self._totals.clear()

    def _forget(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
        self._reading, self._before = None, Status()

    def _read(self, frame: Frame, grid: Grid, flags: int) -> Status:
        assert self._loading is not None
        status = read_total(frame, grid, self._style, flags, self._loading.result)
        sure = status.marked == flags and self._is_confirmed(flags, status.mines)
        return status if sure else replace(status, marked=None, mines=None)

    def _is_confirmed(self, flags: int, mines: int | None) -> bool:
        """Whether the total is the usual one, or was read with and without flags.

        Nothing confirms a number that stands alone, and it may always be late after a flag.
        """
        if not isinstance(self._style, CounterStyle):
            return True
        self._totals[flags] = mines
        return mines == self._style.mines or (flags > 0 and self._totals.get(0) == mines)
