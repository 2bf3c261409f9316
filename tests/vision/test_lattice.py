"""The finder for boards of which nothing is known."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.capture import Frame
from bot.errors import Clipped, GridNotFound
from bot.profile import LatticeLook
from bot.recording import pictures
from bot.vision.lattice import find
from bot.vision.locate import locate
from fixtures.drawn_boards import DrawnBoard, drawn
from fixtures.drawn_pages import negative

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots"
WITHIN = 1.01
"""Pixels by which a tile's middle may be off."""


def _frame(pixels: np.ndarray) -> Frame:
    return Frame(np.ascontiguousarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2BGRA)))


def _check(board: DrawnBoard) -> None:
    cells = find(_frame(board.pixels)).cells
    assert (cells.x.size, cells.y.size) == (board.x.size, board.y.size)
    assert np.abs(cells.x - board.x).max() <= WITHIN
    assert np.abs(cells.y - board.y).max() <= WITHIN


@pytest.mark.parametrize("seed", [0, 2, 4, 6, 10, 12, 14, 18, 20, 22, 30, 34, 36, 50])
def test_a_fresh_board_is_found_to_the_pixel(seed: int) -> None:
    board = drawn(seed)
    assert board.fresh, board.what
    _check(board)


@pytest.mark.parametrize("seed", [1, 5, 7, 9, 13, 15, 17, 19, 21, 23, 25, 27])
def test_a_running_board_is_found_to_the_pixel(seed: int) -> None:
    board = drawn(seed)
    assert not board.fresh, board.what
    _check(board)


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(1500123, id="fractional steps"),
        pytest.param(1500398, id="an outline and a gap between tiles of 8 pixels"),
        pytest.param(1500215, id="no lines between opened cells, beyond the picture's middle"),
        pytest.param(1500273, id="an opened last column"),
        pytest.param(1500545, id="rounded tiles told by their faces"),
        pytest.param(1600184, id="a text beside large tiles"),
        pytest.param(2001794, id="heights and widths that change by turns"),
        pytest.param(1760981, id="an opened first column without lines"),
        pytest.param(
            1770474, id="bevels of another width by turns, seen sharp where it is told blurred"
        ),
        pytest.param(3001209, id="an opened last column beside numbers"),
        pytest.param(2000971, id="opened columns beside covered ones"),
        pytest.param(2000813, id="a row of plain ground beside tiles on it"),
        pytest.param(6001039, id="opened cells beside a padding as wide as one"),
        pytest.param(6000573, id="opened cells with faint lines beside a padding"),
        pytest.param(6100075, id="opened cells of the page's colour, lines between them"),
        pytest.param(6100593, id="buttons below that look like opened cells"),
        pytest.param(6100028, id="a window that ends as near on three sides"),
        pytest.param(8000631, id="tiles with a grain, each by itself between opened ones"),
        pytest.param(8001897, id="dark tiles with a grain, thin lines between them"),
        pytest.param(6100567, id="a last column like the ground beside it, but for its lines"),
        pytest.param(10001033, id="bevels darker than the face on all sides"),
        pytest.param(10000063, id="few covered tiles next to each other"),
        pytest.param(10001639, id="tiles of 31 and 32 pixels with bevels of another width"),
        pytest.param(10001504, id="tiles of 19 and 20 pixels, a line drawn on some alone"),
        pytest.param(8500635, id="tiles of a grain that were placed by it"),
        pytest.param(10001941, id="covered tiles far apart, no lines between opened ones"),
        pytest.param(12000403, id="rows of shaded tiles whose step is not well known"),
        pytest.param(12500247, id="an empty last column beside numbers with shadows"),
        pytest.param(11000158, id="a table below with the board's step"),
        pytest.param(11001342, id="buttons below that end where tiles do"),
        pytest.param(11001436, id="a keypad below with the board's step"),
        pytest.param(13000825, id="a table on the right, half of whose cells have numbers"),
        pytest.param(13001177, id="tiles of 9.9 pixels with a grain, more of them seen later"),
        pytest.param(14000365, id="tiles of 9 pixels with a grain, placed by few of them"),
        pytest.param(14000736, id="a palette with the board's step on its rows"),
        pytest.param(14000741, id="a first row half of which is not known"),
        pytest.param(14001633, id="a border along the row above"),
        pytest.param(18000001, id="a calendar below with the board's step"),
        pytest.param(18001669, id="a row of numbers below, another size seen as surely"),
        pytest.param(21000925, id="a plain row beyond a line as between others"),
        pytest.param(15001174, id="a row that is seen otherwise than those above and below"),
    ],
)
def test_boards_that_once_were_refused_or_taken_for_others_are_found(seed: int) -> None:
    _check(drawn(seed))


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(1790048, id="a page that has nearly the tiles' colour"),
        pytest.param(4000569, id="two parts of which the step of one is not well known"),
        pytest.param(6000883, id="opened rows without lines beyond covered ones"),
        pytest.param(6000048, id="two tiles of a grain as one"),
        pytest.param(6100289, id="a first column that is opened and has no lines"),
        pytest.param(2000661, id="covered tiles of 7 pixels wider than opened ones"),
        pytest.param(6400173, id="four rows of nine, the tiles of 7 pixels"),
        pytest.param(6400345, id="outlines of a pixel around 7"),
        pytest.param(8003309, id="a palette beside the board, on its rows"),
        pytest.param(8004697, id="a frame as far around the board as its tiles are wide"),
        pytest.param(8005187, id="a column of numbers beside a gap's last pixel"),
        pytest.param(6500037, id="numbers at the sides of cells that are none"),
        pytest.param(10002191, id="the ground around outlined tiles, as wide as one"),
        pytest.param(15000731, id="plain cells within one tile"),
        pytest.param(17000095, id="numbers as tiles"),
        pytest.param(18001663, id="the ground around rounded tiles"),
        pytest.param(18001931, id="numbers as large as tiles of 8 pixels"),
        pytest.param(21000171, id="an opened last row, blurred lines between some"),
    ],
)
def test_no_other_board_is_seen_where_one_is_hard_to_tell(seed: int) -> None:
    _check_if_found(drawn(seed))


