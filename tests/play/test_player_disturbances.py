"""The player when the user, a window or a slow game comes between."""

from __future__ import annotations

import random

import pytest

from minebot.actuator import Button
from minebot.board import Board, Cell
from minebot.capture import Frame, Window
from minebot.desktop.placement import Point
from minebot.errors import Contradiction, Stopped, UnreadableTile, WindowError
from minebot.layout import Layout
from minebot.play.result import Outcome
from minebot.profile import Behaviour, load
from minebot.vision.known_game import KnownGameReader
from minebot.vision.reading import Reading
from tests.support.fake_game import FakeGame, Table, draw, easy_table

GNOME = load("gnome-mines").behaviour
FIRST = 3 * 9 + 3
"""The square of the first click."""


def test_nothing_is_clicked_after_the_stop() -> None:
    table = easy_table()
    clicks = 0

    def count(square: int, button: Button) -> list[tuple[int, Button]]:
        nonlocal clicks
        clicks += 1
        if clicks == 3:
            table.stop.request("Esc was pressed")
        return [(square, button)]

    table.game.mangle = count
    with pytest.raises(Stopped, match="Esc was pressed"):
        table.play()
    assert clicks == 3


def test_a_hand_on_the_mouse_stops_it() -> None:
    table = easy_table()
    desk = table.game.desk

    def push() -> None:
        if len(table.notes.boards) == 2:  # between two clicks
            desk.pointer = Point(900, 700)

    desk.on_grab = push
    with pytest.raises(Stopped, match="mouse was moved"):
        table.play()
    assert len(desk.clicks) <= 2


def test_nothing_is_clicked_after_the_window_is_gone() -> None:
    table = easy_table()
    clicks = 0

    def close(square: int, button: Button) -> list[tuple[int, Button]]:
        nonlocal clicks
        clicks += 1
        if clicks == 2:
            table.game.desk.close()
        return [(square, button)]

    table.game.mangle = close
    with pytest.raises(WindowError, match="closed"):
        table.play()
    assert clicks == 2


def test_a_window_that_moves_is_followed() -> None:
    table = easy_table()
    clicks = 0

    def move(square: int, button: Button) -> list[tuple[int, Button]]:
        nonlocal clicks
        clicks += 1
        if clicks % 5 == 0:
            table.game.desk.move(Point(100 + clicks, 300 - clicks))
        return [(square, button)]

    table.game.mangle = move
    assert table.play().outcome is Outcome.WON


def test_a_window_that_is_taken_down_for_a_moment_between_two_clicks_is_waited_for() -> None:
    table = easy_table()
    desk = table.game.desk

    def take_down(square: int, button: Button) -> list[tuple[int, Button]]:
        if len(desk.clicks) == 2:  # as a window manager does that another one replaces
            desk.minimise()
            desk.repainted = False
            table.clock.after(0.1, desk.show)
        return [(square, button)]

    table.game.mangle = take_down
    table.game.paint = lambda: None  # type: ignore[method-assign]  # nothing tells of it
    desk.on_grab = lambda: desk.paint(draw(table.game.board))
    assert table.play().outcome is Outcome.WON


@pytest.mark.parametrize("seconds", [5.0, 15.0])
def test_what_falls_over_a_fresh_board_is_waited_for(seconds: float) -> None:
    table = easy_table()
    desk = table.game.desk

    def cover() -> None:
        if table.notes.boards and table.clock.seconds < seconds:
            pixels = draw(table.game.board)
            pixels[60:90, 60:90] = (200, 30, 120, 0)
            desk.paint(pixels)
        else:
            desk.paint(draw(table.game.board))

    desk.on_grab = cover
    if seconds < 10:
        assert table.play().outcome is Outcome.WON
    else:
        with pytest.raises(UnreadableTile):
            table.play()


@pytest.mark.parametrize("seconds", [3.0, 30.0])
def test_a_game_that_falls_silent_is_waited_for_but_not_for_ever(seconds: float) -> None:
    table = easy_table()
    desk = table.game.desk

    def fall_silent(square: int, button: Button) -> list[tuple[int, Button]]:
        if len(desk.clicks) == 2:
            desk.busy = True
            table.clock.after(seconds, lambda: setattr(desk, "busy", False))
        return [(square, button)]

    table.game.mangle = fall_silent
    game = table.play()
    if seconds < 6:
        assert game.outcome is Outcome.WON
    else:
        assert (game.outcome, game.reason) == (Outcome.STUCK, "the game does not answer")
        assert len(desk.clicks) == 2
        assert 6 < table.clock.seconds < 8


def _dialog(table: Table, title: str) -> Window:
    return Window("0x900000", title, ("gnome-mines",), parent=table.game.desk.window.id)


