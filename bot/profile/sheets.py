"""Sheets: picture files that show how digits, flags and mines are shaped, a column for each.

A sheet is a table of equal places. Below each other in a column are the ways in which one of them
is drawn, at other sizes say; a place where nothing is drawn is left out. A place is a white card of
19x25 pixels, one pixel from the next, with the shape at its top left, black on white, in sixteen
greys. The numbers below it are its height and its width by its height: 310 is 0.31 tiles, 600 is
0.6 times as wide as high.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from bot.errors import UsageError
from bot.profile.behaviour import Table
from bot.profile.values import SHAPE, Glyph

Pixels = NDArray[np.uint8]

_CARD = (25, 19)
"""Height and width of a card, in pixels."""
_STEP = (26, 20)
"""From one card to the next."""
_LINES = (13, 19)
"""The first rows of a card's numbers."""
_MOST_DIGITS = 5
"""As many fit into the width of a card."""
_DIGIT = (5, 3)
"""Height and width of a digit, in pixels; the next follows after one more."""
_GREY_STEP = 17
"""Levels of 255 between two of the sixteen greys."""
_DARK_LEVELS = 128
"""Darker pixels belong to a number."""

_FONT = np.array(
    [
        [[int(pixel) for pixel in f"{row:03b}"] for row in rows]
        for rows in (
            (7, 5, 5, 5, 7), (2, 6, 2, 2, 7), (7, 1, 7, 4, 7), (7, 1, 7, 1, 7), (5, 5, 7, 1, 1),
            (7, 4, 7, 1, 7), (7, 4, 7, 5, 7), (7, 1, 1, 1, 1), (7, 5, 7, 5, 7), (7, 5, 7, 1, 7),
        )
    ],
    bool,
)  # fmt: skip
"""Which pixels of each digit are dark: five rows of three."""
_BITS = 1 << np.arange(_FONT[0].size)
"""What each pixel of a digit counts in its code."""
_DIGITS = np.full(1 << _BITS.size, -1)
"""The digit whose pixels are set as the bits of an index, -1 for what is none."""
_DIGITS[_FONT.reshape(10, -1) @ _BITS] = np.arange(10)
_DIGITS[0] = 0
"""Where nothing is drawn, a number has no further digit."""
_POWERS = 10 ** np.arange(_MOST_DIGITS)[::-1]
"""What each digit of a number counts."""

PictureName = Annotated[str, Meta(pattern=r"^[\w, -][\w., -]*\.png$")]
"""Of a file in the profile's own folder."""


class Sheet(Table, frozen=True, tag_field="kind", tag="shapes"):
    """One picture file."""

    picture: PictureName
    """Its name; it lies beside the profile."""
    cells: Annotated[str, Meta(pattern=r"^[1-8F*]+$")]
    """What each column shows: a digit, a flag or a mine."""


def read(sheet: Sheet, folder: Path) -> list[Glyph]:
    """What a sheet shows, column by column.

    Raises UsageError where its file cannot be read or is no such sheet.
    """
    pixels = _load(folder / sheet.picture)
    height, width = _STEP
    rows, over = divmod(pixels.shape[0], height)
    if over or not rows or pixels.shape[1] != width * len(sheet.cells):
        raise UsageError(
            f"has {pixels.shape[1]}x{pixels.shape[0]} pixels, which is not {len(sheet.cells)} "
            f"places of {width}x{height} in each row"
        )
    places = pixels.reshape(rows, height, len(sheet.cells), width, 4).transpose(2, 0, 1, 3, 4)
    there = places[..., 3].any(axis=(2, 3))
    names = [_name(sheet.cells[x]) for x in np.nonzero(there)[0]]
    places = places[there]
    numbers = _numbers(places)
    if not np.array(numbers).all():
        raise UsageError("has a shape without its numbers")
    shapes = np.rint((255 - places[:, :SHAPE, :SHAPE, 0]) / _GREY_STEP).astype(np.uint8)
    return [
        Glyph(name, aspect / 1000, height / 1000, shape.tobytes())
        for name, shape, (height, aspect) in zip(names, shapes, numbers, strict=True)
    ]


def _load(file: Path) -> Pixels:
    """Red, green, blue and opacity of a picture."""
    try:
        data = np.frombuffer(file.read_bytes(), np.uint8)
    except OSError as error:
        raise UsageError(error.strerror or "cannot be read") from error
    pixels = cv2.imdecode(data, cv2.IMREAD_UNCHANGED) if data.size else None
    if pixels is None:
        raise UsageError("is not a picture, or a damaged one")
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 4:
        raise UsageError("is not a picture of red, green, blue and opacity")
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGRA2RGBA), np.uint8)


def _numbers(places: Pixels) -> list[tuple[int, int]]:
    """The two numbers on each card, 0 where there is none; raises UsageError."""
    dark = (places[..., 0] < _DARK_LEVELS) & (places[..., 3] > 0)
    height, width = _DIGIT
    lines = np.stack([dark[:, top : top + height] for top in _LINES], axis=1)
    # Shape (cards, lines, rows, digits, columns), then each digit's pixels together.
    cut = lines.reshape(*lines.shape[:3], _MOST_DIGITS, width + 1)[..., :width]
    codes = cut.swapaxes(2, 3).reshape(len(places), len(_LINES), _MOST_DIGITS, -1) @ _BITS
    digits = _DIGITS[codes]
    if (digits < 0).any():
        raise UsageError("has a number that cannot be read")
    return [(first, second) for first, second in (digits @ _POWERS).tolist()]


def draw(glyphs: Iterable[Glyph]) -> tuple[Sheet, Pixels]:
    """A sheet that reads as these, in this order, with its pixels."""
    columns = [[*column] for _, column in groupby(glyphs, lambda glyph: glyph.name)]
    rows = max(map(len, columns))
    height, width = _STEP
    pixels = np.zeros((rows, height, len(columns), width, 4), np.uint8)
    for x, column in enumerate(columns):
        for y, glyph in enumerate(column):
            _draw_card(pixels[y, : _CARD[0], x, : _CARD[1]], glyph)
    cells = "".join(_symbol(column[0].name) for column in columns)
    sheet = Sheet("cells.png", cells)
    return sheet, pixels.reshape(rows * height, len(columns) * width, 4)


def as_png(pixels: Pixels) -> bytes:
    """Red, green, blue and opacity as PNG."""
    done, data = cv2.imencode(
        ".png", cv2.cvtColor(pixels, cv2.COLOR_RGBA2BGRA), (cv2.IMWRITE_PNG_COMPRESSION, 9)
    )
    assert done
    return data.tobytes()


def _name(symbol: str) -> str:
    return {"F": "flag", "*": "mine"}.get(symbol, symbol)


def _symbol(name: str) -> str:
    return {"flag": "F", "mine": "*"}.get(name, name)


def _draw_card(card: Pixels, glyph: Glyph) -> None:
    card[:] = 255
    shape = np.frombuffer(glyph.shape, np.uint8).reshape(SHAPE, SHAPE, 1)
    card[:SHAPE, :SHAPE, :3] = 255 - _GREY_STEP * shape
    for top, ratio in zip(_LINES, (glyph.height, glyph.aspect), strict=True):
        _draw_number(card, top, round(1000 * ratio))


def _draw_number(card: Pixels, top: int, number: int) -> None:
    """Write a number at the right end of a line, nothing for 0."""
    height, width = _DIGIT
    right = _CARD[1]
    while number:
        number, digit = divmod(number, 10)
        card[top : top + height, right - width : right, :3][_FONT[digit]] = 0
        right -= width + 1
