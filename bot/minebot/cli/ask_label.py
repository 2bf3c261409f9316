"""Asks the user what an unknown tile shows: one key, and play goes on."""

from __future__ import annotations

import sys
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from minebot.board import SYMBOLS, Cell, cell_name
from minebot.capture import Frame
from minebot.cli.console import console, say
from minebot.errors import UnreadableTile
from minebot.recording.palette import hexadecimal
from minebot.vision.grid import Grid

_WIDEST = 24
"""Columns of the terminal that a tile is drawn with. Specified: two tiles fit into 80 columns."""
_KEYS = {SYMBOLS[cell]: cell for cell in Cell} | {"f": Cell.FLAG, " ": Cell.EMPTY}


def can_ask() -> bool:
    """Whether there is somebody to ask."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def named(frame: Frame, grid: Grid, error: UnreadableTile) -> Cell | None:
    """The cell that the user says a tile shows; None for no answer."""
    x, y = error.square
    left, top, side, _ = grid.rect(x, y)
    console().print(picture(frame.pixels[top : top + side, left : left + side]))
    say(
        f"unknown tile at {cell_name(x, y)}. Which cell is it? "
        "0 to 8, ? hidden, f flag, * mine, ! the mine that was hit; any other key: stop"
    )
    return _KEYS.get(_key())


def picture(tile: NDArray[np.uint8]) -> object:
    """A tile, shape (rows, columns, 4), as half blocks of text, two pixels to a letter."""
    from rich.text import Text  # noqa: PLC0415  # loads long, and few looks are asked for

    step = -(-tile.shape[1] // _WIDEST)
    small = tile[::step, ::step]
    text = Text()
    for upper, lower in zip(small[::2], small[1::2], strict=False):  # without an odd last row
        for above, below in zip(upper, lower, strict=True):
            text.append("▀", style=f"{hexadecimal(above)} on {hexadecimal(below)}")
        text.append("\n")
    return text


def _key() -> str:
    """One key of the terminal's, or a line's first where it gives no single ones."""
    try:
        import termios  # noqa: PLC0415  # not on every system
        import tty  # noqa: PLC0415
    except ImportError:
        return sys.stdin.readline()[:1]
    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    try:
        tty.setcbreak(number)
        return sys.stdin.read(1)
    finally:
        with suppress(termios.error):
            termios.tcsetattr(number, termios.TCSADRAIN, before)
