"""Finding tiles that stand apart."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bot import pictures
from bot.errors import Clipped, GridNotFound
from bot.frame import Frame
from bot.profile import load
from bot.vision.locate import locate

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "gnome-mines"
INDEX = json.loads((SHOTS / "index.json").read_text())
LOOK = load("gnome-mines").grid
STEADY = sorted(name for name, facts in INDEX.items() if facts["expect"] == "read")
SOME = SHOTS / "default-16x16n40-w700x600-early.png"


@pytest.mark.parametrize("name", STEADY)
def test_the_grid_is_where_the_game_draws_it(name: str) -> None:
    grid = locate(pictures.load(SHOTS / f"{name}.png"), LOOK)
    assert list(grid.columns) == INDEX[name]["grid"]["columns"]
    assert list(grid.rows) == INDEX[name]["grid"]["rows"]


@pytest.mark.parametrize("cut", ["columns", "rows"])
@pytest.mark.parametrize("shown", [10, 15, 20])
def test_a_board_cut_off_within_a_tile_is_refused(cut: str, shown: int) -> None:
    frame = pictures.load(SOME)
    grid = locate(frame, LOOK)
    pixels = frame.pixels.copy()
    if cut == "columns":
        pixels[grid.top :, grid.columns[9] + shown :, :3] = (244, 245, 246)
    else:
        pixels[grid.rows[9] + shown :, :, :3] = (244, 245, 246)
    with pytest.raises(GridNotFound):
        locate(Frame(pixels), LOOK)


def test_a_board_with_a_hole_is_refused() -> None:
    frame = pictures.load(SOME)
    grid = locate(frame, LOOK)
    pixels = frame.pixels.copy()
    left, top, side, _ = grid.rect(5, 5)
    pixels[top - 2 : top + side + 2, left - 2 : left + side + 2, :3] = (244, 245, 246)
    with pytest.raises(GridNotFound, match="a tile is missing"):
        locate(Frame(pixels), LOOK)


@pytest.mark.parametrize("shown", [1, 3])
def test_a_board_cut_off_within_a_gap_is_refused(shown: int) -> None:
    frame = pictures.load(SOME)
    grid = locate(frame, LOOK)
    end = grid.columns[9] + grid.tile + shown
    with pytest.raises(Clipped):
        locate(Frame(np.ascontiguousarray(frame.pixels[:, :end])), LOOK)


@pytest.mark.parametrize("axis", [0, 1])
def test_a_board_torn_between_two_rows_is_refused(axis: int) -> None:
    frame = pictures.load(SOME)
    below = locate(frame, LOOK).rows[9] - 2
    pixels = frame.pixels.copy()
    pixels[below:] = np.roll(pixels[below:], 40, axis)
    with pytest.raises(GridNotFound):
        locate(Frame(pixels), LOOK)


def test_a_few_squares_are_no_board() -> None:
    pixels = np.full((300, 400, 4), (244, 245, 246, 255), np.uint8)
    for top in (100, 130, 160):
        for left in (100, 130, 160):
            pixels[top : top + 26, left : left + 26, :3] = 150
    with pytest.raises(GridNotFound):
        locate(Frame(pixels), LOOK)


def test_a_plain_picture_has_no_board() -> None:
    with pytest.raises(GridNotFound):
        locate(Frame(np.full((300, 400, 4), 245, np.uint8)), LOOK)
