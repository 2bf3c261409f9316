"""Finding the grid by its edges."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from minebot.capture import Frame
from minebot.errors import GridNotFound
from minebot.profile import load
from minebot.recording import pictures
from minebot.vision.framed import trace
from minebot.vision.grid import Grid

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "sgt-mines"
PROFILE = load("sgt-mines")
LOOK = PROFILE.grid


def _frame() -> Frame:
    return pictures.load(SHOTS / "30x16n99-t20-early.png")


@pytest.mark.parametrize(("left", "top"), [(0, 0), (1, 0), (0, 1), (213, 97)])
def test_it_is_found_wherever_the_window_is_in_the_picture(left: int, top: int) -> None:
    frame = _frame()
    pixels = np.full((frame.height + 300, frame.width + 300, 4), 40, np.uint8)
    pixels[top : top + frame.height, left : left + frame.width] = frame.pixels
    there, here = trace(Frame(pixels), LOOK), trace(frame, LOOK)
    assert there == here.moved(left, top)


@pytest.mark.parametrize("side", ["left", "top", "right", "bottom"])
@pytest.mark.parametrize("beyond", [0, 1, 7, 40])
def test_a_board_cut_off_is_refused(side: str, beyond: int) -> None:
    frame = _frame()
    box = trace(frame, LOOK).frame
    inner = 3
    cuts = {
        "left": frame.pixels[:, box.left + inner + beyond :],
        "top": frame.pixels[box.top + inner + beyond :],
        "right": frame.pixels[:, : box.right - inner - beyond],
        "bottom": frame.pixels[: box.bottom - inner - beyond],
    }
    with pytest.raises(GridNotFound):
        trace(Frame(np.ascontiguousarray(cuts[side])), LOOK)


@pytest.mark.parametrize("level", [0, 153, 230, 255])
def test_a_plain_picture_has_no_board(level: int) -> None:
    with pytest.raises(GridNotFound):
        trace(Frame(np.full((300, 400, 4), level, np.uint8)), LOOK)


def test_one_pixel_is_no_board() -> None:
    with pytest.raises(GridNotFound):
        trace(Frame(np.zeros((1, 1, 4), np.uint8)), LOOK)


def test_the_centre_of_a_tile_lies_in_its_rectangle() -> None:
    grid = trace(_frame(), LOOK)
    for x, y in [(0, 0), (29, 15), (13, 7)]:
        assert grid.rect(x, y).holds(grid.centre(x, y))


@pytest.mark.parametrize(("x", "y"), [(-1, 0), (0, -1), (30, 0), (0, 16)])
def test_no_point_is_given_outside_the_grid(x: int, y: int) -> None:
    grid: Grid = trace(_frame(), LOOK)
    with pytest.raises(IndexError):
        grid.centre(x, y)
