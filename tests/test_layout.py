"""The truth below a board: numbers, openings, 3BV and what a player sees of them."""

from __future__ import annotations

from random import Random

import pytest

from bot.board import Board
from bot.errors import UsageError
from bot.layout import Layout

FIELD = Layout.parse("""
    *....
    .....
    ...*.
    *....
""")


def test_a_drawing_holds_its_mines_at_row_major_squares() -> None:
    assert Layout(5, 4, frozenset({0, 13, 15})) == FIELD


def test_numbers_count_the_mines_around_mines_or_not() -> None:
    everything = frozenset(range(20)) - FIELD.mines
    assert str(FIELD.seen(everything)) == "?1000\n11111\n111?1\n?1111"
    assert Layout.parse("***\n*.*\n***").number(4) == 8
    assert Layout.parse("**").number(0) == 1


def test_a_click_on_a_number_opens_it_alone() -> None:
    assert FIELD.opened_by(6) == {6}


def test_a_click_on_a_zero_opens_its_whole_opening_and_the_rim() -> None:
    opening = {1, 2, 3, 4, 6, 7, 8, 9}
    assert FIELD.opened_by(4) == opening
    assert FIELD.opened_by(2) == opening


def test_a_flood_stops_at_what_is_not_covered() -> None:
    row = Layout.parse(".....")
    assert row.opened_by(0, covered={0, 1, 3, 4}) == {0, 1}


def test_a_click_on_a_mine_is_refused() -> None:
    with pytest.raises(UsageError, match="holds a mine"):
        FIELD.opened_by(13)


@pytest.mark.parametrize(
    ("drawing", "clicks"),
    [
        ("*..\n...\n...", 1),
        ("*.*\n...\n*.*", 5),
        ("***", 0),
        ("..*..", 2),
        ("*....\n.....\n...*.\n*....", 10),
    ],
)
def test_three_bv_counts_openings_and_lone_numbers(drawing: str, clicks: int) -> None:
    assert Layout.parse(drawing).three_bv() == clicks


def test_the_player_sees_opened_flagged_hit_and_hidden_squares() -> None:
    board = FIELD.seen(opened=[1, 2, 6], flags=[0, 19], hit=13)
    assert board == Board.parse("F10??\n?1???\n???!?\n????F", mines=3)
    assert board.mines == 3


def test_scattered_mines_keep_off_the_clear_squares_and_follow_the_seed() -> None:
    layout = Layout.scattered(4, 4, 12, Random(5), clear=[0, 1, 4, 5])
    assert layout.mines == frozenset(range(16)) - {0, 1, 4, 5}
    assert Layout.scattered(9, 9, 10, Random(5)) == Layout.scattered(9, 9, 10, Random(5))
    with pytest.raises(UsageError, match="do not fit"):
        Layout.scattered(4, 4, 13, Random(5), clear=[0, 1, 4, 5])


@pytest.mark.parametrize("wrong", [(0, 4, []), (3, 3, [9]), (3, 3, [-1])])
def test_an_impossible_field_is_refused(wrong: tuple[int, int, list[int]]) -> None:
    width, height, mines = wrong
    with pytest.raises(UsageError):
        Layout(width, height, frozenset(mines))


@pytest.mark.parametrize("drawing", ["", "..\n..."])
def test_a_crooked_drawing_is_refused(drawing: str) -> None:
    with pytest.raises(UsageError):
        Layout.parse(drawing)
