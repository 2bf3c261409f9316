"""A board as a page for a browser, and its risks as a picture."""

from __future__ import annotations

from collections.abc import Sequence, Set
from html import escape

import cv2
import numpy as np
from numpy.typing import NDArray

from minebot.board import Board, Cell
from minebot.capture import Frame, Rect
from minebot.puzzle.texts import percent
from minebot.recording.overlay import Colour, risk_colour

_STYLE = """\
body { font: 16px sans-serif; margin: 2em; background: #fff; color: #000 }
table { border-collapse: collapse }
td { width: 1.8em; height: 1.8em; border: 1px solid #888; text-align: center; padding: 0 }
.mine { background: #d22 }
.empty { background: #3a3 }
.unknown { background: #ccc }
.either { outline: 3px dashed #000; outline-offset: -4px }"""

_CELL = 44
"""Pixels a cell is wide; less where a board would become wider than `_WIDEST`."""
_WIDEST = 8000
"""Pixels that a picture is wide or high at most. Specified: viewers show that."""
_LEGIBLE = 30
"""The smallest cell, in pixels, into which a number is written."""
_OPENED: Colour = (235, 235, 235)
"""The ground of opened cells."""
_LINE: Colour = (150, 150, 150)
"""Between the cells."""
_INK: Colour = (0, 0, 0)
"""What is written."""
_ADVISED: Colour = (200, 60, 0)
"""The frame around the cell to open next."""
_FONT = cv2.FONT_HERSHEY_SIMPLEX


def page(
    board: Board,
    *,
    mines: Set[int],
    empty: Set[int],
    either: Set[int] = frozenset(),
    name: str = "",
) -> str:
    """The page: `mines` are red, `empty` squares green, covered ones that are neither grey.

    `either` are those of them that another layout could change: they get a dashed frame.
    """
    title = escape(name or "Minesweeper")
    rows = [
        "<tr>"
        + "".join(
            _cell(board.cells[square], square in mines, square in empty, square in either)
            for square in range(start, start + board.width)
        )
        + "</tr>"
        for start in range(0, len(board.cells), board.width)
    ]
    return "\n".join(
        (
            "<!DOCTYPE html>",
            f'<html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
            f"<style>\n{_STYLE}\n</style></head>",
            "<body>",
            f"<h1>{title}</h1>",
            "<table>",
            *rows,
            "</table>",
            *(["<p>A dashed frame: another answer differs here.</p>"] if either else []),
            "</body></html>",
            "",
        )
    )


def _cell(cell: int, mine: bool, empty: bool, either: bool) -> str:
    if cell <= Cell.EIGHT:
        return f"<td>{cell}</td>"
    kind = "mine" if mine else "empty" if empty else "unknown"
    also = " either" if either else ""
    return f'<td class="{kind}{also}" title="{kind}"></td>'


def chart(board: Board, risk: Sequence[float | None], advised: int | None = None) -> Frame:
    """Draw every covered square's `risk`, and a frame around the square to open next.

    Green is safe, red is a mine, the number is in per cent.
    """
    side = max(8, min(_CELL, _WIDEST // max(board.width, board.height)))
    pixels = np.full((board.height * side + 1, board.width * side + 1, 4), 255, np.uint8)
    for square, cell in enumerate(board.cells):
        chance = risk[square]
        tile = _tile(board, square, side)
        _draw(pixels, tile, _OPENED if chance is None else risk_colour(chance), cv2.FILLED)
        _draw(pixels, tile, _LINE, 1)
        if side >= _LEGIBLE:
            _write(pixels, tile, _label(cell, chance))
    if advised is not None:
        left, top, width, height = _tile(board, advised, side)
        inside = Rect(left + 3, top + 3, width - 6, height - 6)
        _draw(pixels, inside, _ADVISED, max(1, side // 12))
    return Frame(pixels)


def _tile(board: Board, square: int, side: int) -> Rect:
    x, y = board.xy(square)
    return Rect(x * side, y * side, side, side)


def _label(cell: int, chance: float | None) -> str:
    if chance is not None:
        return percent(chance)
    if cell > Cell.EIGHT:
        return "*"
    return str(cell) if cell else ""


def _draw(pixels: NDArray[np.uint8], tile: Rect, colour: Colour, thickness: int) -> None:
    corner = (tile.right, tile.bottom)
    cv2.rectangle(pixels, (tile.left, tile.top), corner, (*colour, 255), thickness)


def _write(pixels: NDArray[np.uint8], tile: Rect, text: str) -> None:
    scale = tile.width / (88 if len(text) > 2 else 60)
    (width, height), _ = cv2.getTextSize(text, _FONT, scale, 1)
    corner = (tile.left + (tile.width - width) // 2, tile.top + (tile.height + height) // 2)
    cv2.putText(pixels, text, corner, _FONT, scale, (*_INK, 255), 1, cv2.LINE_AA)
