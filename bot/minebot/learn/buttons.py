"""Finds possible buttons for a new board in pictures of a game's window."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress

import cv2
import numpy as np
from numpy.typing import NDArray

from minebot.capture import Frame, Pixel, Rect
from minebot.errors import VisionError
from minebot.vision.grid import Grid
from minebot.vision.text import Tesseract, boxes, texts
from minebot.vision.tiles import commonest

_WORDS = re.compile(
    r"\b(new|restart|reset|again|retry|start|replay|smile)\b|^\W*play\W*$", re.IGNORECASE
)
"""Words on a button for a new board."""
_CLOSES = re.compile(r"\b(ok|okay|close|continue|dismiss|got it|yes)\b", re.IGNORECASE)
"""Words on a button that closes a message."""
_EDGES = (20, 60)
"""Levels of 255 between which Canny draws edges. Measured, here and below, by
`benchmarks/buttons.py`: from (5, 15) to (80, 240) every button is found."""
_OBLONG = 1.4
"""Least ratio of width to height of a button with a word. Measured: from 1 to 2.5 all are found."""
_MESSAGE_BUTTONS = 6
"""Places on a message that are clicked at most. Specified: that takes half a minute."""
_LEVELS = 24
"""Levels of 255 by which a drawing differs from what it lies on. Measured: from 6 to 48 all buttons
are found, at 96 three in a hundred are not."""
_SIDES = (0.6, 4.5)
"""Least and largest side of a face, in tiles. Measured: with 0.3 to 1.2 for the least and 2 to 9
for the largest all are found."""
_SMALL = 14
"""Pixels of the smallest face beside large tiles. Specified: an emoji in a line of text."""
_ASPECT = 1.6
"""Largest ratio of a face's sides: no line of text. Measured: 1.1 to 2.5 find all."""
_JOINED = 3
"""Largest gap between parts of one drawing, in pixels. Measured: 1 to 5 find all, 9 none."""
_ABOVE = 6.0
"""Tiles above the board in which a face is searched. Measured: 4 to 12 find all, 2 none."""
_HIGH, _WIDE = (14, 63), (30, 320)
"""Least and largest height and width in pixels of a button with a word on it; it may be as wide as
the board, and as high as two tiles. Measured: with 8 to 20 for the least height and 63 to 90 for
the largest all are found, with 40 five in six. The widths are specified: a word of three letters,
and what a page gives to its widest buttons."""
_RIM = 2
"""Pixels of a button's own edge. Measured: from 0 to 4 all are found."""
_ROOM = 20
"""Pixels around what is cut out, in its corner's colour. Specified: Tesseract wants room."""
_READ = 24
"""Boxes that are read at most. Specified: each takes some hundredths of a second, all one."""
_EDGE = 3
"""Pixels around the tiles that are their frame's. Measured: from 0 to 6 all are found."""
_CENTRED = 0.75
"""Tiles from the board's middle to a face above it. Measured: from 0.2 to 1.5 all are found."""

Mask = NDArray[np.bool_]


def buttons(before: Frame | None, ended: Frame, grid: Grid) -> Iterator[Pixel]:
    """Return the places to click for a new board, the likeliest first, each once.

    They are a face that has changed since `before`, when the game was running; a word; a drawing in
    the middle above the board, which may also be a page's link. The frames show one window in one
    size.
    """
    seen: list[Rect] = []
    for rect in _places(before, ended, grid):
        if not any(other.holds(rect.middle) for other in seen):
            seen.append(rect)
            yield rect.middle


def message_buttons(message: Frame) -> list[Pixel]:
    """Return the places to click on a message over a finished board, the likeliest first.

    Buttons for a new board come before those that only close the message, and low lines before high
    ones, which are its heading. There are none if no text can be read.
    """
    try:
        ocr = Tesseract()
        lines = [(line.rect, line.text) for line in texts(message, ocr)]
        lines += [(box, _read(message, box, ocr)) for box in _outlined(message)]
    except VisionError:
        return []  # Tesseract is not installed
    lines.sort(key=lambda line: -line[0].top)
    wanted = [rect for words in (_WORDS, _CLOSES) for rect, text in lines if words.search(text)]
    apart: list[Rect] = []
    for rect in wanted:
        if not any(other.meets(rect) for other in apart):
            apart.append(rect)
    return [rect.middle for rect in apart[:_MESSAGE_BUTTONS]]


def _outlined(frame: Frame, high: int = 0, wide: int = 0) -> list[Rect]:
    """What has the outline and the size of a button with a word on it, maybe so high and wide."""
    edges = cv2.Canny(np.ascontiguousarray(frame.pixels[..., :3]), *_EDGES)
    outlines, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    found = dict.fromkeys(Rect(*cv2.boundingRect(outline)) for outline in outlines)
    return _button_sized((one for one in found if one.width >= _OBLONG * one.height), high, wide)


def _button_sized(rects: Iterable[Rect], high: int, wide: int) -> list[Rect]:
    """The first that have the size of such a button, or more and are so high and wide at most."""
    highest, widest = max(_HIGH[1], high), max(_WIDE[1], wide)
    return [
        one
        for one in rects
        if _HIGH[0] <= one.height <= highest and _WIDE[0] <= one.width <= widest
    ][:_READ]


