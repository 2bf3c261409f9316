"""Reading boards from pictures of the real game."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from minebot.board import Board, Cell
from minebot.capture import Frame
from minebot.errors import GridNotFound, UnreadableTile, Unsettled
from minebot.profile import load
from minebot.recording import pictures
from minebot.vision.pressed import settled
from minebot.vision.reader import Reader

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots"
PROFILE = load("sgt-mines")
MIDDLE = SHOTS / "sgt-mines" / "30x16n99-t20-middle-flags.png"


def _board(path: Path) -> Board:
    return Board.parse(path.with_suffix(".txt").read_text())


def test_only_what_changed_is_read_again_and_read_right() -> None:
    frame, truth = pictures.load(MIDDLE), _board(MIDDLE)
    reader = Reader(PROFILE)
    reading = reader.read(frame)
    assert reading.board == truth
    grid = reading.grid
    chance = random.Random(5)
    tiles = {cell: [s for s, c in enumerate(truth.cells) if c == cell] for cell in set(truth.cells)}
    for _ in range(50):
        pixels, cells = frame.pixels.copy(), bytearray(truth.cells)
        for square in chance.sample(range(len(cells)), chance.randint(1, 30)):
            new = chance.choice([cell for cell in tiles if cell != Cell.EMPTY])
            source = grid.rect(*truth.xy(chance.choice(tiles[new])))
            target = grid.rect(*truth.xy(square))
            pixels[target.top : target.bottom, target.left : target.right] = frame.pixels[
                source.top : source.bottom, source.left : source.right
            ]
            cells[square] = new
        assert reader.read(Frame(pixels)).board.cells == bytes(cells)


def test_a_board_that_has_not_changed_gives_the_same_reading() -> None:
    frame, reader = pictures.load(MIDDLE), Reader(PROFILE)
    assert reader.read(Frame(frame.pixels.copy())) is reader.read(frame)


def test_a_reading_in_part_says_what_is_in_doubt_and_why() -> None:
    frame, truth, reader = pictures.load(MIDDLE), _board(MIDDLE), Reader(PROFILE)
    pixels, grid = frame.pixels.copy(), reader.read(frame).grid
    rect, square = grid.rect(12, 5), truth.square(12, 5)
    pixels[rect.top : rect.bottom, rect.left : rect.right] = 120
    reading = reader.read(Frame(pixels), partly=True)
    assert isinstance(reading.problem, UnreadableTile)
    assert (reading.unread, reading.grid) == ((square,), grid)
    cells = bytearray(truth.cells)
    cells[square] = Cell.HIDDEN
    assert reading.board.cells == bytes(cells)
    reader.overlook({square})
    assert reader.read(Frame(pixels)) == replace(reading, problem=None)


def test_a_grid_whose_tiles_are_mostly_in_doubt_is_not_where_a_board_was_read() -> None:
    frame, reader = pictures.load(MIDDLE), Reader(PROFILE)
    pixels, grid = frame.pixels.copy(), Reader(PROFILE).read(frame).grid
    for square in range(480):
        rect = grid.rect(*_board(MIDDLE).xy(square))
        pixels[rect.top + 5 : rect.bottom - 5, rect.left + 5 : rect.right - 5] = (10, 200, 90, 0)
    assert not reader.read(Frame(pixels), partly=True).is_board
    assert reader.last_grid(frame) is None
    reader.read(frame)
    assert reader.last_grid(frame) == grid


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


def test_a_frame_of_another_size_is_located_anew() -> None:
    reader = Reader(PROFILE)
    assert reader.read(pictures.load(MIDDLE)).board == _board(MIDDLE)
    other = SHOTS / "sgt-mines" / "9x9n10-t20-middle-flags.png"
    assert reader.read(pictures.load(other)).board == _board(other)


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


def test_a_grid_that_is_not_found_again_is_not_taken_to_be_where_it_was() -> None:
    frame = pictures.load(MIDDLE)
    reader = Reader(PROFILE)
    grid = reader.read(frame).grid
    # The tiles are as they were, and the frame around them is painted over.
    pixels = np.full_like(frame.pixels, frame.pixels[0, 0])
    tiles = grid.bounds.area
    pixels[tiles] = frame.pixels[tiles]
    reader.forget()
    with pytest.raises(GridNotFound):
        reader.read(Frame(pixels))
