"""The look of the nineties without its colours: shapes alone tell the numbers apart."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np
import pytest

from bot.board import Board, Cell
from bot.capture import Frame, Window
from bot.errors import UnreadableTile, VisionError
from bot.play.identify import fitting
from bot.profile import load
from bot.vision.framed import trace
from bot.vision.reader import Reader
from bot.vision.segments import read_counter
from fixtures.classic_look import (
    HANDS,
    LEFT,
    REC709,
    SIDE,
    TOP,
    draw,
    in_greys,
    possible_board,
    random_board,
)

PROFILE = load("classic")
NAMELESS = Window("1", "")
"""Of a program that does not say what it is called."""
LOST = "0012345678?F*!"
TONES = ("greys", "black")


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("scale", [1, 2, 3, 4])
@pytest.mark.parametrize("tone", TONES)
def test_boards_are_read(hand: str, scale: int, tone: str) -> None:
    random = Random(scale)
    for cells in ("0012345678?F", LOST):
        board = random_board(random.randint(9, 30), random.randint(9, 16), random, cells)
        assert Reader(PROFILE).read(draw(board, hand, scale, tone)) == board


@pytest.mark.parametrize("scale", [1, 2, 3])
@pytest.mark.parametrize("hand", HANDS)
def test_the_other_way_to_make_greys_is_read_too(hand: str, scale: int) -> None:
    board = random_board(16, 16, Random(scale), LOST)
    assert Reader(PROFILE).read(in_greys(draw(board, hand, scale), REC709)) == board


@pytest.mark.parametrize("scale", [1, 2, 3])
@pytest.mark.parametrize("tone", ["colour", *TONES])
def test_the_mine_total_is_read(scale: int, tone: str) -> None:
    assert PROFILE.counter is not None
    for seed, mines in enumerate((10, 40, 99, 234, 667, 185)):
        board = random_board(30, 16, Random(seed), "0123456?????????F")
        frame = draw(board, "blocks", scale, tone, mines=mines + board.count(Cell.FLAG))
        grid = trace(frame, PROFILE.grid)
        assert read_counter(frame, grid, PROFILE.counter) == mines


def test_one_game_is_read_from_its_fresh_board_to_its_end() -> None:
    reader = Reader(PROFILE)
    fresh = Board.parse("\n".join(["?" * 16] * 16))
    assert reader.read(draw(fresh, "blocks", 2, "black")) == fresh
    for lost in (False, True):
        board = possible_board(16, 16, 40, Random(5), lost=lost)
        assert reader.read(draw(board, "blocks", 2, "black")) == board
    coloured = possible_board(16, 16, 40, Random(6), lost=False)
    assert reader.read(draw(coloured, "blocks", 2)) == coloured


@pytest.mark.parametrize("tone", TONES)
def test_what_fits_its_window_is_the_classic_look_alone(tone: str) -> None:
    board = possible_board(16, 16, 40, Random(5), lost=False)
    assert [one.name for one in fitting(draw(board, "plain", 2, tone), NAMELESS)] == ["classic"]


@pytest.mark.parametrize("scale", [1, 2, 3])
@pytest.mark.parametrize("tone", TONES)
def test_a_flag_that_was_wrong_is_no_mine(scale: int, tone: str) -> None:
    board = Board.parse("\n".join(["?111F111?"] * 9))
    wrong = {square for square, cell in enumerate(board.cells) if cell == Cell.FLAG}
    with pytest.raises(UnreadableTile):
        Reader(PROFILE).read(draw(board, "blocks", scale, tone, crossed=wrong))


@pytest.mark.parametrize("tone", TONES)
def test_a_drawing_in_some_other_colour_is_nothing_known(tone: str) -> None:
    board = Board.parse("\n".join(["?1112111?"] * 9))
    frame = draw(board, "blocks", 2, tone)
    reader = Reader(PROFILE)
    assert reader.read(frame) == board
    pixels = frame.pixels.copy()
    left, side = (LEFT + 4 * SIDE) * 2, SIDE * 2
    tile = pixels[TOP * 2 : TOP * 2 + side, left : left + side]
    tile[(tile[..., 0] < 100)] = (160, 0, 160, 255)
    with pytest.raises(VisionError):
        Reader(PROFILE).read(Frame(pixels))


FONTS = [getattr(cv2, name) for name in sorted(dir(cv2)) if name.startswith("FONT_HERSHEY")]


@pytest.mark.parametrize("font", FONTS)
def test_in_a_hand_that_it_never_met_no_number_is_taken_for_another(font: int) -> None:
    for thick in (1, 2, 3):
        for side in (16, 32, 48):
            frame, board = _written(font, thick, side)
            for reading, cell in zip(
                Reader(PROFILE).readings(frame, trace(frame, PROFILE.grid)),
                board.cells,
                strict=True,
            ):
                assert reading.cell in (None, cell)


def _written(font: int, thick: int, side: int) -> tuple[Frame, Board]:
    """A board with all numbers, upright and slanting, in a font; its tiles have so many pixels."""
    board = Board.parse("?12345678?\n?12345678?\n??????????")
    scale = side // SIDE
    frame = draw(board, "blocks", scale, "black")
    pixels = frame.pixels.copy()
    for row, slant in enumerate((0, 16)):
        for number in range(1, 9):
            large = np.zeros((128, 128), np.uint8)
            (width, height), _ = cv2.getTextSize(str(number), font | slant, 2.2, 8 * thick)
            at = (64 - width // 2, 64 + height // 2)
            cv2.putText(large, str(number), at, font | slant, 2.2, 255, 8 * thick, cv2.LINE_AA)
            ink = cv2.resize(large, (side, side), interpolation=cv2.INTER_AREA)[..., None]
            left, top = (LEFT + number * SIDE) * scale, (TOP + row * SIDE) * scale
            tile = pixels[top : top + side, left : left + side, :3]
            inside = np.rint(192 * (1 - ink / 255))
            tile[scale:, scale:] = inside[scale:, scale:]
    return Frame(pixels), board
