"""Picture files: screenshots in, screenshots out."""

from __future__ import annotations

import warnings
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, UnidentifiedImageError

from minebot.capture import Frame
from minebot.errors import UsageError, file_errors
from minebot.files import read_bytes

FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "GIF")
"""What a picture may be: no format that few programs read, and many read badly."""
MOST_PIXELS = 7680 * 4320
"""Largest picture that is read. Specified: the largest screen, 8K."""
BYTES = 48 << 20
"""Largest picture file that is read. Specified: 3840x2160 incompressible pixels take 25 MB."""


def load(path: Path) -> Frame:
    """The picture in a file; raises UsageError as `decoded` does, and for more than `BYTES`."""
    with file_errors(path):
        return decoded(read_bytes(path, BYTES))


def decoded(data: bytes) -> Frame:
    """Decode a file's bytes in one of `FORMATS`; of an animation, the first picture.

    Raises UsageError if there is no picture, if it is damaged, or if its header announces more than
    `MOST_PIXELS`: such a picture is not unpacked.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(BytesIO(data), formats=FORMATS) as image:
                width, height = image.size
                if width * height > MOST_PIXELS:
                    raise UsageError(f"a picture of {width}x{height} is larger than any screen")
                if image.mode.startswith("I;16"):
                    # Converted by itself, all but the darkest greys would be white.
                    greys = (np.asarray(image) >> 8).astype(np.uint8)
                    pixels = cv2.cvtColor(greys, cv2.COLOR_GRAY2BGRA)
                else:
                    pixels = cv2.cvtColor(np.asarray(image.convert("RGB")), cv2.COLOR_RGB2BGRA)
    except Image.DecompressionBombError as error:
        raise UsageError("a picture that is larger than any screen") from error
    except UnidentifiedImageError as error:
        raise UsageError(f"not a picture in one of {', '.join(FORMATS)}") from error
    except (OSError, SyntaxError, ValueError) as error:
        raise UsageError(f"a damaged picture: {error}") from error
    return Frame(np.ascontiguousarray(pixels))


def png(frame: Frame, *, fast: bool = False) -> bytes:
    """A frame as a PNG file has it; with `fast` in a tenth of the time, three times as large."""
    level = [cv2.IMWRITE_PNG_COMPRESSION, 1 if fast else 9]
    _, data = cv2.imencode(".png", frame.pixels[..., :3], level)
    return data.tobytes()
