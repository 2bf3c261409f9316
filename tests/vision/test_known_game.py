"""A game of known colours is read by its profile, and at first sight once it looks otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from minebot.board import Board
from minebot.capture import Frame
from minebot.errors import GridNotFound, UnreadableTile
from minebot.profile import load
from minebot.recording import pictures
from minebot.vision.known_game import MAX_FAILURES, KnownGameReader
from tests.support.fake_sight import asleep

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots"
KNOWN = SHOTS / "sgt-mines" / "9x9n10-t20-middle-flags.png"
OTHERWISE = SHOTS / "xdemineur" / "plain-12x12n20-w300x400-middle-1.png"
"""As if the next version of the game looked like another one."""


def _truth(path: Path) -> Board:
    return Board.parse(path.with_suffix(".txt").read_text())


def test_what_the_profile_reads_needs_no_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    asleep.install(monkeypatch)
    reader = KnownGameReader(load("sgt-mines"))
    frame = pictures.load(KNOWN)
    reading = reader.read(frame)
    assert reading.board == _truth(KNOWN)
    assert reading.grid == reader.last_grid(frame)


@pytest.mark.trained
def test_what_the_profile_does_not_read_is_read_at_first_sight_after_a_few_frames() -> None:
    reader, frame = KnownGameReader(load("sgt-mines")), pictures.load(OTHERWISE)
    for _ in range(MAX_FAILURES - 1):
        with pytest.raises((GridNotFound, UnreadableTile)):
            reader.read(frame)
    reading = reader.read(frame)
    assert reading.board == _truth(OTHERWISE)
    assert len(reading.tiles) == 144
    assert reader.read(frame).board == _truth(OTHERWISE)


def test_a_board_of_another_game_is_not_taken_for_the_next_moment_of_this_one() -> None:
    reader, frame = KnownGameReader(load("sgt-mines")), pictures.load(OTHERWISE)
    assert reader.read(pictures.load(KNOWN)).board == _truth(KNOWN)
    for _ in range(MAX_FAILURES + 2):
        with pytest.raises((GridNotFound, UnreadableTile)):
            reader.read(frame)


def test_what_lies_over_a_game_whose_colours_are_known_is_not_looked_at_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asleep.install(monkeypatch)
    reader, frame = KnownGameReader(load("sgt-mines")), pictures.load(KNOWN)
    pixels, rect = frame.pixels.copy(), reader.read(frame).grid.rect(4, 4)
    pixels[rect.top : rect.bottom, rect.left : rect.right] = (10, 200, 90, 0)
    for _ in range(MAX_FAILURES + 2):
        with pytest.raises(UnreadableTile):
            reader.read(Frame(pixels.copy()))
    assert reader.read(Frame(pixels), partly=True).unread == (40,)


@pytest.mark.trained
def test_a_game_that_looks_as_its_profile_says_again_is_read_by_it_again() -> None:
    reader, other = KnownGameReader(load("sgt-mines")), pictures.load(OTHERWISE)
    for _ in range(MAX_FAILURES - 1):
        with pytest.raises((GridNotFound, UnreadableTile)):
            reader.read(other)
    reader.read(other)
    assert reader.read(pictures.load(KNOWN)).board == _truth(KNOWN)
