"""How a game has ended where its last board does not say so by itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bot.board import Board, Cell
from bot.capture import Frame, Rect
from bot.play.eye import Sight
from bot.play.result import Outcome
from bot.play.unseen import ended_below, won, won_showing_mines
from bot.vision.grid import Grid


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


def _sight() -> Sight:
    """A board of which all cells but the first are open."""
    pixels = np.random.default_rng(1).integers(0, 256, (220, 220, 4), np.uint8)
    bounds = Rect(20, 20, 180, 180)
    grid = Grid.regular(bounds, 20, 20, bounds)
    return Sight(Frame(pixels), grid, Board(9, 9, None, bytes([Cell.HIDDEN, *[1] * 80])), 0.0, None)


def test_a_board_has_ended_by_the_last_click_if_something_lies_over_it() -> None:
    last = _sight()
    assert ended_below(last, last.frame, {0}, set(), set()) is None
    hidden = last.frame.pixels.copy()
    hidden[80:180, 40:200] = 250
    assert ended_below(last, Frame(hidden), {0}, set(), set()) is Outcome.WON
    assert ended_below(last, Frame(hidden), {0}, {0}, set()) is None


def test_a_safe_click_may_have_opened_all_that_is_left() -> None:
    last = _sight()
    board = Board.parse("\n".join(["???1?????", *["1" * 9] * 7, "?" * 9]))
    last = replace(last, board=board)
    hidden = last.frame.pixels.copy()
    hidden[40:180, 20:200] = 250
    mines = {4, *range(72, 81)}
    # The squares right of the mine do not hang together with the one that was clicked.
    assert ended_below(last, Frame(hidden), {0}, set(), mines, total=10) is None
    assert ended_below(last, Frame(hidden), {0, 5}, set(), mines, total=10) is Outcome.WON
    assert ended_below(last, Frame(hidden), {0, 5}, set(), mines) is None
