"""Lines that are drawn between cells."""

from __future__ import annotations

import numpy as np
import pytest

from bot.vision.seams import drawn


@pytest.mark.parametrize("at", [19.0, 22.0, 23.0, 24.0, 40.0])
def test_beyond_the_picture_everything_may_be_drawn(at: float) -> None:
    assert drawn(np.zeros((30, 20, 3), np.uint8), at, 1.0, (0, 30)) == 1.0


def test_within_it_only_what_is() -> None:
    pixels = np.zeros((30, 20, 3), np.uint8)
    pixels[:, 10:] = 200
    assert drawn(pixels, 10.0, 1.0, (0, 30)) == 1.0
    assert drawn(pixels, 5.0, 1.0, (0, 30)) == 0.0
