"""Finding a grid of which nothing was said."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.calibrate.grid import discover, fitting, found_elsewhere
from bot.capture import Frame
from bot.errors import Clipped, GridNotFound
from bot.profile import ApartLook, FramedLook, TouchingLook
from bot.recording import pictures
from bot.vision.lattice import find
from fixtures.drawn_pages import negative

FOLDER = Path(__file__).parents[2] / "fixtures" / "screenshots" / "gnome-mines"
INDEX = json.loads((FOLDER / "index.json").read_text())
CUT = sorted((FOLDER.parent / "negative").glob("cut-*.png"))
FRESH = "bgcolors-8x8n10-w560x430-fresh"
BIG = "default-30x16n99-w1000x560-early"


@pytest.mark.parametrize("name", [FRESH, BIG])
def test_tiles_that_stand_apart_are_found_without_knowing_their_ground(name: str) -> None:
    look, grid = discover(pictures.load(FOLDER / f"{name}.png"))
    assert isinstance(look, ApartLook)
    assert list(grid.columns) == INDEX[name]["grid"]["columns"]
    assert list(grid.rows) == INDEX[name]["grid"]["rows"]


@pytest.mark.parametrize(
    ("name", "size", "tile"),
    [
        ("16x16n70-t11-middle-digits", (16, 16), 11),
        ("10x24n45-t22-late-digits-wrong", (10, 24), 22),
    ],
)
def test_raised_tiles_are_found_in_a_frame_of_unknown_colours(
    name: str, size: tuple[int, int], tile: int
) -> None:
    look, grid = discover(pictures.load(FOLDER.parent / "sgt-mines" / f"{name}.png"))
    assert isinstance(look, FramedLook)
    assert (look.dark, look.light) == ((153, 153, 153), (255, 255, 255))
    assert (grid.width, grid.height, grid.tile) == (*size, tile)


def test_one_look_is_found_for_pictures_of_several_boards() -> None:
    shown = [(FRESH, (8, 8)), (BIG, (30, 16))]
    look = fitting([(pictures.load(FOLDER / f"{name}.png"), size) for name, size in shown])
    assert isinstance(look, ApartLook)
    assert look.grounds == ((246, 245, 244),)


def test_a_board_that_lies_a_pixel_beside_is_still_there() -> None:
    frame = pictures.load(FOLDER / f"{FRESH}.png")
    _, grid = discover(frame)
    assert found_elsewhere(frame, grid.moved(0, -30)) == grid
    assert found_elsewhere(frame, grid.moved(1, -1)) is None
    assert found_elsewhere(frame, grid) is None


@pytest.mark.parametrize(("step", "count"), [(19.5, 9), (30.9, 16)])
def test_steps_of_parts_of_pixels_are_not_taken_for_whole_ones(step: float, count: int) -> None:
    lines = [40 + int(step * line) for line in range(count + 1)]
    pixels = np.full((lines[-1] + 40, lines[-1] + 40, 4), 255, np.uint8)
    pixels[lines[0] - 6 : lines[-1] + 6, lines[0] - 6 : lines[-1] + 6] = 220
    for top, bottom in pairwise(lines):
        for left, right in pairwise(lines):
            tile = pixels[top:bottom, left:right]
            tile[:], tile[-2:], tile[:, -2:] = 250, 120, 120
            tile[2:-2, 2:-2] = 220
    _, grid = discover(Frame(pixels))
    assert (grid.width, grid.height) == (count, count)
    begins = lines[:-1]
    for found in (grid.columns, grid.rows):
        assert max(abs(one - two) for one, two in zip(found, begins, strict=True)) <= 1


def test_a_text_of_another_size_fits_no_look() -> None:
    with pytest.raises(GridNotFound, match="no grid of 9x8 tiles"):
        fitting([(pictures.load(FOLDER / f"{FRESH}.png"), (9, 8))])


def test_where_there_is_no_board_none_is_found() -> None:
    with pytest.raises(GridNotFound):
        discover(Frame(np.full((200, 300, 4), 200, np.uint8)))


@pytest.mark.parametrize("seed", [9100004, 9100016, 9100022, 9100066, 9300027])
def test_calendars_and_chess_boards_are_no_boards(seed: int) -> None:
    pixels = cv2.cvtColor(negative(seed)[0], cv2.COLOR_BGR2BGRA)
    with pytest.raises(GridNotFound):
        discover(Frame(np.ascontiguousarray(pixels)))


def test_a_board_that_its_own_finder_alone_sees_is_found() -> None:
    picture = FOLDER.parent / "kmines" / "green-9x9n10-w420x340-fresh.png"
    with pytest.raises(GridNotFound):
        find(pictures.load(picture))
    look, grid = discover(pictures.load(picture))
    assert isinstance(look, TouchingLook)
    assert (grid.width, grid.height) == (9, 9)


@pytest.mark.parametrize("picture", CUT, ids=lambda path: path.stem)
def test_what_is_seen_of_a_board_that_is_cut_off_is_not_taken_for_the_whole(picture: Path) -> None:
    with pytest.raises(Clipped, match="the board is cut off"):
        discover(pictures.load(picture))


def test_the_grain_of_dithered_tiles_is_not_taken_for_the_board() -> None:
    pixels = np.full((474, 475, 4), 255, np.uint8)
    across, down = np.meshgrid(np.arange(400), np.arange(400))
    pixels[37:437, 5:405, :3] = np.where((across + down) % 2, 255, 127)[..., None]
    for line in range(0, 401, 50):
        pixels[37 + line - 1 : 37 + line + 1, 4:406, :3] = 0
        pixels[36:438, 5 + line - 1 : 5 + line + 1, :3] = 0
    _, grid = discover(Frame(pixels))
    assert (grid.width, grid.height) == (8, 8)


@pytest.mark.parametrize(("tile", "header"), [(16, 32), (24, 45), (30, 60)])
def test_a_plain_header_is_no_row_of_the_board(tile: int, header: int) -> None:
    pixels = np.full((header + 9 * tile + 80, 9 * tile + 40, 4), 255, np.uint8)
    pixels[40 : 40 + header, 20:-20, :3] = 192
    covered = np.full((tile, tile, 4), 192, np.uint8)
    covered[-2:, :, :3] = covered[:, -2:, :3] = 128
    covered[:2, :-2, :3] = covered[:-2, :2, :3] = 255
    pixels[40 + header : -40, 20:-20] = np.tile(covered, (9, 9, 1))
    _, grid = discover(Frame(pixels))
    assert (grid.width, grid.height) == (9, 9)
    assert (grid.columns[0], grid.rows[0]) == (20, 40 + header)
