"""What tells a board from other lattices, of cells whose looks are given."""

from __future__ import annotations

import numpy as np

from bot.vision.beside import Around
from bot.vision.looks import Looks
from bot.vision.sense import sense

AROUND = Around((), 2.0, 0.1, True, False)


def _looks(covered: list[str]) -> Looks:
    """Cells of which `#` are raised, `.` flat, and on `x`, which are flat, something is drawn."""
    shown = np.array([list(row) for row in covered])
    raised, inked = shown == "#", shown == "x"
    spots = np.full((*raised.shape, 7, 7, 3), 217, np.uint8)
    spots[raised] = 172
    spots[raised, 0], spots[raised, :, 0] = 255, 255
    spots[raised, -1], spots[raised, :, -1] = 130, 130
    return Looks(
        np.where(raised, 0, 1),
        np.where(inked, -1, 0),
        inked,
        ~inked,
        np.zeros(raised.shape, np.bool_),
        spots,
    )


def test_lines_of_text_above_and_below_a_board_are_none_of_its_lines() -> None:
    sureness, _ = sense(_looks(["...xxxx...", *["##########"] * 10, ".xxx.xxx.."]), AROUND)
    assert not sureness


def test_a_board_with_few_cells_open_is_one() -> None:
    sureness, _ = sense(_looks(["..x#######", "xxx#######", *["##########"] * 10]), AROUND)
    assert sureness > 0.7
