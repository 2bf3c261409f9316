"""Lattices are found in pictures of any size, wherever they are."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from minebot.profile import FramedStyle, load
from minebot.recording import pictures
from minebot.vision.detection.fit import GridCandidate
from minebot.vision.detection.lattice_network import LARGE, detect
from minebot.vision.framed import trace

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "sgt-mines"
FRAME = pictures.load(SHOTS / "9x9n10-t20-middle-flags.png")
PIXELS = np.ascontiguousarray(FRAME.pixels[..., :3])
GREY = 200


def _found(pixels: NDArray[np.uint8]) -> GridCandidate:
    (found,) = detect(pixels, in_full=False) or detect(pixels, in_full=True)
    return found


def _bounds() -> tuple[float, ...]:
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
    assert found.bounds == pytest.approx(_bounds(), abs=2)


@pytest.mark.trained
@pytest.mark.parametrize(("left", "top"), [(37, 0), (500, 331)])
def test_its_place_is_that_in_the_whole_picture(left: int, top: int) -> None:
    found = _found(_shown(900, 700, (left, top)))
    assert (found.x.size, found.y.size) == (9, 9)
    there = [side + at for side, at in zip(_bounds(), (left, top) * 2, strict=True)]
    assert found.bounds == pytest.approx(there, abs=2)


@pytest.mark.trained
@pytest.mark.parametrize("factor", [0.6, 2.5])
def test_small_and_large_cells_are_found(factor: float) -> None:
    scaled = cv2.resize(PIXELS, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    found = _found(np.asarray(scaled, np.uint8))
    assert (found.x.size, found.y.size) == (9, 9)
    assert found.bounds == pytest.approx([side * factor for side in _bounds()], abs=4)


@pytest.mark.trained
def test_two_boards_are_two_lattices_the_largest_first() -> None:
    large = cv2.resize(PIXELS, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)
    pixels = _shown(1000, 720, (20, 20))
    pixels[100 : 100 + large.shape[0], 400 : 400 + large.shape[1]] = large
    found = detect(pixels, in_full=False)
    assert [(one.x.size, one.y.size) for one in found] == [(9, 9), (9, 9)]
    assert all(one.area > other.area for one, other in pairwise(found))


@pytest.mark.parametrize("in_full", [False, True])
@pytest.mark.parametrize(("width", "height"), [(1, 1), (3, 200), (200, 3), (400, 300)])
def test_a_plain_picture_of_any_size_has_none(width: int, height: int, *, in_full: bool) -> None:
    assert detect(np.full((height, width, 3), GREY, np.uint8), in_full=in_full) == []


@pytest.mark.trained
def test_a_large_picture_is_not_searched_in_full() -> None:
    side = int(LARGE**0.5)
    assert detect(_shown(side, side, (10, 10)), in_full=True)
    assert not detect(_shown(side + 1, side + 1, (10, 10)), in_full=True)
