"""What surrounds a board on a page or desktop, and lattices that are no Minesweeper boards."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from training.draw.ink import (
    SYMBOL_FONTS,
    Bytes,
    Floats,
    Random,
    contrasting,
    emoji,
    hsv,
    lay_image,
    load_font,
    luma,
    pick_font,
    random_colour,
    surface,
)

_WORDS = tuple(
    str.split(
        "mines left time best new game reset help level easy expert custom score flags board "
        "settings about share play again smile file edit view options 0:12 010 999 40 16x16 30"
    )
)
_LETTERS = "ABCDEFGHIJKLMNOPRSTUVW"
_KEYS = "QWERTYUIOPASDFGHJKL1234567890+-=."
_CHESS = "♜♞♝♛♚♟"
_SQUARE_ASPECT = 1.34
"""Cells up to this much longer than wide make a lattice that detection should find."""
_FEWEST = 4
"""Columns and rows that a lattice needs to be one that detection should find."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """Where the cells of a lattice are, and what they show if it is a board."""

    x: NDArray[np.float64]
    """The middle of each column, in pixels of the picture (edges count from 0)."""
    y: NDArray[np.float64]
    labels: NDArray[np.int64] | None
    """Shape (rows, columns); None for a lattice that is no board."""


def ground(rng: Random, width: int, height: int, colour: Floats) -> Bytes:
    """An empty page: plain, with a gradient, cloudy or grained."""
    image = np.empty((height, width, 3), np.float32)
    image[:] = colour
    kind = rng.random()
    if kind < 0.2:
        other = surface(rng, dark=rng.random() < 0.4)
        image += np.linspace(0, 1, height, dtype=np.float32)[:, None, None] * (other - colour)
    elif kind < 0.28:
        image += clouds(rng, width, height, 40)
    elif kind < 0.32:
        image += rng.normal(0, 8, (height, width, 1)).astype(np.float32)
    return np.clip(image, 0, 255).astype(np.uint8)


def clouds(rng: Random, width: int, height: int, levels: float) -> Floats:
    """Smooth patches of colour, as a photograph out of focus has."""
    coarse = rng.normal(0, levels, (5, 7, 3)).astype(np.float32)
    return cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)


def furnish(rng: Random, image: Bytes, box: Box) -> Lattice | None:
    """Fill a part of a page with text or with something in rows and columns."""
    x0, y0, x1, y1 = box
    if x1 - x0 < 20 or y1 - y0 < 10:
        return None
    if rng.random() < 0.55:
        write(rng, image, box)
        return None
    return table(rng, image, box)


def write(rng: Random, image: Bytes, box: Box) -> None:
    """Lines of words."""
    x0, y0, x1, y1 = box
    size = int(rng.integers(8, 26))
    font = load_font(pick_font(rng), size)
    pil = Image.fromarray(image[y0:y1, x0:x1])
    draw = ImageDraw.Draw(pil)
    plain = (20, 20, 20) if luma(image[y0, x0]) > 128 else (230, 230, 230)
    ink = plain if rng.random() < 0.7 else _rgb(random_colour(rng))
    y = 0
    while y + size < y1 - y0:
        draw.text((0, y), " ".join(rng.choice(_WORDS, int(rng.integers(1, 12)))), ink, font)
        y += int(size * rng.uniform(1.2, 2))
        if rng.random() < 0.15:
            break
    image[y0:y1, x0:x1] = np.asarray(pil)


def table(rng: Random, image: Bytes, box: Box) -> Lattice | None:
    """Keys, calendars, tables, swatches, icons: rows and columns beside a board."""
    x0, y0, x1, y1 = box
    width, height = x1 - x0, y1 - y0
    if width < 40 or height < 30:
        return None
    high = int(rng.uniform(12, max(13, min(80, height / 3, width / 3))))
    wide = high if rng.random() < 0.5 else int(high * rng.uniform(1.3, 4))
    columns = int(rng.integers(1, max(1, width // wide) + 1))
    rows = int(rng.integers(1, max(1, height // high) + 1))
    kind = str(rng.choice(["boxes", "rounded", "swatches", "chequered", "lines", "discs", "text"]))
    gap = int(rng.integers(0, 6)) if kind != "chequered" else 0
    cells = _Cells(rng, kind, (wide, high), gap)
    cells.draw(image, (x0, y0), columns, rows)
    if kind == "text":
        return None
    return _lattice((x0, y0), (wide, high), columns, rows)


def decoy(rng: Random, image: Bytes) -> Lattice | None:
    """A lattice that is no board: chess, sudoku, calendar, keys, 2048, crossword, swatches ..."""
    height, width = image.shape[:2]
    kind = str(rng.choice(list(_DECOYS)))
    columns, rows = _DECOYS[kind]
    if columns == 0:
        columns, rows = int(rng.integers(4, 34)), int(rng.integers(4, 26))
    side = int(np.exp(rng.uniform(np.log(9), np.log(80))))
    side = max(8, min(side, (width - 20) // columns, (height - 20) // rows))
    if columns * side > width - 4 or rows * side > height - 4:
        return None
    x0 = int(rng.integers(0, width - columns * side))
    y0 = int(rng.integers(0, height - rows * side))
    gap = int(rng.integers(0, max(1, side // 6) + 1))
    cells = _Cells(rng, kind, (side, side), gap)
    cells.draw(image, (x0, y0), columns, rows)
    return _lattice((x0, y0), (side, side), columns, rows)


_DECOYS = {
    "chess": (8, 8),
    "sudoku": (9, 9),
    "swatches": (0, 0),
    "lines": (0, 0),
    "words": (0, 0),
    "crossword": (0, 0),
    "calendar": (7, 6),
    "keys": (10, 4),
    "2048": (4, 4),
    "reversi": (8, 8),
    "stones": (0, 0),
    "emoji": (0, 0),
    "pixels": (0, 0),
    "nonogram": (0, 0),
    "lamps": (0, 0),
    "mosaic": (0, 0),
    "blocks": (10, 20),
}
"""What each kind of lattice has of columns and rows; 0 where any number will do."""


def _lattice(
    at: tuple[int, int], pitch: tuple[int, int], columns: int, rows: int
) -> Lattice | None:
    wide, high = pitch
    aspect = max(wide, high) / min(wide, high)
    if aspect > _SQUARE_ASPECT or min(columns, rows) < _FEWEST:
        return None
    x = at[0] + wide * (np.arange(columns) + 0.5)
    y = at[1] + high * (np.arange(rows) + 0.5)
    return Lattice(x, y, None)


class _Cells:
    """Draws the cells of a lattice that is no board."""

    def __init__(self, rng: Random, kind: str, pitch: tuple[int, int], gap: int) -> None:
        self.rng, self.kind, self.gap = rng, kind, gap
        self.wide, self.high = pitch
        self.one, self.two = (_rgb(surface(rng, dark=rng.random() < 0.4)) for _ in range(2))
        self.line = _rgb(hsv(rng, (0, 100), (0, 256)))
        dark = luma(np.array(self.one)) > 120
        self.ink = ((20, 20, 20) if dark else (235, 235, 235)) if rng.random() < 0.8 else self.line
        self.font = load_font(pick_font(rng), max(6, int(self.high * rng.uniform(0.3, 0.75))))
        self.small_font = load_font(pick_font(rng), max(6, self.high // 3))
        self.filled = rng.uniform(0, 0.9)
        signs = "🍎🍊🍇🍒🍋💎⭐🌸🐶🐱🎲🔵🔴"
        self.signs = [emoji(sign) for sign in rng.permutation(list(signs))[:5]]
        self.palette = [_rgb(random_colour(rng)) for _ in range(int(rng.integers(2, 8)))]

    def draw(self, image: Bytes, at: tuple[int, int], columns: int, rows: int) -> None:
        """All cells, the first at this pixel."""
        x0, y0 = at
        part = image[y0 : y0 + rows * self.high + 1, x0 : x0 + columns * self.wide + 1]
        pil = Image.fromarray(part)
        draw = ImageDraw.Draw(pil)
        for row in range(rows):
            for column in range(columns):
                self._cell(draw, row, column, row * columns + column + 1)
        if self.kind == "sudoku":
            for k in range(0, 10, 3):
                along = k * self.high
                draw.line((0, along, 9 * self.wide, along), self.ink, 2)
                draw.line((along, 0, along, 9 * self.high), self.ink, 2)
        part[:] = np.asarray(pil)
        if self.kind == "emoji":
            self._emoji(part, columns, rows)

    def _cell(self, draw: ImageDraw.ImageDraw, row: int, column: int, number: int) -> None:
        x, y = column * self.wide, row * self.high
        whole = (x, y, x + self.wide, y + self.high)
        inner = (x, y, x + self.wide - 1 - self.gap, y + self.high - 1 - self.gap)
        if inner[2] <= inner[0] + 2 or inner[3] <= inner[1] + 2:
            return
        text, font = "", self.font
        is_filled = self.rng.random() < self.filled
        if self.kind in ("chess", "chequered"):
            draw.rectangle(whole, self.one if (row + column) % 2 == 0 else self.two)
            if self.kind == "chess" and row in (0, 1, 6, 7) and self.filled > 0.2 and SYMBOL_FONTS:
                text = str(self.rng.choice(list(_CHESS)))
                font = load_font(SYMBOL_FONTS[-1], max(6, int(self.high * 0.8)))
        elif self.kind in ("swatches", "pixels", "blocks"):
            self._block(draw, inner, is_filled=is_filled)
        elif self.kind in ("reversi", "stones", "discs"):
            draw.rectangle(whole, self.one, self.line)
            if is_filled:
                draw.ellipse(inner, self.palette[self.rng.integers(2)])
        elif self.kind == "2048":
            power = int(self.rng.integers(1, 12))
            colour = self.palette[power % len(self.palette)] if is_filled else self.two
            draw.rounded_rectangle(inner, max(1, self.high // 12), colour)
            text, font = str(2**power) if is_filled else "", self.small_font
        elif self.kind in ("crossword", "words", "lines", "sudoku", "nonogram"):
            text = self._lined(draw, whole, is_filled=is_filled)
        elif self.kind in ("lamps", "mosaic"):
            self._puzzle(draw, whole, is_filled=is_filled)
        elif self.kind != "emoji":
            text = self._boxed(draw, inner, number, is_filled=is_filled)
        if text:
            middle = (x + (self.wide - self.gap) / 2, y + (self.high - self.gap) / 2)
            draw.text(middle, text, self.ink, font, anchor="mm")

    def _block(self, draw: ImageDraw.ImageDraw, inner: Box, *, is_filled: bool) -> None:
        """A coloured square, as of a palette, a picture of pixels, or falling blocks."""
        colour = self.palette[self.rng.integers(len(self.palette))]
        if self.kind == "swatches" or is_filled:
            draw.rectangle(inner, colour, self.line if self.kind == "blocks" else None)
        elif self.kind == "blocks":
            draw.rectangle(inner, outline=self.line)

    def _lined(self, draw: ImageDraw.ImageDraw, whole: Box, *, is_filled: bool) -> str:
        """A cell between lines; returns what is written on it."""
        rng = self.rng
        if self.kind == "crossword":
            draw.rectangle(whole, self.ink if rng.random() < 0.25 else self.one, self.line)
            return str(rng.choice(list(_LETTERS))) if is_filled else ""
        if self.kind == "words":
            return str(rng.choice(list(_LETTERS)))
        if self.kind == "nonogram":
            draw.rectangle(whole, self.ink if is_filled else self.one, self.line)
            return ""
        draw.rectangle(whole, self.one if self.kind == "sudoku" else None, self.line)
        share = self.filled if self.kind == "sudoku" else 0.15 * self.filled
        return str(rng.integers(1, 10)) if rng.random() < share else ""

    def _puzzle(self, draw: ImageDraw.ImageDraw, whole: Box, *, is_filled: bool) -> None:
        """A cell of a puzzle with numbers on dark cells, or on cells of three shades."""
        rng = self.rng
        shades = [self.one, self.ink, self.two]
        if self.kind == "lamps":
            shade = int(rng.random() < 0.3)
            number = str(rng.integers(0, 5)) if shade and rng.random() < 0.6 else ""
        else:
            shade = int(rng.integers(3)) if is_filled else 0
            number = str(rng.integers(0, 10)) if rng.random() < 0.5 else ""
        draw.rectangle(whole, shades[shade], self.line)
        x0, y0, x1, y1 = whole
        inset = self.high // 5
        if self.kind == "lamps" and not shade and is_filled and rng.random() < 0.4:
            draw.ellipse((x0 + inset, y0 + inset, x1 - inset, y1 - inset), self.palette[0])
        if number:
            ink = _rgb(contrasting(np.array(shades[shade])))
            draw.text(((x0 + x1) / 2, (y0 + y1) / 2), number, ink, self.font, anchor="mm")

    def _boxed(self, draw: ImageDraw.ImageDraw, inner: Box, number: int, *, is_filled: bool) -> str:
        """A key, a day of a calendar, a box; returns what is written on it."""
        radius = min(5, self.high // 4) if self.kind in ("rounded", "keys") else 0
        if self.kind != "text":
            draw.rounded_rectangle(inner, radius, self.one, self.line if self.gap < 2 else None)
        if self.kind == "keys":
            return str(self.rng.choice(list(_KEYS)))
        return "" if self.kind == "boxes" and not is_filled else str(number)

    def _emoji(self, part: Bytes, columns: int, rows: int) -> None:
        for row in range(rows):
            for column in range(columns):
                sign = self.signs[self.rng.integers(len(self.signs))]
                y, x = row * self.high, column * self.wide
                tile = part[y : y + self.high, x : x + self.wide].astype(np.float32)
                if sign is not None and tile.size:
                    lay_image(tile, sign, 0.85)
                    part[y : y + self.high, x : x + self.wide] = tile.astype(np.uint8)


def _rgb(colour: NDArray[np.generic]) -> tuple[int, int, int]:
    """As Pillow takes colours; the order of channels does not matter for random ones."""
    first, second, third = (int(level) for level in colour)
    return first, second, third
