"""Naming an unknown tile, and reading on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.board import Cell
from bot.cli import naming
from bot.errors import UnreadableTile
from bot.profile import Profile, SampleLook, load
from bot.recording import pictures
from bot.vision.locate import locate
from bot.vision.reader import Reader

SHOT = Path(__file__).parents[2] / "fixtures/screenshots/gnome-mines"
MIDDLE = "default-8x8n10-w600x450-middle-2.png"


def _without(profile: Profile, cell: Cell) -> Profile:
    assert isinstance(profile.cells, SampleLook)
    kept = tuple(sample for sample in profile.cells.samples if sample.cell != cell)
    return replace(profile, cells=SampleLook(kept))  # type: ignore[arg-type]  # all of one kind


def test_a_tile_that_is_named_is_read_from_then_on() -> None:
    profile = _without(load("gnome-mines"), Cell.TWO)
    frame = pictures.load(SHOT / MIDDLE)
    reader = Reader(profile)
    truth = Reader(load("gnome-mines")).read(frame)
    named = 0
    while True:
        try:
            board = reader.read(frame)
        except UnreadableTile as error:
            grid = reader.grid
            assert grid is not None
            square = truth.square(*error.square)
            assert truth.cells[square] == Cell.TWO
            reader.teach(frame, grid, square, Cell.TWO)
            named += 1
        else:
            break
    assert board == truth
    assert 0 < named < truth.count(Cell.TWO)


@pytest.mark.parametrize(("key", "cell"), [("2", Cell.TWO), ("f", Cell.FLAG), ("x", None)])
def test_one_key_names_it(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    key: str,
    cell: Cell | None,
) -> None:
    monkeypatch.setattr(naming, "_key", lambda: key)
    frame = pictures.load(SHOT / MIDDLE)
    grid = locate(frame, load("gnome-mines").grid)
    assert naming.named(frame, grid, UnreadableTile((2, 1), {})) is cell
    said = capsys.readouterr().err
    assert "▀" in said
    assert "column 3, row 2" in said
