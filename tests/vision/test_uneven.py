"""Cells that differ by a pixel in size."""

from __future__ import annotations

import numpy as np

from bot.vision.uneven import matched, own_sizes, sizes

LENGTHS = np.array([31, 32, 31]), np.array([31, 32])


def test_cells_with_as_many_pixels_have_one_size() -> None:
    size = sizes(LENGTHS).reshape(2, 3)
    assert np.array_equal(size == size[0, 0], [[True, False, True], [False] * 3])
    assert np.unique(size).size == 4


def test_cells_that_are_all_as_large_have_the_first() -> None:
    assert not sizes((np.full(4, 16), np.full(3, 16))).any()


def _usual(face: float, side: float) -> np.ndarray:
    """The face and the four sides of a kind of cells, all of a grey."""
    return np.repeat(np.array([face, side, side, side, side], np.float32)[:, None], 3, axis=1)


def test_a_group_has_the_size_that_nearly_all_of_its_cells_have() -> None:
    ground, size = np.repeat([0, 1, 2, -1], 50), np.repeat([0, 1, 0, 2], 50)
    size[50], size[100:110] = 0, 1
    assert own_sizes(ground, size).tolist() == [0, 1, -1]


def test_groups_of_two_sizes_are_matched_with_what_is_nearest() -> None:
    # Covered ones with a darker side, and opened ones, of each size.
    usual = np.stack([_usual(200, 180), _usual(200, 199), _usual(200, 174), _usual(200, 198)])
    own = np.array([0, 0, 1, 1])
    assert matched(own, usual, np.full(4, 5, np.float32)).tolist() == [0, 1, 0, 1]


def test_groups_that_a_pixel_does_not_make_differ_are_two() -> None:
    usual = np.stack([_usual(200, 180), _usual(200, 160)])
    assert matched(np.array([0, 1]), usual, np.full(2, 5, np.float32)).tolist() == [0, 1]


def test_groups_of_one_size_are_two_however_like_they_are() -> None:
    usual = np.stack([_usual(200, 180), _usual(200, 179)])
    assert matched(np.array([0, 0]), usual, np.full(2, 5, np.float32)).tolist() == [0, 1]