def test_the_games_own_window_at_the_end_is_put_away() -> None:
    table = easy_table(behaviour=GNOME)
    paint = table.game.paint

    def tell() -> None:
        paint()
        if table.game.board.count(Cell.HIDDEN) == 0:
            table.game.desk.dialogs.append(_dialog(table, "Congratulations!"))

    table.game.paint = tell  # type: ignore[method-assign]
    game = table.play()
    assert game.outcome is Outcome.WON
    assert table.game.desk.keys == ["Escape"]


def test_a_window_that_comes_between_two_clicks_of_a_plan_is_put_away_first() -> None:
    table = easy_table(behaviour=GNOME)
    apply = table.game.apply

    def tell(square: int, button: Button) -> None:
        apply(square, button)
        if len(table.game.desk.clicks) == 3:
            table.game.desk.dialogs.append(_dialog(table, "Congratulations!"))

    table.game.apply = tell  # type: ignore[method-assign]
    table.game.desk.tells = False
    assert table.play().outcome is Outcome.WON
    assert table.game.desk.keys == ["Escape"]


def test_a_window_that_the_user_opened_keeps_it_from_clicking() -> None:
    table = easy_table(behaviour=GNOME)
    table.game.desk.dialogs.append(_dialog(table, "Preferences"))
    with pytest.raises(WindowError, match=r"gnome-mines .Preferences. .* waits for an answer"):
        table.play()
    assert not table.game.desk.clicks
    assert not table.game.desk.keys


def test_a_window_that_comes_by_a_click_is_closed_though_it_was_never_met() -> None:
    table = easy_table(behaviour=GNOME)
    clicks = 0

    def ask(square: int, button: Button) -> list[tuple[int, Button]]:
        nonlocal clicks
        clicks += 1
        if clicks == 3:
            table.game.desk.dialogs.append(_dialog(table, "What a time!"))
        return [(square, button)]

    table.game.mangle = ask
    assert table.play().outcome is Outcome.WON
    assert table.game.desk.keys == ["Escape"]


def test_a_board_hidden_for_want_of_the_focus_gets_it_back() -> None:
    table = easy_table()
    game = table.game
    frames = 0

    def blank_until_focused() -> None:
        nonlocal frames
        frames += 1
        pixels = draw(game.board)
        if frames > 3 and not game.desk.focused:
            pixels[20:-20, 20:-20] = 186
        game.desk.paint(pixels)

    game.desk.on_grab = blank_until_focused
    assert table.play().outcome is Outcome.WON
    assert game.desk.focused == 1


def test_an_answer_in_two_repaints_is_waited_for() -> None:
    table = easy_table(behaviour=GNOME)
    game = table.game
    answered = 0

    def answer(square: int, button: Button) -> None:
        nonlocal answered
        game.apply(square, button)
        answered += 1

    def hover(square: int, button: Button) -> list[tuple[int, Button]]:
        table.clock.after(0.5, lambda: answer(square, button))
        return []

    game.mangle = hover
    game.desk.on_grab = game.paint  # so each frame follows a repaint, most of which change nothing
    result = table.play()
    assert result.outcome is Outcome.WON
    assert len(table.notes.moves) == len(set(table.notes.moves)), "a click was sent twice"
    assert answered > 2


@pytest.mark.parametrize(("message", "read"), [(6000, True), (0, False)])
def test_the_message_at_the_end_is_waited_for_where_the_game_shows_one(
    message: int, read: bool
) -> None:
    table = easy_table(behaviour=Behaviour(end_message_milliseconds=message))
    game = table.game
    over: list[float] = []

    def with_a_message() -> None:
        pixels = draw(game.board)
        if not game.board.count(Cell.HIDDEN):
            over.append(table.clock.now())
            if over[-1] - over[0] < 5:
                pixels[60:90, 60:90] = (200, 30, 120, 0)
        game.desk.paint(pixels)

    game.desk.on_grab = with_a_message
    if read:
        result = table.play()
        assert result.outcome is Outcome.WON
        assert result.seconds < over[0] + 1, "the message counts as playing"
    else:
        with pytest.raises(UnreadableTile):
            table.play()


@pytest.mark.parametrize("mine", [2, 5])
def test_a_guess_that_wins_below_a_message_at_first_sight_is_no_loss(mine: int) -> None:
    game = FakeGame(Layout(3, 2, frozenset({mine})), Board.parse("01?\n01?"))
    table = Table(game, mines=None, behaviour=Behaviour(end_overlay=True))
    table.player.at_first_sight = True

    def with_a_message() -> None:
        pixels = draw(game.board)
        if game.board.covered == 1 and not game.board.count(Cell.EXPLODED):
            pixels[28:40, 28:40] = (200, 30, 120, 0)
        game.desk.paint(pixels)

    game.desk.on_grab = with_a_message
    result = table.play()
    (guess,) = result.guesses
    assert result.outcome is (Outcome.LOST if guess.square == mine else Outcome.WON)


