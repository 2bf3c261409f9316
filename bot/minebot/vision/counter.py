"""Reads the number of mines left beside a board: digits of seven segments, or text.

The colours of segments are not known in advance: each common colour in turn is taken for that of
lit ones, and its pixels are a counter if each group of them is a digit. Text is `Mines: 8`, or `8`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minebot.capture import Frame, Rect
from minebot.profile.schema import CounterStyle
from minebot.vision.grid import Grid
from minebot.vision.text import CONTRASTS, HEIGHTS, Line, Ocr, Tesseract, boxes, lines

Mask = NDArray[np.bool_]
Share = tuple[float, float]
"""Start and end, as fractions of a digit's height or width."""

_COLOURS = 16
"""How many of a strip's commonest colours may be lit. Measured, here and below, by
`benchmarks/ranges.py`: 12 to 24."""
_NEAR = (60, 20)
"""Levels of 255 by which a channel of a lit pixel may differ: where edges are smoothed, and where
what is out is nearly as bright. Measured: 60 to 75 for the first."""
_LOWEST = 9
"""Least height of a digit in pixels. Specified: three segments of one, and holes of three."""
_BRIDGES = (7, 21, 63)
"""Pixels between the segments of a counter that may be joined. Measured: 5, 15, 45 to 9, 27, 81."""
_WIDTH = 0.4
"""Least width of a digit but a one, in heights: WineMine's has 0.52. Measured: 0.3 to 0.4."""
_STEP = 1.1
"""Largest step from digit to digit, in heights. Measured: 1.1 to 1.6; 0.8 is too little."""
_UNEVEN = 0.2
"""How much the steps from digit to digit may differ, in heights. Measured: 0.12 to 0.48."""
_SEGMENT = 0.2
"""Least length of a piece of a digit, in heights. Measured: 0.06 to 0.25."""
_DIGITS = range(2, 6)
"""Number of digits of a counter. Specified."""
_LIT, _DARK = 0.5, 0.25
"""Smallest lit fraction of a lit segment's middle, and largest of a dark one's. Measured: 0.4 to
0.5, and 0.15 to 0.4; values between them are refused."""
_REACH = 1.5
"""Tiles from its place within which a counter stands. Specified: half of two more digits."""
_AROUND = (4.0, 2.0)
"""Tiles around its place that a counter covers. Specified: five digits of two tiles find room."""

_LINE_REACH = (420, 64)
"""Pixels around a number in which its line lies, across and down. Measured: at least 140 and 13."""
_NUMBER = re.compile(r"(?<![\w.,:/-])-?\d{1,4}(?![\w.,/]|:\d)")
"""A number that is no part of a time, a date, a share or a word."""

_LEFT, _MIDDLE, _RIGHT = (0.0, 0.12), (0.38, 0.62), (0.88, 1.0)
"""Where upright segments stand, and the middle of level ones. Specified, here and below: by the
drawing of a digit."""
_UPPER, _LOWER = (0.2, 0.36), (0.66, 0.8)
"""Heights of the middles of upright segments, as fractions of a digit. Specified by their form."""
_PLACES: tuple[tuple[Share, Share], ...] = (
    (_MIDDLE, (0.0, 0.12)),  # top
    (_LEFT, _UPPER),
    (_RIGHT, _UPPER),
    (_MIDDLE, (0.46, 0.56)),
    (_LEFT, _LOWER),
    (_RIGHT, _LOWER),
    (_MIDDLE, (0.88, 1.0)),  # bottom
    (_MIDDLE, (0.24, 0.36)),  # the holes, which no digit lights
    (_MIDDLE, (0.66, 0.78)),
)
"""Where the middle of each segment lies, across and down."""
_SHAPES = (
    "0:111011100 2:101110100 3:101101100 4:011101000 5:110101100 6:110111100 6:010111100 "
    "7:101001000 7:111001000 8:111111100 9:111101100 9:111101000"
)
"""What the digits light that are broader than a one, in the order of `_PLACES`."""
_DIGIT_OF = {lit: digit for digit, _, lit in (shape.partition(":") for shape in _SHAPES.split())}


@dataclass(frozen=True, slots=True)
class CounterReading:
    """A number beside a board, and where it stands in pixels of the frame."""

    rect: Rect
    value: int


def counters(frame: Frame, grid: Grid) -> list[CounterReading]:
    """All counters above, below and beside the board, those with the most digits first."""
    board = grid.bounds
    strips = (
        Rect(0, 0, frame.width, board.top),
        Rect(0, board.bottom, frame.width, frame.height - board.bottom),
        Rect(0, board.top, board.left, board.height),
        Rect(board.right, board.top, frame.width - board.right, board.height),
    )
    return [shown for strip in strips for shown in _within(frame, strip.clipped(frame.bounds))]


def numbers(frame: Frame, grid: Grid, ocr: Ocr) -> list[CounterReading]:
    """The numbers beside the board, each alone in its line; raises VisionError."""
    return [
        CounterReading(line.rect, value)
        for line in lines(frame, frame.bounds, CONTRASTS[0])
        if not line.rect.meets(grid.bounds) and (value := _value(line, ocr)) is not None
    ]


