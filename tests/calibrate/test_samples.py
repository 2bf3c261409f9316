"""Learning a game's looks from pictures whose boards are known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.board import Board, Cell
from bot.calibrate.samples import Labelled, learn
from bot.errors import UnreadableTile
from bot.profile import SampleLook, load, load_file
from bot.profile.writing import write
from bot.recording import pictures
from bot.vision.locate import locate
from bot.vision.reader import Reader

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "gnome-mines"
PROFILE = load("gnome-mines")


def _picture(name: str) -> Labelled:
    board = Board.parse((SHOTS / f"{name}.txt").read_text())
    frame = pictures.load(SHOTS / f"{name}.png")
    grid = locate(frame, PROFILE.grid)
    return Labelled(lambda: frame, grid, [Cell(cell) for cell in board.cells], "playing", 0)


BIG = [_picture(f"default-8x8n10-w600x450-{moment}") for moment in ("early", "middle-2", "fresh")]
OTHER = _picture("default-8x8n10-w520x400-middle-1")


def test_what_was_learnt_reads_a_window_of_another_size() -> None:
    profile = replace(PROFILE, cells=SampleLook(learn(BIG, PROFILE.grid)))
    assert list(Reader(profile).read(OTHER.open()).cells) == OTHER.cells


def test_a_number_that_was_not_learnt_is_not_read() -> None:
    profile = replace(PROFILE, cells=SampleLook(learn(BIG, PROFILE.grid)))
    full = _picture("default-10x10n84-w640x480-middle")
    with pytest.raises(UnreadableTile) as caught:
        Reader(profile).read(full.open())
    x, y = caught.value.square
    learnt = {cell for one in BIG for cell in one.cells}
    assert full.cells[y * full.grid.width + x] not in learnt


def test_what_was_learnt_survives_being_written_down(tmp_path: Path) -> None:
    profile = replace(PROFILE, cells=SampleLook(learn(BIG, PROFILE.grid)))
    write(profile, tmp_path / "profile.toml")
    assert load_file(tmp_path / "profile.toml") == profile
