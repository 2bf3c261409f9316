"""A game that is played over again from its clicks."""

from __future__ import annotations

import pytest

from minebot.analysis.played_game import Simulated
from minebot.board import Action, Board, Cell
from minebot.layout import Layout
from tests.support.people import played, shows

LAYOUT = Layout.parse("*...\n....\n...*")
OPEN, FLAG, UNFLAG, CHORD = Action.OPEN, Action.FLAG, Action.UNFLAG, Action.CHORD


def test_an_opening_opens_up_to_its_numbers() -> None:
    (act,) = played(LAYOUT, [(0, OPEN, 3)]).acts
    assert set(act.opened) == LAYOUT.opened_by(3)
    assert not act.wasted


@pytest.mark.parametrize(
    ("clicks", "opens"),
    [
        ([(FLAG, 0), (CHORD, 5)], True),
        ([(CHORD, 5)], False),
        ([(FLAG, 0), (UNFLAG, 0), (CHORD, 5)], False),
    ],
)
def test_a_chord_opens_only_around_a_number_that_has_its_flags(
    clicks: list[tuple[Action, int]], *, opens: bool
) -> None:
    game = Simulated(Board.hidden(4, 3, 2), shows(LAYOUT))
    game.click(OPEN, 5)
    for click in clicks:
        board = game.click(*click)
    assert (board.cells[1] == Cell.ONE) is opens


def test_a_click_of_which_nothing_comes_is_wasted() -> None:
    game = played(LAYOUT, [(0, OPEN, 5), (1, OPEN, 5), (2, UNFLAG, 0), (3, FLAG, 5)])
    assert [act.wasted for act in game.acts] == [False, True, True, True]


def test_a_lost_game_ends_with_its_mines_and_nothing_after_counts() -> None:
    game = played(LAYOUT, [(0, OPEN, 5), (1, OPEN, 0), (2, OPEN, 3)])
    assert game.outcome == "lost"
    assert len(game.acts) == 2
    assert game.final.cells[0] == Cell.EXPLODED
    assert game.final.cells[11] == Cell.MINE
    assert game.layout == LAYOUT


def test_a_game_is_won_once_every_safe_cell_is_open() -> None:
    clicks = [(at / 10, OPEN, at) for at in range(12) if at not in LAYOUT.mines]
    assert played(LAYOUT, clicks).outcome == "won"
    assert played(LAYOUT, clicks[:1]).outcome == "unfinished"
    assert played(LAYOUT, clicks).layout == LAYOUT


def test_where_several_layouts_fit_none_is_known() -> None:
    assert played(LAYOUT, [(0, OPEN, 5)]).layout is None
