"""Finds lines of text in a frame and reads them with Tesseract."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from minebot.capture import Frame, Rect
from minebot.errors import VisionError

Grey = NDArray[np.uint8]
"""Lightness of pixels, shape (height, width)."""
Ocr = Callable[[Grey], str]
"""Reads the text in a picture of one line, black on white; raises VisionError."""

CONTRASTS = (40, 3)
"""Levels of 255 by which ink differs from what surrounds it: of clear lines, which are looked for
anywhere, and of faint ones. Measured, here and below, by `benchmarks/ranges.py`: 36 to 40, with 32
noise is ink and with 44 letters are none; 1 to 5."""
HEIGHTS = (32, 44)
"""Heights in pixels of a line's two readings, which must agree. Measured: 26 to 40 and 35 to 55."""
_CLEAR = 1.5
"""Smallest contrast of a line's strongest ink, as a multiple of that. Measured: 1.2 to 1.5; with 1
some thin strokes are no ink, and another number is read."""
_SURROUNDINGS = 31
"""Side in pixels of the square whose median is the ground. Measured: 17 to 63."""
_SPACE = 17
"""Pixels between words, at most. Measured: 15 is too little for letters of twice the usual size;
with 19 the words of a menu are one line."""
_LOWEST, _HIGHEST = 6, 41
"""Least and largest height in pixels of a line. Measured: 2 to 8, and at least 33."""
_NARROWEST, _LONGEST = 0.3, 60.0
"""Least and largest width of a line, in heights. Measured: up to 1.2, and at least 30."""
_MARGIN = 2
"""Pixels around a line that are cut out with it. Measured: 2 to 4."""
_WHITE = 8
"""Pixels of white around a line, without which Tesseract loses its first letter. Measured."""
_SURE = 60
"""Smallest confidence of Tesseract in a word, in per cent. Measured: 30 to 90."""
_ENLARGED = 3
"""How many times words are enlarged to be read. Measured: 2 to 4."""
_NEVER = "{}|\\£€$§"
"""Characters that a slash between small digits is misread as; no game writes them. Measured."""
DATA = ("/usr/share/tesseract-ocr/*/tessdata", "/usr/share/tessdata", "/usr/local/share/tessdata")
"""Where systems keep Tesseract's language data, beside `TESSDATA_PREFIX`."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text that was cut out of a frame."""

    rect: Rect
    """Where it is, in pixels of the frame."""
    picture: Grey
    """Black on white."""

    def readings(self, ocr: Ocr, heights: Sequence[int]) -> Iterator[str]:
        """The line read at each of these heights in pixels; raises VisionError."""
        for height in heights:
            factor = height / self.picture.shape[0]
            scaled = cv2.resize(self.picture, None, None, factor, factor, cv2.INTER_CUBIC)
            framed = cv2.copyMakeBorder(scaled, *(_WHITE,) * 4, cv2.BORDER_CONSTANT, value=255)
            yield ocr(np.asarray(framed, np.uint8))


@dataclass(frozen=True, slots=True)
class Text:
    """What was read, and where it is in pixels of the frame."""

    text: str
    rect: Rect


