"""Boards of which some lines have moved."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bot.capture import Frame
from bot.errors import Unsettled
from bot.vision.shifts import shifted
from tests.moved_lines import CENTRED, EVEN, LOWER, drawn, shown_cells, tiles_at


@pytest.mark.parametrize("columns", [EVEN, LOWER, CENTRED])
@pytest.mark.parametrize("rows", [EVEN, LOWER, CENTRED])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_board_is_followed_line_by_line(
    seed: int, rows: Sequence[int], columns: Sequence[int]
) -> None:
    shown = shown_cells(seed)
    before, there = tiles_at(EVEN, EVEN), tiles_at(rows, columns)
    later = [2 if square in (4, 5, 40) else cell for square, cell in enumerate(shown)]
    still = [square for square, cell in enumerate(shown) if cell and square not in (4, 5, 40)]
    found = shifted(drawn(before, shown), drawn(there, later), before, still)
    assert found == (None if (rows, columns) == (EVEN, EVEN) else there)


def test_another_board_is_not_followed() -> None:
    before = tiles_at(EVEN, EVEN)
    shown, other = shown_cells(1), shown_cells(3)
    still = [square for square, cell in enumerate(shown) if cell]
    assert shifted(drawn(before, shown), drawn(tiles_at(LOWER, EVEN), other), before, still) is None


def test_nothing_is_followed_out_of_the_picture() -> None:
    rows = [line - 28 for line in EVEN]
    shown, before = shown_cells(1), tiles_at(rows, EVEN)
    up = drawn(before, shown).pixels.copy()
    up[:-4] = up[4:].copy()
    still = [square for square, cell in enumerate(shown) if cell]
    assert shifted(drawn(before, shown), Frame(up), before, still) is None


def test_where_nothing_shows_where_a_line_has_gone_it_is_said() -> None:
    shown, before = shown_cells(1), tiles_at(EVEN, EVEN)
    later = [4 - cell if 18 <= square < 27 else cell for square, cell in enumerate(shown)]
    still = [square for square, cell in enumerate(shown) if cell and not 18 <= square < 27]
    with pytest.raises(Unsettled):
        shifted(
            drawn(before, shown),
            drawn(tiles_at([EVEN[0], *(line - 2 for line in EVEN[1:])], EVEN), later),
            before,
            still,
        )
