"""A game of known colours is read by its profile, and at first sight once it looks otherwise."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from minebot.board import Board, Cell
from minebot.capture import Frame
from minebot.errors import GridNotFound, UnreadableTile, Unsettled
from minebot.profile import load
from minebot.recording import pictures
from minebot.vision.known_game import MAX_FAILURES, KnownGameReader
from minebot.vision.pressed import settled
from tests.support.fake_sight import asleep

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots"
KNOWN = SHOTS / "sgt-mines" / "9x9n10-t20-middle-flags.png"
OTHERWISE = SHOTS / "xdemineur" / "plain-12x12n20-w300x400-middle-1.png"
"""As if the next version of the game looked like another one."""


PROFILE = load("sgt-mines")
MIDDLE = SHOTS / "sgt-mines" / "30x16n99-t20-middle-flags.png"


def _truth(path: Path) -> Board:
    return Board.parse(path.with_suffix(".txt").read_text())


def test_what_the_profile_reads_needs_no_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    asleep.install(monkeypatch)
    reader = KnownGameReader(load("sgt-mines"))
    frame = pictures.load(KNOWN)
    reading = reader.read(frame)
    assert reading.board == _truth(KNOWN)
    assert reading.grid == reader.last_grid(frame)


@pytest.mark.trained
def test_what_the_profile_does_not_read_is_read_at_first_sight_after_a_few_frames() -> None:
    reader, frame = KnownGameReader(load("sgt-mines")), pictures.load(OTHERWISE)
    for _ in range(MAX_FAILURES - 1):
        with pytest.raises((GridNotFound, UnreadableTile)):
            reader.read(frame)
    reading = reader.read(frame)
    assert reading.board == _truth(OTHERWISE)
    assert len(reading.tiles) == 144
    assert reader.read(frame).board == _truth(OTHERWISE)


def test_a_board_of_another_game_is_not_taken_for_the_next_moment_of_this_one() -> None:
    reader, frame = KnownGameReader(load("sgt-mines")), pictures.load(OTHERWISE)
    assert reader.read(pictures.load(KNOWN)).board == _truth(KNOWN)
    for _ in range(MAX_FAILURES + 2):
        with pytest.raises((GridNotFound, UnreadableTile)):
            reader.read(frame)


def test_what_lies_over_a_game_whose_colours_are_known_is_not_looked_at_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asleep.install(monkeypatch)
    reader, frame = KnownGameReader(load("sgt-mines")), pictures.load(KNOWN)
    pixels, rect = frame.pixels.copy(), reader.read(frame).grid.rect(4, 4)
    pixels[rect.top : rect.bottom, rect.left : rect.right] = (10, 200, 90, 0)
    for _ in range(MAX_FAILURES + 2):
        with pytest.raises(UnreadableTile):
            reader.read(Frame(pixels.copy()))
    assert reader.read(Frame(pixels), partly=True).unread == (40,)


@pytest.mark.trained
def test_a_game_that_looks_as_its_profile_says_again_is_read_by_it_again() -> None:
    reader, other = KnownGameReader(load("sgt-mines")), pictures.load(OTHERWISE)
    for _ in range(MAX_FAILURES - 1):
        with pytest.raises((GridNotFound, UnreadableTile)):
            reader.read(other)
    reader.read(other)
    assert reader.read(pictures.load(KNOWN)).board == _truth(KNOWN)


@pytest.mark.parametrize("level", [0, 60, 120, 218, 230, 255])
def test_a_tile_that_matches_nothing_is_named(level: int) -> None:
    frame, reader = pictures.load(MIDDLE), KnownGameReader(PROFILE)
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
    frame, truth = pictures.load(MIDDLE), _truth(MIDDLE)
    reader = KnownGameReader(PROFILE)
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
            KnownGameReader(PROFILE).read(Frame(pixels))


def test_the_fourth_byte_of_a_pixel_means_nothing() -> None:
    frame, reader = pictures.load(MIDDLE), KnownGameReader(PROFILE)
    pixels = frame.pixels.copy()
    pixels[..., 3] = np.random.default_rng(1).integers(0, 256, pixels.shape[:2])
    readings = [reader.read(frame), reader.read(Frame(pixels))]
    assert [reading.board for reading in readings] == [_truth(MIDDLE)] * 2


def test_an_empty_cell_beside_a_number_that_lacks_a_mine_is_a_pressed_one() -> None:
    frame, truth = pictures.load(MIDDLE), _truth(MIDDLE)
    reader = KnownGameReader(PROFILE)
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
    board = KnownGameReader(PROFILE).read(Frame(pixels)).board
    with pytest.raises(Unsettled, match="being pressed"):
        settled(board)
