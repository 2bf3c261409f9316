"""Game IDs of Simon Tatham's Mines, as the real game reads and writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import tatham
from bot.errors import UsageError
from bot.field import Layout


def test_the_bitmap_is_row_major_with_the_first_square_highest_and_zeros_at_the_end() -> None:
    layout = Layout.parse("*..\n..*\n..*")
    assert tatham.encode(layout) == "3x3:u848"
    assert tatham.encode(layout, (0, 1)) == "3x3:0,1,u848"


@given(
    width=st.integers(1, 12),
    height=st.integers(1, 12),
    seed=st.sets(st.integers(0, 143)),
    start=st.integers(0, 143),
)
def test_what_was_encoded_is_decoded(width: int, height: int, seed: set[int], start: int) -> None:
    layout = Layout(width, height, frozenset(mine for mine in seed if mine < width * height))
    at = start % (width * height)
    first = None if at in layout.mines else (at % width, at // width)
    assert tatham.decode(tatham.encode(layout, first)) == (layout, first)


def test_a_mine_count_in_the_id_is_read_and_checked() -> None:
    assert tatham.decode("3x3n3:u848") == tatham.decode("3x3:u848")
    with pytest.raises(UsageError, match="speaks of 4 mines and holds 3"):
        tatham.decode("3x3n4:u848")


def test_the_game_cannot_start_with_a_mine() -> None:
    with pytest.raises(UsageError, match="cannot start"):
        tatham.encode(Layout.parse("*..\n..*\n..*"), (2, 1))


@pytest.mark.parametrize(
    "game_id",
    [
        "",
        "9x9n10",
        "9x9n10#7",
        "3x3:848",
        "3x3:m848",
        "3x3:u84",
        "3x3:u8480",
        "3x3:u849",
        "3x3:3,0,u848",
        "3x3:0,3,u848",
        "0x3:u0",
    ],
)
def test_other_ids_are_refused(game_id: str) -> None:
    with pytest.raises(UsageError):
        tatham.decode(game_id)
