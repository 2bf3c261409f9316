"""Boards of real games are read by the networks, without what their profiles know."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from minebot.board import SYMBOLS, Board, Cell
from minebot.capture import Frame, Window
from minebot.errors import Contradiction, GridNotFound
from minebot.play.identify import profile_at_first_sight
from minebot.profile import load
from minebot.recording import pictures
from minebot.vision.any_game import read_at_first_sight
from minebot.vision.first_sight_reader import FirstSightReader
from minebot.vision.framed import trace
from tests.support import painted

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots"
VERSIONS = SHOTS.parent / "versions"
BOARD = SHOTS / "sgt-mines" / "9x9n10-t20-middle-flags.png"


def _truth(path: Path) -> Board:
    return Board.parse(path.with_suffix(".txt").read_text())


@pytest.mark.trained
def test_a_board_is_read_whole() -> None:
    seen = read_at_first_sight(pictures.load(BOARD))
    assert seen.board == _truth(BOARD)
    assert not seen.unread


@pytest.mark.trained
@pytest.mark.parametrize("factor", [0.8, 1.25, 2.0])
def test_a_board_is_read_at_other_scales(factor: float) -> None:
    frame = pictures.load(BOARD)
    size = round(frame.width * factor), round(frame.height * factor)
    scaled = cv2.resize(frame.pixels, size, interpolation=cv2.INTER_CUBIC)
    assert read_at_first_sight(Frame(np.ascontiguousarray(scaled))).board == _truth(BOARD)


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
        read_at_first_sight(Frame(pixels))


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
    reader = FirstSightReader(profile_at_first_sight(Window("0x1", "some game")))
    with pytest.raises(Contradiction):
        reader.read(_with_a_five_in_the_corner("9x9n35-t20-late-digits.png"))


@pytest.mark.trained
def test_or_else_the_least_certain_stay_unread() -> None:
    frame = _with_a_five_in_the_corner("9x9n35-t9-late-digits-flags.png")
    seen = read_at_first_sight(frame)
    assert 0 in seen.unread
    assert len(seen.unread) < 5


@pytest.mark.trained
@pytest.mark.parametrize("is_same_game", [True, False])
def test_tiles_in_doubt_are_read_as_those_of_another_picture_of_the_game(
    is_same_game: bool, tmp_path: Path
) -> None:
    path = painted.alike(tmp_path)
    other = painted.following(tmp_path) if is_same_game else painted.DEV / "busseyjm" / "lost.png"
    seen, truth = read_at_first_sight(pictures.load(other)), _truth(other)
    tiles: dict[str, tuple[bytes, ...]] = {}
    for cell, drawing in zip(truth.cells, seen.drawings, strict=True):
        tiles[SYMBOLS[cell]] = (*tiles.get(SYMBOLS[cell], ()), drawing)
    assert len(read_at_first_sight(pictures.load(path)).unread) == 9
    again = read_at_first_sight(pictures.load(path), kept=[tiles])
    assert len(again.unread) == (0 if is_same_game else 9)
    assert not is_same_game or again.board == _truth(path)


@pytest.mark.trained
def test_where_most_would_stay_unread_it_is_a_contradiction_all_the_same() -> None:
    frame = _with_a_five_in_the_corner("9x9n35-w600x600-late-digits-cursor.png")
    with pytest.raises(Contradiction):
        read_at_first_sight(frame)
