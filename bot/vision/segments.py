"""Reads counters of seven segments to a digit, wherever they stand beside a board.

No colours are known beforehand: each colour that is met often enough is taken for that of
lit segments in turn, and what it draws is a counter if every digit of it is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.capture import Frame, Rect
from bot.profile.behaviour import Spot
from bot.profile.values import CounterLook
from bot.vision.grid import Grid
from bot.vision.status import Status

Mask = NDArray[np.bool_]

_REMEMBERED = 8
"""A strip that looked so among the last ones is not read again: it takes half a second. Guessed."""
_COLOURS = 12
"""So many of a strip's commonest colours may be lit. Guessed."""
_LEAST = 12
"""Fewer pixels of a colour draw no counter. Guessed."""
_NEAR = (60, 20)
"""A channel of a lit pixel differs by no more levels of 255: edges may be smoothed, or what is out
may be nearly as bright. Guessed."""
_LOWEST = 9
"""Digits of fewer pixels in height are not read. Guessed."""
_BRIDGES = (3, 7, 11, 17, 25, 37)
"""Pixels between the segments of a counter that may be joined. Guessed."""
_WIDTHS = (0.4, 0.75)
"""A digit's width by its height: WineMine's has 0.52, xdemineur's 0.62. Measured."""
_GAP = 0.35
"""The most space between two digits, in heights. Guessed."""
_NARROW, _BROAD = 0.5, 5.0
"""A counter's width, in heights."""
_BESIDE = 1.0
"""So far beside a digit the next is lit, in heights: a one stands at the right of its place."""
_SEGMENT = 0.25
"""The least length of a piece of one, in heights: half of a one, or a minus. Guessed."""
_DIGITS = range(2, 6)
"""So many digits a counter has."""
_LIT, _DARK = 0.5, 0.25
"""The share of a segment's middle that is lit, and that is not. Guessed."""
_REACH = 1.5
"""So far from where it is looked for, in tiles, a counter may stand. Guessed."""

_AROUND = (4.0, 2.0)
"""So far across and down from a counter's middle, in tiles, it reaches at most. Guessed."""

_MIDDLE = (0.38, 0.62)
"""The middle of a digit, across, in shares of its width."""
_WITHIN = 0.12
"""How thick a segment is at least, in shares of the digit. Guessed."""
_PLACES = (
    (_MIDDLE, (0.0, _WITHIN)),  # top
    ((0.0, _WITHIN), (0.2, 0.36)),  # upper left
    ((1 - _WITHIN, 1.0), (0.2, 0.36)),  # upper right
    (_MIDDLE, (0.46, 0.56)),  # middle
    ((0.0, _WITHIN), (0.66, 0.8)),  # lower left
    ((1 - _WITHIN, 1.0), (0.66, 0.8)),  # lower right
    (_MIDDLE, (1 - _WITHIN, 1.0)),  # bottom
)
"""Where each segment's middle lies, across and down, in shares of the digit."""
_HOLES = ((_MIDDLE, (0.24, 0.36)), (_MIDDLE, (0.66, 0.78)))
"""What no digit lights."""
_SHAPES = {
    "1110111": 0,
    "0010010": 1,
    "1011101": 2,
    "1011011": 3,
    "0111010": 4,
    "1101011": 5,
    "1101111": 6,
    "0101111": 6,
    "1010010": 7,
    "1110010": 7,
    "1111111": 8,
    "1111011": 9,
    "1111010": 9,
}
"""Which segments a digit lights, in the order of `_PLACES`."""
_MINUS, _ONE = "0001000", "0010010"
_CORNER = 0.2
"""So far from a digit's left edge, in widths, begins what lights there at most: a level segment
with its corner cut off. Guessed."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A counter, and what it shows."""

    rect: Rect
    value: int


def counters(frame: Frame, grid: Grid) -> list[Shown]:
    """All counters above, below and beside the board, those with the most digits first."""
    board = grid.bounds
    strips = (
        Rect(0, 0, frame.width, board.top),
        Rect(0, board.bottom, frame.width, frame.height - board.bottom),
        Rect(0, board.top, board.left, board.height),
        Rect(board.right, board.top, frame.width - board.right, board.height),
    )
    return [shown for strip in strips for shown in _within(frame, strip)]


