"""The loop when a person, a window or a slow game comes between."""

from __future__ import annotations

import pytest

from bot.actuator import Button
from bot.board import Board, Cell
from bot.capture import Frame, Point, Window
from bot.errors import Stopped, UnreadableTile, WindowError
from bot.play.result import Outcome
from bot.profile import Conduct, load
from tests.fake_game import Table, draw, easy_table

GNOME = load("gnome-mines").conduct


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
    with pytest.raises(Stopped, match="mouse was moved"):
        _play_with_pushed_pointer(table)


def _play_with_pushed_pointer(table: Table) -> None:
    """The pointer jumps while the bot waits for a repaint, as under a person's hand."""
    grab = table.player._screen.grab
    looks = 0

    def pushed():  # type: ignore[no-untyped-def]
        nonlocal looks
        looks += 1
        if looks == 3:
            table.game.desk.pointer = Point(900, 700)
        return grab()

    table.player._screen.grab = pushed  # type: ignore[method-assign]
    table.play()


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


def _dialog(table: Table, title: str) -> Window:
    return Window(0x900000, title, "gnome-mines", parent=table.game.desk.window.id)


def test_the_games_own_window_at_the_end_is_put_away() -> None:
    table = easy_table(conduct=GNOME)
    paint = table.game.paint

    def tell() -> None:
        paint()
        if table.game.board.count(Cell.HIDDEN) == 0:
            table.game.desk.dialogs.append(_dialog(table, "Congratulations!"))

    table.game.paint = tell  # type: ignore[method-assign]
    game = table.play()
    assert game.outcome is Outcome.WON
    assert table.game.desk.keys == ["Escape"]


def test_a_window_that_comes_between_two_clicks_of_a_round_is_looked_at_first() -> None:
    table = easy_table(conduct=GNOME)
    apply = table.game.apply

    def tell(square: int, button: Button) -> None:
        apply(square, button)
        if len(table.game.desk.clicks) == 3:
            table.game.desk.dialogs.append(_dialog(table, "Congratulations!"))

    table.game.apply = tell  # type: ignore[method-assign]
    table.player._screen.wait = lambda _: False  # type: ignore[method-assign]
    assert table.play().outcome is Outcome.WON
    assert table.game.desk.keys == ["Escape"]


def test_a_window_that_a_person_opened_stops_the_clicking() -> None:
    table = easy_table(conduct=GNOME)
    clicks = 0

    def ask(square: int, button: Button) -> list[tuple[int, Button]]:
        nonlocal clicks
        clicks += 1
        if clicks == 3:
            table.game.desk.dialogs.append(_dialog(table, "Preferences"))
        return [(square, button)]

    table.game.mangle = ask
    with pytest.raises(WindowError, match=r"gnome-mines .Preferences. .* waits for an answer"):
        table.play()
    assert clicks == 3
    assert not table.game.desk.keys


def test_a_board_hidden_for_want_of_the_focus_gets_it_back() -> None:
    table = easy_table()
    game = table.game
    grab = table.player._screen.grab
    looks = 0

    def blank_until_focused():  # type: ignore[no-untyped-def]
        nonlocal looks
        looks += 1
        pixels = draw(game.board)
        if looks > 3 and not game.desk.focused:
            pixels[20:-20, 20:-20] = 186
        game.desk.paint(pixels)
        return grab()

    table.player._screen.grab = blank_until_focused  # type: ignore[method-assign]
    assert table.play().outcome is Outcome.WON
    assert game.desk.focused == 1


def test_an_answer_in_two_repaints_is_waited_for() -> None:
    table = easy_table(conduct=GNOME)
    game = table.game
    late: list[tuple[float, int, Button]] = []
    answered = 0

    def hover(square: int, button: Button) -> list[tuple[int, Button]]:
        late.append((table.clock.now + 0.5, square, button))
        return []

    def grab_what_is_due():  # type: ignore[no-untyped-def]
        nonlocal answered
        while late and late[0][0] < table.clock.now:
            _, square, button = late.pop(0)
            game.apply(square, button)
            answered += 1
        game.paint()  # so each look follows a repaint, most of which change nothing
        return grab()

    grab = table.player._screen.grab
    game.mangle = hover
    table.player._screen.grab = grab_what_is_due  # type: ignore[method-assign]
    result = table.play()
    assert result.outcome is Outcome.WON
    assert len(table.notes.moves) == len(set(table.notes.moves)), "a click was sent twice"
    assert answered > 2


@pytest.mark.parametrize(("message", "read"), [(6000, True), (0, False)])
def test_the_message_at_the_end_is_waited_for_where_the_game_shows_one(
    message: int, read: bool
) -> None:
    table = easy_table(conduct=Conduct(end_message_milliseconds=message))
    game = table.game
    grab = table.player._screen.grab
    over: list[float] = []

    def with_a_message():  # type: ignore[no-untyped-def]
        pixels = draw(game.board)
        if not game.board.count(Cell.HIDDEN):
            over.append(table.clock.now)
            if table.clock.now - over[0] < 5:
                pixels[60:90, 60:90] = (200, 30, 120, 0)
        game.desk.paint(pixels)
        return grab()

    table.player._screen.grab = with_a_message  # type: ignore[method-assign]
    if read:
        result = table.play()
        assert result.outcome is Outcome.WON
        assert result.seconds < over[0] + 1, "the message counts as playing"
    else:
        with pytest.raises(UnreadableTile):
            table.play()


def test_the_pointer_leaves_a_message_that_would_stay_below_it() -> None:
    table = easy_table(conduct=Conduct(end_message_milliseconds=6000))
    game = table.game
    grab = table.player._screen.grab
    origin = game.desk.window.rect
    moved: set[Point] = set()

    def with_a_message():  # type: ignore[no-untyped-def]
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
        return grab()

    table.player._screen.grab = with_a_message  # type: ignore[method-assign]
    assert table.play().outcome is Outcome.WON


def test_a_frame_that_takes_long_to_read_loses_no_click() -> None:
    table = easy_table()
    game = table.game
    read = table.player._reader.read
    late: list[tuple[int, Button]] = []

    def slowly(frame: Frame, *, patient: bool = False) -> Board:
        table.clock.now += 3
        return read(frame, patient=patient)

    def a_look_later():  # type: ignore[no-untyped-def]
        frame = grab()
        while late:
            game.apply(*late.pop(0))
        game.paint()
        return frame

    def keep(square: int, button: Button) -> list[tuple[int, Button]]:
        late.append((square, button))
        return []

    grab = table.player._screen.grab
    table.player._reader.read = slowly  # type: ignore[method-assign]
    table.player._screen.grab = a_look_later  # type: ignore[method-assign]
    game.mangle = keep
    assert table.play().outcome is Outcome.WON
    assert len(table.notes.moves) == len(set(table.notes.moves)), "a click was sent twice"
