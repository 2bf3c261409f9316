"""How a game has ended where its last board does not say so by itself."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bot.board import Board, Cell
from bot.capture import Frame
from bot.play.eye import Sight
from bot.play.result import Outcome
from bot.play.unseen import ended_below, won, won_showing_mines
from tests.moved_lines import EVEN, LOWER, drawn, shown_cells, tiles_at


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


def _sight(shown: Sequence[int]) -> Sight:
    """A board of which the cells that are no 0 are open."""
    grid = tiles_at(EVEN, EVEN)
    cells = bytes(cell - 1 if cell else Cell.HIDDEN for cell in shown)
    return Sight(drawn(grid, shown), grid, Board(9, 9, None, cells), 0.0, None)


def test_a_board_of_which_lines_have_moved_has_not_ended() -> None:
    shown = shown_cells(1)
    last, opening = _sight(shown), {shown.index(0)}
    shown[shown.index(0)] = 3
    now = drawn(tiles_at(LOWER, EVEN), shown)
    assert ended_below(last, now, opening, set(), set()) is None
    hidden = last.frame.pixels.copy()
    hidden[80:180, 40:220] = 250
    # What lies over the board tells of a win only where nothing safe was left but what was clicked.
    covered = set(last.board.squares(Cell.HIDDEN, Cell.FLAG))
    mines = covered - opening
    assert ended_below(last, Frame(hidden), opening, set(), mines) is Outcome.WON
    assert ended_below(last, Frame(hidden), opening, set(), set()) is None
    assert ended_below(last, Frame(hidden), opening, opening, set()) is Outcome.LOST
