"""Reads the game's status line: the mine total, the flags set, and how the game ended.

The text is cut out by its contrast with the strip's background, whatever the two
colours are, stretched to black on white and read by Tesseract. Two readings at
different sizes must agree; a number read alone could lose a digit.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.capture import Frame
from bot.errors import VisionError
from bot.profile import StatusLook
from bot.vision.grid import Grid
from bot.vision.text import HEIGHTS, Grey, Ocr, Tesseract, scaled

__all__ = ["NO_COUNTER", "Line", "Status", "StatusReader", "cut", "read_status"]

Floats = NDArray[np.float32]

_LEAST_CONTRAST = 3
"""In levels of 255: text nearer to its background than this is not there. Guessed."""
_SMALLEST = 6
"""In pixels: no line of text is lower than this. Guessed."""
_TALLEST = 4
"""No text is so many times higher than wide; a window's edge beside the board is. Guessed."""
_EDGE = 4
"""So many pixels at a window's left edge show what colour a bar across it has. Guessed."""
_PLAIN_LEVELS = 6
"""A bar's colour changes by no more, in levels of 255. Guessed."""
_BOX = 1.9
"""What is so many times as high as most letters is no letter: they differ by 1.5. Guessed."""
_MARGIN = 2
"""In pixels: what is cut out around a line. Guessed."""
NO_COUNTER = "the profile does not tell where the game counts its mines"
"""Why nothing is read where the profile has no status line."""
_LONE_ZERO = re.compile(r"(?<!\S)©(?!\S)")
"""So Tesseract reads the dotted zero of some typewriter fonts, where it stands alone."""


@dataclass(frozen=True, slots=True)
class Status:
    """What the status line says; None where it does not say."""

    marked: int | None = None
    mines: int | None = None
    ended: str | None = None
    """`won`, `lost` or `solved` (by the game itself)."""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text cut out of a frame."""

    picture: Grey
    """Black on white."""
    crowded: bool
    """Whether it runs to the window's edge, so that its end may be cut off."""


def cut(frame: Frame, grid: Grid, look: StatusLook) -> list[Line]:
    """The lines of text where the status line is; none where there is no text."""
    board = grid.frame
    if look.side == "right":
        strip, along = frame.pixels[board.top : board.bottom, board.right :], slice(None)
    else:
        along = slice(board.left, board.right)
        below = look.side == "below"
        strip = frame.pixels[board.bottom :] if below else frame.pixels[: board.top]
    if min(strip.shape[:2]) < _SMALLEST:
        return []
    grey: Grey = np.asarray(cv2.cvtColor(strip, cv2.COLOR_BGRA2GRAY), np.uint8)
    own = _own_part(grey, along, look.side)
    parts = [grey] if own.shape == grey.shape else [own, grey]
    return [line for part in parts for line in _lines(part, look)]


def _own_part(grey: Grey, along: slice, side: str) -> Grey:
    """What of the strip beside a board is its window's, told by the colour around the board.

    All of it in a picture of the window. One of a whole screen shows other things too. `along`
    are the columns below or above the board.
    """
    # Turned so that the board is above, which is turned back at the end.
    turned = grey.T if side == "right" else grey[::-1] if side == "above" else grey
    ground = np.median(turned[:_EDGE, along])
    plain = np.abs(turned.astype(np.int16) - ground) <= _PLAIN_LEVELS
    deep = _run(plain[:, along].mean(axis=1) > 0.5)
    if deep < _SMALLEST:
        return grey
    columns = plain[:deep].mean(axis=0) > 0.5
    left, right, _ = along.indices(len(columns))
    left -= _run(columns[:left][::-1])
    right += _run(columns[right:])
    part = turned[:deep, left:right]
    return part.T if side == "right" else part[::-1] if side == "above" else part


def _run(holds: NDArray[np.bool_]) -> int:
    """How many hold from the first on."""
    return len(holds) if holds.all() else int(holds.argmin())