def test_no_padding_between_a_chequered_board_and_a_palette_is_seen_as_a_column() -> None:
    _check_if_found(drawn(11000231, in_turns=True))


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(13000249, id="a padding with the colour of one shade"),
        pytest.param(13000347, id="no tiles of four tiles each"),
        pytest.param(11000117, id="half of the row below has the colour of the page"),
        pytest.param(15000131, id="a column of numbers on cells that were not seen elsewhere"),
    ],
)
def test_a_chequered_board_ends_where_it_does(seed: int) -> None:
    _check(drawn(seed, in_turns=True))


def _check_if_found(board: DrawnBoard) -> None:
    try:
        cells = find(_frame(board.pixels)).cells
    except GridNotFound:
        return
    assert (cells.x.size, cells.y.size) == (board.x.size, board.y.size)
    assert np.abs(cells.x - board.x).max() < cells.step[0] / 8
    assert np.abs(cells.y - board.y).max() < cells.step[1] / 8


@pytest.mark.parametrize("seed", [0, 2, 4, 6, 1, 3, 5, 9, 6210042])
def test_a_board_whose_tiles_have_two_shades_by_turns_is_found(seed: int) -> None:
    _check(drawn(seed, in_turns=True))


@pytest.mark.parametrize(("apart", "size"), [(20, 8), (40, 10), (120, 8)])
@pytest.mark.parametrize("men", [True, False])
def test_a_chess_board_is_refused(apart: int, size: int, men: bool) -> None:
    pixels = np.full((500, 500, 3), 60, np.uint8)
    for row in range(size):
        for column in range(size):
            x, y = 50 + 40 * column, 60 + 40 * row
            pixels[y : y + 40, x : x + 40] = 210 - apart * ((row + column) % 2)
            if men and row in (0, 1, size - 2, size - 1):
                cv2.circle(pixels, (x + 20, y + 20), 12, (20,) * 3 if row < 2 else (250,) * 3, -1)
    with pytest.raises(GridNotFound):
        pytest.fail(str(find(_frame(pixels))))


def test_where_every_covered_cell_has_a_flag_what_they_look_like_is_not_asked() -> None:
    # An average of no cells at all would be a warning, and warnings are errors here.
    grid = find(pictures.load(SHOTS / "sgt-mines" / "16x16n70-t10-late-digits-flags.png")).grid()
    assert (grid.width, grid.height, grid.columns[0], grid.rows[0]) == (16, 16, 15, 40)


@pytest.mark.parametrize("seed", [344, 386, 518])
def test_tiles_without_a_flat_piece_are_found_by_their_repetition(seed: int) -> None:
    _check(drawn(seed))


@pytest.mark.parametrize(
    "name",
    [
        "gnome-mines/clipped-bgcolors-w500x440",
        "gnome-mines/clipped-begun-default-w600x400",
        "negative/covered-xmessage-9x9n10-t30-middle",
        "negative/cut-bottom-9x9n35-t40-late-digits",
        "negative/cut-left-9x9n35-t40-late-digits",
        "negative/cut-right-30x16n99-t12-middle",
        "negative/cut-right-9x9n35-t40-late-digits",
        "kmines/default-9x9n10-w560x400-dialog",
    ],
)
def test_a_window_that_shows_a_part_of_its_board_is_refused(name: str) -> None:
    with pytest.raises(GridNotFound):
        pytest.fail(f"{find(pictures.load(SHOTS / f'{name}.png'))} in {name}")