def _within(frame: Frame, strip: Rect) -> list[Shown]:
    """The counters in a part of the frame, those with the most digits first."""
    if min(strip.width, strip.height) < _LOWEST:
        return []
    pixels = frame.pixels[strip.top : strip.bottom, strip.left : strip.right, :3]
    found = sorted(_read(pixels.tobytes(), strip.height), key=lambda one: -len(one[1]))
    kept: list[Shown] = []
    for rect, digits in found:
        moved = Rect(rect.left + strip.left, rect.top + strip.top, rect.width, rect.height)
        if not any(moved.meets(other.rect) for other in kept):
            kept.append(Shown(moved, _value(digits)))
    return kept


def spot_of(shown: Shown, grid: Grid) -> Spot:
    """Where the counter stands."""
    return Spot.of(shown.rect.middle, grid.bounds, grid.tile)


def read_counter(frame: Frame, grid: Grid, look: CounterLook) -> int | None:
    """What the counter shows that stands there, None where none is read."""
    at = look.at.pixel(grid.bounds, grid.tile)
    across, down = round(_AROUND[0] * grid.tile), round(_AROUND[1] * grid.tile)
    left, top = max(0, at.x - across), max(0, at.y - down)
    right, bottom = min(frame.width, at.x + across), min(frame.height, at.y + down)
    for shown in _within(frame, Rect(left, top, right - left, bottom - top)):
        middle = shown.rect.middle
        if max(abs(middle.x - at.x), abs(middle.y - at.y)) <= _REACH * grid.tile:
            return shown.value
    return None


class CounterReader:
    """Reads the mine total from a counter of the mines left; see `StatusReader`."""

    def __init__(self, look: CounterLook) -> None:
        self._look = look
        self.latest = Status()
        """What was read last."""
        self.busy = False
        self.problem: str | None = None

    def submit(self, frame: Frame, grid: Grid, flags: int) -> None:
        """Read the frame, on whose board there are `flags` flags."""
        left = read_counter(frame, grid, self._look)
        self.latest = Status() if left is None else Status(flags, left + flags)

    def reset(self) -> None:
        """Forget what was read."""
        self.latest = Status()


@lru_cache(maxsize=_REMEMBERED)
def _read(data: bytes, height: int) -> Sequence[tuple[Rect, list[str]]]:
    """The counters in a strip, blue, green, red, each with the segments of its digits."""
    return tuple(_seen(np.frombuffer(data, np.uint8).reshape(height, -1, 3)))


def _seen(pixels: NDArray[np.uint8]) -> Iterator[tuple[Rect, list[str]]]:
    """As `_read`, of shape (height, width, 3)."""
    packed = pixels.astype(np.uint32) @ np.array([1, 256, 65536], np.uint32)
    values, counts = np.unique(packed, return_counts=True)
    for value in values[np.argsort(-counts)][:_COLOURS].tolist():
        colour = np.array([value & 255, value >> 8 & 255, value >> 16], np.int16)
        far = np.abs(pixels.astype(np.int16) - colour).max(axis=2)
        before = 0
        for near in _NEAR:
            lit = far <= near
            count = int(lit.sum())
            if count < _LEAST or count == before:
                continue
            before = count
            for rect in _groups(lit):
                digits = _digits(lit[rect.top : rect.bottom, rect.left : rect.right])
                if digits and not _goes_on(lit, rect):
                    yield rect, digits


def _groups(lit: Mask) -> set[Rect]:
    """Where lit pixels stand together, the box of each group."""
    found = set()
    height, width = lit.shape
    # What is closed at a picture's edge sticks to it.
    room = max(_BRIDGES)
    padded = np.pad(lit.astype(np.uint8), room)
    for bridge in _BRIDGES:
        kernel = np.ones((min(bridge, 5), bridge), np.uint8)
        joined = cv2.morphologyEx(padded, cv2.MORPH_CLOSE, kernel)
        _, _, boxes, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
        for x, y, across, down, _ in boxes[1:].tolist():
            left, top = x - room, y - room
            inside = left > 0 and left + across < width and top > 0 and top + down < height
            if inside and down >= _LOWEST and _NARROW * down <= across <= _BROAD * down:
                found.add(_tight(lit, Rect(left, top, across, down)))
    return {rect for rect in found if rect.height >= _LOWEST}


