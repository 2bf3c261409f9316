"""Learning a game's looks from pictures whose boards are known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.board import Board
from bot.calibrate import learn
from bot.capture import Frame
from bot.errors import UnreadableTile, UsageError
from bot.profile import SampleLook, load, load_file
from bot.profile.writing import write
from bot.recording import pictures
from bot.vision.reader import Reader

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "gnome-mines"
PROFILE = load("gnome-mines")


def _picture(name: str) -> tuple[Frame, Board, str]:
    text = (SHOTS / f"{name}.txt").read_text()
    return pictures.load(SHOTS / f"{name}.png"), Board.parse(text), "playing"


BIG = [_picture(f"default-8x8n10-w600x450-{moment}") for moment in ("early", "middle-2", "fresh")]
OTHER = _picture("default-8x8n10-w520x400-middle-1")


def test_what_was_learnt_reads_a_window_of_another_size() -> None:
    profile = replace(PROFILE, cells=SampleLook(learn(BIG, PROFILE.grid)))
    frame, board, _ = OTHER
    assert Reader(profile).read(frame) == board


def test_a_number_that_was_not_learnt_is_not_read() -> None:
    profile = replace(PROFILE, cells=SampleLook(learn(BIG, PROFILE.grid)))
    frame, board, _ = _picture("default-10x10n84-w640x480-middle")
    with pytest.raises(UnreadableTile) as caught:
        Reader(profile).read(frame)
    x, y = caught.value.square
    learnt = {cell for _, one, _ in BIG for cell in one.cells}
    assert board.cells[board.square(x, y)] not in learnt


def test_what_was_learnt_survives_being_written_down(tmp_path: Path) -> None:
    profile = replace(PROFILE, cells=SampleLook(learn(BIG, PROFILE.grid)))
    write(profile, tmp_path / "profile.toml")
    assert load_file(tmp_path / "profile.toml") == profile


def test_a_text_that_is_not_the_pictures_is_refused() -> None:
    frame, board, phase = OTHER
    with pytest.raises(UsageError, match="8x8 cells, its text has 9x8"):
        learn([(frame, Board.hidden(board.width + 1, board.height), phase)], PROFILE.grid)
