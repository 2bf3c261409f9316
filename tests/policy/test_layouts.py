"""The layouts of an endgame: its memory, and what exclusive layouts lead to."""

from __future__ import annotations

import pytest

from minebot.board import Board
from minebot.policy.guessing.layouts import MAX_CELLS, PLACES, SETS, make_endgame
from minebot.policy.guessing.settings import Strategy
from minebot.policy.plan import Reason
from minebot.solver import solve
from tests.policy.stuck_boards import choose


@pytest.mark.parametrize("layouts", [1, 200, 3000])
def test_there_is_room_for_each_layout_and_each_set(layouts: int) -> None:
    game = make_endgame(layouts)
    by_layout = (game.sign, game.rivals, game.head, game.next, game.following)
    for row in by_layout[:3]:
        assert len(row) == layouts
    assert game.shown.shape == (layouts, MAX_CELLS)
    assert game.words.shape == (layouts, MAX_CELLS // 4), "four cells a word"
    assert len(game.arena) >= layouts
    assert len(game.keys) == len(game.values) >= max(PLACES, SETS * layouts)


@pytest.mark.parametrize("layouts", [1, 127, 128, 129, 3000])
def test_places_for_sets_are_a_power_of_two(layouts: int) -> None:
    places = len(make_endgame(layouts).keys)
    assert places & (places - 1) == 0


def test_every_cell_that_is_opened_has_its_rows() -> None:
    game = make_endgame(10)
    depths = len(game.worth)
    assert depths > MAX_CELLS, "each opens a cell more"
    assert game.begin.shape == (depths, 11), "ten numbers, and where the last one ends"
    assert game.worth.shape == (depths, MAX_CELLS)


def test_layouts_have_words_of_their_own_and_always_the_same() -> None:
    signs = make_endgame(3000).sign
    assert len(set(signs.tolist())) == 3000
    assert (signs == make_endgame(3000).sign).all()


FIFTY_FIFTY = """\
?????1001?
?????2013?
?????201??
?????20122
?????20000
?????20000
?????20000
?????10000"""
"""In the upper right corner two cells share one mine, whatever lies on the left: two mines
below them keep every clue away that would touch only one of them."""


def test_a_front_that_nothing_can_explain_is_played_at_once() -> None:
    board = Board.parse(FIFTY_FIFTY, 11)
    verdict = solve(board, risk=True)
    choice = choose(board, verdict.risk or (), set(verdict.mines), Strategy.FULL)
    assert choice.reason is Reason.FORCED
    assert board.xy(choice.best.square) in ((9, 0), (9, 1))
    assert choice.best.risk == choice.best.score == 0.5
    other = choose(board, verdict.risk or (), set(verdict.mines), Strategy.ENDGAME)
    assert board.xy(other.best.square) not in ((9, 0), (9, 1))
