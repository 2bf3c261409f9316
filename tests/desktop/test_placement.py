"""Where a pointer is put when it is not to lie on the board."""

from __future__ import annotations

import numpy as np
import pytest

from minebot.capture import Frame, Rect
from minebot.desktop.placement import Point, WindowPlacement, aside

SCREEN = Rect(100, 50, 400, 300)


def _frame(scale: int = 1) -> Frame:
    pixels = np.zeros((scale * SCREEN.height, scale * SCREEN.width, 4), np.uint8)
    return Frame(pixels, 0.0, WindowPlacement(SCREEN))


@pytest.mark.parametrize("scale", [1, 2])
@pytest.mark.parametrize(
    ("board", "expected"),
    [
        (Rect(20, 60, 380, 240), Point(104, 200)),
        (Rect(4, 60, 300, 240), Point(495, 200)),
        (Rect(4, 20, 390, 200), Point(300, 345)),
        (Rect(0, 0, 400, 300), Point(104, 200)),
    ],
)
def test_the_pointer_is_put_where_the_board_leaves_room(
    board: Rect, expected: Point, scale: int
) -> None:
    pixels = Rect(*(scale * side for side in board))
    assert aside(_frame(scale), 0, pixels) == expected


def test_without_a_board_it_is_put_to_the_left_edge_beside_where_it_was() -> None:
    first, second = aside(_frame(), 0), aside(_frame(), 1)
    assert first == Point(104, 200)
    assert abs(first.x - second.x) + abs(first.y - second.y) == 1
