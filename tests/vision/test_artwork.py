"""Telling drawings through which a ground shows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.board import Cell
from bot.profile import Thumbnail
from bot.profile.values import THUMBNAIL
from bot.vision.thumbnails import Thumbnails

SCALE = 3
SIDE = SCALE * THUMBNAIL
DARK, LIGHT = (40, 60, 50), (120, 140, 130)
CELLS = (Cell.HIDDEN, Cell.ONE, Cell.TWO)
Ground = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]


def _drawing(cell: Cell) -> NDArray[np.float64]:
    """A film over the whole tile, and on it a bar at another place for each cell."""
    drawing = np.zeros((THUMBNAIL, THUMBNAIL, 4))
    drawing[..., 3] = 0.4
    first = 1 + CELLS.index(cell) * 3
    drawing[3:-3, first : first + 2] = (0.9, 0.8, 0.1, 1)
    return drawing


def _thumbnail(cell: Cell, *, uneven: bool) -> Thumbnail:
    drawing = _drawing(cell)
    drawn = np.rint(drawing[..., :3] * drawing[..., 3:] * 255).astype(np.uint8)
    opacity = np.rint(drawing[..., 3] * 255).astype(np.uint8)
    return Thumbnail(
        cell, drawn.tobytes(), opacity=opacity.tobytes(), behind=(DARK, LIGHT), uneven=uneven
    )


def _read(cell: Cell, ground: Ground, *, uneven: bool = False) -> Cell | None:
    drawing = _drawing(cell).repeat(SCALE, axis=0).repeat(SCALE, axis=1)
    y, x = np.indices((SIDE, SIDE)) / (SIDE - 1)
    share = ground(y, x)[..., None]
    behind = np.array(DARK) + share * (np.array(LIGHT) - np.array(DARK))
    opacity = drawing[..., 3:]
    tile = np.rint(drawing[..., :3] * opacity * 255 + (1 - opacity) * behind)
    reader = Thumbnails([_thumbnail(each, uneven=uneven) for each in CELLS])
    ((look,),) = reader.classify(np.clip(tile, 0, 255).astype(np.uint8)[None, ..., ::-1])
    return look.cell


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize(
    "ground",
    [
        pytest.param(lambda y, _: 0 * y, id="dark"),
        pytest.param(lambda y, _: 0 * y + 1, id="light"),
        pytest.param(lambda y, x: 0.4 + 0.05 * y - 0.1 * x, id="slope"),
    ],
)
def test_a_drawing_is_read_before_any_even_ground(cell: Cell, ground: Ground) -> None:
    assert _read(cell, ground) is cell


@pytest.mark.parametrize(
    "ground",
    [
        pytest.param(lambda y, _: 0 * y + 2, id="too light"),
        pytest.param(lambda y, _: 0 * y - 0.5, id="too dark"),
        pytest.param(lambda y, _: y, id="too steep"),
        pytest.param(lambda y, x: np.where(x + y > 1, 1.0, 0.0), id="in two parts"),
    ],
)
def test_a_ground_that_the_game_does_not_have_is_refused(ground: Ground) -> None:
    assert _read(Cell.ONE, ground) is None


@pytest.mark.parametrize("cell", CELLS)
def test_an_uneven_ground_is_read_where_the_game_has_such(cell: Cell) -> None:
    def moon(y: NDArray[np.float64], x: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.where(x + y > 1, 1.0, 0.0)

    assert _read(cell, moon, uneven=True) is cell
    assert _read(cell, lambda y, _: 0 * y + 2, uneven=True) is None
