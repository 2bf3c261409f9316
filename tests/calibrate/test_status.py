"""Where a game counts its flags and mines, found out from pictures with their boards."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.board import Board, Cell
from bot.calibrate.samples import Labelled
from bot.calibrate.status import find_status
from bot.profile import load
from bot.recording import pictures
from bot.vision.locate import locate
from bot.vision.text import Tesseract

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