class Tesseract:
    """Tesseract, loaded when it is made; not for several threads at once.

    Raises VisionError if its library or its language data is missing, saying what to
    install, or where it fails.
    """

    def __init__(self, data: Sequence[str] = DATA) -> None:
        """`data` are patterns of folders that may hold the language data."""
        try:
            import tesserocr  # noqa: PLC0415  # a large library, only if a line is to be read
        except ImportError as error:
            raise VisionError(f"Tesseract is not installed (Python: tesserocr): {error}") from error
        try:
            self._api = tesserocr.PyTessBaseAPI(
                path=_language_data(data), lang="eng", psm=tesserocr.PSM.SINGLE_LINE
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

    def words(self, frame: Frame, part: Rect, enlarged: int = _ENLARGED) -> list[Text]:
        """The words that are read with confidence in that part; raises VisionError.

        `enlarged` is how many times the part is enlarged to be read: small words need it, large
        ones are read as well without, and sooner.
        """
        import tesserocr  # noqa: PLC0415  # it is loaded

        room = enlarged * _MARGIN
        large = cv2.resize(_grey(frame, part), None, None, enlarged, enlarged, cv2.INTER_CUBIC)
        picture = cv2.copyMakeBorder(large, *(room,) * 4, cv2.BORDER_REPLICATE)
        (height, width), word = picture.shape, tesserocr.RIL.WORD
        found = []
        self._api.SetPageSegMode(tesserocr.PSM.SPARSE_TEXT)
        try:
            self._api.SetImageBytes(picture.tobytes(), width, height, 1, width)
            if self._api.Recognize():
                for each in tesserocr.iterate_level(self._api.GetIterator(), word):
                    if not each.Empty(word) and each.Confidence(word) >= _SURE:
                        box = [(side - room) // enlarged for side in each.BoundingBox(word)]
                        rect = Rect(box[0], box[1], box[2] - box[0], box[3] - box[1])
                        at = rect.moved(part.left, part.top).clipped(part)
                        found.append(Text(str(each.GetUTF8Text(word)), at))
        except RuntimeError as error:
            raise VisionError(f"Tesseract fails: {error}") from error
        finally:
            self._api.SetPageSegMode(tesserocr.PSM.SINGLE_LINE)
        return found


def _language_data(patterns: Sequence[str]) -> str:
    """The folder of Tesseract's English data; raises VisionError saying what to install."""
    folders = [Path(os.environ["TESSDATA_PREFIX"])] if "TESSDATA_PREFIX" in os.environ else []
    for pattern in patterns:
        folders.extend(sorted(Path("/").glob(pattern.lstrip("/")), reverse=True))
    for folder in folders:
        if (folder / "eng.traineddata").is_file():
            return str(folder)
    raise VisionError("Tesseract's English data is not installed (Debian: tesseract-ocr-eng)")


def lines(frame: Frame, part: Rect, contrast: int) -> list[Line]:
    """The lines of text in a part of the frame, the uppermost first.

    Ink differs from what surrounds it by more than `contrast` levels of 255, and somewhere
    in each line by `_CLEAR` times that: of fainter letters, thin strokes would be no ink.
    """
    if min(part.width, part.height) < _LOWEST:
        return []
    grey = _grey(frame, part)
    ink = cv2.absdiff(grey, np.asarray(cv2.medianBlur(grey, _SURROUNDINGS), np.uint8)) > contrast
    found = []
    for box in boxes(np.asarray(ink), (1, _SPACE)):
        down = box.height
        if _LOWEST <= down <= _HIGHEST and _NARROWEST * down <= box.width <= _LONGEST * down:
            rect = box.grown(_MARGIN, _MARGIN).moved(part.left, part.top).clipped(part)
            picture = _black_on_white(_grey(frame, rect), contrast)
            if picture is not None:
                found.append(Line(rect, picture))
    return sorted(found, key=lambda line: line.rect.top)


def boxes(mask: NDArray[np.bool_], bridge: tuple[int, int] = (1, 1)) -> list[Rect]:
    """Return the box around each group of pixels that touch, also at their corners.

    Gaps that are less high and wide than the `bridge`, in pixels, are closed before.
    """
    closed = cv2.morphologyEx(mask.view(np.uint8), cv2.MORPH_CLOSE, np.ones(bridge, np.uint8))
    _, _, found, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    return [Rect(*box[:4]) for box in found[1:].tolist()]


def texts(frame: Frame, ocr: Ocr | None = None) -> list[Text]:
    """The lines that two readings agree on; raises VisionError without a usable Tesseract."""
    ocr = ocr or Tesseract()
    found = lines(frame, frame.bounds, CONTRASTS[0])
    read = ((line.rect, set(line.readings(ocr, HEIGHTS))) for line in found)
    return [Text(said.pop(), rect) for rect, said in read if len(said) == 1 and said != {""}]


def _grey(frame: Frame, part: Rect) -> Grey:
    return np.asarray(cv2.cvtColor(frame.part(part), cv2.COLOR_BGRA2GRAY), np.uint8)


def _black_on_white(line: Grey, contrast: int) -> Grey | None:
    """A line in whatever two colours; None if they hardly differ by that contrast."""
    far = cv2.absdiff(line, np.full_like(line, int(np.median(line))))
    most = int(far.max())
    return None if most < _CLEAR * contrast else np.asarray(255 - far * (255 / most), np.uint8)