def _read(frame: Frame, box: Rect, ocr: Tesseract) -> str:
    # Without its own edge, which is no letter.
    part = frame.part(box.grown(-_RIM, -_RIM))
    room = np.full((part.shape[0] + 2 * _ROOM, part.shape[1] + 2 * _ROOM, 4), part[0, 0])
    room[_ROOM:-_ROOM, _ROOM:-_ROOM] = part
    return " ".join(line.text for line in texts(Frame(room.astype(np.uint8)), ocr))


def _places(before: Frame | None, ended: Frame, grid: Grid) -> Iterator[Rect]:
    board = grid.bounds
    if before is not None and before.pixels.shape == ended.pixels.shape:
        yield from _shapes(changed_pixels(before, ended), board, grid.tile)
    with suppress(VisionError):  # Tesseract is not installed
        ocr = Tesseract()
        outlined = _outlined(ended, 2 * grid.tile, board.width)
        framed = sorted((box for box in outlined if not box.meets(board)), key=lambda box: box.top)
        # Each is read on its own.
        for box in (*_boxes(ended, board, grid.tile), *framed):
            if _WORDS.search(_read(ended, box, ocr)):
                yield box
    above = max(0, board.top - round(_ABOVE * grid.tile))
    strip = ended.pixels[above : board.top, board.left : board.right, :3].astype(np.float32)
    if len(strip):
        drawn = np.zeros(ended.pixels.shape[:2], np.bool_)
        far = np.abs(strip - commonest(strip.reshape(1, -1, 3))).max(axis=2) > _LEVELS
        drawn[above : board.top, board.left : board.right] = far
        middle = board.left + board.width / 2
        for rect in _shapes(drawn, board, grid.tile):
            if abs(rect.left + rect.width / 2 - middle) <= _CENTRED * grid.tile:
                yield rect


def changed_pixels(one: Frame, other: Frame) -> Mask:
    """The mask of pixels that differ in frames of one size, shape (height, width)."""
    far = cv2.absdiff(one.pixels[..., :3], other.pixels[..., :3])
    return np.asarray(far.max(axis=2) > _LEVELS)


def shapes_beside(mask: Mask, board: Rect) -> list[Rect]:
    """The boxes of what is drawn beside the board, parts that nearly touch together."""
    mask = mask.copy()
    mask[board.grown(_EDGE, _EDGE).area] = False
    return boxes(mask, (_JOINED, _JOINED))


def _shapes(mask: Mask, board: Rect, tile: int) -> list[Rect]:
    """The compact shapes beside the board, those nearest to the middle of its top first."""
    least, most = min(_SIDES[0] * tile, _SMALL), _SIDES[1] * tile
    found = []
    for rect in shapes_beside(mask, board):
        short, long = sorted(rect[2:])
        if long <= _ASPECT * short and least <= short and long <= most:
            found.append(rect)
    across, down = board.left + board.width / 2, board.top
    return sorted(
        found, key=lambda one: abs(one.left + one.width / 2 - across) + abs(one.bottom - down)
    )


def worded(frame: Frame, grid: Grid, wanted: re.Pattern[str]) -> list[Pixel]:
    """Where one of these words is written beside the board, on a button or not; no place twice."""
    board = grid.bounds
    pixels = frame.pixels.copy()
    pixels[board.grown(_EDGE, _EDGE).area] = pixels[0, 0]
    bare = Frame(pixels)
    found: list[Rect] = []
    with suppress(VisionError):  # Tesseract is not installed
        ocr = Tesseract()
        # What stands on a ground of its own is read on its own.
        boxes = (*_boxes(frame, board, grid.tile), *_outlined(bare))
        parts = (frame.bounds, *(box.grown(-_RIM, -_RIM) for box in boxes))
        for text in (each for part in parts for each in ocr.words(bare, part)):
            if wanted.search(text.text) and not any(rect.meets(text.rect) for rect in found):
                found.append(text.rect)
    return [rect.middle for rect in found]


def beside(frame: Frame, grid: Grid, at: Pixel) -> list[Pixel]:
    """Possible buttons in the row or column of the one at that place, the nearest first."""
    outlined = [box for box in _outlined(frame) if not box.meets(grid.bounds)]
    own = [box for box in outlined if box.holds(at)]
    near = [
        box.middle
        for box in outlined
        if not any(box.meets(each) for each in own)
        and (box.top <= at.y < box.bottom or box.left <= at.x < box.right)
    ]
    return sorted(near, key=lambda each: abs(each.x - at.x) + abs(each.y - at.y))


def _boxes(frame: Frame, board: Rect, tile: int) -> list[Rect]:
    """What stands out beside the board and is as large as a button, the uppermost first."""
    pixels = frame.pixels[..., :3].astype(np.float32)
    beside = np.ones(pixels.shape[:2], np.bool_)
    beside[board.grown(_EDGE, _EDGE).area] = False
    if not beside.any():
        return []  # the board fills its window
    far = np.abs(pixels - commonest(pixels[beside][None])).max(axis=2) > _LEVELS
    return _button_sized(shapes_beside(far, board), 2 * tile, board.width)
