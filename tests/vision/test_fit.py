"""The grid is fitted exactly to maps that say where each pixel lies within its cell."""

from __future__ import annotations

import numpy as np
import pytest

from minebot.vision.detection.fit import STRIDE, GridCandidate, fit


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
    assert all(found.confidence < 0.5 for found in fit(maps))


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
