"""The look of the nineties, in any hand and at any whole scale."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from bot.board import Board, Cell
from bot.capture import Frame
from bot.errors import VisionError
from bot.profile import load
from bot.vision.reader import Reader
from fixtures.classic_look import HANDS, LEFT, SIDE, TOP, draw, random_board

PROFILE = load("classic")
LOST = "0012345678?F*!"


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("scale", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", [11, 12])
def test_boards_in_colour_are_read(hand: str, scale: int, seed: int) -> None:
    random = Random(seed)
    for cells in ("0012345678?F", LOST):
        board = random_board(random.randint(9, 30), random.randint(9, 16), random, cells)
        assert Reader(PROFILE).read(draw(board, hand, scale)) == board


def test_a_black_drawing_that_is_no_seven_is_none() -> None:
    board = Board.parse("\n".join(["?7111111?"] * 9))
    frame = draw(board, "blocks", 2)
    pixels = frame.pixels.copy()
    top, left, side = TOP * 2, (LEFT + SIDE) * 2, SIDE * 2
    tile = pixels[top : top + side, left : left + side]
    tile[8:26, 8:26, :3] = 192
    y, x = np.ogrid[:side, :side]
    tile[(abs(y - 17) + abs(x - 17)) < 8] = (0, 0, 0, 255)
    with pytest.raises(VisionError, match="cannot read"):
        Reader(PROFILE).read(Frame(pixels))
    assert Reader(PROFILE).read(frame).cells[1] == Cell.SEVEN
