"""Boards are drawn with the truth about them."""

from __future__ import annotations

import numpy as np
import pytest

from minebot.board import within_one
from minebot.vision.classification import Label
from training.draw.game import moment
from training.draw.ink import fonts
from training.draw.picture import draw
from training.draw.theme import Theme

SEEDS = range(40)
pytestmark = pytest.mark.skipif(not fonts()[0], reason="no font has digits here")


@pytest.mark.parametrize("seed", SEEDS)
def test_the_lattices_lie_within_the_picture(seed: int) -> None:
    picture = draw(seed)
    height, width = picture.pixels.shape[:2]
    for lattice in picture.lattices:
        assert 0 < lattice.x[0] < lattice.x[-1] < width
        assert 0 < lattice.y[0] < lattice.y[-1] < height
        assert lattice.labels is None or lattice.labels.shape == (lattice.y.size, lattice.x.size)


def test_a_number_draws_the_same_picture_again() -> None:
    assert np.array_equal(draw(5).pixels, draw(5).pixels)


def test_pictures_with_and_without_boards_are_drawn() -> None:
    boards = [any(one.labels is not None for one in draw(seed).lattices) for seed in SEEDS]
    assert any(boards)
    assert not all(boards)


@pytest.mark.parametrize("seed", SEEDS)
def test_numbers_count_the_mines_around_them(seed: int) -> None:
    cells = moment(np.random.default_rng(seed), 12, 15)
    shown = np.isin(cells, (Label.MINE, Label.EXPLODED))
    hidden = np.isin(cells, (Label.HIDDEN, Label.FLAG, Label.QUESTION, Label.WRONG_FLAG))
    for (y, x), label in np.ndenumerate(cells):
        around = slice(max(0, y - 1), y + 2), slice(max(0, x - 1), x + 2)
        if label <= Label.EIGHT:
            assert shown[around].sum() <= label <= shown[around].sum() + hidden[around].sum()


def test_zeros_have_covered_neighbours_in_some_games_alone() -> None:
    shared = 0
    for seed in range(200):
        cells = moment(np.random.default_rng(seed), 12, 15)
        shared += bool((within_one(cells == Label.HIDDEN)[cells == Label.EMPTY] > 0).any())
    assert 0 < shared < 0.1 * 200


@pytest.mark.parametrize("seed", SEEDS)
def test_a_theme_draws_each_number_in_its_own_way(seed: int) -> None:
    theme = Theme(np.random.default_rng(seed), 30)
    drawn = {theme.sprite(number, 30, 30).tobytes() for number in range(1, 9)}
    assert len(drawn) == 8


@pytest.mark.parametrize("seed", SEEDS)
def test_labels_that_a_theme_shows_are_drawn_apart(seed: int) -> None:
    theme = Theme(np.random.default_rng(seed), 32)
    labels = set(theme.drawable(np.arange(Label.OTHER)[None])[0].tolist())
    tiles = {label: theme.sprite(label, 32, 32).tobytes() for label in labels - {Label.EMPTY}}
    assert {Label.ONE, Label.HIDDEN} < tiles.keys()
    assert len(set(tiles.values())) == len(tiles)


def test_covered_cells_of_one_shade_must_differ_from_opened_ones_of_the_other() -> None:
    seeds = map(np.random.default_rng, range(100))
    theme = next(one for seed in seeds if (one := Theme(seed, 32)).chequered and one.kind == "flat")
    theme.covered, theme.turn = np.full(3, 90, np.float32), 20
    for opened, turn, is_readable in ((200, 20, True), (70, 20, False), (80, 10, False)):
        theme.opened, theme.opened_turn = np.full(3, opened, np.float32), turn
        assert theme.is_readable() == is_readable
    theme.chequered = False
    assert theme.is_readable()


def test_no_board_is_drawn_whose_covered_cells_cannot_be_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = iter([False, False, True])
    monkeypatch.setattr(Theme, "is_readable", lambda _: next(answers))
    draw(9)
    assert next(answers, None) is None
