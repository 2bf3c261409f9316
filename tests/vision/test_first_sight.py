"""Boards of real games are read by the networks, without what their profiles know."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from minebot.board import SYMBOLS, Board, Cell
from minebot.capture import Frame
from minebot.errors import Clipped, Contradiction, GridNotFound
from minebot.profile import load
from minebot.recording import pictures
from minebot.vision import first_sight
from minebot.vision.framed import trace
from tests.support import painted

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots"
VERSIONS = SHOTS.parent / "versions"
BOARD = SHOTS / "sgt-mines" / "9x9n10-t20-middle-flags.png"


def _truth(path: Path) -> Board:
    return Board.parse(path.with_suffix(".txt").read_text())


@pytest.mark.trained
def test_a_board_is_read_whole() -> None:
    seen = first_sight.look(pictures.load(BOARD))
    assert seen.board == _truth(BOARD)
    assert not seen.unread


@pytest.mark.trained
@pytest.mark.parametrize("factor", [0.8, 1.25, 2.0])
def test_a_board_is_read_at_other_scales(factor: float) -> None:
    frame = pictures.load(BOARD)
    size = round(frame.width * factor), round(frame.height * factor)
    scaled = cv2.resize(frame.pixels, size, interpolation=cv2.INTER_CUBIC)
    assert first_sight.look(Frame(np.ascontiguousarray(scaled))).board == _truth(BOARD)


@pytest.mark.trained
def test_a_board_that_is_cut_off_is_refused() -> None:
    frame = pictures.load(BOARD)
    seen = first_sight.look(frame)
    middle = round(float(seen.lattice.x[-2]))
    with pytest.raises(Clipped):
        first_sight.look(Frame(np.ascontiguousarray(frame.pixels[:, :middle])))


@pytest.mark.trained
@pytest.mark.parametrize(
    "name",
    [
        "kmines/default-9x9n10-w134x218-middle-1",
        "kmines/green-16x16n40-w218x302-middle",
        "kmines/graveyard-mayhem-9x9n10-w480x400-fresh",
        "winemine/green-30x16n99-middle-3",
    ],
)
def test_a_board_may_end_where_the_picture_ends(name: str) -> None:
    frame = pictures.load(SHOTS / f"{name}.png")
    seen = first_sight.look(frame)
    right, bottom = (round(float(side)) for side in seen.lattice.bounds[2:])
    for pixels in (frame.pixels[:, :right], frame.pixels[:bottom]):
        assert first_sight.look(Frame(np.ascontiguousarray(pixels))).board == seen.board


@pytest.mark.trained
def test_lines_of_no_cells_are_taken_away() -> None:
    """Five cells high above the board bars are as far apart as its columns."""
    frame = pictures.load(SHOTS / "xdemineur" / "plain-14x12n95-w320x440-middle-2.png")
    seen = first_sight.look(frame)
    left, top, *_ = (round(float(side)) for side in seen.lattice.bounds)
    wide, high = seen.lattice.pitch
    bars = np.full((round(5 * high), frame.width, 4), 230, np.uint8)
    chance = np.random.default_rng(7)
    for column in range(seen.board.width):
        begin, end = (left + round(number * wide) for number in (column, column + 1))
        bars[:, begin:end, :3] = chance.integers(90, 200, 3)
        bars[:, end - 2 : end, :3] = 40
    below = Frame(np.ascontiguousarray(np.vstack([bars, frame.pixels[top:]])))
    assert first_sight.look(below).board == seen.board


@pytest.mark.trained
@pytest.mark.parametrize("seen", [0.3, 0.6, 0.9])
def test_a_column_that_is_cut_is_no_end_of_the_board(seen: float) -> None:
    frame = pictures.load(SHOTS / "kmines" / "classic-9x9n10-w480x360-fresh.png")
    lattice = first_sight.look(frame).lattice
    left = round(float(lattice.x[1] + (0.5 - seen) * lattice.pitch[0]))
    with pytest.raises((Clipped, GridNotFound)):
        first_sight.look(Frame(np.ascontiguousarray(frame.pixels[:, left:])))


@pytest.mark.trained
@pytest.mark.parametrize("shift", [0.3, 0.5, 0.7])
def test_a_torn_board_does_not_end_where_it_is_torn(shift: float) -> None:
    frame = pictures.load(SHOTS / "kmines" / "classic-16x16n40-w560x500-early.png")
    lattice = first_sight.look(frame).lattice
    line = round(float(lattice.y[4] - lattice.pitch[1] / 2))
    pixels = frame.pixels.copy()
    pixels[line:] = np.roll(pixels[line:], round(shift * lattice.pitch[0]), axis=1)
    with pytest.raises(Clipped, match="cells go on beyond 16x12"):
        first_sight.look(Frame(pixels))


@pytest.mark.trained
def test_open_cells_of_the_grounds_own_colour_do_not_tell_where_the_board_ends() -> None:
    name = "clean_blue_dark-easy-open-dark-full-won.png"
    with pytest.raises(GridNotFound, match="nothing tells where the board ends"):
        first_sight.look(pictures.load(VERSIONS / "kmines-25.04" / name))


@pytest.mark.trained
def test_columns_that_the_first_look_misses_are_added() -> None:
    name = "default-30x16n99-w1000x560-light-full-fresh.png"
    seen = first_sight.look(pictures.load(VERSIONS / "gnome-mines-40.1" / name))
    assert seen.board == Board.hidden(30, 16)


@pytest.mark.trained
def test_two_boards_are_both_named() -> None:
    pixels = pictures.load(BOARD).pixels
    two = np.ascontiguousarray(np.hstack([pixels, np.full_like(pixels, 230), pixels]))
    with pytest.raises(GridNotFound, match=r"9x9 at .* and 9x9 at"):
        first_sight.look(Frame(two))


@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_plain_picture_is_no_board(level: int) -> None:
    with pytest.raises(GridNotFound):
        first_sight.look(Frame(np.full((400, 500, 4), level, np.uint8)))


def test_noise_is_no_board() -> None:
    noise = np.random.default_rng(2).integers(0, 256, (300, 400, 4)).astype(np.uint8)
    with pytest.raises(GridNotFound):
        first_sight.look(Frame(noise))


@pytest.mark.trained
@pytest.mark.parametrize("empty", [80, 150])
@pytest.mark.parametrize("full", [(30, 140, 170), (110, 160, 90)])
def test_a_lattice_of_other_tiles_is_no_board(empty: int, full: tuple[int, int, int]) -> None:
    """A game of 2048: most of its numbers are none that a Minesweeper shows."""
    values = {1: 32, 3: 512, 4: 64, 5: 512, 10: 2, 15: 16}
    pixels = np.full((350, 310, 4), 60, np.uint8)
    for square in range(16):
        x, y = 56 + square % 4 * 46, 106 + square // 4 * 46
        pixels[y : y + 40, x : x + 40, :3] = full if square in values else empty
        if square in values:
            at = x + 20 - 5 * len(str(values[square])), y + 26
            cv2.putText(pixels, str(values[square]), at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (10,) * 3)
    with pytest.raises(GridNotFound, match="no Minesweeper board"):
        first_sight.look(Frame(pixels), partly=True)


def _with_a_five_in_the_corner(name: str) -> Frame:
    """The game's own five where it has three neighbours."""
    path = SHOTS / "sgt-mines" / name
    frame, truth = pictures.load(path), _truth(path)
    grid = trace(frame, load("sgt-mines").grid)
    five = grid.rect(*truth.xy(next(iter(truth.squares(Cell.FIVE)))))
    pixels = frame.pixels.copy()
    corner = grid.rect(0, 0)
    pixels[corner.top : corner.bottom, corner.left : corner.right] = frame.part(five)
    return Frame(pixels)


