"""The pixels on which a lattice's lines are drawn."""

from __future__ import annotations

import numpy as np
import pytest

from bot.vision.lines import on_pixels


@pytest.mark.parametrize("step", [7.2, 8.8, 13.5, 24.2, 31.9, 49.75])
@pytest.mark.parametrize("origin", [0.0, 0.3, 0.77])
@pytest.mark.parametrize("line", [0, 1])
def test_lines_of_fractional_steps_begin_where_they_are_drawn(
    step: float, origin: float, line: int
) -> None:
    drawn = np.floor(origin + np.arange(21) * step).astype(int)
    # What is seen of a tile is without the line before it.
    middles = (drawn[1:] + drawn[:-1] + line) / 2
    seen = slice(2, 18)
    told = 100 + np.interp(np.arange(20), np.arange(2, 18), middles[seen])
    found, ends, wide = on_pixels(told, step + 0.01, seen, step + 0.01)
    assert np.abs(found[seen] - 100 - middles[seen]).max() <= 0.5
    assert np.abs(ends[2:19] - 100 - drawn[2:19]).max() <= 1
    assert abs(wide - step) <= 1 / 16


def test_lines_of_whole_steps_are_left_as_they_are() -> None:
    middles = np.arange(10) * 16.0 + 8
    found, ends, wide = on_pixels(middles, 16.0, slice(0, 10), 16.0)
    assert found.tolist() == middles.tolist()
    assert ends.tolist() == (np.arange(11) * 16).tolist()
    assert wide == 16
