"""Finds what may be the button for a new board, in pictures of a window around its board."""

from __future__ import annotations

import re
from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.capture import Frame, Pixel, Rect
from bot.errors import VisionError
from bot.vision.grid import Grid
from bot.vision.text import texts

_WORDS = re.compile(r"\b(new|restart|reset|again|retry|start|replay|smile)\b", re.IGNORECASE)
"""What is written on such a button."""
_LEVELS = 24
"""By so many levels of 255 a drawing differs from what it lies on. Guessed."""
_SIDES = (0.6, 4.5)
"""The least and the most sides of a face, in tiles. Guessed: the classic one has 1.6."""
_ASPECT = 1.6
"""A face is no more times wider than high, or higher than wide. Guessed."""
_JOINED = 3
"""Pixels between the parts of one drawing, at most. Guessed."""
_EDGE = 3
"""Pixels around the tiles that are their own, or their frame's. Guessed."""
_CENTRED = 0.75
"""So far from the board's middle, in tiles, a face above it may stand. Guessed."""

Mask = NDArray[np.bool_]


def buttons(before: Frame | None, ended: Frame, grid: Grid) -> Iterator[Pixel]:
    """Where to click for a new board, the likeliest first; no place twice.

    A face that has changed since `before`, when the game was going on; a drawing in the
    middle above the board; a word. The frames are of one window, and one size.
    """
    seen: list[Rect] = []
    for rect in _places(before, ended, grid):
        if not any(other.holds(rect.middle) for other in seen):
            seen.append(rect)
            yield rect.middle


def _places(before: Frame | None, ended: Frame, grid: Grid) -> Iterator[Rect]:
    board = grid.bounds
    if before is not None and before.pixels.shape == ended.pixels.shape:
        far = cv2.absdiff(before.pixels[..., :3], ended.pixels[..., :3]).max(axis=2)
        yield from _shapes(far > _LEVELS, board, grid.tile)
    strip = ended.pixels[: board.top, :, :3].astype(np.int16)
    if len(strip):
        drawn = np.zeros(ended.pixels.shape[:2], np.bool_)
        drawn[: board.top] = np.abs(strip - _ground(strip)).max(axis=2) > _LEVELS
        middle = board.left + board.width / 2
        for rect in _shapes(drawn, board, grid.tile):
            if abs(rect.left + rect.width / 2 - middle) <= _CENTRED * grid.tile:
                yield rect
    yield from _words(ended, board)


def _ground(strip: NDArray[np.int16]) -> NDArray[np.int16]:
    """The commonest colour."""
    colours, counts = np.unique(strip.reshape(-1, 3), axis=0, return_counts=True)
    return np.asarray(colours[counts.argmax()], np.int16)


def _shapes(mask: Mask, board: Rect, tile: int) -> list[Rect]:
    """The compact shapes beside the board, those nearest to the middle of its top first."""
    mask = mask.copy()
    top, left = max(0, board.top - _EDGE), max(0, board.left - _EDGE)
    mask[top : board.bottom + _EDGE, left : board.right + _EDGE] = False
    bridge = np.ones((_JOINED, _JOINED), np.uint8)
    joined = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, bridge)
    _, _, boxes, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    least, most = (share * tile for share in _SIDES)
    found = []
    for left, top, width, height, _ in boxes[1:].tolist():
        rect = Rect(left, top, width, height)
        compact = max(width, height) <= _ASPECT * min(width, height)
        if compact and least <= min(width, height) and max(width, height) <= most:
            found.append(rect)
    across, down = board.left + board.width / 2, board.top
    return sorted(
        found,
        key=lambda one: abs(one.left + one.width / 2 - across) + abs(one.bottom - down),
    )


def _words(frame: Frame, board: Rect) -> Iterator[Rect]:
    try:
        lines = texts(frame)
    except VisionError:
        return  # Tesseract is not installed
    for line in lines:
        if _WORDS.search(line.text) and not line.rect.meets(board):
            yield line.rect
