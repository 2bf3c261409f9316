"""Telling drawings by their shape."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from minebot.board import SYMBOLS, Board, Cell
from minebot.profile import DigitColourStyle, FramedStyle, load
from minebot.recording import pictures
from minebot.vision.digit_colours import TileColours
from minebot.vision.framed import trace
from minebot.vision.glyphs import LIKE, SURE, Glyphs

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "sgt-mines"
PROFILE = load("sgt-mines")
NAMES = {Cell.MINE: "mine", Cell.EXPLODED: "mine"}


def _drawings() -> Iterator[tuple[str, TileColours]]:
    """The name of each opened tile's drawing in the pictures, all sizes, and its parts."""
    assert isinstance(PROFILE.grid, FramedStyle)
    for path in sorted(SHOTS.glob("*-digits*.png")):
        if "flash" in path.stem or path.stem.endswith(("repainted", "swapped")):
            continue
        frame, board = pictures.load(path), Board.parse(path.with_suffix(".txt").read_text())
        grid = trace(frame, PROFILE.grid)
        for square, cell in enumerate(board.cells):
            if cell not in (Cell.HIDDEN, Cell.EMPTY, Cell.FLAG):
                left, top, side, _ = grid.rect(*board.xy(square))
                tile = frame.pixels[top : top + side, left : left + side]
                yield NAMES.get(Cell(cell), SYMBOLS[cell]), TileColours(tile[None], PROFILE.grid)


@pytest.mark.thorough
def test_every_drawing_is_like_its_own_kind_and_unlike_all_others() -> None:
    assert isinstance(PROFILE.colours, DigitColourStyle)
    glyphs = Glyphs(PROFILE.colours.glyphs)
    met = set()
    for name, seen in _drawings():
        like = glyphs.likeness(seen.amounts / seen.peak, seen.side)[0]
        own = glyphs.names.index(name)
        assert like[own] >= LIKE, (name, seen.side)
        assert like[own] - np.delete(like, own).max() >= SURE, (name, seen.side)
        met.add((name, seen.side))
    assert {name for name, _ in met} == {*"12345678", "mine"}
    assert len({side for _, side in met}) > 20


@pytest.mark.parametrize("side", [8, 20])
def test_what_has_no_shape_is_like_nothing(side: int) -> None:
    assert isinstance(PROFILE.colours, DigitColourStyle)
    glyphs = Glyphs(PROFILE.colours.glyphs)
    bar = np.zeros((1, side, side), np.float32)
    bar[0, 2:-2, 3:6] = 1
    assert glyphs.likeness(bar, side).max() < LIKE
