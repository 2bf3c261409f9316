"""A game is read frame after frame; what has not changed is not read again."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from minebot.board import Board, Cell
from minebot.capture import Frame
from minebot.errors import GridNotFound, UnreadableTile
from minebot.profile import load
from minebot.recording import pictures
from minebot.vision.known_game import KnownGameReader

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots"
PROFILE = load("sgt-mines")
MIDDLE = SHOTS / "sgt-mines" / "30x16n99-t20-middle-flags.png"


def _board(path: Path) -> Board:
    return Board.parse(path.with_suffix(".txt").read_text())


def test_only_what_changed_is_read_again_and_read_right() -> None:
    frame, truth = pictures.load(MIDDLE), _board(MIDDLE)
    reader = KnownGameReader(PROFILE)
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
    frame, reader = pictures.load(MIDDLE), KnownGameReader(PROFILE)
    assert reader.read(Frame(frame.pixels.copy())) is reader.read(frame)


def test_tentative_tiles_tell_a_board_apart_from_what_covers_a_part_of_it() -> None:
    frame, truth, reader = pictures.load(MIDDLE), _board(MIDDLE), KnownGameReader(PROFILE)
    pixels, grid = frame.pixels.copy(), reader.read(frame).grid
    rect, square = grid.rect(12, 5), truth.square(12, 5)
    pixels[rect.top : rect.bottom, rect.left : rect.right] = 120
    cells = [tile.cell for tile in reader.tentative_tiles(Frame(pixels))]
    assert cells == [*truth.cells[:square], None, *truth.cells[square + 1 :]]
    assert not reader.tentative_tiles(Frame(np.full_like(pixels, 90)))


def test_a_reading_in_part_says_what_is_in_doubt_and_why() -> None:
    frame, truth, reader = pictures.load(MIDDLE), _board(MIDDLE), KnownGameReader(PROFILE)
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
    frame, reader = pictures.load(MIDDLE), KnownGameReader(PROFILE)
    pixels, grid = frame.pixels.copy(), KnownGameReader(PROFILE).read(frame).grid
    for square in range(480):
        rect = grid.rect(*_board(MIDDLE).xy(square))
        pixels[rect.top + 5 : rect.bottom - 5, rect.left + 5 : rect.right - 5] = (10, 200, 90, 0)
    assert not reader.read(Frame(pixels), partly=True).is_board
    assert reader.last_grid(frame) is None
    reader.read(frame)
    assert reader.last_grid(frame) == grid


def test_a_frame_of_another_size_is_located_anew() -> None:
    reader = KnownGameReader(PROFILE)
    assert reader.read(pictures.load(MIDDLE)).board == _board(MIDDLE)
    other = SHOTS / "sgt-mines" / "9x9n10-t20-middle-flags.png"
    assert reader.read(pictures.load(other)).board == _board(other)


def test_a_grid_that_is_not_found_again_is_not_taken_to_be_where_it_was() -> None:
    frame = pictures.load(MIDDLE)
    reader = KnownGameReader(PROFILE)
    grid = reader.read(frame).grid
    # The tiles are as they were, and the frame around them is painted over.
    pixels = np.full_like(frame.pixels, frame.pixels[0, 0])
    tiles = grid.bounds.area
    pixels[tiles] = frame.pixels[tiles]
    reader.forget()
    with pytest.raises(GridNotFound):
        reader.read(Frame(pixels))
