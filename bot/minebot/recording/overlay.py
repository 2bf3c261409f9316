"""What the bot sees, drawn over what it saw: the grid, each cell as read, how sure, what follows.

Each tile has the cell as it was read in its top left corner, and below it the margin
by which that beat the next best, in per cent. Covered tiles are tinted by their mine
risk, in the colours of the study. What cannot be read has a thick frame.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from minebot.board import SYMBOLS
from minebot.capture import Frame, Rect
from minebot.recording.palette import average_risk, risk_colour
from minebot.vision.grid import Grid
from minebot.vision.tiles import TileReading

_LEGIBLE = 44
"""Width of a tile to write into, in pixels; smaller pictures are enlarged. Specified."""
_WIDEST = 12000
"""Pixels that an enlarged picture is wide or high at most. Specified: viewers show that."""
_LINE = (200, 0, 200)
"""Colour of the grid (blue, green, red). Specified: no game has it."""
_UNREADABLE = (0, 0, 255)
"""Colour of the frame around a cell that cannot be read (blue, green, red). Specified."""
_INK = (90, 0, 90)
"""Colour of text (blue, green, red). Specified."""
_TINT = 0.5
"""Opacity of a risk's colour over a tile. Specified: the tile can still be read."""
_FONT = cv2.FONT_HERSHEY_SIMPLEX


def overlay(
    frame: Frame, grid: Grid, looks: Sequence[TileReading], risk: Sequence[float | None] | None
) -> Frame:
    """Draw over the frame what was read, and the mine risk of each square where known.

    `looks` and `risk` are row-major over the grid; `risk` is None if nothing can be
    said because a tile could not be read.
    """
    longest = max(frame.width, frame.height)
    zoom = max(1, min(-(-_LEGIBLE // grid.tile), _WIDEST // longest))
    pixels = np.repeat(np.repeat(frame.pixels, zoom, axis=0), zoom, axis=1)
    average = average_risk([chance for chance in risk or () if chance is not None])
    for square, look in enumerate(looks):
        y, x = divmod(square, grid.width)
        tile = Rect(*(zoom * length for length in grid.rect(x, y)))
        chance = None if risk is None else risk[square]
        if chance is not None:
            part = pixels[tile.area][..., :3]
            colour = np.array(risk_colour(chance, average))
            part[:] = (part * (1 - _TINT) + colour * _TINT).astype(np.uint8)
            _write(pixels, tile, f"{100 * chance:.0f}%", from_top=0.95)
        line, thickness = (_UNREADABLE, 3) if look.cell is None else (_LINE, 1)
        cv2.rectangle(pixels, tile, (*line, 255), thickness)
        _write(pixels, tile, "" if look.cell is None else SYMBOLS[look.cell], from_top=0.3)
        best, following, *_ = (*(score for _, score in look.scores), 0.0, 0.0)
        _write(pixels, tile, f"{100 * (best - following):.0f}", from_top=0.6)
    return Frame(pixels)


def _write(pixels: NDArray[np.uint8], tile: Rect, text: str, *, from_top: float) -> None:
    place = (tile.left + 3, tile.top + round(from_top * tile.height) - 2)
    scale = tile.height / 120
    cv2.putText(pixels, text, place, _FONT, scale, (*_INK, 255), 1, cv2.LINE_AA)
