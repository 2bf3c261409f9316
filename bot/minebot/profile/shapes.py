"""Reads the shapes of digits, flags and mines: a picture beside the profile, and their sizes.

The picture is a table of places, 13 pixels wide and high, with a column for each of `SHAPED`.
A shape fills 12 by 12 pixels of its place, in sixteen greys, black for the most ink; the last
row and column of a place stay white. The shapes in a column differ with the size of the tiles
and stand below each other without a gap, as their sizes stand in the profile.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np

from minebot.errors import UsageError
from minebot.files import read_bytes
from minebot.profile.appearance import SHAPE, SHAPED, Glyph, Sizes

PICTURE = "shapes.png"
"""The name of the picture in the profile's folder."""
PLACE = SHAPE + 1
"""Width and height of a place, in pixels."""
_PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
_HEAD = struct.Struct(">16sII")
"""How a PNG begins: what tells that it is one, its width and height."""
GREY_STEP = 17
"""Levels of 255 between two of the sixteen greys. Specified: a hexadecimal digit a pixel."""

_LARGEST = 1 << 20
"""Bytes of the picture. Specified: those shipped have up to 8,456."""


def read(sizes: Mapping[str, Sizes], file: Path) -> tuple[Glyph, ...]:
    """Read the shapes in a picture, column by column.

    `sizes` has each of `SHAPED`. Raises UsageError if the file cannot be read, or shows other
    shapes than those that have a size.
    """
    data = read_bytes(file, _LARGEST)
    if len(data) < _HEAD.size or not data.startswith(_PNG):
        raise UsageError("is not a picture, or a damaged one")
    counts = [len(sizes[name]) for name in SHAPED]
    wide, high = len(SHAPED) * PLACE, max(counts) * PLACE
    # The head tells how large it is: nothing larger is unpacked.
    size = _HEAD.unpack_from(data)[1:]
    if size != (wide, high):
        raise UsageError(f"has {size[0]}x{size[1]} pixels, not {wide}x{high}")
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
    if pixels is None or pixels.shape != (high, wide):
        raise UsageError("is not a picture, or a damaged one")
    ink = np.rint((255 - pixels) / GREY_STEP).astype(np.uint8)
    places = ink.reshape(-1, PLACE, len(SHAPED), PLACE).transpose(2, 0, 1, 3)
    if (places.any(axis=(2, 3)) != (np.arange(max(counts)) < np.c_[counts])).any():
        raise UsageError("has a shape without a size, or a size without a shape")
    return tuple(
        Glyph(name, aspect, height, place[:SHAPE, :SHAPE].tobytes())
        for name, column in zip(SHAPED, places, strict=True)
        for (height, aspect), place in zip(sizes[name], column, strict=False)
    )
