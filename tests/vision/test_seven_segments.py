"""Counters of seven segments to a digit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fixtures.seven_segments import GRID, RED, SIZES, window
from minebot.board import Board, Cell
from minebot.capture import Frame, Rect
from minebot.profile import load
from minebot.profile.schema import CounterStyle, RelativePosition
from minebot.recording import pictures
from minebot.vision.counter import counters, read_counter
from minebot.vision.known_game import reader_of
from minebot.vision.status import StatusReader

pytestmark = pytest.mark.thorough

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "xdemineur"
NAMES = sorted(json.loads((SHOTS / "index.json").read_text()))


@pytest.mark.parametrize("text", ["010", "040", "099", "4567", "890", "001", "23"])
@pytest.mark.parametrize("size", SIZES)
def test_what_a_counter_shows(text: str, size: tuple[int, int, int, int]) -> None:
    assert [one.value for one in counters(window(text, size, *RED), GRID)] == [int(text)]


@pytest.mark.parametrize(("lit", "ground"), [RED, ((255, 255, 255), (0, 0, 0)), (20, 160)])
def test_any_colour_may_be_lit(lit: object, ground: object) -> None:
    assert [one.value for one in counters(window("-38", SIZES[0], lit, ground), GRID)] == [-38]


@pytest.mark.parametrize("size", SIZES)
def test_every_number_is_read_whole_or_not_at_all(size: tuple[int, int, int, int]) -> None:
    for number in range(-99, 1000, 9):
        shown = [one.value for one in counters(window(f"{number:03d}", size, *RED), GRID)]
        # Space comes between a sign and a one, as between things that do not belong together.
        assert shown == [number] or (shown == [] and number < 0)


def test_a_counter_of_which_a_digit_cannot_be_read_is_not_the_rest_of_it() -> None:
    frame = window("138", SIZES[0], *RED)
    for broken in range(3):
        pixels = frame.pixels.copy()
        left = 44 + 4 + 13 * broken
        pixels[28:36, left : left + 11, :3] = 0
        assert counters(Frame(pixels), GRID) == []


def test_a_face_and_a_plain_window_show_none() -> None:
    assert counters(window("", (21, 11, 3, 2), 0, 0), GRID) == []


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
    frame = window("038", (21, 11, 3, 2), (0, 0, 255), 0)
    (shown,) = counters(frame, GRID)
    reader = StatusReader(
        CounterStyle(RelativePosition.of(shown.rect.middle, GRID.bounds, GRID.tile))
    )
    reader.submit(frame, GRID, 2)
    assert reader.latest.mines == 40
    reader.reset()
    assert reader.latest.mines is None


@pytest.mark.parametrize("at", [(60, 20), (120, 30), (190, 50), (10, 100), (230, 200), (120, 260)])
def test_a_spot_moves_with_its_board_and_grows_with_it(at: tuple[int, int]) -> None:
    board = Rect(40, 80, 160, 160)
    spot = RelativePosition.of(Rect(*at, 0, 0).middle, board, 20)
    assert spot.pixel(board, 20) == at
    moved = spot.pixel(Rect(47, 91, 160, 160), 20)
    assert moved == (at[0] + 7, at[1] + 11)
    wide = spot.pixel(Rect(80, 160, 320, 320), 40)
    assert wide == (2 * at[0], 2 * at[1])
