"""The memory of the compiled parts: what stays the same for one size of board."""

from __future__ import annotations

from math import comb, factorial

import numpy as np
import pytest

from minebot.board import neighbourhood
from minebot.policy.guessing.workspace import BINOMIAL, COUNT, Workspace, make_memory


def _memory(width: int, height: int) -> Workspace:
    return make_memory(width, height, 0)


@pytest.mark.parametrize(("width", "height"), [(1, 1), (1, 5), (4, 3), (30, 16)])
def test_each_square_has_its_neighbours_and_how_many_they_are(width: int, height: int) -> None:
    around = _memory(width, height).geometry.around
    near = neighbourhood(width, height)
    assert len(around) == width * height
    for square, row in enumerate(around):
        assert row[: row[COUNT]].tolist() == list(near[square])


def test_factorials_are_exact_to_the_last_digits() -> None:
    geometry = _memory(30, 16).geometry
    assert len(geometry.factorial) == 481
    for number in range(481):
        scaled = round(float(geometry.factorial[number]) * 2**60)
        exact = factorial(number) << 60 >> max(0, int(geometry.exponent[number]))
        assert abs(scaled - exact) <= exact >> 40
    assert np.isfinite(geometry.factorial).all()


def test_binomials_are_the_ways_to_choose() -> None:
    assert BINOMIAL.shape == (9, 9)
    assert all(BINOMIAL[n, k] == comb(n, k) for n in range(9) for k in range(9))


def test_squares_have_words_of_their_own_and_always_the_same() -> None:
    signs = _memory(30, 16).geometry.signs
    assert len(set(signs.tolist())) == 480
    assert (signs == _memory(30, 16).geometry.signs).all()


@pytest.mark.parametrize(("width", "height"), [(1, 1), (100, 60)])
def test_what_is_noted_by_square_has_room_for_each(width: int, height: int) -> None:
    memory = _memory(width, height)
    size = width * height
    by_square = (memory.sums.risk, memory.trial.queue, memory.trial.queued, memory.trial.flood)
    assert all(len(row) == size for row in by_square)
    assert memory.trial.boards.shape == memory.trial.risks.shape == (2, size)
    assert len(memory.trial.live) == size + 2
    assert min(memory.trial.notes.shape[1], memory.layers.notes.shape[1]) >= size
