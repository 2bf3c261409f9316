"""What was seen of a game is put right, or doubted, once more of it is seen."""

from __future__ import annotations

import pytest

from minebot.analysis.played_game import Click, ClickEvent
from minebot.board import Action, Board, Cell
from minebot.study.watching import SeenGame, completed

FRESH = Board.parse("???\n???")
FLAGGED = FRESH.showing({4: Cell.FLAG})


def flagged_for(seconds: float, *, sure: bool = True) -> SeenGame:
    """A game in which a flag was set, and taken off after so long; whether it is sure when."""
    opened = FLAGGED.showing({0: Cell.ONE})
    return SeenGame(
        opened.showing({4: Cell.HIDDEN}),
        [
            ClickEvent(Click(1.0, Action.FLAG, 4), FRESH, FLAGGED),
            ClickEvent(Click(1.1, Action.OPEN, 0), FLAGGED, opened),
            ClickEvent(
                Click(1.0 + seconds, Action.UNFLAG, 4),
                opened,
                opened.showing({4: Cell.HIDDEN}),
                sure=sure,
            ),
        ],
    )


@pytest.mark.parametrize(
    ("seconds", "sure", "flag_is_sure"),
    [(0.4, True, False), (0.6, True, True), (2.0, False, False)],
)
def test_a_flag_is_not_certain_that_soon_goes_or_goes_unseen(
    seconds: float, *, sure: bool, flag_is_sure: bool
) -> None:
    game = flagged_for(seconds, sure=sure)
    game.doubt_passing_flags()
    assert [act.sure for act in game.acts] == [flag_is_sure, True, flag_is_sure]


def test_a_flag_that_shows_a_number_soon_after_was_opened() -> None:
    game = SeenGame(FLAGGED, [ClickEvent(Click(1.0, Action.FLAG, 4), FRESH, FLAGGED)])
    game.open_flagged(FRESH.showing({4: Cell.TWO}))
    (act,) = game.acts
    assert (act.click.action, act.before.cells[4], act.after.cells[4]) == (
        Action.OPEN,
        Cell.HIDDEN,
        Cell.TWO,
    )
    assert game.board.cells[4] == Cell.TWO


def test_a_number_that_was_misread_is_put_right_only_where_it_was_open() -> None:
    opened = FRESH.showing({0: Cell.THREE})
    game = SeenGame(opened, [ClickEvent(Click(1.0, Action.OPEN, 0), FRESH, opened)])
    game.doubt = opened, 0
    game.put_right(FRESH.showing({0: Cell.ONE}), {0})
    assert game.acts[0].before.cells == FRESH.cells
    assert game.acts[0].after.cells[0] == game.board.cells[0] == Cell.ONE
    assert game.doubt[0].cells[0] == Cell.ONE


def test_what_an_empty_cell_opened_under_the_pointer_is_completed() -> None:
    before = Board.parse("0??\n???")
    later = Board.parse("001\n001")
    assert str(completed(before, later, {1, 3, 4})) == "00?\n00?"
    assert str(completed(before, later, {3})) == "0??\n0??"
