"""Telling tiles apart by thumbnails."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from bot.board import SYMBOLS, Board, Cell
from bot.calibrate import learn
from bot.capture import Frame
from bot.errors import UnreadableTile, VisionError
from bot.profile import Profile, SampleLook, Thumbnail, load, load_file, names
from bot.profile.writing import write
from bot.recording import pictures, replay
from bot.recording.replay import Case, Verdict
from bot.vision.reader import Reader

ROOT = Path(__file__).parents[2]
PROFILES = {
    name: profile
    for name in names()
    if isinstance((profile := load(name)).cells, SampleLook)
    and isinstance(profile.cells.samples[0], Thumbnail)
}
CASES = [
    case
    for name in PROFILES
    for folder in (ROOT / "fixtures").glob(f"*/{name}")
    for case in replay.cases(folder)
]
MIDDLES = [case for case in CASES if "middle-2" in case.path.stem]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.path.stem)
def test_every_picture_is_read_right_or_refused(case: Case) -> None:
    result = replay.replay(case, [PROFILES[case.path.parent.name]])
    assert (result.verdict, result.wrong) == (Verdict.RIGHT, 0), result.problem


def _without(profile: Profile, cell: Cell) -> Profile:
    assert isinstance(profile.cells, SampleLook)
    kept = [sample for sample in profile.cells.samples if sample.cell != cell]
    thumbnails = tuple(sample for sample in kept if isinstance(sample, Thumbnail))
    return replace(profile, cells=SampleLook(thumbnails))


@pytest.mark.parametrize(
    ("case", "cell"),
    [
        pytest.param(case, Cell(cell), id=f"{case.path.stem}-{cell}")
        for case in MIDDLES
        for cell in sorted(set(case.truth.cells if case.truth else ()))
        if 1 <= cell <= 8
    ],
)
def test_a_number_that_was_not_learnt_is_not_read(case: Case, cell: Cell) -> None:
    assert case.truth is not None
    with pytest.raises(UnreadableTile) as caught:
        Reader(_without(PROFILES[case.path.parent.name], cell)).read(pictures.load(case.path))
    x, y = caught.value.square
    assert case.truth.cells[case.truth.square(x, y)] == cell
    assert SYMBOLS[cell] not in caught.value.scores


@pytest.mark.parametrize("case", MIDDLES[::2], ids=lambda case: case.path.stem)
def test_a_tile_hidden_in_part_is_read_right_or_not_at_all(case: Case) -> None:
    frame, truth = pictures.load(case.path), case.truth
    reader = Reader(PROFILES[case.path.parent.name])
    assert reader.read(frame) == truth
    grid = reader.grid
    assert grid is not None
    assert truth is not None
    chance = random.Random(9)
    half = grid.tile // 2
    for _ in range(60):
        rect = grid.rect(*truth.xy(chance.randrange(len(truth.cells))))
        left = rect.left + chance.choice((0, half))
        top = rect.top + chance.choice((0, half))
        pixels = frame.pixels.copy()
        pixels[top : top + half, left : left + half, :3] = [chance.randrange(256) for _ in "bgr"]
        try:
            assert reader.read(Frame(pixels)) == truth
        except VisionError:
            reader.grid = grid


def test_what_was_learnt_survives_being_written_down(tmp_path: Path) -> None:
    case = MIDDLES[0]
    profile = PROFILES[case.path.parent.name]
    assert case.truth is not None
    learnt = learn([(pictures.load(case.path), case.truth, "playing")], profile.grid)
    write(replace(profile, cells=SampleLook(learnt)), tmp_path / "profile.toml")
    again = load_file(tmp_path / "profile.toml")
    assert again.cells == SampleLook(learnt)
    assert Reader(again).read(pictures.load(case.path)) == case.truth


def test_a_read_says_how_sure_it_is() -> None:
    case = MIDDLES[0]
    looks = Reader(PROFILES[case.path.parent.name]).readings(pictures.load(case.path))
    board = case.truth
    assert isinstance(board, Board)
    assert [look.cell for look in looks] == [Cell(cell) for cell in board.cells]
    assert all(look.margin > 0.1 for look in looks)
