"""What hangs together in a mask is one box."""

from __future__ import annotations

import numpy as np

from minebot.capture import Rect
from minebot.vision.boxes import boxes


def test_pixels_that_touch_at_a_corner_hang_together() -> None:
    mask = np.zeros((6, 8), np.bool_)
    mask[1, 1] = mask[2, 2] = mask[4:6, 5:8] = True
    assert sorted(boxes(mask)) == [Rect(1, 1, 2, 2), Rect(5, 4, 3, 2)]


def test_gaps_narrower_than_the_bridge_are_closed() -> None:
    mask = np.zeros((9, 20), np.bool_)
    mask[4, [3, 6]] = True
    assert len(boxes(mask)) == len(boxes(mask, (5, 1))) == 2
    assert boxes(mask, (1, 3)) == [Rect(3, 4, 4, 1)]
    assert not boxes(np.zeros((4, 4), np.bool_))
