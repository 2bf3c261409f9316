"""A board and its risks as a picture."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from minebot.board import Board, Cell
from minebot.capture import Frame, Rect
from minebot.puzzle.texts import percent
from minebot.recording.palette import Colour, average_risk, colours, risk_colour

_CELL = 44
"""Width of a cell in pixels, less if the board would become wider than `_WIDEST`. Specified."""
_WIDEST = 8000
"""Pixels that a picture is wide or high at most. Specified: viewers show that."""
_LEGIBLE = 30
"""Smallest cell, in pixels, that a number is written into. Specified."""
_FONT = cv2.FONT_HERSHEY_SIMPLEX


def chart(board: Board, risk: Sequence[float | None], advised: int | None = None) -> Frame:
    """Draw every covered square's `risk`, and fill the square to open next.

    The colours are those of the study's page, the number is in per cent. A covered square without
    a risk is one that was not read.
    """
    side = max(8, min(_CELL, _WIDEST // max(board.width, board.height)))
    named = colours()
    shape = (board.height * side + 1, board.width * side + 1, 4)
    pixels = np.full(shape, (*named["line"], 255), np.uint8)
    average = average_risk([chance for chance in risk if chance is not None])
    for square, (cell, chance) in enumerate(zip(board.cells, risk, strict=True)):
        x, y = board.xy(square)
        tile = Rect(x * side, y * side, side, side)
        ground, ink = named["open"], named["risk-ink"]
        if square == advised:
            ground, ink = named["best"], named["best-ink"]
        elif chance is not None:
            ground = risk_colour(chance, average)
            ink = named[{0.0: "safe-ink", 1.0: "mine-ink"}.get(chance, "risk-ink")]
        elif cell == Cell.HIDDEN:
            ground, ink = named["unsure"], named["unsure-ink"]
        pixels[tile.top + 1 : tile.bottom, tile.left + 1 : tile.right, :3] = ground
        if side >= _LEGIBLE:
            _write(pixels, tile, _label(cell, chance), ink)
    return Frame(pixels)


def _label(cell: int, chance: float | None) -> str:
    if chance is not None:
        return percent(chance)
    if cell > Cell.EIGHT:
        return "?" if cell == Cell.HIDDEN else "*"
    return str(cell) if cell else ""


def _write(pixels: NDArray[np.uint8], tile: Rect, text: str, ink: Colour) -> None:
    scale = tile.width / (88 if len(text) > 2 else 60)
    (width, height), _ = cv2.getTextSize(text, _FONT, scale, 1)
    corner = (tile.left + (tile.width - width) // 2, tile.top + (tile.height + height) // 2)
    cv2.putText(pixels, text, corner, _FONT, scale, (*ink, 255), 1, cv2.LINE_AA)
