"""The board in a picture is found with all its columns and rows, or refused."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import pytest
from numpy.typing import NDArray

from minebot.errors import Clipped, GridNotFound
from minebot.recording import pictures
from minebot.vision import board_finder
from minebot.vision.board_finder import find
from minebot.vision.classification import Classified, Label
from minebot.vision.detection import SIDES, GridCandidate

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots"
VERSIONS = SHOTS.parent / "versions"
BOARD = SHOTS / "sgt-mines" / "9x9n10-t20-middle-flags.png"


def _pixels(path: Path) -> NDArray[np.uint8]:
    return np.ascontiguousarray(pictures.load(path).pixels[..., :3])


def _find(pixels: NDArray[np.uint8]) -> GridCandidate:
    return find(np.ascontiguousarray(pixels)).lattice


def _size(lattice: GridCandidate) -> tuple[int, int]:
    return lattice.x.size, lattice.y.size


@pytest.mark.trained
def test_a_board_that_is_cut_off_is_refused() -> None:
    pixels = _pixels(BOARD)
    middle = round(float(_find(pixels).x[-2]))
    with pytest.raises(Clipped):
        _find(pixels[:, :middle])


@pytest.mark.trained
@pytest.mark.parametrize(
    "name",
    [
        "kmines/default-9x9n10-w134x218-middle-1",
        "kmines/green-16x16n40-w218x302-middle",
        "kmines/graveyard-mayhem-9x9n10-w480x400-fresh",
        "winemine/green-30x16n99-middle-3",
    ],
)
def test_a_board_may_end_where_the_picture_ends(name: str) -> None:
    pixels = _pixels(SHOTS / f"{name}.png")
    found = _find(pixels)
    right, bottom = (round(float(side)) for side in found.bounds[2:])
    for part in (pixels[:, :right], pixels[:bottom]):
        again = _find(part)
        assert _size(again) == _size(found)
        assert again.bounds == pytest.approx(found.bounds, abs=1)


@pytest.mark.trained
def test_lines_of_no_cells_are_taken_away() -> None:
    """Five cells high above the board bars are as far apart as its columns."""
    pixels = _pixels(SHOTS / "xdemineur" / "plain-14x12n95-w320x440-middle-2.png")
    found = _find(pixels)
    left, top, *_ = (round(float(side)) for side in found.bounds)
    wide, high = found.pitch
    bars = np.full((round(5 * high), pixels.shape[1], 3), 230, np.uint8)
    chance = np.random.default_rng(7)
    for column in range(found.x.size):
        begin, end = (left + round(number * wide) for number in (column, column + 1))
        bars[:, begin:end] = chance.integers(90, 200, 3)
        bars[:, end - 2 : end] = 40
    below = _find(np.vstack([bars, pixels[top:]]))
    down = len(bars) - top
    assert _size(below) == _size(found)
    lower = [side + shift for side, shift in zip(found.bounds, (0, down) * 2, strict=True)]
    assert below.bounds == pytest.approx(lower, abs=1)


@pytest.mark.trained
@pytest.mark.parametrize("seen", [0.3, 0.6, 0.9])
def test_a_column_that_is_cut_is_no_end_of_the_board(seen: float) -> None:
    pixels = _pixels(SHOTS / "kmines" / "classic-9x9n10-w480x360-fresh.png")
    lattice = _find(pixels)
    left = round(float(lattice.x[1] + (0.5 - seen) * lattice.pitch[0]))
    with pytest.raises((Clipped, GridNotFound)):
        _find(pixels[:, left:])


@pytest.mark.trained
@pytest.mark.parametrize("cut", [0.14, 0.2])
def test_a_column_of_which_a_little_is_missing_is_cut_off(cut: float) -> None:
    pixels = _pixels(SHOTS / "gnome-mines" / "bgcolors-8x8n10-w560x430-wrong.png")
    lattice = _find(pixels)
    with pytest.raises(Clipped, match="cut off at the left edge"):
        _find(pixels[:, round(lattice.bounds[0] + (1 + cut) * lattice.pitch[0]) :])


@pytest.mark.trained
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("seen", [0.3, 0.4])
def test_a_board_that_is_cut_off_within_the_picture_is_not_taken_for_whole(
    side: str, seen: float
) -> None:
    pixels = _pixels(BOARD)
    lattice = _find(pixels)
    columns, rows = np.arange(pixels.shape[1]), np.arange(pixels.shape[0])[:, None]
    hidden = {
        "left": columns < lattice.bounds[0] + (1 - seen) * lattice.pitch[0],
        "top": rows < lattice.bounds[1] + (1 - seen) * lattice.pitch[1],
        "right": columns >= lattice.bounds[2] - (1 - seen) * lattice.pitch[0],
        "bottom": rows >= lattice.bounds[3] - (1 - seen) * lattice.pitch[1],
    }[side]
    pixels[np.broadcast_to(hidden, pixels.shape[:2])] = pixels[0, 0]
    with pytest.raises(Clipped, match="cells go on beyond"):
        _find(pixels)


@pytest.mark.trained
@pytest.mark.parametrize(
    "path", sorted(VERSIONS.glob("*/*-clipped-*.png")), ids=lambda path: str(path.stem)
)
def test_nor_is_one_that_a_game_cuts_off_in_a_small_window(path: Path) -> None:
    with pytest.raises(GridNotFound):
        _find(_pixels(path))


@pytest.mark.trained
@pytest.mark.parametrize("shift", [0.3, 0.5, 0.7])
def test_a_torn_board_does_not_end_where_it_is_torn(shift: float) -> None:
    pixels = _pixels(SHOTS / "kmines" / "classic-16x16n40-w560x500-early.png")
    lattice = _find(pixels)
    line = round(float(lattice.y[4] - lattice.pitch[1] / 2))
    pixels[line:] = np.roll(pixels[line:], round(shift * lattice.pitch[0]), axis=1)
    with pytest.raises(Clipped, match="cells go on beyond 16x12"):
        _find(pixels)


@pytest.mark.trained
@pytest.mark.parametrize("row", [2, 12, 13])
@pytest.mark.parametrize("gap", [1.2, 1.9])
def test_a_board_with_cells_beyond_a_gap_is_torn(row: int, gap: float) -> None:
    pixels = _pixels(SHOTS / "kmines" / "classic-16x16n40-w560x500-early.png")
    lattice = _find(pixels)
    line = round(float(lattice.y[row] + lattice.pitch[1] / 2))
    strip = np.full((round(gap * lattice.pitch[1]), pixels.shape[1], 3), 240, np.uint8)
    with pytest.raises(Clipped, match="cells go on beyond"):
        _find(np.vstack([pixels[:line], strip, pixels[line:]]))


@pytest.mark.trained
def test_a_note_over_half_of_the_last_row_leaves_the_boards_end_certain() -> None:
    pixels = _pixels(SHOTS / "kmines" / "classic-16x16n40-w560x500-early.png")
    lattice = _find(pixels)
    wide, high = lattice.pitch
    left, _, _, bottom = (round(float(side)) for side in lattice.bounds)
    note = pixels[bottom - round(high) : bottom, left : left + round(7 * wide)]
    note[:] = np.random.default_rng(1).integers(0, 255, (*note.shape[:1], 1, 3))
    assert _size(_find(pixels)) == (16, 16)


@pytest.mark.trained
def test_open_cells_of_the_grounds_own_colour_do_not_tell_where_the_board_ends() -> None:
    name = "clean_blue_dark-easy-open-dark-full-won.png"
    with pytest.raises(GridNotFound, match="nothing tells where the board ends"):
        _find(_pixels(VERSIONS / "kmines-25.04" / name))


@pytest.mark.trained
@pytest.mark.parametrize(
    ("picture", "size"), [("hy2999la/late", (16, 16)), ("jaaahooou/middle", (30, 16))]
)
def test_where_the_end_is_in_doubt_tiles_moved_a_little_tell_it(
    picture: str, size: tuple[int, int]
) -> None:
    assert _size(_find(_pixels(SHOTS.parent / "others" / "more" / f"{picture}.png"))) == size


@pytest.mark.trained
def test_columns_that_detection_misses_are_added() -> None:
    name = "default-30x16n99-w1000x560-light-full-fresh.png"
    found = find(_pixels(VERSIONS / "gnome-mines-40.1" / name))
    assert _size(found.lattice) == (30, 16)
    assert (found.probabilities.argmax(axis=2) == Label.HIDDEN).all()


@pytest.mark.trained
@pytest.mark.parametrize("game", ["charlie-robin", "theshubhagrwl"])
def test_a_board_that_looks_like_none_is_known_by_its_numbers(game: str) -> None:
    found = find(_pixels(SHOTS.parent / "others" / "more" / game / "early.png"))
    assert (found.board < 0.5, _size(found.lattice)) == (True, (10, 10))


@pytest.mark.trained
def test_a_fresh_board_that_looks_like_none_may_be_one_if_all_its_cells_are_certain() -> None:
    name = "sergiovelaalfajarin/fresh.png"
    found = find(_pixels(SHOTS.parent / "others" / "more" / name))
    assert (found.board < 0.5, _size(found.lattice)) == (True, (18, 14))


@dataclass(frozen=True)
class Tiles:
    """The tiles of a lattice, with a ring of what is no cell around it, or without."""

    lattice: GridCandidate
    has_ring: bool = True

    def inner(self) -> Self:
        return type(self)(self.lattice.extended(-1, -1, -1, -1), has_ring=False)

    def shown_as(self, label: Label) -> Classified:
        """What networks say that take each of the cells for this, and the lattice for no board."""
        shape = (self.lattice.y.size, self.lattice.x.size)
        chances = np.zeros((*shape, len(Label)))
        chances[..., label], chances[..., Label.OTHER] = 0.99, 0.01
        if self.has_ring:
            chances[[0, -1]] = chances[:, [0, -1]] = np.eye(len(Label))[Label.OTHER]
        drawings = np.zeros((1, 108), np.uint8)
        return Classified(self.lattice, chances, np.zeros(shape, int), drawings, 0.1)


@pytest.mark.parametrize("label", [Label.HIDDEN, Label.EMPTY])
def test_what_looks_like_no_board_may_be_a_fresh_one_but_none_of_zeros_alone(
    label: Label, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = 20 * np.arange(1, 10) + 0.5
    lattice = GridCandidate(places, places, (20, 20), 1.0)
    monkeypatch.setattr(board_finder, "detect", lambda _: [[lattice]])
    monkeypatch.setattr(board_finder, "describe", lambda _, lattice: Tiles(lattice))
    monkeypatch.setattr(board_finder, "classify", lambda tiles: tiles.shown_as(label))
    pixels = np.zeros((240, 240, 3), np.uint8)
    if label == Label.HIDDEN:
        assert _size(_find(pixels)) == (9, 9)
    else:
        with pytest.raises(GridNotFound, match="the most likely lattice is one by 10%"):
            _find(pixels)


@pytest.mark.trained
def test_two_boards_are_both_named() -> None:
    pixels = _pixels(BOARD)
    with pytest.raises(GridNotFound, match=r"9x9 at .* and 9x9 at"):
        _find(np.hstack([pixels, np.full_like(pixels, 230), pixels]))


@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_plain_picture_is_no_board(level: int) -> None:
    with pytest.raises(GridNotFound):
        _find(np.full((400, 500, 3), level, np.uint8))


def test_noise_is_no_board() -> None:
    noise = np.random.default_rng(2).integers(0, 256, (300, 400, 3)).astype(np.uint8)
    with pytest.raises(GridNotFound):
        _find(noise)
