"""How tiles are cut and grouped, and what the networks say of them and of their lattice."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from minebot.board import Board, Cell
from minebot.profile import load
from minebot.profile.schema import FramedStyle
from minebot.recording import pictures
from minebot.vision.board_finder import find
from minebot.vision.classification import (
    SIDE,
    Classified,
    Described,
    Label,
    classify,
    cut,
    describe,
    group,
)
from minebot.vision.detection import GridCandidate
from minebot.vision.framed import trace

BOARD = (
    Path(__file__).parents[2] / "fixtures" / "screenshots" / "sgt-mines"
) / "9x9n10-t20-middle-flags.png"
TRUTH = Board.parse(BOARD.with_suffix(".txt").read_text())


@pytest.fixture(scope="module")
def described() -> Described:
    """The tiles of a real board."""
    frame, style = pictures.load(BOARD), load("sgt-mines").grid
    assert isinstance(style, FramedStyle)
    grid = trace(frame, style)
    left, top, width, _ = grid.bounds
    pitch = width / 9
    x, y = (start + pitch * (np.arange(9) + 0.5) for start in (left, top))
    pixels = np.ascontiguousarray(frame.pixels[..., :3])
    return describe(pixels, GridCandidate(x, y, (pitch, pitch), 1.0))


@pytest.fixture(scope="module")
def classified(described: Described) -> Classified:
    return classify(described)


def test_tiles_that_are_drawn_alike_are_one_group(described: Described) -> None:
    groups = described.groups
    assert groups.shape == (9, 9)
    assert set(groups.ravel()) == set(range(len(described.drawings)))
    by_cell = {cell: set(groups.ravel()[list(TRUTH.squares(cell))]) for cell in Cell}
    for cell, own in by_cell.items():
        for other, theirs in by_cell.items():
            assert cell == other or not own & theirs
    for number in range(len(described.drawings)):
        rows, columns = np.nonzero(groups == number)
        numbers = described.numbers[:, rows, columns]
        assert (numbers == numbers[:, :1]).all()


def test_chances_are_chances(classified: Classified) -> None:
    chances = classified.probabilities
    assert chances.shape == (9, 9, len(Label))
    assert (chances >= 0).all()
    assert np.allclose(chances.sum(axis=2), 1, atol=1e-5)
    assert 0 <= classified.board <= 1


@pytest.mark.trained
def test_each_cell_most_likely_shows_what_it_shows(classified: Classified) -> None:
    assert classified.probabilities.argmax(axis=2).ravel().tolist() == list(TRUTH.cells)
    assert classified.board > 0.9


def test_without_its_outermost_tiles_a_lattice_keeps_the_drawings_that_are_left(
    described: Described,
) -> None:
    inner = described.inner().inner().inner()
    assert inner.numbers.shape[1:] == inner.groups.shape == (3, 3)
    found = classify(inner)
    assert found.groups.shape == (3, 3)
    kept = found.drawings[found.groups]
    assert (kept == described.drawings[described.groups][3:-3, 3:-3]).all()
    assert len(found.drawings) == len(np.unique(inner.groups)) < len(described.drawings)


@pytest.mark.trained
def test_a_lattice_without_a_board_is_none() -> None:
    noise = np.random.default_rng(3).integers(0, 256, (200, 200, 3)).astype(np.uint8)
    places = np.arange(9) * 20.0 + 20
    found = classify(describe(noise, GridCandidate(places, places, (20.0, 20.0), 1.0)))
    assert found.board < 0.5


def _board(pitch: int, cells: np.ndarray, left: int = 7, top: int = 5) -> np.ndarray:
    """A picture in which cells of one number have one random drawing."""
    rng = np.random.default_rng(3)
    drawings = rng.integers(0, 256, (int(cells.max()) + 1, pitch, pitch, 3)).astype(np.uint8)
    rows = [np.hstack([drawings[cell] for cell in row]) for row in cells]
    return np.pad(np.vstack(rows), ((top, 9), (left, 11), (0, 0)))


@pytest.mark.parametrize("pitch", [9, 16, 19, 26, 33, 64])
def test_equal_drawings_make_equal_groups(pitch: int) -> None:
    cells = np.random.default_rng(5).integers(0, 5, (8, 11))
    picture = _board(pitch, cells)
    x, y = (first + pitch * (np.arange(n) + 0.5) for first, n in ((7, 11), (5, 8)))
    tiles = cut(picture, x, y, (pitch, pitch))
    assert tiles.shape == (8, 11, SIDE, SIDE, 3)
    heads, groups = group(tiles.reshape(-1, SIDE, SIDE, 3))
    flat = cells.ravel()
    for head, number in zip(heads, range(len(heads)), strict=True):
        members = flat[groups == number]
        assert (members == flat[head]).all()
    assert len(heads) == len(np.unique(flat))


@pytest.mark.parametrize("pitch", [9, 16, 38, 64])
def test_enlarged_tiles_show_the_middle_of_their_cells_larger(pitch: int) -> None:
    cell = np.zeros((pitch, pitch, 3), np.uint8)
    third = pitch // 3
    cell[third:-third, third:-third] = 250
    x = y = pitch * (np.arange(4) + 0.5)
    small, large = (cut(np.tile(cell, (4, 4, 1)), x, y, (pitch, pitch), size) for size in (26, 38))
    assert small.shape == large.shape == (4, 4, SIDE, SIDE, 3)
    light = [int(tiles[1, 1].sum(dtype=int)) for tiles in (small, large)]
    assert light[1] / light[0] == pytest.approx((38 / 26) ** 2, rel=0.05)


def test_tiles_at_the_edge_of_the_picture_repeat_it() -> None:
    picture = np.full((40, 40, 3), 200, np.uint8)
    x = y = 10 * (np.arange(4) + 0.5)
    assert (cut(picture, x, y, (10, 10)) == 200).all()


@pytest.mark.trained
def test_digits_of_few_pixels_are_not_drawn_alike() -> None:
    path = BOARD.parents[2] / "others" / "more" / "gspadovesi" / "late.png"
    board = Board.parse(path.with_suffix(".txt").read_text())
    groups = find(np.ascontiguousarray(pictures.load(path).pixels[..., :3])).groups
    shown = {(group, cell) for group, cell in zip(groups.ravel(), board.cells, strict=True)}
    assert len(shown) == groups.max() + 1


def test_tiles_that_differ_by_a_stroke_are_two_groups() -> None:
    tiles = np.full((2, SIDE, SIDE, 3), 190, np.uint8)
    tiles[1, 8:24, 15:18] = 90
    heads, groups = group(tiles)
    assert heads.tolist() == [0, 1]
    assert groups.tolist() == [0, 1]
