"""The game IDs of Simon Tatham's Mines that fix a layout, such as `4x3:0,2,u803`.

Width and height; the square, if any, that is open at the start; and the mines as a
bitmap: row by row, four squares a hexadecimal digit, the first square the highest
bit, zero bits at the end. The program writes `m` and a masked bitmap where it hides
the mines from whoever reads the ID; that form is not read here.
"""

from __future__ import annotations

import re

from bot.errors import UsageError
from bot.field import Layout

__all__ = ["decode", "encode"]

_ID = re.compile(r"(\d+)x(\d+)(?:n(\d+))?:(?:(\d+),(\d+),)?(u|m)([0-9a-fA-F]+)")
_DIGIT = 4
"""Squares that one hexadecimal digit holds."""


def encode(layout: Layout, first: tuple[int, int] | None = None) -> str:
    """The game ID of `layout`; the game opens `first`, (x, y) from 0, at the start."""
    squares = layout.width * layout.height
    digits = -(-squares // _DIGIT)
    bitmap = sum(1 << (digits * _DIGIT - 1 - mine) for mine in layout.mines)
    if first is not None and layout.square(*first) in layout.mines:
        raise UsageError(f"the game cannot start with the mine at {first}")
    start = "" if first is None else "{},{},".format(*first)
    return f"{layout.width}x{layout.height}:{start}u{bitmap:0{digits}x}"


def decode(game_id: str) -> tuple[Layout, tuple[int, int] | None]:
    """The layout of a game ID and the square that it opens; raises UsageError."""
    match = _ID.fullmatch(game_id)
    if match is None:
        raise UsageError(f"not the ID of a known board: {game_id!r} (expected '9x9:4,4,u...')")
    if match[6] == "m":
        raise UsageError(f"the mines of {game_id!r} are masked")
    width, height = int(match[1]), int(match[2])
    squares = width * height
    padding = -squares % _DIGIT
    bitmap = int(match[7], 16)
    if len(match[7]) * _DIGIT != squares + padding or bitmap & ((1 << padding) - 1):
        raise UsageError(f"the bitmap of {game_id!r} does not fit {width}x{height} squares")
    bits = f"{bitmap >> padding:0{squares}b}"
    mines = frozenset(square for square, bit in enumerate(bits) if bit == "1")
    if match[3] is not None and int(match[3]) != len(mines):
        raise UsageError(f"{game_id!r} speaks of {match[3]} mines and holds {len(mines)}")
    if match[4] is None:
        return Layout(width, height, mines), None
    first = int(match[4]), int(match[5])
    if not (first[0] < width and first[1] < height):
        raise UsageError(f"{game_id!r} starts at {first}, beside the board")
    return Layout(width, height, mines), first
