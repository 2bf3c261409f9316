"""The look of the nineties, in any hand and at any whole scale."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from fixtures.classic_look import HANDS, LEFT, SIDE, TONES, TOP, draw, random_board
from minebot.board import Board, Cell
from minebot.capture import Frame
from minebot.errors import VisionError
from minebot.profile import load
from minebot.profile.schema import FramedStyle
from minebot.vision.counter import read_counter
from minebot.vision.framed import trace
from minebot.vision.known_game import KnownGameReader

PROFILE = load("classic")
LOST = "0012345678?F*!"


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("scale", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", [11, 12])
def test_boards_in_colour_are_read(hand: str, scale: int, seed: int) -> None:
    random = Random(seed)
    for cells in ("0012345678?F", LOST):
        board = random_board(random.randint(9, 30), random.randint(9, 16), random, cells)
        assert KnownGameReader(PROFILE).read(draw(board, hand, scale)).board == board


@pytest.mark.parametrize("scale", [1, 2, 3])
@pytest.mark.parametrize("tone", TONES)
def test_the_mine_total_is_read(scale: int, tone: str) -> None:
    assert PROFILE.counter is not None
    assert isinstance(PROFILE.grid, FramedStyle)
    for seed, mines in enumerate((10, 40, 99, 234, 667, 185)):
        board = random_board(30, 16, Random(seed), "0123456?????????F")
        frame = draw(board, "blocks", scale, tone, mines=mines + board.count(Cell.FLAG))
        grid = trace(frame, PROFILE.grid)
        assert read_counter(frame, grid, PROFILE.counter) == mines


@pytest.mark.parametrize("is_bar", [True, False])
def test_a_black_stroke_that_is_no_seven_is_none(is_bar: bool) -> None:
    board = Board.parse("\n".join(["?7111111?"] * 9))
    frame = draw(board, "blocks", 2)
    pixels = frame.pixels.copy()
    top, left, side = TOP * 2, (LEFT + SIDE) * 2, SIDE * 2
    tile = pixels[top : top + side, left : left + side]
    tile[8:26, 8:26, :3] = 192
    y, x = np.ogrid[:side, :side]
    stroke = abs(y - 17) < 2 if is_bar else abs(y - x) < 2
    tile[stroke & (abs(x - 17) < 8)] = (0, 0, 0, 255)
    with pytest.raises(VisionError, match="cannot read"):
        KnownGameReader(PROFILE).read(Frame(pixels))
    assert KnownGameReader(PROFILE).read(frame).board.cells[1] == Cell.SEVEN
