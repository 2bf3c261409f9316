"""Learning a game's looks from pictures whose boards are known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bot.board import Board, Cell
from bot.calibrate.samples import Labelled, conclude, learn
from bot.capture import Frame
from bot.errors import UnreadableTile
from bot.profile import ApartLook, SampleLook, load, load_file
from bot.profile.values import Sample, Thumbnail
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
    profile = replace(PROFILE, cells=SampleLook(learn(BIG, Sample)))
    assert list(Reader(profile).read(OTHER.open()).cells) == OTHER.cells


def test_a_number_that_was_not_learnt_is_not_read() -> None:
    profile = replace(PROFILE, cells=SampleLook(learn(BIG, Sample)))
    full = _picture("default-10x10n84-w640x480-middle")
    with pytest.raises(UnreadableTile) as caught:
        Reader(profile).read(full.open())
    x, y = caught.value.square
    learnt = {cell for one in BIG for cell in one.cells}
    assert full.cells[y * full.grid.width + x] not in learnt


def test_what_was_learnt_survives_being_written_down(tmp_path: Path) -> None:
    profile = replace(PROFILE, cells=SampleLook(learn(BIG, Sample)))
    write(profile, tmp_path / "profile.toml")
    assert load_file(tmp_path / "profile.toml") == profile


def _raised(board: Board) -> Frame:
    """A board of large tiles on a plain ground, covered ones with narrow bevels, opened with a line
    at two sides."""
    side, gap, ground = 48, 3, 192
    pixels = np.full((board.height * (side + gap) + 40, board.width * (side + gap) + 40, 4), ground)
    for square, cell in enumerate(board.cells):
        y, x = divmod(square, board.width)
        tile = np.full((side, side, 4), ground)
        if cell == Cell.HIDDEN:
            tile[:, -3:] = tile[-3:] = 128
            tile[:, :3] = tile[:3] = 255
        else:
            tile[:, :1] = tile[:1] = tile[:, -1:] = tile[-1:] = 128
        if cell == Cell.ONE:
            tile[10:38, 22:28] = (255, 0, 0, 255)
        top, left = 20 + y * (side + gap), 20 + x * (side + gap)
        pixels[top : top + side, left : left + side] = tile
    return Frame(pixels.astype(np.uint8))


def test_tiles_that_differ_at_their_sides_alone_are_told_by_pictures_of_the_whole() -> None:
    boards = [Board.parse(text) for text in ("????\n????\n????\n????", "0001\n001?\n01??\n1???")]
    look = ApartLook(((192, 192, 192),), 8, 12)
    shown = [
        Labelled(
            lambda frame=frame: frame,  # type: ignore[misc]  # its type is not inferred
            locate(frame, look),
            [Cell(cell) for cell in board.cells],
            "playing",
            0,
        )
        for board, frame in ((board, _raised(board)) for board in boards)
    ]
    blank = replace(PROFILE, grid=look, cells=SampleLook(()), status=None)
    made, found = conclude(shown, blank)
    assert found.faults == (0, 0)
    assert isinstance(made.cells, SampleLook)
    assert isinstance(made.cells.samples[0], Thumbnail)
    assert Reader(made).read(_raised(boards[1])) == boards[1]
