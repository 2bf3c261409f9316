"""On a picture of a whole screen the board is looked for where there are edges."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bot.capture import Frame, Rect
from bot.recording import pictures
from bot.vision.grid import Grid
from bot.vision.regions import cut, grown, is_whole, regions

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots"
GAMES = sorted({file.parent.name: file for file in SHOTS.glob("*/*30x16*middle*.png")}.values())


def _screen(game: Frame, at: tuple[int, int]) -> Frame:
    """A screen of 3840x2160 in a shaded colour, with bars and lines on it, and the game."""
    across, down = np.meshgrid(np.arange(3840), np.arange(2160))
    pixels = np.stack([40 + (across + down) // 60 + channel for channel in range(4)], axis=-1)
    pixels = pixels.astype(np.uint8)
    pixels[:40] = 20
    letters = np.random.default_rng(1).random((25, 1200)) < 0.3
    pixels[200:1000:32, 2400:3600][letters] = 250  # words of a kind
    x, y = at
    pixels[y : y + game.height, x : x + game.width] = game.pixels
    return Frame(pixels)


@pytest.mark.parametrize("file", GAMES, ids=lambda file: file.parent.name)
def test_the_part_with_the_board_comes_first(file: Path) -> None:
    game = pictures.load(file)
    first = next(regions(_screen(game, (300, 1100))))
    middle = (300 + game.width // 2, 1100 + game.height // 2)
    assert first.holds(middle)
    assert first.width * first.height < 2 * (game.width + 240) * (game.height + 240)


@pytest.mark.parametrize("file", GAMES, ids=lambda file: file.parent.name)
def test_on_a_restless_ground_a_part_holds_the_board(file: Path) -> None:
    game = pictures.load(file)
    noise = np.random.default_rng(2).integers(60, 200, (2160, 3840, 4)).astype(np.uint8)
    noise[1100 : 1100 + game.height, 300 : 300 + game.width] = game.pixels
    first = next(regions(Frame(noise)))
    assert first.holds((300, 1100))
    assert first.holds((299 + game.width, 1099 + game.height))
    assert first.width * first.height < 3840 * 2160 / 2


def test_a_board_at_the_edge_of_a_part_may_go_on_beyond_it() -> None:
    whole, part = Rect(0, 0, 3840, 2160), Rect(100, 0, 400, 400)
    for left, top, ends in ((100, 0, True), (100, 100, True), (0, 100, False), (210, 100, False)):
        bounds = Rect(left, top, 180, 180)
        assert is_whole(Grid.regular(bounds, 20, 20, bounds), part, whole) == ends


def test_the_whole_comes_last() -> None:
    game = pictures.load(GAMES[0])
    *_, last = regions(_screen(game, (300, 1100)))
    assert last == Rect(0, 0, 3840, 2160)


def test_small_pictures_are_looked_at_whole() -> None:
    game = pictures.load(GAMES[0])
    assert list(regions(game)) == [Rect(0, 0, game.width, game.height)]


def test_a_plain_screen_is_one_part() -> None:
    assert len(list(regions(Frame(np.zeros((2160, 3840, 4), np.uint8))))) == 1


def test_a_part_is_cut_out_with_its_margin() -> None:
    pixels = np.arange(40 * 50 * 4, dtype=np.uint32).astype(np.uint8).reshape(40, 50, 4)
    part = grown(Rect(2, 3, 10, 10), 5, Rect(0, 0, 50, 40))
    assert part == Rect(0, 0, 17, 18)
    assert np.array_equal(cut(Frame(pixels), part).pixels, pixels[:18, :17])
