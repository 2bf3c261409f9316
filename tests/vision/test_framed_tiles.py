"""Tiles of known colours are told by their edges, their backgrounds and what is drawn on them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from minebot.board import Board, Cell
from minebot.profile import load
from minebot.profile.schema import FramedStyle
from minebot.recording import pictures
from minebot.vision import framed_tiles
from minebot.vision.classification import Label
from minebot.vision.framed import trace
from minebot.vision.framed_tiles import FramedTiles, TileColours

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "sgt-mines"
GRID = load("sgt-mines").grid
assert isinstance(GRID, FramedStyle)
STYLE = GRID
CLASSIFIER = FramedTiles(STYLE)
INKS = {number: STYLE.inks[str(number.value)][0] for number in (Cell.ONE, Cell.TWO, Cell.THREE)}
Tiles = NDArray[np.uint8]


def _tiles(name: str) -> tuple[Board, Tiles]:
    """The board of a picture and its tiles, row-major."""
    path = SHOTS / f"{name}.png"
    frame, board = pictures.load(path), Board.parse(path.with_suffix(".txt").read_text())
    grid = trace(frame, STYLE)
    places = (grid.rect(*board.xy(square)) for square in range(len(board.cells)))
    return board, np.stack([frame.part(place) for place in places])


def _one(cell: Cell) -> Tiles:
    """One tile that shows the cell."""
    for name in ("30x16n99-t20-middle-flags", "9x9n35-t20-late-digits"):
        board, tiles = _tiles(name)
        found = list(board.squares(cell))
        if found:
            return tiles[found[:1]].copy()
    raise AssertionError(f"no picture shows {cell!r}")


def _cells(tiles: Tiles) -> list[Cell | None]:
    return [reading.cell for reading in CLASSIFIER.classify(tiles)]


@pytest.mark.parametrize("name", ["30x16n99-t20-middle-flags", "9x9n35-t20-late-digits"])
def test_each_tile_is_told(name: str) -> None:
    board, tiles = _tiles(name)
    assert _cells(tiles) == list(board.cells)


def test_no_tiles_are_no_readings() -> None:
    assert CLASSIFIER.classify(np.empty((0, 20, 20, 4), np.uint8)) == []


def test_a_tile_has_an_edge_and_a_ground() -> None:
    seen = TileColours(np.concatenate([_one(Cell.HIDDEN), _one(Cell.EMPTY)]), STYLE)
    assert (seen.raised.tolist(), seen.level.tolist()) == ([True, False], [False, True])
    assert seen.flat.all()
    shows_one = TileColours(_one(Cell.ONE), STYLE)
    assert not shows_one.flat.any()
    assert np.abs(shows_one.ground[0] - seen.ground[1]).max() < 2
    assert seen.is_on(STYLE.grounds.exploded).tolist() == [False, False]
    assert seen.is_on([(1, 2, 3), *STYLE.grounds.opened]).tolist() == [True, True]


def _painted(number: Cell, ink: tuple[int, ...]) -> Tiles:
    """A tile that shows the number in an ink, red first."""
    tiles = _one(number)
    ground = TileColours(tiles, STYLE).ground[0]
    edge = math.ceil(STYLE.bevel * tiles.shape[1])
    inside = tiles[0, edge:-edge, edge:-edge, :3]
    own = ground - np.array(INKS[number][::-1], np.float32)
    amounts = ((ground - inside) @ own / float(own @ own))[..., None]
    painted = ground + amounts * (np.array(ink[::-1], np.float32) - ground)
    inside[:] = painted.round().clip(0, 255)
    return tiles


@pytest.mark.parametrize("number", INKS)
@pytest.mark.parametrize("ink", INKS)
def test_a_shape_in_the_ink_of_another_number_is_neither(number: Cell, ink: Cell) -> None:
    assert _cells(_painted(number, INKS[ink])) == [number if ink == number else None]


@pytest.mark.parametrize("number", INKS)
@pytest.mark.parametrize(("amount", "is_read"), [(0.85, True), (0.6, False)])
def test_a_thin_sign_does_not_quite_reach_its_ink(
    number: Cell, amount: float, is_read: bool
) -> None:
    ground = np.array(STYLE.grounds.opened[0])
    ink = tuple(ground + amount * (np.array(INKS[number]) - ground))
    assert _cells(_painted(number, ink)) == [number if is_read else None]


@pytest.mark.parametrize("ink", [(200, 0, 255), (255, 160, 0)])
def test_an_ink_that_no_number_has_is_none(ink: tuple[int, ...]) -> None:
    (reading,) = CLASSIFIER.classify(_painted(Cell.ONE, ink))
    assert reading.cell is None
    assert reading.scores, "its candidates are named"


@pytest.mark.parametrize("lit", [None, (0, 0, 0), (0, 0, 255)])
def test_what_is_no_drawing_of_the_game_is_not_read(lit: tuple[int, ...] | None) -> None:
    tiles = _one(Cell.EMPTY)
    noise = np.random.default_rng(3).integers(0, 256, (12, 12, 3))
    tiles[0, 4:16, 4:16, :3] = noise if lit is None else lit
    (reading,) = CLASSIFIER.classify(tiles)
    assert reading.cell is None
    assert reading.scores, "its candidates are named"


@pytest.mark.parametrize("name", ["9x9n10-t20-revealed-flags-wrong", "9x9n35-t20-late-digits"])
def test_a_tile_is_told_alike_whatever_else_there_is(name: str) -> None:
    """The cache of tiles holds each answer for as long as the game lasts."""
    _, tiles = _tiles(name)
    one_by_one = [CLASSIFIER.classify(tile[None])[0].cell for tile in tiles]
    assert one_by_one == _cells(tiles)


def test_a_spot_on_a_covered_tile_is_no_flag() -> None:
    tiles = _one(Cell.HIDDEN)
    tiles[0, 8:12, 8:12, :3] = (0, 0, 255)
    (reading,) = CLASSIFIER.classify(tiles)
    assert reading.cell is None


@pytest.mark.parametrize(
    "name", ["9x9n10-t20-revealed-flags-wrong", "9x9n10-t40-revealed-flags-wrong"]
)
def test_a_crossed_out_mine_is_a_wrong_flag(name: str) -> None:
    board, tiles = _tiles(name)
    assert _cells(tiles) == list(board.cells)
    seen = TileColours(tiles, STYLE)
    assert any(seen.level[square] for square in board.squares(Cell.FLAG))


def test_a_flag_may_be_a_wrong_one_by_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    chances = np.zeros((1, len(Label)))
    chances[0, Label.WRONG_FLAG] = 1
    monkeypatch.setattr(framed_tiles, "own_answers", lambda *_: chances)
    assert _cells(_one(Cell.FLAG)) == [Cell.FLAG]


def test_a_flag_of_another_colour_is_none() -> None:
    tiles = _one(Cell.FLAG)
    tiles[..., :3] = tiles[..., 2::-1]
    (reading,) = CLASSIFIER.classify(tiles)
    assert reading.cell is None


def test_a_flash_is_told_from_what_cannot_be_read() -> None:
    flash = np.full((1, 20, 20, 4), 0, np.uint8)
    flash[..., :3] = STYLE.grounds.flash[0][::-1]
    unknown = np.full((1, 20, 20, 4), 77, np.uint8)
    readings = CLASSIFIER.classify(np.concatenate([flash, unknown]))
    assert [(one.cell, one.flash) for one in readings] == [(None, True), (None, False)]
