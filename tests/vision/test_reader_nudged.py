"""Reading where the general finder has a running board's tiles a pixel off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.board import Board
from bot.errors import UnreadableTile
from bot.profile import LatticeLook, load
from bot.recording import pictures
from bot.vision.locate import locate
from bot.vision.reader import Reader

PICTURE = (
    Path(__file__).parents[2]
    / "fixtures/screenshots/xdemineur/plain-12x12n20-w300x400-middle-1.png"
)


def _read(monkeypatch: pytest.MonkeyPatch, right: int, down: int) -> tuple[Board, Board]:
    """What is read where the grid is found so far off, and what is there."""
    frame, profile = pictures.load(PICTURE), load("xdemineur")
    off = locate(frame, profile.grid).moved(right, down)
    monkeypatch.setattr("bot.vision.reader.locate", lambda *_: off)
    reader = Reader(replace(profile, grid=LatticeLook()))
    assert all(tile.cell is not None for tile in reader.readings(frame))
    return reader.read(frame), Board.parse(PICTURE.with_suffix(".txt").read_text())


@pytest.mark.parametrize(("right", "down"), [(0, 0), (1, 0), (0, -1), (-1, 1)])
def test_a_grid_that_is_found_a_pixel_off_is_read(
    monkeypatch: pytest.MonkeyPatch, right: int, down: int
) -> None:
    read, there = _read(monkeypatch, right, down)
    assert read.with_mines(None) == there.with_mines(None)


def test_one_that_is_further_off_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    frame, profile = pictures.load(PICTURE), load("xdemineur")
    off = locate(frame, profile.grid).moved(5, 0)
    monkeypatch.setattr("bot.vision.reader.locate", lambda *_: off)
    with pytest.raises(UnreadableTile):
        Reader(replace(profile, grid=LatticeLook())).read(frame)