@pytest.mark.parametrize(
    "seed",
    [
        *(0, 1, 2, 3, 5, 7, 8, 9, 10, 11, 14, 20, 1500298, 1500326, 1520014, 1520197),
        *(8001169, 11000475, 13000117, 14000371),
    ],
)
def test_calendars_tables_and_other_lattices_are_refused(seed: int) -> None:
    pixels, names = negative(seed)
    with pytest.raises(GridNotFound):
        pytest.fail(f"{find(_frame(pixels))} in {names}")


@pytest.mark.parametrize("seed", [24, 38])
def test_a_board_is_found_on_a_whole_desktop(seed: int) -> None:
    _check(drawn(seed, page=(3840, 2160)))


def test_of_two_equally_good_boards_both_are_named() -> None:
    board = drawn(6)
    both = np.concatenate([board.pixels, board.pixels], axis=1)
    with pytest.raises(GridNotFound, match=r"two boards: 20x12 tiles at .*, and 20x12 tiles at"):
        find(_frame(both))


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
def test_a_board_that_the_picture_cuts_off_is_refused(side: str) -> None:
    board = drawn(6)
    x, y = int(board.x[2]), int(board.y[2])
    right, bottom = int(board.x[-3]), int(board.y[-3])
    part = {
        "left": board.pixels[:, x:],
        "right": board.pixels[:, :right],
        "top": board.pixels[y:],
        "bottom": board.pixels[:bottom],
    }[side]
    with pytest.raises(Clipped):
        find(_frame(part))


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 0.8])
@pytest.mark.parametrize("side", ["right", "left"])
def test_a_board_that_goes_on_beyond_a_scroll_bar_is_refused(side: str, share: float) -> None:
    board = _fresh_lines()
    step = float(board.x[1] - board.x[0])
    bar = np.full((board.pixels.shape[0], 15, 3), 235, np.uint8)
    bar[:, 4:11] = 120
    if side == "right":
        cut = board.pixels[:, : round(board.x[-1] - (0.5 - share) * step)]
        part = np.hstack([cut, bar])
    else:
        cut = board.pixels[:, round(board.x[0] + (0.5 - share) * step) :]
        part = np.hstack([bar, cut])
    with pytest.raises((Clipped, GridNotFound)):
        find(_frame(part))
    find(_frame(board.pixels))


@pytest.mark.parametrize("margin", [0, 1, 2, 3])
def test_a_board_that_fills_its_window_is_whole(margin: int) -> None:
    page = _fresh_lines().pixels
    left, top, right, bottom = 29 - margin, 0, 30 + 44 * 9 - 1 + margin, 20 + 44 * 8 - 1 + margin
    cells = find(_frame(page[top:bottom, left:right])).cells
    assert (cells.x.size, cells.y.size) == (9, 8)


@pytest.mark.parametrize("cut", [2, 3, 10, 42])
def test_a_board_of_which_one_side_is_cut_off_is_not_whole(cut: int) -> None:
    page = _fresh_lines().pixels
    with pytest.raises(GridNotFound):
        find(_frame(page[:, : 30 + 44 * 9 - cut]))


@pytest.mark.parametrize(("wide", "high"), [(66, 48), (92, 80), (33, 38)])
def test_raised_tiles_may_be_oblong(wide: int, high: int) -> None:
    page = np.full((800, 900, 3), 217, np.uint8)
    for row in range(9):
        for column in range(8):
            tile = page[20 + high * row :, 30 + wide * column :][:high, :wide]
            tile[:2], tile[:, :2] = 255, 255
            tile[-2:], tile[:, -2:] = 128, 128
    grid = find(_frame(page)).grid()
    assert (grid.width, grid.height, grid.tile) == (8, 9, min(wide, high))
    for x, y in ((0, 0), (7, 8)):
        middle = 30 + wide * (x + 0.5), 20 + high * (y + 0.5)
        assert grid.centre(x, y) == pytest.approx(middle, abs=1.5)


