"""Where a game counts its flags and mines, found out from pictures with their boards."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bot.board import Board, Cell
from bot.calibrate.grid import discover
from bot.calibrate.run import Wishes
from bot.calibrate.samples import Labelled
from bot.calibrate.status import find_number, find_status
from bot.capture import Frame
from bot.play.result import Settings
from bot.play.session import open_session
from bot.profile import CounterLook, load
from bot.profile.behaviour import Spot
from bot.recording import pictures
from bot.stop import Stop
from bot.vision.locate import locate
from bot.vision.status import StatusReader
from bot.vision.text import Tesseract
from bot.vision.written import read_number
from tests.calibrate.table_game import LEFT, TOP, TableGame
from tests.calibrate.test_run import _calibrated, _profile

OCR = Tesseract()
SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "gnome-mines"
PLAYED = ("default-8x8n10-w600x450-fresh", "default-8x8n10-w600x450-middle-2")


def _labelled(name: str) -> Labelled:
    frame = pictures.load(SHOTS / f"{name}.png")
    board = Board.parse((SHOTS / f"{name}.txt").read_text())
    grid = locate(frame, load("gnome-mines").grid)
    return Labelled(lambda: frame, grid, [Cell(cell) for cell in board.cells], "playing", 0)


def test_the_line_is_found_that_counts_the_flags_that_are_set() -> None:
    shown = [_labelled(name) for name in PLAYED]
    assert len({picture.cells.count(Cell.FLAG) for picture in shown}) == 2
    look = find_status(shown, Tesseract())
    assert look is not None
    assert look.side == "right"
    match = look.total.search("0/10")
    assert match is not None
    assert match["mines"] == "10"


def test_a_line_that_does_not_follow_the_flags_is_not_taken() -> None:
    shown = [_labelled(name) for name in PLAYED]
    assert find_status(shown, lambda _line: "0/10") is None


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_is_found_where_no_flag_was_set(count: int) -> None:
    shown = [_labelled(PLAYED[0])] * count
    assert find_status(shown, lambda _line: "0/10") is None


class _Counts(TableGame):
    """A game that writes the mines left above its board."""

    says = "Mines: {}"

    def picture(self) -> NDArray[np.uint8]:
        pixels = super().picture()
        flags = sum(mark == "flag" for mark in self.marks.values())
        said = np.ascontiguousarray(pixels[:TOP, :, :3])
        text, font = self.says.format(self.size[2] - flags, flags), cv2.FONT_HERSHEY_SIMPLEX
        cv2.putText(said, text, (LEFT, 30), font, 0.7, (20, 20, 20), 2, cv2.LINE_AA)
        pixels[:TOP, :, :3] = said
        return pixels


def _shown(game: TableGame, flags: int) -> Labelled:
    """The game's picture with so many flags, and what it shows."""
    game.marks = dict.fromkeys(range(flags), "flag")
    frame = Frame(game.picture())
    cells = [game.cell(square) for square in range(81)]
    _, grid = discover(frame)
    return Labelled(lambda: frame, grid, cells, "playing", 0)  # type: ignore[arg-type]


@pytest.mark.parametrize("says", ["Mines: {}", "{}", "Flags left {}"])
def test_the_number_of_mines_left_is_found_in_words(says: str) -> None:
    game = _Counts(9, 9, 12, 1)
    game.says = says
    look = find_number([_shown(game, flags) for flags in (0, 1, 2, 3)], OCR)
    assert look is not None
    assert (look.kind, look.mines, look.at.side) == ("text", 12, "above")
    frame = _shown(game, 5)
    assert read_number(frame.open(), frame.grid, look, OCR) == 7


@pytest.mark.parametrize("says", ["Mines: 12", "Flags: {1}", "Mines {}/12", "Time 0:{}", "{} 12"])
def test_another_number_is_not_taken_for_it(says: str) -> None:
    game = _Counts(9, 9, 12, 1)
    game.says = says
    assert find_number([_shown(game, flags) for flags in (0, 1, 2, 3)], OCR) is None


def test_a_number_is_not_found_where_no_flag_was_set() -> None:
    game = _Counts(9, 9, 12, 1)
    assert find_number([_shown(game, 0), _shown(game, 0)], OCR) is None


def test_a_game_that_counts_in_words_is_played_by_them() -> None:
    game = _Counts(9, 9, 12, 2)
    learnt = _calibrated(game, Wishes("n", 5))
    counter = find_number(learnt.pictures, OCR)
    assert counter is not None
    profile = replace(_profile(learnt), status=None, conduct=learnt.conduct, counter=counter)
    with open_session(game.desk, game.desk.window, profile, Stop(), Settings()) as session:
        session.new_game()
        board = session.play().board
    assert board is not None
    assert board.mines == 12


def test_another_total_than_the_usual_one_is_read_with_and_without_flags() -> None:
    look = CounterLook(Spot("above", "start", 2, 1), "text", 12)
    game = _Counts(9, 9, 15, 1)
    with StatusReader(look, lambda: OCR) as reader:
        for flags, told in ((2, None), (3, None), (0, None), (3, 15)):
            picture = _shown(game, flags)
            reader.submit(picture.open(), picture.grid, flags)
            while reader.busy:
                time.sleep(0.01)
            assert reader.latest.mines == told
        reader.reset()
        assert reader.latest.mines is None
