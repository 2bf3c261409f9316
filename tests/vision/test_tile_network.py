"""What the networks say of a lattice's tiles, and of the lattice."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from minebot.board import Board, Cell
from minebot.profile import FramedStyle, load
from minebot.recording import pictures
from minebot.vision.classification import Label
from minebot.vision.classification.tile_network import Classified, Described, classify, describe
from minebot.vision.detection.fit import GridCandidate
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
    for group in range(len(described.drawings)):
        rows, columns = np.nonzero(groups == group)
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
