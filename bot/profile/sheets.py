"""Sheets: picture files that show what cells look like, a column for each cell.

A sheet is a table of equal places. Below each other in a column are the ways in which
one cell is drawn, at other sizes say; a place where nothing is drawn is left out. Of
artwork a place is the picture of a cell, `THUMBNAIL` pixels wide and high. In all other
sheets a place is a white card of 19x25 pixels, one pixel from the next, with the picture
at its top left. Of a drawing that is the shape, black on white, in sixteen greys; the
numbers below it are its height and its width by its height: 310 is 0.31 tiles, 600 is
0.6 times as wide as high. The colours beside it are the grounds on which it was met, and
its ink. Of a whole tile the number is its shade: 23 is 2.3 levels.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
from msgspec import Meta, field
from msgspec.structs import replace
from numpy.typing import NDArray

from bot.board import SYMBOLS, Cell
from bot.errors import UsageError
from bot.profile.behaviour import Table
from bot.profile.values import RGB, SHAPE, THUMBNAIL, Glyph, Sample, Thumbnail

Drawn = Glyph | Sample | Thumbnail
Pixels = NDArray[np.uint8]

_CARD = (25, 19)
"""Height and width of a card, in pixels."""
_STEP = (26, 20)
"""From one card to the next."""
_GROUND = slice(13, 16)
"""The columns of a card that show the grounds."""
_INK = slice(16, 19)
"""The columns of a card that show the ink."""
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

MOST_GROUNDS = SHAPE
"""Each ground takes a row of pixels at least."""

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


class _Sheet(Table, frozen=True, tag_field="kind"):
    picture: Annotated[str, Meta(pattern=r"^[\w, -][\w., -]*\.png$")]
    """The name of the picture file, which lies beside the profile."""
    cells: Annotated[str, Meta(pattern=r"^[0-8?F*!]+$")]
    """The cell that each column shows."""
    phase: str = ""
    """When the game draws them so, such as `playing` or `lost`."""


class ArtworkSheet(_Sheet, frozen=True, tag="artwork"):
    """Thumbnails through which something shows where they are not opaque."""

    behind: tuple[RGB, RGB] = field(name="behind_rgbs", default=((0, 0, 0), (255, 255, 255)))
    """The darkest and the lightest colour that may."""
    uneven: bool = False


class TileSheet(_Sheet, frozen=True, tag="tiles"):
    """Thumbnails of tiles as they were seen."""


class GlyphSheet(_Sheet, frozen=True, tag="glyphs"):
    """Samples: shapes with their grounds and inks."""


class ShapeSheet(_Sheet, frozen=True, tag="shapes"):
    """Glyphs: shapes alone."""


Sheet = ArtworkSheet | TileSheet | GlyphSheet | ShapeSheet


def read(sheet: Sheet, folder: Path) -> Sequence[Drawn]:
    """What a sheet shows, column by column.

    Raises UsageError where its file cannot be read or is no such sheet.
    """
    pixels = _load(folder / sheet.picture)
    height, width = (THUMBNAIL, THUMBNAIL) if isinstance(sheet, ArtworkSheet) else _STEP
    rows, over = divmod(pixels.shape[0], height)
    if over or not rows or pixels.shape[1] != width * len(sheet.cells):
        raise UsageError(
            f"has {pixels.shape[1]}x{pixels.shape[0]} pixels, which is not {len(sheet.cells)} "
            f"places of {width}x{height} in each row"
        )
    places = pixels.reshape(rows, height, len(sheet.cells), width, 4).transpose(2, 0, 1, 3, 4)
    there = places[..., 3].any(axis=(2, 3))
    shown = [Cell(SYMBOLS.index(symbol)) for symbol in sheet.cells]
    cells = [shown[x] for x in np.nonzero(there)[0]]
    places = places[there]
    if isinstance(sheet, ArtworkSheet):
        return [_artwork(sheet, *each) for each in zip(cells, places, strict=True)]
    numbers = _numbers(places)
    pictures = places[:, :THUMBNAIL, :THUMBNAIL, :3]
    if isinstance(sheet, TileSheet):
        return [
            Thumbnail(cell, picture.tobytes(), shade / 10, sheet.phase)
            for cell, picture, (shade, _) in zip(cells, pictures, numbers, strict=True)
        ]
    drawn = places[:, 0, _INK.start, 3] > 0
    if not np.array(numbers)[drawn].all():
        raise UsageError("has a shape without its numbers")
    shapes = np.rint((255 - pictures[..., 0]) / _GREY_STEP).astype(np.uint8)
    if isinstance(sheet, ShapeSheet):
        return [
            Glyph(_glyph_name(cell), aspect / 1000, height / 1000, shape.tobytes())
            for cell, shape, (height, aspect) in zip(cells, shapes, numbers, strict=True)
        ]
    return _samples(sheet, cells, places, shapes.reshape(len(cells), -1), numbers)


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


def _artwork(sheet: ArtworkSheet, cell: Cell, place: Pixels) -> Thumbnail:
    opacity = place[..., 3]
    drawn = np.rint(place[..., :3] * (opacity[..., None] / 255)).astype(np.uint8)
    return Thumbnail(
        cell,
        drawn.tobytes(),
        phase=sheet.phase,
        opacity=opacity.tobytes(),
        behind=sheet.behind,
        uneven=sheet.uneven,
    )


def _samples(
    sheet: GlyphSheet,
    cells: Sequence[Cell],
    places: Pixels,
    shapes: Pixels,
    numbers: Sequence[tuple[int, int]],
) -> list[Sample]:
    """The samples on cards, shape (n, height, width, 4)."""
    grounds = places[:, :SHAPE, _GROUND.start, :3].tolist()
    inks = places[:, 0, _INK.start].tolist()
    found = []
    for cell, shape, bands, ink, (height, aspect) in zip(
        cells, shapes.tolist(), grounds, inks, numbers, strict=True
    ):
        ground = tuple(_rgb(band) for band, _ in groupby(bands))
        if ink[3]:
            drawing = (_rgb(ink), aspect / 1000, height / 1000, tuple(shape))
            found.append(Sample(cell, ground, sheet.phase, *drawing))
        else:
            found.append(Sample(cell, ground, sheet.phase))
    return found


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


def draw(drawn: Iterable[Drawn]) -> list[tuple[Sheet, Pixels]]:
    """Sheets that read as these, in this order, with their pixels.

    The pictures are named for the phases; no two alike.
    """
    sheets: list[tuple[Sheet, Pixels]] = []
    names: Counter[str] = Counter()
    for blank, group in groupby(drawn, _sheet_of):
        columns = [[*column] for _, column in groupby(group, _cell)]
        rows = max(map(len, columns))
        height, width = (THUMBNAIL, THUMBNAIL) if isinstance(blank, ArtworkSheet) else _STEP
        pixels = np.zeros((rows, height, len(columns), width, 4), np.uint8)
        for x, column in enumerate(columns):
            for y, each in enumerate(column):
                _draw_place(pixels[y, :, x], each)
        name = "-".join(re.findall(r"\w+", blank.phase)) or "cells"
        names[name] += 1
        picture = f"{name}-{names[name]}.png" if names[name] > 1 else f"{name}.png"
        cells = "".join(SYMBOLS[_cell(column[0])] for column in columns)
        sheet = replace(blank, picture=picture, cells=cells)
        sheets.append((sheet, pixels.reshape(rows * height, len(columns) * width, 4)))
    return sheets


def as_png(pixels: Pixels) -> bytes:
    """Red, green, blue and opacity as PNG."""
    done, data = cv2.imencode(
        ".png", cv2.cvtColor(pixels, cv2.COLOR_RGBA2BGRA), (cv2.IMWRITE_PNG_COMPRESSION, 9)
    )
    assert done
    return data.tobytes()


def _sheet_of(drawn: Drawn) -> Sheet:
    """The sheet on which this is shown, its picture and cells left open."""
    if isinstance(drawn, Glyph):
        return ShapeSheet("", "")
    if isinstance(drawn, Sample):
        return GlyphSheet("", "", drawn.phase)
    if drawn.opacity:
        return ArtworkSheet("", "", drawn.phase, drawn.behind, drawn.uneven)
    return TileSheet("", "", drawn.phase)


def _cell(drawn: Drawn) -> Cell:
    if not isinstance(drawn, Glyph):
        return drawn.cell
    named = {"flag": Cell.FLAG, "mine": Cell.MINE}
    return named[drawn.name] if drawn.name in named else Cell(int(drawn.name))


def _glyph_name(cell: Cell) -> str:
    return {Cell.FLAG: "flag", Cell.MINE: "mine"}.get(cell, SYMBOLS[cell])


def _draw_place(place: Pixels, drawn: Drawn) -> None:
    if isinstance(drawn, Thumbnail) and drawn.opacity:
        opacity = np.frombuffer(drawn.opacity, np.uint8).reshape(THUMBNAIL, THUMBNAIL, 1)
        # As PNG has it: colours not multiplied by the opacity.
        colours = _square(drawn.pixels, 3) * (255 / np.maximum(opacity, 1))
        place[..., :3] = np.rint(colours)
        place[..., 3:] = opacity
        return
    card = place[: _CARD[0], : _CARD[1]]
    card[:] = 255
    picture = card[:THUMBNAIL, :THUMBNAIL, :3]
    if isinstance(drawn, Thumbnail):
        picture[:] = _square(drawn.pixels, 3)
        _draw_number(card, _LINES[0], round(10 * drawn.shade))
        return
    if isinstance(drawn, Sample):
        parts = len(drawn.grounds)
        assert parts <= MOST_GROUNDS
        for number, ground in enumerate(drawn.grounds):
            rows = slice(number * SHAPE // parts, (number + 1) * SHAPE // parts)
            card[rows, _GROUND, :3] = ground
        card[:SHAPE, _INK] = (0, 0, 0, 0) if drawn.ink is None else (*drawn.ink, 255)
        if drawn.ink is None:
            return
    picture[:] = 255 - _GREY_STEP * _square(bytes(drawn.shape), 1)
    for top, ratio in zip(_LINES, (drawn.height, drawn.aspect), strict=True):
        _draw_number(card, top, round(1000 * ratio))


def _draw_number(card: Pixels, top: int, number: int) -> None:
    """Write a number at the right end of a line, nothing for 0."""
    height, width = _DIGIT
    right = _CARD[1]
    while number:
        number, digit = divmod(number, 10)
        card[top : top + height, right - width : right, :3][_FONT[digit]] = 0
        right -= width + 1


def _square(data: bytes, channels: int) -> Pixels:
    return np.frombuffer(data, np.uint8).reshape(THUMBNAIL, THUMBNAIL, channels)


def _rgb(colour: Sequence[int]) -> RGB:
    return colour[0], colour[1], colour[2]
