"""Counters of seven segments to a digit."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.board import Board, Cell
from bot.capture import Frame, Rect
from bot.profile import CounterLook, load
from bot.profile.behaviour import Spot
from bot.recording import pictures
from bot.vision.grid import Grid
from bot.vision.known_game import reader_of
from bot.vision.segments import CounterReader, counters, read_counter, spot_of

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "xdemineur"
NAMES = sorted(json.loads((SHOTS / "index.json").read_text()))
GRID = Grid.regular(Rect(40, 80, 160, 160), 20, 20, Rect(40, 80, 160, 160))

LIT = {
    "0": "abcdef",
    "1": "bc",
    "2": "abged",
    "3": "abgcd",
    "4": "fgbc",
    "5": "afgcd",
    "6": "afgedc",
    "7": "abc",
    "8": "abcdefg",
    "9": "abfgcd",
    "-": "g",
}


def _digit(digit: str, height: int, wide: int, stroke: int) -> NDArray[np.bool_]:
    cell = np.zeros((height, wide), np.bool_)
    middle = height // 2
    parts = {
        "a": (slice(0, stroke), slice(1, wide - 1)),
        "g": (slice(middle - stroke // 2, middle - stroke // 2 + stroke), slice(2, wide - 2)),
        "d": (slice(height - stroke, height), slice(1, wide - 1)),
        "f": (slice(1, middle - 1), slice(0, stroke)),
        "b": (slice(1, middle - 1), slice(wide - stroke, wide)),
        "e": (slice(middle + 1, height - 1), slice(0, stroke)),
        "c": (slice(middle + 1, height - 1), slice(wide - stroke, wide)),
    }
    for segment in LIT[digit]:
        cell[parts[segment]] = True
    return cell


def _frame(text: str, size: tuple[int, int, int, int], lit: object, ground: object) -> Frame:
    """A window with a counter, and a round face beside it."""
    height, wide, stroke, gap = size
    pixels = np.full((280, 260, 4), 192, np.uint8)
    panel = pixels[16 : 16 + height + 8, 44 : 44 + len(text) * (wide + gap) + 6]
    panel[..., :3] = ground
    for number, digit in enumerate(text):
        left = 4 + number * (wide + gap)
        panel[4 : 4 + height, left : left + wide, :3][_digit(digit, height, wide, stroke)] = lit
    y, x = np.ogrid[:280, :260]
    pixels[(y - 34) ** 2 + (x - 210) ** 2 < 144] = (0, 255, 255, 255)
    pixels[80:240, 40:200] = 150
    return Frame(pixels)


SIZES = [(21, 11, 3, 2), (26, 16, 4, 4), (42, 22, 6, 4), (17, 9, 2, 2)]
RED = ((0, 0, 255), (0, 0, 0))


@pytest.mark.parametrize("text", ["010", "040", "099", "4567", "890", "001", "23"])
@pytest.mark.parametrize("size", SIZES)
def test_what_a_counter_shows(text: str, size: tuple[int, int, int, int]) -> None:
    assert [one.value for one in counters(_frame(text, size, *RED), GRID)] == [int(text)]


@pytest.mark.parametrize(("lit", "ground"), [RED, ((255, 255, 255), (0, 0, 0)), (20, 160)])
def test_any_colour_may_be_lit(lit: object, ground: object) -> None:
    assert [one.value for one in counters(_frame("-38", SIZES[0], lit, ground), GRID)] == [-38]


@pytest.mark.parametrize("size", SIZES)
def test_every_number_is_read_whole_or_not_at_all(size: tuple[int, int, int, int]) -> None:
    for number in range(-99, 1000, 9):
        shown = [one.value for one in counters(_frame(f"{number:03d}", size, *RED), GRID)]
        # Space comes between a sign and a one, as between things that do not belong together.
        assert shown == [number] or (shown == [] and number < 0)


def test_a_counter_of_which_a_digit_cannot_be_read_is_not_the_rest_of_it() -> None:
    frame = _frame("138", SIZES[0], *RED)
    for broken in range(3):
        pixels = frame.pixels.copy()
        left = 44 + 4 + 13 * broken
        pixels[28:36, left : left + 11, :3] = 0
        assert counters(Frame(pixels), GRID) == []


def test_a_face_and_a_plain_window_show_none() -> None:
    assert counters(_frame("", (21, 11, 3, 2), 0, 0), GRID) == []


@pytest.mark.trained
@pytest.mark.parametrize("name", NAMES)
def test_the_counter_of_xdemineur_tells_the_total(name: str) -> None:
    profile = load("xdemineur")
    assert profile.counter is not None
    frame = pictures.load(SHOTS / f"{name}.png")
    board = Board.parse((SHOTS / f"{name}.txt").read_text())
    left = read_counter(frame, reader_of(profile).read(frame, partly=True).grid, profile.counter)
    total = int(name.split("n", 2)[2].split("-", maxsplit=1)[0])
    if not board.lost:  # then a crossed-out flag is one too
        assert left == total - board.count(Cell.FLAG)
    assert left is not None


def test_the_total_is_what_is_left_and_what_is_flagged() -> None:
    frame = _frame("038", (21, 11, 3, 2), (0, 0, 255), 0)
    (shown,) = counters(frame, GRID)
    reader = CounterReader(CounterLook(spot_of(shown, GRID)))
    reader.submit(frame, GRID, 2)
    assert reader.latest.mines == 40
    reader.reset()
    assert reader.latest.mines is None


@pytest.mark.parametrize("at", [(60, 20), (120, 30), (190, 50), (10, 100), (230, 200), (120, 260)])
def test_a_spot_moves_with_its_board_and_grows_with_it(at: tuple[int, int]) -> None:
    board = Rect(40, 80, 160, 160)
    spot = Spot.of(Rect(*at, 0, 0).middle, board, 20)
    assert spot.pixel(board, 20) == at
    moved = spot.pixel(Rect(47, 91, 160, 160), 20)
    assert moved == (at[0] + 7, at[1] + 11)
    wide = spot.pixel(Rect(80, 160, 320, 320), 40)
    assert wide == (2 * at[0], 2 * at[1])