@pytest.mark.trained
def test_tiles_for_which_no_mines_can_lie_are_a_contradiction() -> None:
    with pytest.raises(Contradiction):
        first_sight.look(_with_a_five_in_the_corner("9x9n35-t20-late-digits.png"))


@pytest.mark.trained
def test_or_else_the_least_certain_stay_unread() -> None:
    frame = _with_a_five_in_the_corner("9x9n35-t9-late-digits-flags.png")
    seen = first_sight.look(frame, partly=True)
    assert 0 in seen.unread
    assert len(seen.unread) < 5


@pytest.mark.trained
@pytest.mark.parametrize("is_same_game", [True, False])
def test_tiles_in_doubt_are_read_as_those_of_another_picture_of_the_game(
    is_same_game: bool, tmp_path: Path
) -> None:
    path = painted.alike(tmp_path)
    other = painted.following(tmp_path) if is_same_game else painted.DEV / "busseyjm" / "lost.png"
    seen, truth = first_sight.look(pictures.load(other), partly=True), _truth(other)
    tiles: dict[str, tuple[bytes, ...]] = {}
    for square, group in enumerate(seen.groups.ravel()):
        sign = SYMBOLS[truth.cells[square]]
        tiles[sign] = (*tiles.get(sign, ()), bytes(seen.drawings[group]))
    assert len(first_sight.look(pictures.load(path)).unread) == 9
    again = first_sight.look(pictures.load(path), kept=[tiles])
    assert len(again.unread) == (0 if is_same_game else 9)
    assert not is_same_game or again.board == _truth(path)


@pytest.mark.trained
def test_where_most_would_stay_unread_it_is_a_contradiction_all_the_same() -> None:
    frame = _with_a_five_in_the_corner("9x9n35-w600x600-late-digits-cursor.png")
    with pytest.raises(Contradiction):
        first_sight.look(frame, partly=True)
