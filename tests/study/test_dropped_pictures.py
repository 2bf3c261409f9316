"""A picture that is dropped on the page: the board of any game, with what is in doubt."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fixtures.study_page import PICTURE, smudged
from minebot.board import Board
from minebot.capture import Frame
from minebot.errors import GridNotFound, Unsettled, UsageError
from minebot.recording import pictures
from minebot.study.dropped_pictures import read
from tests.support.fake_sight import asleep, blind, seeing

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots"
FLASHES = SHOTS / "sgt-mines" / "9x9n10-t20-lost-flash.png"
HELD = SHOTS / "sgt-mines" / "9x9n10-t20-held.png"
TEXT = PICTURE.with_suffix(".txt").read_text().strip()
UNKNOWN = Frame(np.full((200, 300, 4), 90, np.uint8))
SEEN = Board.parse("????\n?11?\n?11?\n????")


def _on_a_desktop(frame: Frame) -> Frame:
    """The picture in the middle of a large, plain screen."""
    screen = np.full((1600, 2560, 4), (120, 90, 60, 0), np.uint8)
    screen[500 : 500 + frame.height, 900 : 900 + frame.width] = frame.pixels
    return Frame(screen)


@pytest.mark.parametrize("place", [lambda frame: frame, _on_a_desktop])
def test_a_known_game_is_read_with_its_total(
    place: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(place)
    asleep.install(monkeypatch)
    found = read(place(pictures.load(PICTURE)))
    assert (found.rows, found.mines, found.unsure) == (TEXT, 10, [])
    assert found.source == "a picture of sgt-mines"


def test_an_unknown_game_is_read_without_a_total(monkeypatch: pytest.MonkeyPatch) -> None:
    seeing(SEEN).install(monkeypatch)
    found = read(UNKNOWN)
    assert (found.rows, found.mines, found.unsure) == (str(SEEN), None, [])
    assert found.source == "a picture of a game read at first sight"
    assert "no profile knows the colours" in found.notes[0]
    assert (read(UNKNOWN, 3).mines, read(UNKNOWN, 3).notes) == (3, [])


def test_a_board_that_ends_with_the_picture_may_be_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    seeing(SEEN, corner=(0, 10)).install(monkeypatch)
    assert "cells may be cut off there" in read(UNKNOWN, 3).notes[0]


def test_what_is_in_doubt_at_first_sight_is_there_to_be_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seeing(SEEN, doubtful={5, 6, 9, 10, 15}).install(monkeypatch)
    found = read(UNKNOWN)
    assert [doubt.squares for doubt in found.unsure] == [[5], [6], [9], [10], [15]]
    assert found.rows == "\n".join(["????"] * 4)


def test_tiles_in_doubt_come_by_how_they_are_drawn_with_a_picture_of_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pixels = UNKNOWN.pixels.copy()
    pixels[42:58, 26:42] = 200  # row 3, column 2
    groups = [9 if square in (0, 6, 9) else 1 + square // 8 for square in range(16)]
    seeing(SEEN, doubtful={5, 6, 9, 10, 15}, groups=groups).install(monkeypatch)
    found = read(Frame(pixels)).unsure
    assert [doubt.squares for doubt in found] == [[6, 9], [10, 15], [5]]
    shown = [pictures.decoded(doubt.png).pixels for doubt in found]
    assert [tile.shape for tile in shown] == [(16, 16, 4)] * 3
    assert [int(tile[8, 8, 0]) for tile in shown] == [90, 90, 90]
    seeing(SEEN, doubtful={9, 10, 15}).install(monkeypatch)
    first, *_ = read(Frame(pixels)).unsure
    assert (first.squares, int(pictures.decoded(first.png).pixels[0, 0, 0])) == ([9], 200)


def test_tiles_of_a_known_game_are_alike_where_all_their_pixels_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    blind.install(monkeypatch)
    pixels = pictures.load(PICTURE).pixels.copy()
    for row, column, level in ((2, 0, 0), (2, 1, 0), (3, 0, 120)):
        top, left = 55 + 20 * row, 30 + 20 * column
        inside = pixels[top + 4 : top + 16, left + 4 : left + 16]
        inside[:] = (level, 0, 255, 255)
        inside[:, ::2] = (255, 0, 255, 255)
    found = read(Frame(pixels))
    assert found.source == "a picture of sgt-mines"
    assert [doubt.squares for doubt in found.unsure] == [[18, 19], [27]]


@pytest.mark.parametrize("place", [lambda frame: frame, _on_a_desktop])
def test_a_tile_that_is_smudged_is_marked(place: object, monkeypatch: pytest.MonkeyPatch) -> None:
    assert callable(place)
    seeing(Board.parse(TEXT), doubtful={19}).install(monkeypatch)
    found = read(place(pictures.decoded(smudged())))
    assert [doubt.squares for doubt in found.unsure] == [[19]]
    assert found.rows == TEXT


def test_a_pressed_cell_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    asleep.install(monkeypatch)
    found = read(pictures.load(HELD))
    assert "is being pressed" in found.notes[0]
    assert not found.unsure


def test_a_flash_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    asleep.install(monkeypatch)
    with pytest.raises(Unsettled, match="flashes"):
        read(pictures.load(FLASHES))


def test_a_picture_without_a_board_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    blind.install(monkeypatch)
    with pytest.raises(GridNotFound):
        read(pictures.load(SHOTS / "negative" / "lightup.png"))


def test_a_board_that_is_too_large_for_the_page_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seeing(Board.hidden(201, 4)).install(monkeypatch)
    with pytest.raises(UsageError, match="201x4 is too large"):
        read(UNKNOWN)
