"""Every picture of the fixtures, decoded and read once, for all that should follow from it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bot.board import Board, Cell
from bot.capture import Frame
from bot.errors import Unsettled, VisionError
from bot.profile import load, names
from bot.recording import pictures, replay
from bot.recording.replay import Case
from bot.vision.grid import Grid
from bot.vision.pressed import settled
from bot.vision.reader import Reader
from bot.vision.status import cut, read_status
from bot.vision.text import Tesseract

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots"
PROFILES = {name: load(name) for name in names()}
CASES = list(replay.cases(SHOTS))
NARROW = 240
"""Pixels of width below which KMines has no room for its total."""


@cache
def _index(folder: Path) -> dict[str, dict[str, Any]]:
    facts: dict[str, dict[str, Any]] = json.loads((folder / "index.json").read_text())
    return facts


@cache
def _ocr() -> Tesseract:
    return Tesseract()


def test_the_corpus_is_whole() -> None:
    assert len(CASES) >= 500
    assert {case.game for case in CASES} == {*PROFILES, "negative"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}-{case.path.stem}")
def test_a_picture_is_read_right_by_its_own_profile_and_by_no_other(case: Case) -> None:
    frame = pictures.load(case.path)
    for name, profile in PROFILES.items():
        if name != case.game:
            with pytest.raises(VisionError):
                settled(Reader(profile).read(frame))
    if case.game not in PROFILES:
        assert case.expect == "refuse"
        return
    reader = Reader(PROFILES[case.game])
    if case.expect != "read":
        # A flash and a pressed cell are known for what they are.
        refusal = Unsettled if case.expect == "unsettled" else VisionError
        with pytest.raises(refusal):
            settled(reader.read(frame))
        return
    board = settled(reader.read(frame))
    assert board == case.truth
    facts = _index(case.path.parent)[case.path.stem]
    assert reader.grid is not None
    _check_grid(reader.grid, board, facts["grid"])
    if case.game == "sgt-mines":
        _check_tatham_status(frame, reader.grid, board, facts)
    elif case.game == "kmines" and facts["outcome"] == "playing":
        status = read_status(frame, reader.grid, PROFILES["kmines"].status, _ocr())
        assert status.mines == (facts["mines"] if frame.width >= NARROW else None)


def _check_grid(grid: Grid, board: Board, facts: dict[str, Any]) -> None:
    """The grid is where the game draws it, to the pixel."""
    assert (grid.width, grid.height) == (board.width, board.height)
    if "columns" in facts:
        assert list(grid.columns) == facts["columns"]
        assert list(grid.rows) == facts["rows"]
    else:
        assert {"left": grid.left, "top": grid.top, "pitch": grid.tile} == facts


def _check_tatham_status(frame: Frame, grid: Grid, board: Board, facts: dict[str, Any]) -> None:
    """What the line says is read right; and it is read, unless it is cut off."""
    profile = PROFILES["sgt-mines"]
    status = read_status(frame, grid, profile.status, _ocr())
    assert status.mines in (None, facts["mines"])
    assert status.marked in (None, board.count(Cell.FLAG))
    assert status.ended is None or facts["outcome"] in (None, status.ended)
    (line,) = cut(frame, grid, profile.status)
    assert line.crowded or status.mines is not None or status.ended is not None