def _goes_on(lit: Mask, rect: Rect) -> bool:
    """Whether there is another digit beside these, of which a part alone would be another number.

    What is lit there and reaches above or below them is something else, such as a frame.
    """
    reach = round(_BESIDE * rect.height)
    left, right = max(0, rect.left - reach), min(lit.shape[1], rect.right + reach)
    beside = lit[max(0, rect.top - 1) : rect.bottom + 1, left:right].astype(np.uint8)
    beside[:, rect.left - left : rect.right - left] = 0
    _, _, boxes, _ = cv2.connectedComponentsWithStats(beside, connectivity=8)
    first, last = min(rect.top, 1), min(rect.top, 1) + rect.height
    return any(
        first <= top and top + high <= last and max(across, high) >= _SEGMENT * rect.height
        for _, top, across, high, _ in boxes[1:].tolist()
    )


def _tight(lit: Mask, rect: Rect) -> Rect:
    """The box of what is lit in a rectangle."""
    part = lit[rect.top : rect.bottom, rect.left : rect.right]
    rows, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    if not rows.size:
        return Rect(rect.left, rect.top, 0, 0)
    left, top = rect.left + int(columns[0]), rect.top + int(rows[0])
    return Rect(left, top, int(columns[-1] - columns[0]) + 1, int(rows[-1] - rows[0]) + 1)


def _digits(lit: Mask) -> list[str]:
    """The segments of each digit, from the left; none where it is no counter, or may be two."""
    height, width = lit.shape
    shown = np.atleast_1d(lit.any(axis=0)).tolist()
    least, most = round(_WIDTHS[0] * height), round(_WIDTHS[1] * height)
    found: list[list[str]] = []
    for wide, gap in product(range(most, least - 1, -1), range(1, round(_GAP * height) + 1)):
        step = wide + gap
        count = 1 + (width - 1) // step
        lefts = [width - number * step - wide for number in reversed(range(count))]
        # Nothing is lit between the digits; the first may begin left of what it lights.
        between = (shown[max(0, left - gap) : max(0, left)] for left in lefts)
        if count not in _DIGITS or any(map(any, between)):
            continue
        digits = [_digit(lit, left, wide) for left in lefts]
        # A counter may show less than nothing, by a sign in its first place.
        if all(digit in _SHAPES or (digit == _MINUS and not at) for at, digit in enumerate(digits)):
            found.append([digit for digit in digits if digit is not None])
    values = {_value(digits) for digits in found}
    return found[0] if len(values) == 1 else []


def _digit(lit: Mask, left: int, wide: int) -> str | None:
    """Which segments are lit of the digit in this place, None if none has just this place.

    All digits light something at their right edge, and all but a one near their left: by how
    little of it the place is too wide must not matter.
    """
    shown = _segments(lit, left, wide)
    if shown in (None, _MINUS, _ONE):
        return shown
    columns = np.flatnonzero(lit[:, max(0, left) : left + wide].any(axis=0)) + max(0, left)
    if not columns.size or columns[0] - left > max(1, _CORNER * wide):
        return None
    first, last = int(columns[0]), int(columns[-1])
    return shown if _segments(lit, first, last + 1 - first) == shown else None


def _segments(lit: Mask, left: int, wide: int) -> str | None:
    """Which segments are lit, in the order of `_PLACES`; None where that is not clear."""
    height, width = lit.shape
    cell = np.zeros((height, wide), np.bool_)
    # A one has nothing to its left, where the group may end.
    first, last = max(0, left), min(width, left + wide)
    cell[:, first - left : last - left] = lit[:, first:last]
    if any(_share(cell, across, down) > _LIT for across, down in _HOLES):
        return None
    shown = ""
    for across, down in _PLACES:
        share = _share(cell, across, down)
        if _DARK < share < _LIT:
            return None
        shown += "1" if share >= _LIT else "0"
    return shown


def _share(cell: Mask, across: tuple[float, float], down: tuple[float, float]) -> float:
    """How much of a part of the digit is lit."""
    height, width = cell.shape
    top, bottom = int(down[0] * height), max(int(down[0] * height) + 1, round(down[1] * height))
    left, right = int(across[0] * width), max(int(across[0] * width) + 1, round(across[1] * width))
    return float(cell[top:bottom, left:right].mean())


def _value(digits: list[str]) -> int:
    text = "".join("-" if digit == _MINUS else str(_SHAPES[digit]) for digit in digits)
    return int(text)