def test_the_pointer_leaves_a_message_that_would_stay_below_it() -> None:
    table = easy_table(behaviour=Behaviour(end_message_milliseconds=6000))
    game = table.game
    origin = game.desk.rect
    moved: set[Point] = set()

    def with_a_message() -> None:
        pixels = draw(game.board)
        pointer = game.desk.pointer
        x, y = pointer.x - origin.left, pointer.y - origin.top
        if not game.board.count(Cell.HIDDEN):
            if not (20 <= x < 200 and 20 <= y < 200):
                moved.add(pointer)
            # The first move may have come while a window kept the game from seeing it.
            if len(moved) < 2:
                pixels[20:200, 20:200] = (200, 30, 120, 0)
        game.desk.paint(pixels)

    game.desk.on_grab = with_a_message
    assert table.play().outcome is Outcome.WON
    assert len(moved) >= 2


def test_a_frame_that_takes_long_to_read_loses_no_click() -> None:
    late: list[tuple[int, Button]] = []

    class Slow(KnownGameReader):
        def read(self, frame: Frame, *, partly: bool = False) -> Reading:
            table.clock.sleep(3)
            return super().read(frame, partly=partly)

    def a_frame_later() -> None:
        game.paint()
        while late:
            game.apply(*late.pop(0))

    def keep(square: int, button: Button) -> list[tuple[int, Button]]:
        late.append((square, button))
        return []

    table = easy_table(reader=Slow(load("sgt-mines")))
    game = table.game
    game.desk.on_grab = a_frame_later
    game.mangle = keep
    assert table.play().outcome is Outcome.WON
    assert len(table.notes.moves) == len(set(table.notes.moves)), "a click was sent twice"


# -- a new game begun by the user


def long_table() -> Table:
    """A game of 30 clicks without a guess, which answers so late that several are under way."""
    around = (FIRST, *Board.hidden(9, 9).neighbours(FIRST))
    layout = Layout.scattered(9, 9, 14, random.Random(0), clear=around)
    table = Table(FakeGame(layout))
    game = table.game

    def answer(square: int, button: Button) -> None:
        if game.layout is layout:
            game.apply(square, button)
            game.paint()

    def late(square: int, button: Button) -> None:
        table.clock.after(0.02, lambda: answer(square, button))

    game.mangle = late
    return table


def begin_anew(table: Table, seed: int, first: int) -> None:
    """The user has another board, laid after the first click as real games do."""
    around = (first, *Board.hidden(9, 9).neighbours(first))
    table.game.layout = Layout.scattered(9, 9, 14, random.Random(seed), clear=around)
    table.game.board = Board.hidden(9, 9)
    table.game.paint()


def test_several_clicks_are_under_way_at_once() -> None:
    table = long_table()
    game = table.play()
    assert game.outcome is Outcome.WON
    assert game.clicks >= 30
    assert game.rounds <= game.clicks / 2


@pytest.mark.parametrize("lands", [True, False], ids=["click-lands", "between-clicks"])
@pytest.mark.parametrize("after", range(2, 27))
def test_no_click_of_the_old_plan_reaches_a_new_game_but_the_one_in_flight(
    after: int, lands: bool
) -> None:
    table = long_table()
    game = table.game
    late = game.mangle
    assert late is not None

    def click(square: int, button: Button) -> list[tuple[int, Button]] | None:
        if len(game.desk.clicks) < after:
            return late(square, button)
        if len(game.desk.clicks) == after:
            begin_anew(table, after, square)
        return [(square, button)] if lands or len(game.desk.clicks) > after else []

    game.mangle = click
    with pytest.raises(Contradiction, match="another game began"):
        table.play()
    assert len(game.desk.clicks) == after
    assert Cell.EXPLODED not in game.board.cells


@pytest.mark.parametrize("after", [1, 2, 7, 15])
def test_a_new_game_begun_while_a_plan_is_made_gets_no_click(after: int) -> None:
    table = long_table()
    desk = table.game.desk
    table.game.mangle = None

    def think_long() -> None:
        if len(desk.clicks) == after:
            table.clock.sleep(1)
            begin_anew(table, after, 0)

    table.notes.on_thought = think_long
    with pytest.raises(Contradiction, match="another game began"):
        table.play()
    assert len(desk.clicks) == after


def test_a_plan_that_took_long_is_followed_where_the_board_is_the_same() -> None:
    table = long_table()
    table.notes.on_thought = lambda: table.clock.sleep(1)
    assert table.play().outcome is Outcome.WON


def test_what_covers_the_board_for_a_moment_is_waited_for() -> None:
    table = easy_table()
    desk = table.game.desk
    desk.clock.at(0.01, lambda: setattr(desk, "covered", desk.rect))
    desk.clock.at(1.5, lambda: setattr(desk, "covered", None))
    assert table.play().outcome is Outcome.WON
    assert desk.clock.seconds > 1.5


def test_what_covers_it_for_good_is_an_error_after_a_while() -> None:
    table = easy_table()
    desk = table.game.desk
    desk.clock.at(0.01, lambda: setattr(desk, "covered", desk.rect))
    with pytest.raises(WindowError, match="covered"):
        table.play()
    assert 3 < desk.clock.seconds < 6
