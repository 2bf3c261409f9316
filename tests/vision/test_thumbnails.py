"""Telling tiles apart by thumbnails."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from bot.board import SYMBOLS, Board, Cell
from bot.capture import Frame
from bot.errors import UnreadableTile, VisionError
from bot.profile import Profile, SampleLook, Thumbnail, load, load_file
from bot.profile.writing import write
from bot.recording import pictures
from bot.vision.reader import Reader

ROOT = Path(__file__).parents[2]
MIDDLES = [
    path
    for game in ("kmines", "xdemineur")
    for path in sorted((ROOT / "fixtures" / "screenshots" / game).glob("*middle-2.png"))
]


def _profile(path: Path) -> Profile:
    return load(path.parent.name)


def _board(path: Path) -> Board:
    return Board.parse(path.with_suffix(".txt").read_text())


def _without(profile: Profile, cell: Cell) -> Profile:
    assert isinstance(profile.cells, SampleLook)
    kept = [sample for sample in profile.cells.samples if sample.cell != cell]
    thumbnails = tuple(sample for sample in kept if isinstance(sample, Thumbnail))
    return replace(profile, cells=SampleLook(thumbnails))


@pytest.mark.parametrize(
    ("path", "cell"),
    [
        pytest.param(path, Cell(cell), id=f"{path.stem}-{cell}")
        for path in MIDDLES
        for cell in sorted(set(_board(path).cells))
        if 1 <= cell <= 8
    ],
)
def test_a_number_that_was_not_learnt_is_not_read(path: Path, cell: Cell) -> None:
    truth = _board(path)
    with pytest.raises(UnreadableTile) as caught:
        Reader(_without(_profile(path), cell)).read(pictures.load(path))
    x, y = caught.value.square
    assert truth.cells[truth.square(x, y)] == cell
    assert SYMBOLS[cell] not in caught.value.scores


@pytest.mark.thorough
@pytest.mark.parametrize("path", MIDDLES[::2], ids=lambda path: path.stem)
def test_a_tile_hidden_in_part_is_read_right_or_not_at_all(path: Path) -> None:
    frame, truth = pictures.load(path), _board(path)
    reader = Reader(_profile(path))
    assert reader.read(frame) == truth
    grid = reader.grid
    assert grid is not None
    chance = random.Random(9)
    half, refused = grid.tile // 2, 0
    for _ in range(60):
        rect = grid.rect(*truth.xy(chance.randrange(len(truth.cells))))
        left = rect.left + chance.choice((0, half))
        top = rect.top + chance.choice((0, half))
        pixels = frame.pixels.copy()
        pixels[top : top + half, left : left + half, :3] = [chance.randrange(256) for _ in "bgr"]
        try:
            assert reader.read(Frame(pixels)) == truth
        except VisionError:
            refused += 1
            reader.grid = grid
    # It is for what hides a tile that it is not read, and nearly always for that.
    assert refused >= 58
    assert reader.read(frame) == truth


def test_thumbnails_survive_being_written_down(tmp_path: Path) -> None:
    path = MIDDLES[0]
    profile = _profile(path)
    write(profile, tmp_path / "profile.toml")
    again = load_file(tmp_path / "profile.toml")
    assert again.cells == profile.cells
    assert Reader(again).read(pictures.load(path)) == _board(path)


def test_a_read_says_how_sure_it_is() -> None:
    path = MIDDLES[0]
    readings = Reader(_profile(path)).readings(pictures.load(path))
    assert [tile.cell for tile in readings] == [Cell(cell) for cell in _board(path).cells]
    assert all(tile.margin > 0.1 for tile in readings)
