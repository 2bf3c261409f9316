"""Lattices are found in pictures of any size, wherever they are, and fitted exactly."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from minebot.profile import load
from minebot.profile.schema import FramedStyle
from minebot.recording import pictures
from minebot.vision.detection import LARGE, STRIDE, GridCandidate, detect, fit, in_whole_pixels
from minebot.vision.framed import trace

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "sgt-mines"
FRAME = pictures.load(SHOTS / "9x9n10-t20-middle-flags.png")
PIXELS = np.ascontiguousarray(FRAME.pixels[..., :3])
GREY = 200
LEFT, TOP = 37, 52


def _found(pixels: NDArray[np.uint8]) -> GridCandidate:
    found: list[GridCandidate] = []
    for lattices in detect(pixels):
        found = found or lattices
    (one,) = found
    return one


def _traced() -> tuple[float, ...]:
    """Where the board lies by its edges: left, top, right, bottom."""
    style = load("sgt-mines").grid
    assert isinstance(style, FramedStyle)
    left, top, width, height = trace(FRAME, style).bounds
    return left, top, left + width, top + height


def _shown(width: int, height: int, *places: tuple[int, int]) -> NDArray[np.uint8]:
    """A grey picture with the board's window at each of these places."""
    pixels = np.full((height, width, 3), GREY, np.uint8)
    for left, top in places:
        pixels[top : top + PIXELS.shape[0], left : left + PIXELS.shape[1]] = PIXELS
    return pixels


@pytest.mark.trained
def test_a_board_is_found_where_it_is() -> None:
    found = _found(PIXELS)
    assert (found.x.size, found.y.size, found.cut_off) == (9, 9, "")
    assert found.bounds == pytest.approx(_traced(), abs=2)


@pytest.mark.trained
@pytest.mark.parametrize(("left", "top"), [(37, 0), (500, 331)])
def test_its_place_is_that_in_the_whole_picture(left: int, top: int) -> None:
    found = _found(_shown(900, 700, (left, top)))
    assert (found.x.size, found.y.size) == (9, 9)
    there = [side + at for side, at in zip(_traced(), (left, top) * 2, strict=True)]
    assert found.bounds == pytest.approx(there, abs=2)