def read_counter(
    frame: Frame, grid: Grid, style: CounterStyle, engine: Callable[[], Ocr] = Tesseract
) -> int | None:
    """What the counter shows that stands there, None if none is read.

    `engine` is called if it is text. Raises VisionError as that does.
    """
    at = style.at.pixel(grid.bounds, grid.tile)
    if style.kind == "segments":
        reach = (round(each * grid.tile) for each in _AROUND)
        for shown in _within(frame, Rect(*at, 0, 0).grown(*reach).clipped(frame.bounds)):
            middle = shown.rect.middle
            if max(abs(middle.x - at.x), abs(middle.y - at.y)) <= _REACH * grid.tile:
                return shown.value
        return None
    near = Rect(at.x, at.y, 1, 1).grown(*_LINE_REACH).clipped(frame.bounds)
    for line in lines(frame, near, CONTRASTS[0]):
        # One digit less moves the middle of the line.
        place = line.rect.grown(line.rect.height // 2, 0)
        if place.holds(at) and not line.rect.meets(grid.bounds):
            return _value(line, engine())
    return None


def _within(frame: Frame, strip: Rect) -> list[CounterReading]:
    """The counters in a part of the frame, those with the most digits first."""
    if min(strip.width, strip.height) < _LOWEST:
        return []
    kept: list[CounterReading] = []
    for rect, text in sorted(_read(frame.part(strip)[..., :3]), key=lambda one: -len(one[1])):
        moved = rect.moved(strip.left, strip.top)
        if not any(moved.meets(other.rect) for other in kept):
            kept.append(CounterReading(moved, int(text)))
    return kept


def _read(pixels: NDArray[np.uint8]) -> Iterator[tuple[Rect, str]]:
    """The counters in a strip, blue, green, red, and what they show."""
    packed = pixels.astype(np.uint32) @ np.array([1, 256, 65536], np.uint32)
    values, counts = np.unique(packed, return_counts=True)
    for value in values[np.argsort(-counts)][:_COLOURS].tolist():
        colour = np.array([value & 255, value >> 8 & 255, value >> 16], np.int16)
        far = np.abs(pixels.astype(np.int16) - colour).max(axis=2)
        masks = [far <= near for near in _NEAR]
        for lit in masks[: 1 + (masks[0] != masks[-1]).any()]:
            for rect in _groups(lit):
                text = _text(lit[rect.area])
                if text and not _goes_on(lit, rect):
                    yield rect, text


def _groups(lit: Mask) -> set[Rect]:
    """Where lit pixels stand together, the box of each group."""
    found = set()
    # What is closed at a picture's edge sticks to it.
    room = max(_BRIDGES)
    padded = np.pad(lit, room)
    inner = Rect(0, 0, lit.shape[1], lit.shape[0]).grown(-1, -1)
    for bridge in _BRIDGES:
        for box in boxes(padded, (min(bridge, 5), bridge)):
            rect = box.moved(-room, -room)
            if rect.within(inner) and rect.height >= _LOWEST:
                found.add(rect)
    return found


def _goes_on(lit: Mask, rect: Rect) -> bool:
    """Whether there is another digit beside these, of which a part alone would be another number.

    What is lit there and reaches above or below them is something else, such as a frame.
    """
    near = rect.grown(rect.height, 1).clipped(Rect(0, 0, lit.shape[1], lit.shape[0]))
    beside = lit[near.area].copy()
    beside[:, rect.left - near.left : rect.right - near.left] = False
    return any(
        box.top >= rect.top - near.top
        and box.bottom <= rect.bottom - near.top
        and max(box.width, box.height) >= _SEGMENT * rect.height
        for box in boxes(beside)
    )


def _text(lit: Mask) -> str:
    """The number that a group of lit pixels shows; empty if it is no counter."""
    height, columns = len(lit), np.flatnonzero(lit.any(axis=0))
    runs = np.split(columns, np.flatnonzero(np.diff(columns) > 1) + 1)
    if len(runs) not in _DIGITS:
        return ""
    # All digits light something at their right edges.
    steps = np.diff([run[-1] for run in runs])
    if steps.min() < _WIDTH * height or steps.max() > _STEP * height:
        return ""
    if np.ptp(steps) > max(1, _UNEVEN * height):
        return ""
    digits = [_digit(lit[:, run[0] : run[-1] + 1]) for run in runs]
    # A counter may show less than nothing, by a sign in its first place.
    return "".join(digits) if all(digits) and "-" not in digits[1:] else ""


def _digit(cell: Mask) -> str:
    """What is lit of a digit, from its left to its right; empty if that is none."""
    height, width = cell.shape
    rows = np.flatnonzero(cell.any(axis=1))
    if rows[0] >= _UPPER[1] * height and rows[-1] < _LOWER[0] * height:
        return "-" if width >= _SEGMENT * height else ""
    if width < _WIDTH * height:
        shares = [_share(cell, (0, 1), down) for down in (_UPPER, _LOWER)]
        return "1" if min(shares) >= _LIT else ""
    shares = [_share(cell, across, down) for across, down in _PLACES]
    if any(_DARK < share < _LIT for share in shares):
        return ""
    return _DIGIT_OF.get("".join("01"[share >= _LIT] for share in shares), "")


def _share(cell: Mask, across: Share, down: Share) -> float:
    """How much of a part of the digit is lit."""
    (top, bottom), (left, right) = (
        (int(first * side), max(int(first * side) + 1, round(last * side)))
        for (first, last), side in zip((down, across), cell.shape, strict=True)
    )
    return float(cell[top:bottom, left:right].mean())


def _value(line: Line, ocr: Ocr) -> int | None:
    """The one number in a line; None if there are more, or two readings differ."""
    said = set()
    for text in line.readings(ocr, HEIGHTS):
        found = _NUMBER.findall(text)
        if len(found) != 1 or sum(map(str.isdigit, text)) != len(found[0].lstrip("-")):
            return None
        said.add(int(found[0]))
    return said.pop() if len(said) == 1 else None
