"""Tiles of known colours are told by their edges, backgrounds, inks and shapes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from minebot.board import Board, Cell
from minebot.profile import DigitColourStyle, FramedStyle, load
from minebot.recording import pictures
from minebot.vision.digit_colours import DigitColours, TileColours
from minebot.vision.framed import trace

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "sgt-mines"
PROFILE = load("sgt-mines")
assert isinstance(PROFILE.grid, FramedStyle)
assert isinstance(PROFILE.colours, DigitColourStyle)
STYLE = PROFILE.colours
COLOURS = DigitColours(PROFILE.grid, STYLE)
Tiles = NDArray[np.uint8]


def _tiles(name: str) -> tuple[Board, Tiles]:
    """The board of a picture and its tiles, row-major."""
    path = SHOTS / f"{name}.png"
    frame, board = pictures.load(path), Board.parse(path.with_suffix(".txt").read_text())
    assert isinstance(PROFILE.grid, FramedStyle)
    grid = trace(frame, PROFILE.grid)
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
    return [reading.cell for reading in COLOURS.classify(tiles)]


@pytest.mark.parametrize("name", ["30x16n99-t20-middle-flags", "9x9n35-t20-late-digits"])
def test_each_tile_is_told(name: str) -> None:
    board, tiles = _tiles(name)
    assert _cells(tiles) == list(board.cells)


def test_no_tiles_are_no_readings() -> None:
    assert COLOURS.classify(np.empty((0, 20, 20, 4), np.uint8)) == []


def test_a_tile_has_an_edge_a_ground_and_an_ink() -> None:
    assert isinstance(PROFILE.grid, FramedStyle)
    seen = TileColours(np.concatenate([_one(Cell.HIDDEN), _one(Cell.EMPTY)]), PROFILE.grid)
    assert (seen.raised.tolist(), seen.level.tolist()) == ([True, False], [False, True])
    assert seen.flat.all()
    shows_one = TileColours(_one(Cell.ONE), PROFILE.grid)
    assert not shows_one.flat.any()
    assert np.abs(shows_one.ground[0] - seen.ground[1]).max() < 2
    blue, _, red = shows_one.ink[0].reshape(-1, 3)[shows_one.amounts[0].argmax()]
    assert blue < red, "the ink of a one is blue: its red is far below the ground's"


def _painted(number: Cell, ink: tuple[int, ...]) -> Tiles:
    """A tile that shows the number in an ink, red first."""
    assert isinstance(PROFILE.grid, FramedStyle)
    tiles = _one(number)
    seen = TileColours(tiles, PROFILE.grid)
    own = seen.ground[0] - np.array(STYLE.digits[number][::-1], np.float32)
    amounts = (seen.ink[0] @ own / float(own @ own))[..., None]
    painted = seen.ground[0] + amounts * (np.array(ink[::-1], np.float32) - seen.ground[0])
    edge = (seen.side - painted.shape[0]) // 2
    inner = slice(edge, seen.side - edge)
    tiles[0, inner, inner, :3] = painted.round().clip(0, 255)
    return tiles


@pytest.mark.parametrize("number", [Cell.ONE, Cell.TWO, Cell.THREE])
@pytest.mark.parametrize("ink", [Cell.ONE, Cell.TWO, Cell.THREE])
def test_a_shape_in_the_ink_of_another_number_is_neither(number: Cell, ink: Cell) -> None:
    tiles = _painted(number, STYLE.digits[ink])
    assert _cells(tiles) == [number if ink == number else None]


@pytest.mark.parametrize("ink", [(200, 0, 255), (255, 160, 0)])
def test_an_ink_that_no_number_has_is_none(ink: tuple[int, ...]) -> None:
    (reading,) = COLOURS.classify(_painted(Cell.ONE, ink))
    assert reading.cell is None
    assert reading.scores, "its candidates are named"


def test_a_spot_on_a_covered_tile_is_no_flag() -> None:
    tiles = _one(Cell.HIDDEN)
    tiles[0, 8:12, 8:12, :3] = STYLE.inks["flag"][::-1]
    (reading,) = COLOURS.classify(tiles)
    assert reading.cell is None


def test_a_flag_of_another_colour_is_none() -> None:
    tiles = _one(Cell.FLAG)
    tiles[..., :3] = tiles[..., 2::-1]
    (reading,) = COLOURS.classify(tiles)
    assert reading.cell is None


def test_a_flash_is_told_from_what_cannot_be_read() -> None:
    flash = np.full((1, 20, 20, 4), 0, np.uint8)
    flash[..., :3] = STYLE.grounds["flash"][0][::-1]
    unknown = np.full((1, 20, 20, 4), 77, np.uint8)
    readings = COLOURS.classify(np.concatenate([flash, unknown]))
    assert [(one.cell, one.flash) for one in readings] == [(None, True), (None, False)]
