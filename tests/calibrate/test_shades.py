"""Looks of games whose tiles have two shades by turns."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np
import pytest

from bot.board import Cell
from bot.calibrate.samples import Labelled, learn
from bot.capture import Frame, Rect
from bot.profile import LatticeLook
from bot.profile.values import Thumbnail
from bot.vision.grid import Grid
from bot.vision.thumbnails import Thumbnails
from fixtures.drawn_tiles import TileStyle, chequered

_SIDE = 32
_KNOWN = (Cell.HIDDEN, Cell.EMPTY)


def _tile(look: TileStyle, cell: Cell, other: bool) -> np.ndarray:
    drawn = np.asarray(look.cell(int(cell), _SIDE, _SIDE, other))
    return cv2.cvtColor(drawn, cv2.COLOR_RGB2BGRA)


def _learnt(look: TileStyle, tiles: list[tuple[Cell, bool]]) -> list[Thumbnail]:
    pixels = np.concatenate([_tile(look, *tile) for tile in tiles], axis=1)
    whole = Rect(0, 0, pixels.shape[1], _SIDE)
    grid = Grid.regular(whole, _SIDE, _SIDE, whole)
    shown = Labelled(lambda: Frame(pixels), grid, [cell for cell, _ in tiles], "playing", 0)
    return [sample for sample in learn([shown], LatticeLook()) if isinstance(sample, Thumbnail)]


@pytest.mark.parametrize("seed", range(8))
def test_a_number_met_on_one_shade_is_read_on_the_other(seed: int) -> None:
    look = chequered(Random(seed), _SIDE)
    plain = [(cell, other) for cell in _KNOWN for other in (False, True)]
    met = [(Cell(number), number % 2 == 0) for number in range(1, 6)]
    samples = _learnt(look, [*plain, *met, (Cell.FLAG, True)])
    reader = Thumbnails(samples)
    unmet = [(cell, not other) for cell, other in [*met, (Cell.FLAG, True)]]
    readings = reader.classify(np.stack([_tile(look, *tile) for tile in unmet]))
    assert [reading[0].cell for reading in readings] == [cell for cell, _ in unmet]


def test_what_was_met_on_one_shade_alone_is_not_made_up_where_there_is_one() -> None:
    look = chequered(Random(1), _SIDE)
    tiles = [(Cell.HIDDEN, False), (Cell.EMPTY, False), (Cell.ONE, False)]
    assert len(_learnt(look, tiles)) == len(tiles)
