"""The clicks between two boards: worked out from games whose clicks are known."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from fixtures.game_state import GameRules, GameState
from minebot.analysis.played_game import acts
from minebot.board import Action, Board
from minebot.layout import Layout
from minebot.solver import solve
from tests.support.people import careful, with_chords

OPEN, FLAG, UNFLAG, CHORD = (
    Action.OPEN,
    Action.FLAG,
    Action.UNFLAG,
    Action.CHORD,
)


@pytest.mark.parametrize("seed", range(12))
def test_each_click_of_a_game_is_found_and_does_what_it_did(seed: int) -> None:
    random = Random(seed)
    layout = Layout.scattered(16, 16, 40, random, clear={0, 1, 16, 17})
    game = with_chords(layout, 0, random) if seed % 2 else careful(layout, 0, random, 0.03)
    for act in game.acts:
        found = acts(act.before, act.after, 1.0)
        if act.wasted:
            assert not found
            continue
        (one,) = found
        assert one.after == act.after
        if (one.click.action, one.click.square) != (act.click.action, act.click.square):
            # Another cell of the same opening, another number whose chord opens the same, or
            # the only cell that a chord opened.
            assert one.click.action is not CHORD or act.click.action is CHORD
            assert one.opened == act.opened


def seen(clicks: list[tuple[Action, int]], *, reveal: bool = True) -> list[Board]:
    """What a game shows after each click; like Simon Tatham's, it shows mines once one is hit."""
    layout = Layout.parse("*....\n.....\n..*..\n.....\n*...*")
    game = GameState(layout, GameRules())
    boards = [game.board()]
    for action, square in clicks:
        {OPEN: game.open, FLAG: game.flag, UNFLAG: game.flag, CHORD: game.chord}[action](square)
        boards.append(game.board(reveal=reveal))
    return boards


def found(boards: list[Board], press: frozenset[int] = frozenset()) -> list[tuple[Action, int]]:
    made = acts(boards[0], boards[-1], 1.0, press)
    return [(one.click.action, one.click.square) for one in made]


def test_flags_and_a_chord_in_one_repaint() -> None:
    boards = seen([(OPEN, 6), (FLAG, 0), (FLAG, 12), (CHORD, 6)])
    assert found(boards[1:]) == [(FLAG, 0), (FLAG, 12), (CHORD, 6)]


def test_a_flag_taken_off_and_the_cell_opened() -> None:
    boards = seen([(OPEN, 6), (FLAG, 1), (UNFLAG, 1), (OPEN, 1)])
    assert found([boards[2], boards[4]]) == [(UNFLAG, 1), (OPEN, 1)]


def test_a_flag_beside_an_opening_was_taken_off_after_it() -> None:
    boards = seen([(FLAG, 9), (OPEN, 4), (UNFLAG, 9)])
    assert boards[2].cells[9] == 10
    assert found(boards[1:]) == [(OPEN, 2), (UNFLAG, 9)]


def test_of_several_clicks_in_one_repaint_the_safe_ones_came_first() -> None:
    random = Random(1)
    layout = Layout.scattered(16, 16, 40, random, clear={0, 1, 16, 17})
    told = 0
    for one, other in pairwise(careful(layout, 0, random).acts):
        squares = [one.click.square, other.click.square]
        if squares[1] in solve(one.before, risk=False, every=True).safe or squares[1] > squares[0]:
            continue
        if squares[0] in solve(one.before, risk=False, every=True).safe:
            made = acts(one.before, other.after, 1.0)
            assert made[0].opened == one.opened
            told += 1
    assert told


def test_mines_shown_at_the_end_are_nobodys_clicks() -> None:
    assert found(seen([(OPEN, 6), (OPEN, 12)])[1:]) == [(OPEN, 12)]


def test_a_wrong_chord_that_hits_a_mine() -> None:
    boards = seen([(OPEN, 6), (FLAG, 1), (FLAG, 2), (CHORD, 6)])
    assert boards[-1].lost
    assert found(boards[3:]) == [(CHORD, 6)]


def test_a_cell_that_looked_pressed_tells_where_an_opening_was_begun() -> None:
    boards = seen([(OPEN, 4)])
    empty = [at for at, cell in enumerate(boards[1].cells) if cell == 0]
    assert len(empty) > 1
    for at in empty:
        assert found(boards, frozenset({at})) == [(OPEN, at)]


def test_flags_that_the_game_sets_when_it_is_won_are_not_the_users() -> None:
    layout = Layout.parse("*.\n..")
    game = GameState(layout, GameRules())
    boards = [game.board()]
    for at in (1, 2, 3):
        game.open(at)
        boards.append(game.board())
    assert boards[-1].cells[0] == 10
    assert found(boards[2:]) == [(OPEN, 3)]
