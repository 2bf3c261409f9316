"""Tiles that begin at another part of a pixel than those that were met."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bot.board import Cell
from bot.profile.values import THUMBNAIL, Thumbnail
from bot.vision.nudged import Nudged
from bot.vision.thumbnails import Thumbnails, shrink
from bot.vision.tiles import TileReading

SIDE = 48


def _drawn(number: int, right: float = 0.0, down: float = 0.0) -> NDArray[np.uint8]:
    """A tile with thick digits, moved by parts of a pixel."""
    tile = np.full((SIDE, SIDE, 3), 200, np.uint8)
    cv2.rectangle(tile, (0, 0), (SIDE - 1, SIDE - 1), (90, 90, 90), 2)
    cv2.putText(tile, str(number), (13, 37), cv2.FONT_HERSHEY_SIMPLEX, 1.1, (160, 20, 20), 4)
    by = np.array([[1, 0, right], [0, 1, down]])
    return np.asarray(
        cv2.warpAffine(tile, by, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _sample(number: int) -> Thumbnail:
    (pixels,) = np.rint(shrink(_drawn(number)[None])).astype(np.uint8)
    assert pixels.size == 3 * THUMBNAIL**2
    return Thumbnail(Cell(number), pixels.tobytes())


def _read(nudged: bool, tile: NDArray[np.uint8]) -> Cell | None:
    plain = Thumbnails([_sample(3), _sample(5)])
    ((look,),) = (Nudged(plain) if nudged else plain).classify(tile[None])
    return look.cell


@pytest.mark.parametrize("right", [-1.0, -0.5, 0.0, 0.5, 1.0])
@pytest.mark.parametrize("down", [-1.0, -0.5, 0.5, 1.0])
@pytest.mark.parametrize("number", [3, 5])
def test_a_tile_that_lies_a_part_of_a_pixel_elsewhere_is_read(
    number: int, right: float, down: float
) -> None:
    assert _read(True, _drawn(number, right, down)) == number


def test_without_that_some_of_these_are_not_read() -> None:
    assert _read(False, _drawn(3, 1.0, 1.0)) is None


@pytest.mark.parametrize("number", [2, 6, 8, 9])
def test_a_number_that_was_never_met_is_not_read(number: int) -> None:
    assert _read(True, _drawn(number)) is None


def test_where_most_of_a_board_cannot_be_read_nothing_is_tried() -> None:
    counted = []

    class Counting(Thumbnails):
        def classify(self, tiles: NDArray[np.uint8]) -> list[tuple[TileReading, ...]]:
            counted.append(len(tiles))
            return super().classify(tiles)

    tiles = np.stack([_drawn(3, 9.0, n % 7) for n in range(100)])
    looks = Nudged(Counting([_sample(3)])).classify(tiles)
    assert all(look.cell is None for (look,) in looks)
    assert counted == [100]
