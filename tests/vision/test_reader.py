"""Reading boards from pictures of the real game."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from minebot.board import Board, Cell
from minebot.capture import Frame
from minebot.errors import UnreadableTile, Unsettled
from minebot.profile import load
from minebot.recording import pictures
from minebot.vision.pressed import settled
from minebot.vision.reader import Reader

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots"
PROFILE = load("sgt-mines")
MIDDLE = SHOTS / "sgt-mines" / "30x16n99-t20-middle-flags.png"


def _board(path: Path) -> Board:
    return Board.parse(path.with_suffix(".txt").read_text())


@pytest.mark.parametrize("level", [0, 60, 120, 218, 230, 255])
def test_a_tile_that_matches_nothing_is_named(level: int) -> None:
    frame, reader = pictures.load(MIDDLE), Reader(PROFILE)
    grid = reader.read(frame).grid
    pixels = frame.pixels.copy()
    rect = grid.rect(12, 5)
    pixels[rect.top : rect.bottom, rect.left : rect.right] = level
    with pytest.raises(UnreadableTile) as caught:
        reader.read(Frame(pixels))
    assert caught.value.square == (12, 5)


@pytest.mark.thorough
def test_every_part_of_every_tile_matters() -> None:
    """Whatever hides a quarter of a tile, the tile is not read."""
    frame, truth = pictures.load(MIDDLE), _board(MIDDLE)
    reader = Reader(PROFILE)
    grid = reader.read(frame).grid
    chance = random.Random(9)
    half = grid.tile // 2
    for _ in range(200):
        square = chance.randrange(len(truth.cells))
        rect = grid.rect(*truth.xy(square))
        left = rect.left + chance.choice((0, half))
        top = rect.top + chance.choice((0, half))
        pixels = frame.pixels.copy()
        colour = [chance.randrange(256) for _ in range(3)]
        pixels[top : top + half, left : left + half, :3] = colour
        with pytest.raises((UnreadableTile, Unsettled)):
            Reader(PROFILE).read(Frame(pixels))


def test_the_fourth_byte_of_a_pixel_means_nothing() -> None:
    frame, reader = pictures.load(MIDDLE), Reader(PROFILE)
    pixels = frame.pixels.copy()
    pixels[..., 3] = np.random.default_rng(1).integers(0, 256, pixels.shape[:2])
    readings = [reader.read(frame), reader.read(Frame(pixels))]
    assert [reading.board for reading in readings] == [_board(MIDDLE)] * 2


def test_an_empty_cell_beside_a_number_that_lacks_a_mine_is_a_pressed_one() -> None:
    frame, truth = pictures.load(MIDDLE), _board(MIDDLE)
    reader = Reader(PROFILE)
    grid = reader.read(frame).grid
    inner = next(
        square
        for square in truth.squares(Cell.EMPTY)
        if any(truth.cells[other] == Cell.EMPTY for other in truth.neighbours(square))
    )
    one = next(iter(truth.squares(Cell.ONE)))
    pixels = frame.pixels.copy()
    there, look = grid.rect(*truth.xy(inner)), grid.rect(*truth.xy(one))
    pixels[there.top : there.bottom, there.left : there.right] = frame.pixels[
        look.top : look.bottom, look.left : look.right
    ]
    board = Reader(PROFILE).read(Frame(pixels)).board
    with pytest.raises(Unsettled, match="being pressed"):
        settled(board)
