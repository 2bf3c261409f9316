"""How a game has ended where its last board does not say so by itself."""

from __future__ import annotations

import pytest

from bot.board import Board
from bot.play.unseen import won, won_showing_mines


@pytest.mark.parametrize(
    ("shown", "total", "opened", "is_won"),
    [
        ("1*\n11", 1, {(0, 0)}, True),
        ("1*\n11", None, {(0, 0)}, True),
        ("1!\n11", 1, {(0, 0), (1, 1)}, True),
        ("1!\n11", 1, {(0, 0), (1, 0)}, False),
        ("1*\n11", 1, set(), False),
        ("1F\n11", 1, {(0, 0)}, False),
        ("*?\n!2", 2, {(1, 1)}, False),
        ("*?\n!2", None, {(1, 1)}, False),
        ("*F\n33", 2, {(1, 1)}, True),
    ],
)
def test_a_board_with_mines_is_won_if_only_they_are_left_and_none_was_opened(
    shown: str, total: int | None, opened: set[tuple[int, int]], is_won: bool
) -> None:
    assert won_showing_mines(Board.parse(shown), total, opened) is is_won


def test_a_won_board_has_flags_on_what_it_shows_and_no_other_mines() -> None:
    assert won(Board.parse("*F!\n?55")) == Board.parse("FFF\n?55", 4)
