"""Reads the game's status line: the mine total, the flags set, and how the game ended.

The text is cut out by its contrast with the strip's background, whatever the two
colours are, stretched to black on white and read by Tesseract. Two readings at
different sizes must agree; a number read alone could lose a digit.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.capture import Frame, Rect
from bot.profile import CounterLook, StatusLook
from bot.vision.grid import Grid
from bot.vision.text import HEIGHTS, Grey, Ocr, Tesseract, scaled
from bot.vision.written import read_number

Floats = NDArray[np.float32]

_LEAST_CONTRAST = 3
"""In levels of 255: text nearer to its background than this is not there. Guessed."""
_RULED = 0.8
"""Share of a board's width that is inked where a line runs along it. Measured on the pictures of
Simon Tatham's Mines in fixtures/screenshots: letters ink 0.68 of it at most."""
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
_MORE_HEIGHTS = (28, 40)
"""Further heights, for a line whose slash was not understood at one of `HEIGHTS`. Measured: each
reads all of 79 lines of a small font that was scaled down, of which those read 66 and 74."""
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


def cut(frame: Frame, board: Rect, look: StatusLook) -> list[Line]:
    """The lines of text where the status line is; none where there is no text.

    `board` is where the frame shows that, with its border.
    """
    if look.side == "right":
        strip = frame.pixels[board.top : board.bottom, board.right :]
    elif look.side == "below":
        strip = frame.pixels[board.bottom :]
    else:
        strip = frame.pixels[: board.top]
    if min(strip.shape[:2]) < _SMALLEST:
        return []
    grey: Grey = np.asarray(cv2.cvtColor(strip, cv2.COLOR_BGRA2GRAY), np.uint8)
    if look.side == "below":
        grey = _bar(grey)
    ground = int(np.bincount(grey.ravel(), minlength=256).argmax())
    contrast = cv2.absdiff(grey, np.full_like(grey, ground))
    if look.side != "right":
        # The frame around a board that was read at first sight is none of its grid.
        inked = contrast[:, max(0, board.left) : board.right] >= _LEAST_CONTRAST
        contrast[inked.mean(axis=1) > _RULED] = 0
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
    """The status line of the frame; a field in which two readings differ stays None.

    The frame may show more than the game's window.
    """
    board = grid.frame
    status = _read_lines(frame, board, look, ocr)
    understood = status.mines is not None or status.ended is not None
    if understood or look.total.search(status.text):
        return status
    inside = _window(frame, board)
    if inside == Rect(0, 0, frame.width, frame.height):
        return status
    pixels = frame.pixels[inside.top : inside.bottom, inside.left : inside.right]
    window = Frame(np.ascontiguousarray(pixels))
    moved = board._replace(left=board.left - inside.left, top=board.top - inside.top)
    return _read_lines(window, moved, look, ocr)


def _window(frame: Frame, board: Rect) -> Rect:
    """The rectangle around the board within which everything lies on the board's ground."""
    middle, below = (board.left + board.right) // 2, board.bottom + _MARGIN
    if not (0 <= middle < frame.width and below < frame.height):
        return Rect(0, 0, frame.width, frame.height)
    mask = np.zeros((frame.height + 2, frame.width + 2), np.uint8)
    flags = 4 | cv2.FLOODFILL_MASK_ONLY | cv2.FLOODFILL_FIXED_RANGE
    near = (_PLAIN_LEVELS,) * 3
    colours = cv2.cvtColor(frame.pixels, cv2.COLOR_BGRA2BGR)
    _, _, _, found = cv2.floodFill(colours, mask, (middle, below), 0, near, near, flags)
    left, top, width, height = found
    right, bottom = max(left + width, board.right), max(top + height, board.bottom)
    left, top = min(left, board.left), min(top, board.top)
    return Rect(left, top, right - left, bottom - top)


def _read_lines(frame: Frame, board: Rect, look: StatusLook, ocr: Ocr) -> Status:
    status = Status()
    for line in cut(frame, board, look):
        status = _read_line(line, look, ocr)
        if status.mines is not None or status.ended is not None:
            break
    return status


def _read_line(line: Line, look: StatusLook, ocr: Ocr) -> Status:
    """What two readings of the line agree on; more are made where one understands no total."""
    readings: list[Status] = []
    totals: list[tuple[int | None, int]] = []
    for height in (*HEIGHTS, *_MORE_HEIGHTS):
        reading = parse(ocr(scaled(line.picture, height)), look, crowded=line.crowded)
        readings.append(reading)
        if reading.mines is not None:
            totals.append((reading.marked, reading.mines))
        may_hold_one = any(letter.isdigit() for letter in reading.text)
        if len(readings) > 1 and (len(totals) > 1 or not may_hold_one):
            break
    first, second = readings[:2]
    marked, mines = totals[0] if len(totals) == 2 and totals[0] == totals[1] else (None, None)
    return Status(marked, mines, first.ended if first.ended == second.ended else None, first.text)


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

    def __init__(
        self, look: StatusLook | CounterLook | None, engine: Callable[[], Ocr] = Tesseract
    ) -> None:
        self._look = look
        self._totals: dict[int, int] = {}
        """What a number of mines left and so many flags have made."""
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
        if self._look is None:
            return NO_COUNTER
        for job in (self._loading, self._reading):
            if job is not None and job.done() and not job.cancelled() and job.exception():
                return (
                    f"the mine total cannot be read: {job.exception()}; --mines N says it by hand"
                )
        return None

    def submit(self, frame: Frame, grid: Grid, flags: int) -> None:
        """Hand in a frame, on whose board there are `flags` flags; returns at once.

        A line that counts other flags was misread, or belongs to another moment: its
        numbers are not taken.
        """
        if self.problem is None:
            if self._loading is None:
                self._loading = self._thread.submit(self._engine)
            before = self.latest
            self._forget()
            self._before = before
            self._reading = self._thread.submit(self._read, frame, grid, flags)

    def reset(self) -> None:
        """Forget what was read: another game begins."""
        self._forget()
        self._totals.clear()

    def _forget(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
        self._reading, self._before = None, Status()

    def _read(self, frame: Frame, grid: Grid, flags: int) -> Status:
        look = self._look
        assert look is not None
        assert self._loading is not None
        if isinstance(look, CounterLook):
            left = read_number(frame, grid, look, self._loading.result())
            return Status() if left is None else self._confirmed(look, flags, left + flags)
        status = read_status(frame, grid, look, self._loading.result())
        if status.marked != flags:
            return Status(None, None, status.ended, status.text)
        return status

    def _confirmed(self, look: CounterLook, flags: int, mines: int) -> Status:
        """That total, once it is the usual one, or was read with and without flags.

        Nothing beside a number alone says that it was read right, and it may come later than a
        flag, time after time.
        """
        self._totals[flags] = mines
        if mines == look.mines or (self._totals.get(0) == mines and flags):
            return Status(flags, mines)
        return Status()
