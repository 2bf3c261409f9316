"""Finding tiles that touch, in frames of several looks."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.board import Board
from bot.capture import Frame
from bot.errors import GridNotFound
from bot.layout import Layout
from bot.profile import TouchingLook
from bot.recording import pictures
from bot.vision.locate import locate

FIXTURES = Path(__file__).parents[2] / "fixtures"
LOOKS = {"kmines": TouchingLook(gap=0, smallest_tile=12), "xdemineur": TouchingLook(1, 12)}
INDEX = {
    path.with_name(f"{name}.png"): facts
    for game in LOOKS
    for path in FIXTURES.glob(f"*/{game}/index.json")
    for name, facts in json.loads(path.read_text()).items()
}
WHOLE = [path for path, facts in INDEX.items() if "grid" in facts]
THEMES = ("default-16x16", "classic-16x16", "green-16x16", "graveyard-mayhem-9x9", "plain-12x12")
SOME = [next(path for path in WHOLE if path.name.startswith(theme)) for theme in THEMES]
EACH = [*SOME[-2:], *(pytest.param(path, marks=pytest.mark.thorough) for path in SOME[:-2])]
"""A picture of each theme; `make test-fast` takes those with the smallest boards."""


def _look(path: Path) -> TouchingLook:
    return LOOKS[path.parent.name]


@pytest.mark.parametrize("path", EACH, ids=lambda path: path.stem)
@pytest.mark.parametrize(("left", "top"), [(0, 1), (131, 57)])
def test_it_is_found_wherever_the_window_is(path: Path, left: int, top: int) -> None:
    frame = pictures.load(path)
    pixels = np.full((frame.height + 200, frame.width + 200, 4), 40, np.uint8)
    pixels[top : top + frame.height, left : left + frame.width] = frame.pixels
    there, here = locate(Frame(pixels), _look(path)), locate(frame, _look(path))
    assert (there.left, there.top) == (here.left + left, here.top + top)
    assert (there.tile, there.width, there.height) == (here.tile, here.width, here.height)


@pytest.mark.parametrize("name", ["12x12n20-w300x400", "16x16n40-w400x480"])
def test_a_board_is_found_whatever_of_it_is_open(name: str) -> None:
    """Xdemineur opens some cells by itself before the first click."""
    path = FIXTURES / f"screenshots/xdemineur/plain-{name}-middle-1.png"
    frame, known = pictures.load(path), Board.parse(path.with_suffix(".txt").read_text())
    grid, random = locate(frame, _look(path)), Random(1)
    step, looks = grid.columns[1] - grid.left, dict[int, NDArray[np.uint8]]()
    corners = [(left, top) for top in grid.rows for left in grid.columns]
    for (left, top), cell in zip(corners, known.cells, strict=True):
        looks[cell] = frame.pixels[top : top + step - 1, left : left + step - 1]
    found = 0
    while found < 60:
        layout = Layout.scattered(grid.width, grid.height, len(corners) // 7, random)
        largest = max(layout.openings, key=len, default=frozenset[int]())
        cells = layout.seen(largest).cells
        if any(cell not in looks for cell in cells):
            continue
        pixels = frame.pixels.copy()
        for (left, top), cell in zip(corners, cells, strict=True):
            pixels[top : top + step - 1, left : left + step - 1] = looks[cell]
        assert locate(Frame(pixels), _look(path)) == grid
        found += 1


@pytest.mark.parametrize("path", EACH, ids=lambda path: path.stem)
@pytest.mark.parametrize("side", ["left", "top", "right", "bottom"])
@pytest.mark.parametrize("beyond", [0, 0.1, 1, 2.5, 4])
def test_a_board_cut_off_is_refused(path: Path, side: str, beyond: float) -> None:
    frame = pictures.load(path)
    grid = locate(frame, _look(path))
    bounds, cut = grid.bounds, round(beyond * grid.tile)
    kept = {
        "left": frame.pixels[:, bounds.left + cut :],
        "top": frame.pixels[bounds.top + cut :],
        "right": frame.pixels[:, : bounds.right - cut],
        "bottom": frame.pixels[: bounds.bottom - cut],
    }[side]
    with pytest.raises(GridNotFound):
        locate(Frame(np.ascontiguousarray(kept)), _look(path))


@pytest.mark.parametrize("path", EACH, ids=lambda path: path.stem)
@pytest.mark.parametrize("level", [90, 240, 255])  # 240 is like the line of a white fence
@pytest.mark.parametrize("side", ["left", "top", "right", "bottom"])
@pytest.mark.parametrize("shown", [4, 5, 5.5])
def test_a_board_behind_another_window_is_refused(
    path: Path, level: int, side: str, shown: float
) -> None:
    frame = pictures.load(path)
    grid = locate(frame, _look(path))
    bounds, reach = grid.bounds, round(shown * grid.tile)
    pixels = frame.pixels.copy()
    covered = {
        "left": pixels[:, : bounds.right - reach],
        "top": pixels[: bounds.bottom - reach],
        "right": pixels[:, bounds.left + reach :],
        "bottom": pixels[bounds.top + reach :],
    }[side]
    covered[...] = level
    with pytest.raises(GridNotFound):
        locate(Frame(pixels), _look(path))


def test_a_board_that_the_end_of_the_picture_cuts_off_is_refused() -> None:
    """Torn, with the window's lower edge between two rows, and cut off just below another."""
    frame = pictures.load(FIXTURES / "screenshots/xdemineur/plain-30x16n99-w640x480-lost.png")
    torn = frame.pixels.copy()
    torn[248:] = np.roll(torn[248:], 35, axis=0)
    with pytest.raises(GridNotFound):
        locate(Frame(torn), LOOKS["xdemineur"])