def _lines(grey: Grey, look: StatusLook) -> list[Line]:
    if min(grey.shape) < _SMALLEST:
        return []
    if look.side == "below":
        grey = _bar(grey)
    ground = int(np.bincount(grey.ravel(), minlength=256).argmax())
    contrast = cv2.absdiff(grey, np.full_like(grey, ground))
    strongest = int(contrast.max())
    if strongest < _LEAST_CONTRAST:
        return []
    stretched = 255 - contrast.astype(np.float32) * (255 / strongest)
    text = _without_boxes(contrast > strongest // 2)
    stretched = np.where(text | (contrast <= strongest // 2), stretched, 255)
    rows = np.flatnonzero(text.any(axis=1))
    # Above and below there is one line and nothing else; beside the board there are more.
    gaps = np.flatnonzero(np.diff(rows) > 1) + 1
    runs = np.split(rows, gaps) if look.side == "right" else [rows]
    lines = [_line(stretched, text, run) for run in runs if len(run) >= _SMALLEST]
    return [line for line in lines if _TALLEST * line.picture.shape[1] >= line.picture.shape[0]]


def _bar(grey: Grey) -> Grey:
    """The bar along the window's lower edge: above it the board may lie on a picture."""
    edge = grey[:, :_EDGE].astype(np.int16)
    plain = np.abs(edge - int(np.median(edge[-1]))).max(axis=1) <= _PLAIN_LEVELS
    other = np.flatnonzero(~plain)
    first = int(other[-1]) + 1 if other.size else 0
    return grey[first:] if len(grey) - first >= _SMALLEST else grey


def _without_boxes(text: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The text without the frames of boxes to choose from, which are higher than letters."""
    count, labels, facts, _ = cv2.connectedComponentsWithStats(text.view(np.uint8), connectivity=8)
    heights = facts[1:, cv2.CC_STAT_HEIGHT]
    if count < 3:
        return text
    tall = np.flatnonzero(heights > _BOX * np.median(heights)) + 1
    return text & ~np.isin(labels, tall) if tall.size else text


def _line(stretched: Floats, text: NDArray[np.bool_], rows: NDArray[np.int64]) -> Line:
    """The text in these rows, with a small margin."""
    columns = np.flatnonzero(text[rows[0] : rows[-1] + 1].any(axis=0))
    top, left = max(0, int(rows[0]) - _MARGIN), max(0, int(columns[0]) - _MARGIN)
    bottom, right = int(rows[-1]) + 1 + _MARGIN, int(columns[-1]) + 1 + _MARGIN
    picture = np.ascontiguousarray(stretched[top:bottom, left:right].astype(np.uint8))
    return Line(picture, text.shape[1] - int(columns[-1]) < 2 * picture.shape[0])


def read_status(frame: Frame, grid: Grid, look: StatusLook, ocr: Ocr) -> Status:
    """The status line of the frame; a field in which two readings differ stays None."""
    status = Status()
    for line in cut(frame, grid, look):
        status = _read_line(line, look, ocr)
        if status.mines is not None or status.ended is not None:
            break
    return status


def _read_line(line: Line, look: StatusLook, ocr: Ocr) -> Status:
    first, second = (
        parse(ocr(scaled(line.picture, height)), look, crowded=line.crowded) for height in HEIGHTS
    )
    agree = first.marked == second.marked and first.mines == second.mines
    return Status(
        first.marked if agree else None,
        first.mines if agree else None,
        first.ended if first.ended == second.ended else None,
        first.text,
    )


def parse(text: str, look: StatusLook, *, crowded: bool = False) -> Status:
    """What a status line's text says.

    With `crowded` a total that ends the text is not taken: it may have lost digits,
    together with the dots that would say so.
    """
    total = look.total.search(_LONE_ZERO.sub("0", text))
    ends = {"won": look.won, "lost": look.lost, "solved": look.solved}
    ended = next((name for name, said in ends.items() if said and said.search(text)), None)
    if total is None or (crowded and not text[total.end() :].strip()):
        return Status(None, None, ended, text)
    return Status(int(total["marked"]), int(total["mines"]), ended, text)


class StatusReader:
    """Reads status lines in a thread of its own, so that nothing ever waits for it.

    Only the newest frame handed in is read; one handed in meanwhile replaces the one
    that waits. Use as a context manager.
    """

    def __init__(self, look: StatusLook | None, engine: Callable[[], Ocr] = Tesseract) -> None:
        self._look = look
        self._engine = engine
        self._changed = threading.Condition()
        self._next: tuple[Frame, Grid, int] | None = None
        self._game = 0
        self._busy = True
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="status line", daemon=True)
        self.latest = Status()
        """The last one read."""
        self.problem: str | None = None
        """Why no status line can be read, None while there is no such reason."""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join()

    @property
    def busy(self) -> bool:
        """Whether a frame handed in is still to be read."""
        with self._changed:
            return not self.problem and (self._busy or self._next is not None)

    def submit(self, frame: Frame, grid: Grid, flags: int) -> None:
        """Hand in a frame, on whose board there are `flags` flags; returns at once.

        A line that counts other flags was misread, or belongs to another moment: its
        numbers are not taken.
        """
        with self._changed:
            self._next = (frame, grid, flags)
            self._changed.notify_all()

    def reset(self) -> None:
        """Forget what was read: another game begins."""
        with self._changed:
            self._next = None
            self._game += 1
            self.latest = Status()

    def _work(self) -> None:
        try:
            self._read_all()
        except VisionError as error:
            self.problem = f"the mine total cannot be read: {error}; --mines N says it by hand"
        finally:
            # Whatever ended the thread, nobody may wait for it any more.
            with self._changed:
                if not self._closed and self.problem is None:
                    self.problem = "the mine total cannot be read: its reader has failed"
                self._busy = False

    def _read_all(self) -> None:
        """Read what is handed in until it is closed; raises VisionError without an engine."""
        look = self._look
        if look is None:
            self.problem = NO_COUNTER
            return
        ocr = self._engine()
        while True:
            with self._changed:
                self._busy = False
                while self._next is None and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
                assert self._next is not None
                frame, grid, flags = self._next
                game = self._game
                self._next = None
                self._busy = True
            status = read_status(frame, grid, look, ocr)
            if status.marked != flags:
                status = Status(None, None, status.ended, status.text)
            with self._changed:
                if self._game == game:
                    self.latest = status