def _in_turns(wide: int, high: int, *, soft: bool = False) -> np.ndarray:
    """A page with 10 columns and 8 rows of tiles of two greens that hardly differ, by turns."""
    page = np.full((900, 1000, 3), (70, 30, 20), np.uint8)
    squares = np.add.outer(np.arange(8), np.arange(10)) % 2
    shades = np.array([(93, 199, 146), (89, 188, 138)], np.uint8)[squares]
    board = shades.repeat(high, axis=0).repeat(wide, axis=1)
    page[260 : 260 + 8 * high, 250 : 250 + 10 * wide] = cv2.blur(board, (3, 3)) if soft else board
    return page


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize(("wide", "high"), [(50, 50), (50, 55), (30, 35)])
def test_tiles_of_two_shades_may_be_oblong_and_fade_into_each_other(
    wide: int, high: int, *, soft: bool
) -> None:
    cells = find(_frame(_in_turns(wide, high, soft=soft))).cells
    assert (cells.x.size, cells.y.size) == (10, 8)
    assert np.abs(cells.x - (250 + wide * (np.arange(10) + 0.5))).max() <= WITHIN
    assert np.abs(cells.y - (260 + high * (np.arange(8) + 0.5))).max() <= WITHIN


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7])
def test_tiles_of_two_shades_that_go_on_below_a_scroll_bar_are_not_whole(share: float) -> None:
    page = _in_turns(50, 50)[: 260 + round((7 + share) * 50)]
    bar = np.full((15, page.shape[1], 3), 235, np.uint8)
    with pytest.raises((Clipped, GridNotFound)):
        find(_frame(np.vstack([page, bar])))


def test_cells_of_a_table_may_not() -> None:
    page = np.full((600, 900, 3), 90, np.uint8)
    for row in range(9):
        for column in range(8):
            page[20 + 48 * row :, 30 + 66 * column :][:47, :65] = 217
    with pytest.raises(GridNotFound, match="oblong"):
        find(_frame(page))


def _fresh_lines() -> DrawnBoard:
    """A fresh board with lines between its tiles."""
    pixels = np.full((420, 470, 3), 255, np.uint8)
    for row in range(8):
        for column in range(9):
            pixels[20 + 44 * row :, 30 + 44 * column :][:42, :42] = (70, 205, 255)
    x, y = 30 + 44 * np.arange(9) + 21.0, 20 + 44 * np.arange(8) + 21.0
    return DrawnBoard(pixels, x, y, fresh=True, what="lines")


def test_a_tile_may_grow_over_its_neighbours_and_throw_a_shadow_on_them() -> None:
    pixels = np.full((700, 760, 3), (93, 85, 79), np.uint8)
    pixels[65:643, 87:665] = (48, 42, 40)
    pixels[78:630, 100:652] = 255
    for x in range(102, 654, 46):
        for y in range(80, 632, 46):
            pixels[y : y + 42, x : x + 42] = 0
            pixels[y + 1 : y + 41, x + 1 : x + 41] = 170
    shadow = np.zeros((700, 760, 1))
    shadow[164:222, 600:658] = 0.6
    pixels = np.asarray(pixels * (1 - cv2.GaussianBlur(shadow, (0, 0), 8)[..., None]), np.uint8)
    pixels[164:222, 600:658] = 0
    pixels[165:221, 601:657] = (0, 183, 64)
    found = find(_frame(pixels)).grid()
    assert (found.width, found.height, found.columns[0], found.rows[0]) == (12, 12, 100, 78)


def test_a_board_is_found_again_where_the_window_has_moved() -> None:
    board = drawn(6)
    moved = np.roll(board.pixels, (-20, -30), axis=(0, 1))
    one = locate(_frame(board.pixels), LatticeLook())
    two = locate(_frame(moved), LatticeLook())
    assert [x - 30 for x in one.columns] == list(two.columns)
    assert [y - 20 for y in one.rows] == list(two.rows)


@pytest.mark.parametrize(
    ("game", "name", "size"),
    [
        ("xdemineur", "plain-30x16n99-w640x480-fresh", (30, 16)),
        ("xdemineur", "plain-16x16n40-w400x480-middle-1", (16, 16)),
        ("sgt-mines", "16x16n40-t18-early", (16, 16)),
        ("gnome-mines", "bgcolors-16x16n40-w620x500-middle-1", (16, 16)),
        # Of tiles of 25 and 26 pixels all cells of one size and ground have the same number.
        ("gnome-mines", "bgcolors-16x16n40-w620x500-early", (16, 16)),
        ("gnome-mines", "default-30x16n99-w1000x560-middle-2", (30, 16)),
        ("kmines", "classic-16x16n40-w560x500-early", (16, 16)),
    ],
)
def test_the_games_own_windows_are_found(game: str, name: str, size: tuple[int, int]) -> None:
    grid = find(pictures.load(SHOTS / game / f"{name}.png")).grid()
    assert (grid.width, grid.height) == size


@pytest.mark.parametrize(
    "name", ["blackbox", "fifteen", "flood", "lightup", "mosaic", "net", "pattern", "samegame"]
)
def test_other_puzzles_are_refused(name: str) -> None:
    with pytest.raises(GridNotFound):
        pytest.fail(f"{find(pictures.load(SHOTS / 'negative' / f'{name}.png'))} in {name}")
