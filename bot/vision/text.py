"""Finds lines of text anywhere in a frame: what is written on a game's buttons."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from bot.capture import Frame, Rect
from bot.vision.status import HEIGHTS, Grey, Ocr, Tesseract, scaled

__all__ = ["Text", "texts"]

_AROUND = 31
"""Side in pixels of the surroundings against which ink stands out."""
_CONTRAST = 60
"""By so many levels of 255 at least."""
_SPACE = 15
"""Pixels between words, at most."""
_LINE = range(7, 41)
"""Heights in pixels of a line of text."""
_LONGEST = 400
"""In pixels."""
_MARGIN = 3


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text and where it is, in pixels of the frame."""

    text: str
    rect: Rect


def texts(frame: Frame, ocr: Ocr | None = None) -> list[Text]:
    """The lines of text of which two readings at different sizes agree.

    Raises VisionError where Tesseract, which is taken without `ocr`, cannot be used.
    """
    ocr = ocr or Tesseract()
    grey: Grey = np.asarray(cv2.cvtColor(frame.pixels, cv2.COLOR_BGRA2GRAY), np.uint8)
    found = []
    for rect in _lines(grey):
        picture = _black_on_white(grey[rect.top : rect.bottom, rect.left : rect.right])
        first, second = (ocr(scaled(picture, height)) for height in HEIGHTS)
        if first == second and first:
            found.append(Text(first, rect))
    return found


def _lines(grey: Grey) -> list[Rect]:
    """Where ink stands side by side, with a small margin."""
    ink = cv2.absdiff(grey, np.asarray(cv2.medianBlur(grey, _AROUND), np.uint8)) > _CONTRAST
    bridge = np.ones((1, _SPACE), np.uint8)
    joined = cv2.morphologyEx(ink.astype(np.uint8), cv2.MORPH_CLOSE, bridge)
    _, _, boxes, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    height, width = grey.shape
    whole = Rect(0, 0, width, height)
    found = []
    for left, top, across, down, _area in boxes[1:].tolist():
        rect = Rect(left - _MARGIN, top - _MARGIN, across + 2 * _MARGIN, down + 2 * _MARGIN)
        if down in _LINE and down <= across <= _LONGEST and rect.within(whole):
            found.append(rect)
    return found


def _black_on_white(line: Grey) -> Grey:
    ground = int(np.median(line))
    contrast = cv2.absdiff(line, np.full_like(line, ground))
    return np.asarray(255 - contrast.astype(np.float32) * (255 / int(contrast.max())), np.uint8)