@pytest.mark.trained
@pytest.mark.parametrize("factor", [0.6, 2.5])
def test_small_and_large_cells_are_found(factor: float) -> None:
    scaled = cv2.resize(PIXELS, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    found = _found(np.asarray(scaled, np.uint8))
    assert (found.x.size, found.y.size) == (9, 9)
    assert found.bounds == pytest.approx([side * factor for side in _traced()], abs=4)


@pytest.mark.trained
def test_two_boards_are_two_lattices_the_largest_first() -> None:
    large = cv2.resize(PIXELS, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)
    pixels = _shown(1000, 720, (20, 20))
    pixels[100 : 100 + large.shape[0], 400 : 400 + large.shape[1]] = large
    found = next(detect(pixels))
    assert [(one.x.size, one.y.size) for one in found] == [(9, 9), (9, 9)]
    assert all(one.area > other.area for one, other in pairwise(found))


@pytest.mark.parametrize(("width", "height"), [(1, 1), (3, 200), (200, 3), (400, 300)])
def test_a_plain_picture_of_any_size_has_none(width: int, height: int) -> None:
    assert list(detect(np.full((height, width, 3), GREY, np.uint8))) == [[], []]


@pytest.mark.trained
def test_a_large_picture_is_not_searched_in_full() -> None:
    side = int(LARGE**0.5)
    _, in_full = detect(_shown(side, side, (10, 10)))
    assert in_full
    assert len(list(detect(_shown(side + 1, side + 1, (10, 10))))) == 1


def _maps(x: np.ndarray, y: np.ndarray, size: tuple[int, int], noise: float = 0.0) -> np.ndarray:
    """The maps of a perfect network, of a picture of this width and height."""
    width, height = (-(-side // STRIDE) for side in size)
    angles, inside = [], []
    for middles, count in ((x, width), (y, height)):
        at = STRIDE * (np.arange(count) + 0.5)
        pitch = np.diff(middles).mean()
        cell = np.clip(np.searchsorted(middles + pitch / 2, at), 0, middles.size - 1)
        off = (at - middles[cell]) / pitch
        angles.append(2 * np.pi * off)
        inside.append(np.abs(off) <= 0.5)
    maps = np.zeros((6, height, width))
    maps[0] = inside[1][:, None] & inside[0][None]
    maps[2], maps[3] = np.cos(angles[0])[None], np.sin(angles[0])[None]
    maps[4], maps[5] = np.cos(angles[1])[:, None], np.sin(angles[1])[:, None]
    maps[2:] += np.random.default_rng(1).normal(0, noise, maps[2:].shape)
    return maps


def _middles(start: float, pitch: float, count: int) -> np.ndarray:
    return start + pitch * (np.arange(count) + 0.5)


@pytest.mark.parametrize("pitch", [7.0, 8.5, 11.0, 16.0, 19.5, 23.25, 40.0, 63.0])
def test_pitch_origin_and_size_are_found_to_an_eighth_of_a_cell(pitch: float) -> None:
    x, y = _middles(31, pitch, 12), _middles(57, pitch, 9)
    found = fit(_maps(x, y, (900, 700), noise=0.4))
    assert len(found) == 1
    assert (found[0].x.size, found[0].y.size) == (12, 9)
    assert np.abs(found[0].x - x).max() < pitch / 8
    assert np.abs(found[0].y - y).max() < pitch / 8
    assert not found[0].cut_off


def test_columns_of_uneven_widths_are_found_where_they_are() -> None:
    widths = np.array([19, 20] * 8)
    ends = 40 + np.concatenate([[0], np.cumsum(widths)])
    x, y = (ends[:-1] + ends[1:]) / 2, _middles(30, 19.5, 16)
    (found,) = fit(_maps(x, y, (500, 400)))
    assert np.abs(found.x - x).max() < 1.5


def test_two_lattices_apart_are_both_found() -> None:
    one = _maps(_middles(20, 20, 8), _middles(20, 20, 8), (800, 400))
    other = _maps(_middles(400, 30, 9), _middles(40, 30, 9), (800, 400))
    both = np.where(other[0] > 0, other, one)
    assert sorted(found.x.size for found in fit(both)) == [8, 9]


@pytest.mark.parametrize(("top", "side"), [(80, "top"), (312, "bottom")])
@pytest.mark.parametrize(("pitch", "is_more"), [(20, True), (35, False)])
def test_a_piece_of_the_lattice_beyond_a_gap_shows_that_it_goes_on(
    top: int, side: str, pitch: int, is_more: bool
) -> None:
    size = 400, 400
    board = _maps(_middles(40, 20, 12), _middles(140, 20, 7), size)
    piece = _maps(_middles(40, pitch, 240 // pitch), _middles(top, 20, 2), size)
    both = np.where(piece[0] > 0, piece, board)
    (found,), (turned,) = fit(both), fit(both[[0, 1, 4, 5, 2, 3]].transpose(0, 2, 1))
    assert found.y.size == turned.x.size == 7
    assert found.goes_on == ((side,) if is_more else ())
    turned_side = {"top": "left", "bottom": "right"}[side]
    assert turned.goes_on == ((turned_side,) if is_more else ())


def test_a_lattice_that_runs_into_the_edge_is_cut_off_there() -> None:
    size = 250, 300
    x, y = _middles(20, 24, 12), _middles(30, 24, 9)
    (found,) = fit(_maps(x, y, size))
    assert found.cut_off == "right"
    assert found.x.size == 9


def test_positions_without_a_common_period_are_no_lattice_to_trust() -> None:
    rng = np.random.default_rng(7)
    maps = np.zeros((6, 80, 80))
    maps[0, 10:70, 10:70] = 1
    turns = rng.uniform(0, 2 * np.pi, (2, 80, 80))
    maps[2], maps[3], maps[4], maps[5] = (
        *(np.cos(turns[0]), np.sin(turns[0])),
        *(np.cos(turns[1]), np.sin(turns[1])),
    )
    assert fit(maps) == []


def test_an_empty_map_holds_no_lattice() -> None:
    assert fit(np.zeros((6, 50, 50))) == []


def test_a_lattice_is_extended_and_trimmed_by_whole_cells() -> None:
    lattice = GridCandidate(_middles(10, 10, 5), _middles(20, 10, 6), (10, 10), 1.0)
    changed = lattice.extended(1, -2, 0, 3)
    assert changed.x.tolist() == [5, 15, 25, 35, 45, 55]
    assert changed.y.tolist() == [45, 55, 65, 75, 85, 95, 105]


@pytest.mark.parametrize(
    ("size", "edges"),
    [
        ((63, 83), ()),
        ((61, 83), ("right",)),
        ((63, 81), ("bottom",)),
        ((60, 80), ("right", "bottom")),
    ],
)
def test_a_lattice_nearer_to_an_edge_than_a_fifth_of_a_cell_reaches_it(
    size: tuple[int, int], edges: tuple[str, ...]
) -> None:
    lattice = GridCandidate(_middles(10, 10, 5), _middles(20, 10, 6), (10, 10), 1.0)
    assert lattice.reached(size) == edges
    corner = GridCandidate(_middles(1, 10, 5), _middles(0, 10, 6), (10, 10), 1.0)
    assert corner.reached((99, 99)) == ("left", "top")


def _board(wide: list[int], high: list[int], seed: int = 1) -> np.ndarray:
    """Tiles of these widths and heights with bright edges, on a page, with signs on some."""
    rng = np.random.default_rng(seed)
    image = np.full((sum(high) + 2 * TOP, sum(wide) + 2 * LEFT, 3), 90, np.uint8)
    for row, y in enumerate(TOP + np.cumsum([0, *high[:-1]])):
        for column, x in enumerate(LEFT + np.cumsum([0, *wide[:-1]])):
            tile = image[y : y + high[row], x : x + wide[column]]
            tile[:] = 180
            tile[:2] = tile[:, :2] = 250
            if rng.random() < 0.3:
                tile[5:-4, 6:-6] = rng.integers(0, 255, 3)
    return image


def _seen(wide: list[int], high: list[int], off: float) -> GridCandidate:
    """The lattice as a network sees it: its last cells are off by so many pixels."""
    axes = []
    for start, sizes in ((LEFT, wide), (TOP, high)):
        ends = start + np.cumsum([0, *sizes])
        middles = (ends[:-1] + ends[1:]) / 2
        axes.append(middles + np.linspace(-off, off, middles.size))
    pitch = float(np.diff(axes[0]).mean()), float(np.diff(axes[1]).mean())
    return GridCandidate(axes[0], axes[1], pitch, 1.0)


@pytest.mark.parametrize("tile", [16, 23, 44, 72])
@pytest.mark.parametrize("off", [-1.2, 0.4, 1.2])
def test_cells_a_whole_number_of_pixels_apart_are_placed_exactly(tile: int, off: float) -> None:
    wide, high = [tile] * 12, [tile] * 9
    found = in_whole_pixels(_board(wide, high), _seen(wide, high, off))
    assert found.pitch == (tile, tile)
    assert np.abs(found.x - _seen(wide, high, 0).x).max() < 0.01
    assert np.abs(found.y - _seen(wide, high, 0).y).max() < 0.01


@pytest.mark.parametrize("wide", [[24] * 8 + [23] * 16, [26] * 3 + [25] * 15])
def test_columns_of_two_widths_are_left_where_they_were_seen(wide: list[int]) -> None:
    """GTK gives the pixels that are left over to the first columns."""
    high = [23] * 10
    seen = _seen(wide, high, 0.3)
    found = in_whole_pixels(_board(wide, high), seen)
    assert (found.x == seen.x).all()
    assert found.pitch[1] == 23


def test_cells_of_a_fractional_pitch_are_left_where_they_were_seen() -> None:
    wide, high = [60, 61] * 6, [23] * 10
    seen = _seen(wide, high, 0.3)
    assert (in_whole_pixels(_board(wide, high), seen).x == seen.x).all()


def test_a_plain_picture_moves_nothing() -> None:
    seen = _seen([20] * 8, [20] * 8, 0.8)
    found = in_whole_pixels(np.full((300, 300, 3), 77, np.uint8), seen)
    assert (found.x == seen.x).all()
    assert (found.y == seen.y).all()
    assert found.pitch == seen.pitch
