"""Finding tiles that stand apart."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bot.capture import Frame
from bot.errors import Clipped, GridNotFound
from bot.profile import load
from bot.recording import pictures
from bot.vision.locate import locate

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "gnome-mines"
LOOK = load("gnome-mines").grid
SOME = SHOTS / "default-16x16n40-w700x600-early.png"


@pytest.mark.parametrize("theme", ["default", "classic", "bgcolors"])
def test_a_paused_game_is_known_for_one(theme: str) -> None:
    with pytest.raises(GridNotFound, match="the game may be paused"):
        locate(pictures.load(SHOTS / f"paused-{theme}.png"), LOOK)


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


def _drawn(step: int, cut: int) -> Frame:
    """10x9 tiles with the step, on the right of the window the piece of a next tile if cut."""
    pixels = np.full((9 * step + 80, 10 * step + 80, 4), (244, 245, 246, 255), np.uint8)
    for top in range(40, 40 + 9 * step, step):
        for left in range(40, 40 + 10 * step, step):
            pixels[top : top + step - 4, left : left + step - 4, :3] = (182, 189, 186)
        if cut:
            right = 40 + 10 * step
            pixels[top : top + step - 4, right : right + cut, :3] = (182, 189, 186)
    return Frame(pixels)


def test_a_board_may_be_cut_off_between_two_tiles_where_they_stand_closest() -> None:
    assert locate(_drawn(21, 0), LOOK).width == 10
    with pytest.raises(Clipped):
        locate(_drawn(20, 0), LOOK)
    with pytest.raises(Clipped):
        locate(_drawn(30, 13), LOOK)


def test_an_icon_in_line_with_the_first_row_is_no_piece_of_a_tile() -> None:
    frame = _drawn(30, 0)
    pixels = frame.pixels.copy()
    pixels[40:55, 345:360, :3] = 60
    assert locate(Frame(pixels), LOOK).width == 10


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