def _finds_no_smaller(pixels: NDArray[np.uint8], path: Path) -> bool:
    """Whether no board is found, or the whole one."""
    whole = locate(pictures.load(path), _look(path))
    try:
        grid = locate(Frame(np.ascontiguousarray(pixels)), _look(path))
    except GridNotFound:
        return True
    return (grid.width, grid.height) == (whole.width, whole.height)


@pytest.mark.parametrize("path", EACH, ids=lambda path: path.stem)
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("off", [-2, 0, 2])
def test_a_board_torn_beside_a_line_of_tiles_is_no_smaller_board(
    path: Path, axis: int, off: int
) -> None:
    frame = pictures.load(path)
    whole = locate(frame, _look(path))
    torn = frame.pixels.swapaxes(0, axis).copy()
    at = (whole.columns if axis else whole.rows)[5] + off
    torn[at:] = np.roll(torn[at:], 3, 1)
    assert _finds_no_smaller(torn.swapaxes(0, axis), path)


@pytest.mark.parametrize("by", [1, 4, 9, 20])
@pytest.mark.parametrize("row", [1, 2, 10, 11])
def test_a_board_whose_first_or_last_rows_a_tear_moved_away_is_no_smaller_board(
    row: int, by: int
) -> None:
    """The window's lower edge lies in between, which looks like the frame of a board."""
    path = FIXTURES / "screenshots/xdemineur/plain-12x12n60-w300x420-middle-2.png"
    frame = pictures.load(path)
    torn = frame.pixels.copy()
    at = locate(frame, _look(path)).rows[row] - 1
    torn[at:] = np.roll(torn[at:], by, 0)
    assert _finds_no_smaller(torn, path)


@pytest.mark.parametrize(
    "path", [path for path in INDEX if path.stem.startswith("paused")], ids=lambda path: path.stem
)
def test_a_paused_game_shows_no_board(path: Path) -> None:
    with pytest.raises(GridNotFound):
        locate(pictures.load(path), _look(path))


@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_plain_picture_has_no_board(level: int) -> None:
    with pytest.raises(GridNotFound):
        locate(Frame(np.full((300, 400, 4), level, np.uint8)), LOOKS["kmines"])


def test_a_board_of_plain_tiles_is_looked_at_without_an_end() -> None:
    pixels = np.full((400, 400, 4), 183, np.uint8)
    pixels[57:341, 57:341] = 51
    pixels[60:338, 60:338] = 191
    for top in range(60, 338, 31):
        for left in range(60, 338, 31):
            pixels[top : top + 30, left : left + 30] = 204
    grid = locate(Frame(pixels), TouchingLook(1, 12))
    assert (grid.width, grid.height, grid.left, grid.top, grid.tile) == (9, 9, 60, 60, 30)
