"""Reads text: one line that was cut out, or all lines anywhere in a frame.

Tesseract has its one home here, its library and its language data.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.capture import Frame, Rect
from bot.errors import VisionError

Grey = NDArray[np.uint8]
"""Lightness of pixels, shape (height, width)."""
Ocr = Callable[[Grey], str]
"""Reads the text in a picture of one line, black on white; raises VisionError."""

HEIGHTS = (32, 44)
"""Heights in pixels to which a line is scaled for two readings, which must agree. Measured: each
reads all of 36 status lines."""
_NEVER = "{}|\\£€$§"
"""What no game writes, and a slash between small digits is read as. Measured."""
_WHITE = 8
"""Pixels of white around a line, without which Tesseract loses its first letter. Measured."""

_AROUND = 31
"""Side in pixels of the surroundings against which ink stands out. Guessed."""
_CONTRAST = 60
"""By so many levels of 255 at least. Guessed."""
_SPACE = 15
"""Pixels between words, at most. Guessed."""
_LINE = range(7, 41)
"""Heights in pixels of a line of text. Guessed."""
_LONGEST = 400
"""Width in pixels of a line of text, at most: longer ones are no button's. Guessed."""
_MARGIN = 3
"""In pixels: what is cut out around a line. Guessed."""
_SURE = 60
"""Of 100, how sure Tesseract is of a word, at least. Guessed."""
_ENLARGED = 3
"""So many times words are enlarged to be read. Guessed: letters of 10 pixels are too small."""
_DATA = ("/usr/share/tesseract-ocr/*/tessdata", "/usr/share/tessdata", "/usr/local/share/tessdata")
"""Where systems keep Tesseract's language data, beside `TESSDATA_PREFIX`."""


class Tesseract:
    """Tesseract, loaded when it is made; not for several threads at once.

    Raises VisionError where its library or its language data is missing, saying what to
    install, or where it fails.
    """

    def __init__(self) -> None:
        try:
            import tesserocr  # noqa: PLC0415  # a large library, only if a line is to be read
        except ImportError as error:
            raise VisionError(f"Tesseract is not installed (Python: tesserocr): {error}") from error
        try:
            self._api = tesserocr.PyTessBaseAPI(
                path=_language_data(), lang="eng", psm=tesserocr.PSM.SINGLE_LINE
            )
        except RuntimeError as error:
            raise VisionError(f"Tesseract does not start: {error}") from error
        self._api.SetVariable("tessedit_char_blacklist", _NEVER)

    def __call__(self, line: Grey) -> str:
        """The text of a line, without the line's end; raises VisionError."""
        height, width = line.shape
        data = np.ascontiguousarray(line).tobytes()
        try:
            self._api.SetImageBytes(data, width, height, 1, width)
            return str(self._api.GetUTF8Text()).strip()
        except RuntimeError as error:
            raise VisionError(f"Tesseract fails: {error}") from error

    def words(self, picture: Grey) -> list[Text]:
        """The words that are read surely, wherever in the picture; raises VisionError."""
        import tesserocr  # noqa: PLC0415  # it is loaded

        height, width = picture.shape
        data, word = np.ascontiguousarray(picture).tobytes(), tesserocr.RIL.WORD
        found = []
        self._api.SetPageSegMode(tesserocr.PSM.SPARSE_TEXT)
        try:
            self._api.SetImageBytes(data, width, height, 1, width)
            if self._api.Recognize():
                for each in tesserocr.iterate_level(self._api.GetIterator(), word):
                    if not each.Empty(word) and each.Confidence(word) >= _SURE:
                        left, top, right, bottom = each.BoundingBox(word)
                        rect = Rect(left, top, right - left, bottom - top)
                        found.append(Text(str(each.GetUTF8Text(word)), rect))
        except RuntimeError as error:
            raise VisionError(f"Tesseract fails: {error}") from error
        finally:
            self._api.SetPageSegMode(tesserocr.PSM.SINGLE_LINE)
        return found


def _language_data() -> str:
    """The folder of Tesseract's English data; raises VisionError saying what to install."""
    folders = [Path(os.environ["TESSDATA_PREFIX"])] if "TESSDATA_PREFIX" in os.environ else []
    for pattern in _DATA:
        folders.extend(sorted(Path("/").glob(pattern.lstrip("/")), reverse=True))
    for folder in folders:
        if (folder / "eng.traineddata").is_file():
            return str(folder)
    raise VisionError("Tesseract's English data is not installed (Debian: tesseract-ocr-eng)")


def scaled(line: Grey, height: int) -> Grey:
    """The line `height` pixels high, with a white margin."""
    factor = height / line.shape[0]
    scaled = cv2.resize(line, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
    return np.asarray(cv2.copyMakeBorder(scaled, *(_WHITE,) * 4, cv2.BORDER_CONSTANT, value=255))


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
    for rect in lines(grey):
        picture = black_on_white(grey[rect.top : rect.bottom, rect.left : rect.right])
        first, second = (ocr(scaled(picture, height)) for height in HEIGHTS)
        if first == second and first:
            found.append(Text(first, rect))
    return found


def words(frame: Frame, part: Rect, ocr: Tesseract) -> list[Text]:
    """The words in a part of the frame, each where it is in the frame; raises VisionError."""
    grey = cv2.cvtColor(frame.pixels, cv2.COLOR_BGRA2GRAY)
    cut = grey[part.top : part.bottom, part.left : part.right]
    large = cv2.resize(cut, None, fx=_ENLARGED, fy=_ENLARGED, interpolation=cv2.INTER_CUBIC)
    room = _ENLARGED * _MARGIN
    picture = cv2.copyMakeBorder(large, *(room,) * 4, cv2.BORDER_REPLICATE)
    found = []
    for text, rect in ((each.text, each.rect) for each in ocr.words(np.asarray(picture, np.uint8))):
        left, top = ((side - room) // _ENLARGED for side in rect[:2])
        width, height = (side // _ENLARGED for side in rect[2:])
        found.append(Text(text, Rect(part.left + left, part.top + top, width, height)))
    return found


def lines(grey: Grey, narrowest: float = 1.0) -> list[Rect]:
    """Where ink stands side by side, with a small margin; at least so wide, by its height."""
    ink = cv2.absdiff(grey, np.asarray(cv2.medianBlur(grey, _AROUND), np.uint8)) > _CONTRAST
    bridge = np.ones((1, _SPACE), np.uint8)
    joined = cv2.morphologyEx(ink.astype(np.uint8), cv2.MORPH_CLOSE, bridge)
    _, _, boxes, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    height, width = grey.shape
    whole = Rect(0, 0, width, height)
    found = []
    for left, top, across, down, _area in boxes[1:].tolist():
        rect = Rect(left - _MARGIN, top - _MARGIN, across + 2 * _MARGIN, down + 2 * _MARGIN)
        if down in _LINE and narrowest * down <= across <= _LONGEST and rect.within(whole):
            found.append(rect)
    return found


def black_on_white(line: Grey) -> Grey:
    """A line in whatever two colours, as Tesseract reads it best."""
    ground = int(np.median(line))
    contrast = cv2.absdiff(line, np.full_like(line, ground))
    return np.asarray(255 - contrast.astype(np.float32) * (255 / int(contrast.max())), np.uint8)
