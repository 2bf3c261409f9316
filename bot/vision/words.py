"""Finds lines of text anywhere in a frame: what is written on a game's buttons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from bot.frame import Frame, Rect
from bot.vision.status import Grey, language_data

__all__ = ["Text", "texts"]

_SCALES = (2, 3)
"""Times that the picture is enlarged for the two readings."""


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text and where it is, in pixels of the frame."""

    text: str
    rect: Rect


def texts(frame: Frame) -> list[Text]:
    """The lines of text that two readings at different sizes agree on, where they agree.

    Raises VisionError where Tesseract cannot be used.
    """
    grey: Grey = np.asarray(cv2.cvtColor(frame.pixels, cv2.COLOR_BGRA2GRAY), np.uint8)
    first, second = (list(_read(grey, scale)) for scale in _SCALES)
    return [
        one
        for one in first
        if any(one.text == other.text and one.rect.meets(other.rect) for other in second)
    ]


def _read(grey: Grey, scale: int) -> Iterator[Text]:
    import tesserocr  # noqa: PLC0415  # loads a large library: only when something is to be read

    large = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    height, width = large.shape
    line = tesserocr.RIL.TEXTLINE
    mode = tesserocr.PSM.SPARSE_TEXT
    with tesserocr.PyTessBaseAPI(path=language_data(), lang="eng", psm=mode) as api:
        api.SetImageBytes(np.ascontiguousarray(large).tobytes(), width, height, 1, width)
        api.Recognize()
        for found in tesserocr.iterate_level(api.GetIterator(), line):
            box = found.BoundingBox(line)
            if box is not None:
                left, top, right, bottom = (edge // scale for edge in box)
                text = found.GetUTF8Text(line).strip()
                yield Text(text, Rect(left, top, right - left, bottom - top))
