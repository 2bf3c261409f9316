"""Reading boards whose colours a person has changed, from the picture alone."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.board import Board, Cell
from bot.capture import Frame
from bot.errors import GridNotFound, UnreadableTile, VisionError
from bot.profile import Profile, load
from bot.recording import pictures
from bot.vision.reader import Reader
from bot.vision.recolour import check_empty, recoloured

READ_IN_GREY = 4
"""Of 61 pictures. Measured."""
SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "sgt-mines"
PROFILE = load("sgt-mines")
PATHS = [
    SHOTS / f"{name}.png"
    for name in (
        "9x9n10-t20-fresh",
        "9x9n35-t9-late-digits-flags",
        "9x9n35-t33-late-digits-wrong",
        "9x9n35-t25-middle-digits-cursor",
        "16x16n70-t10-late-digits-flags",
        "16x16n70-w381x402-middle-digits-dark-cursor",
        "30x16n99-t10-won-digits",
        "30x16n99-t20-lost-flags-wrong",
    )
]
Pixels = NDArray[np.uint8]


def _inverted(pixels: Pixels) -> Pixels:
    return 255 - pixels


def _rotated(pixels: Pixels) -> Pixels:
    return np.roll(pixels, 1, axis=2)


def _dim(pixels: Pixels) -> Pixels:
    return (pixels.astype(np.float32) * 0.6 + 50).astype(np.uint8)


def _grey(pixels: Pixels) -> Pixels:
    return np.repeat(pixels.mean(axis=2, keepdims=True).astype(np.uint8), 3, axis=2)


def _read(path: Path, paint: Callable[[Pixels], Pixels]) -> Board:
    pixels = pictures.load(path).pixels.copy()
    pixels[..., :3] = paint(pixels[..., :3])
    return Reader(PROFILE).read(Frame(pixels))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
@pytest.mark.parametrize("paint", [_inverted, _rotated, _dim])
def test_a_board_in_other_colours_is_read(path: Path, paint: Callable[[Pixels], Pixels]) -> None:
    assert _read(path, paint) == Board.parse(path.with_suffix(".txt").read_text())


def test_the_colours_are_found_out_again_only_where_something_new_shows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found: list[object] = []

    def counted(frame: Frame, profile: Profile) -> Profile | None:
        found.append(None)
        return recoloured(frame, profile)

    monkeypatch.setattr("bot.vision.reader.recoloured", counted)
    frames, boards = [], []
    for name in ("30x16n99-t20-early", "30x16n99-t20-early", "30x16n99-t20-lost-flags-wrong"):
        pixels = pictures.load(SHOTS / f"{name}.png").pixels.copy()
        pixels[..., :3] = _inverted(pixels[..., :3])
        frames.append(Frame(pixels))
        boards.append(Board.parse((SHOTS / f"{name}.txt").read_text()))
    reader = Reader(PROFILE)
    assert [reader.read(frame) for frame in frames[:2]] == boards[:2]
    assert len(found) == 1
    assert reader.read(frames[2]) == boards[2]
    assert len(found) == 2


def test_a_picture_without_a_board_is_searched_for_colours_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searched: list[Frame] = []

    def none(frame: Frame, _: Profile) -> None:
        searched.append(frame)

    monkeypatch.setattr("bot.vision.reader.recoloured", none)
    reader = Reader(PROFILE)
    for level in (90, 90, 91):
        with pytest.raises(GridNotFound):
            reader.read(Frame(np.full((200, 200, 4), level, np.uint8)))
    assert len(searched) == 2


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_each_tile_is_seen_as_it_is_read(path: Path) -> None:
    pixels = pictures.load(path).pixels.copy()
    pixels[..., :3] = _inverted(pixels[..., :3])
    reader = Reader(PROFILE)
    looks = reader.readings(Frame(pixels))
    truth = Board.parse(path.with_suffix(".txt").read_text())
    assert [look.cell for look in looks] == [Cell(cell) for cell in truth.cells]
    assert reader.grid is not None
    assert (reader.grid.width, reader.grid.height) == (truth.width, truth.height)


def test_colours_that_no_longer_differ_are_refused_not_guessed() -> None:
    """Without its hues a 2 is as dark as a 3, and a flag as its foot."""
    read = 0
    paths = sorted(SHOTS.glob("*.png"))[::3]
    for path in paths:
        with suppress(VisionError):
            assert _read(path, _grey) == Board.parse(path.with_suffix(".txt").read_text())
            read += 1
    # Where neither flags nor two numbers of one lightness show, nothing is left to guess.
    assert read >= READ_IN_GREY


def test_an_empty_cell_beside_a_flag_may_be_a_number_that_cannot_be_seen() -> None:
    check_empty(Board.parse("000\n011\n01*"))
    with pytest.raises(UnreadableTile) as caught:
        check_empty(Board.parse("000\n00F\n000"))
    assert caught.value.square == (1, 0)
