"""Pictures of scaled screens show what the program painted."""

from __future__ import annotations

import numpy as np
import pytest

from minebot.capture import Rect
from minebot.desktop.wayland.frame_capture import sharp


@pytest.mark.parametrize("scale", [1.25, 1.5, 1.75])
@pytest.mark.parametrize("rect", [Rect(182, 187, 660, 444), Rect(181, 33, 331, 437)])
def test_each_point_of_a_window_is_its_programs(scale: float, rect: Rect) -> None:
    painted = np.random.default_rng(1).integers(0, 255, (*rect[:1:-1], 4), np.uint8)
    # The program paints two pixels to a point; the compositor takes the nearest one for each of
    # those that it rounds the window to.
    twice = painted.repeat(2, axis=0).repeat(2, axis=1)
    left, right, top, bottom = (
        int(place * scale + 0.5) for place in (rect.left, rect.right, rect.top, rect.bottom)
    )
    rows = ((np.arange(bottom - top) + 0.5) * 2 * rect.height / (bottom - top)).astype(int)
    columns = ((np.arange(right - left) + 0.5) * 2 * rect.width / (right - left)).astype(int)
    output = Rect(0, 0, 1600, 1200)
    screen = np.zeros((int(1200 * scale), int(1600 * scale), 4), np.uint8)
    screen[top:bottom, left:right] = twice[np.ix_(rows, columns)]
    assert np.array_equal(sharp(screen, output, rect), painted)
