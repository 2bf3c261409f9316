"""The truth below a board: numbers, openings, 3BV and what a player sees of them."""

from __future__ import annotations

from random import Random

import pytest

from fixtures.game_state import GameRules, GameState
from minebot.board import Board
from minebot.errors import UsageError
from minebot.layout import First, Layout

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
    assert Layout.parse("***\n*.*\n***").numbers[4] == 8
    assert Layout.parse("**").numbers[0] == 1


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


def test_the_player_sees_opened_flagged_and_hidden_squares() -> None:
    board = FIELD.seen(opened=[1, 2, 6], flags=[0, 19])
    assert board == Board.parse("F10??\n?1???\n?????\n????F", mines=3)
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


def _played(clicks: str, rules: GameRules | None = None) -> GameState:
    """A game on FIELD: numbers are left clicks, those with an f right ones."""
    game = GameState(FIELD, rules)
    for click in clicks.split():
        if click.startswith("f"):
            game.flag(int(click[1:]))
        else:
            game.click(int(click))
    return game


@pytest.mark.parametrize(
    ("clicks", "shown"),
    [
        ("4", "?1000\n?1111\n?????\n?????"),
        ("f4 4", "????F\n?????\n?????\n?????"),
        ("f4 f4 4", "?1000\n?1111\n?????\n?????"),
        ("f2 4", "??F00\n??111\n?????\n?????"),  # the flood goes around a flag
        ("4 f1", "?1000\n?1111\n?????\n?????"),  # an open one takes no flag
        ("6 f0 6", "F1000\n11111\n111??\n?????"),
        ("6 6", "?????\n?1???\n?????\n?????"),  # no chord without a flag
        ("6 f1 6", "!F000\n11111\n111??\n?????"),
        ("13 4 f0", "?????\n?????\n???!?\n?????"),  # nothing after the end
        ("13 13", "?????\n?????\n???!?\n?????"),
    ],
)
def test_a_game_answers_clicks(clicks: str, shown: str) -> None:
    assert str(_played(clicks).board()) == shown


def test_a_chord_may_set_off_several_mines() -> None:
    game = GameState(Layout.parse("..*\n*..\n..."))
    game.open(4)
    game.flag(0)
    game.flag(1)
    game.chord(4)
    assert game.hit == {2, 3}
    assert game.lost
    assert not game.won


def test_after_a_loss_a_game_may_show_the_mines_not_flagged() -> None:
    game = _played("f0 f4 13")
    assert str(game.board()) == "F???F\n?????\n???!?\n?????"
    assert str(game.board(reveal=True)) == "F???F\n?????\n???!?\n*????"


def test_after_a_loss_a_game_may_show_every_number_and_every_mine() -> None:
    game = _played("f0 f4 13", GameRules(opens_when_lost=True))
    assert str(game.board()) == "F???F\n?????\n???!?\n?????"
    assert str(game.board(reveal=True)) == "*1000\n11111\n111*1\n*1111"


def _all_opened(rules: GameRules) -> GameState:
    game = GameState(FIELD, rules)
    for square in sorted(set(range(20)) - FIELD.mines):
        game.open(square)
    return game


def test_winning_flags_the_mines_where_the_game_does_so() -> None:
    assert _all_opened(GameRules()).flags == FIELD.mines
    plain = _all_opened(GameRules(flags_when_won=False))
    assert plain.won
    assert not plain.flags


def test_a_game_may_ask_for_every_flag_and_no_other() -> None:
    game = _all_opened(GameRules(flags_to_win=True, flags_when_won=False))
    assert not game.won
    for mine in FIELD.mines:
        game.flag(mine)
    assert game.won
    game.flag(0)
    assert game.flags == FIELD.mines


def test_without_chords_a_click_on_a_number_does_nothing() -> None:
    game = _played("6 f0 6", GameRules(chords=False))
    assert game.opened == {6}


@pytest.mark.parametrize("first", list(First))
def test_mines_are_dealt_as_the_first_click_was_promised(first: First) -> None:
    rules = GameRules(first)
    layouts = [rules.deal(4, 4, 7, 5, Random(seed)) for seed in range(30)]
    assert all(len(layout.mines) == 7 and 5 not in layout.mines for layout in layouts)
    assert {layout.numbers[5] == 0 for layout in layouts} == {first is First.OPENING}
