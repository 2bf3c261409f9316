"""A board is read again until it can be, and what is in the way is put away."""

from __future__ import annotations

import numpy as np
import pytest

from minebot.actuator import Button
from minebot.board import Board, Cell
from minebot.capture import Window
from minebot.errors import (
    Contradiction,
    Stopped,
    UnreadableTile,
    Unsettled,
    WindowCovered,
    WindowError,
)
from minebot.profile import load
from minebot.vision.known_game import KnownGameReader
from tests.support.fake_clock import GRAB_SECONDS
from tests.support.fake_game import EASY, FakeGame, Table, draw

GNOME = load("gnome-mines").behaviour


def opened() -> Table:
    game = FakeGame(EASY)
    game.apply(0, Button.LEFT)
    game.paint()
    return Table(game)


def test_a_board_that_can_be_read_is_read_at_once() -> None:
    table = opened()
    observation = table.observer.read()
    assert observation.board == table.game.board
    assert (observation.taken, observation.since) == (0.0, 0.0)
    assert table.clock.seconds == GRAB_SECONDS
    assert (observation.grid.width, observation.grid.height) == (9, 9)


def test_a_flash_is_waited_for_and_when_it_began_is_known() -> None:
    table = opened()
    desk, board = table.game.desk, table.game.board
    desk.paint(draw(board, flash=True))
    table.clock.at(1.0, lambda: desk.paint(draw(board)))
    observation = table.observer.read()
    assert observation.board == board
    assert observation.since == GRAB_SECONDS
    assert 1.0 <= observation.taken < 1.1


def test_a_grid_found_while_a_resized_window_was_half_painted_is_found_anew() -> None:
    # The game shows the old picture in the new window first, then has the board in its middle.
    table = opened()
    desk, picture = table.game.desk, draw(table.game.board)
    desk.paint(np.pad(picture, ((0, 10), (0, 10), (0, 0)), constant_values=230))
    assert table.observer.read().board == table.game.board
    desk.paint(np.pad(picture, ((5, 5), (5, 5), (0, 0)), constant_values=230))
    with pytest.raises(Unsettled, match="flashes"):
        table.reader.read(table.observer.window_session.screen.grab())
    assert table.observer.read().board == table.game.board
    assert table.clock.seconds < 0.5, "before anything is put out of the way and read anew"


class Forgetful(KnownGameReader):
    """Counts how often it is told to find everything anew, and to label it anew."""

    times = relabelled = 0

    def forget(self) -> None:
        self.times += 1
        super().forget()

    def relabel(self) -> None:
        self.relabelled += 1
        super().relabel()


def test_a_board_that_a_search_refutes_is_kept_and_read_anew() -> None:
    reader = Forgetful(load("sgt-mines"))
    table = Table(FakeGame(EASY), reader=reader)
    observation, before = table.observer.read(), reader.times
    table.observer.distrust(observation, Contradiction("no layout fits"))
    assert reader.times == before + 1
    assert table.notes.problems == ["no layout fits"]


@pytest.mark.parametrize(("seconds", "times"), [(0.4, 0), (0.7, 1)])
def test_what_is_long_not_believed_is_labelled_anew(seconds: float, times: int) -> None:
    reader = Forgetful(load("sgt-mines"))
    table = Table(FakeGame(EASY), reader=reader)
    desk, board = table.game.desk, table.game.board
    desk.paint(draw(board, flash=True))
    table.clock.at(seconds, lambda: desk.paint(draw(board)))
    assert table.observer.read().board == board
    assert reader.relabelled == times


def test_what_never_becomes_readable_is_an_error_in_the_end() -> None:
    table = opened()
    table.observer.read()
    pixels = draw(table.game.board)
    pixels[60:90, 60:90] = (200, 30, 120, 0)
    table.game.desk.paint(pixels)
    began = table.clock.seconds
    with pytest.raises(UnreadableTile):
        table.observer.read()
    assert 4 < table.clock.seconds - began < 4.5
    assert table.game.desk.focused >= 6, "every half second the focus is asked for"


@pytest.mark.parametrize("wrong", ["1?8\n???\n???", "?1?\n???\n???"])
def test_what_cannot_be_is_not_believed(wrong: str) -> None:
    table = Table(FakeGame(EASY, Board.parse(wrong)))
    with pytest.raises(Contradiction):
        table.observer.read(Board.parse("?2?\n???\n???"))


def test_the_games_own_dialog_is_put_away() -> None:
    game = FakeGame(EASY)
    table = Table(game, behaviour=GNOME)
    told = Window(0x900000, "Congratulations!", "gnome-mines", parent=game.desk.window.id)
    game.desk.dialogs.append(told)
    table.observer.read()
    assert game.desk.keys == ["Escape"]


def test_a_window_of_the_user_is_left_and_said() -> None:
    game = FakeGame(EASY)
    table = Table(game, behaviour=GNOME)
    game.desk.dialogs.append(Window(0x900000, "Preferences", parent=game.desk.window.id))
    with pytest.raises(WindowError, match="Preferences"):
        table.observer.read()


@pytest.mark.parametrize("in_browser", [True, False])
@pytest.mark.parametrize("clicked", [True, False])
def test_a_menu_that_a_right_click_opened_over_a_page_is_closed(
    *, in_browser: bool, clicked: bool
) -> None:
    table = opened()
    desk = table.game.desk
    table.observer.dialogs.in_browser = in_browser
    desk.covered = desk.rect
    desk.on_key = lambda _: setattr(desk, "covered", None)
    if clicked:
        table.observer.dialogs.note_click(Button.RIGHT)
    if clicked and in_browser:
        assert table.observer.read().board == table.game.board
    else:
        with pytest.raises(WindowCovered):
            table.observer.read()
    assert desk.keys == ["Escape"] * (clicked and in_browser)


def test_a_stop_is_heard_while_it_reads_again() -> None:
    table = opened()
    table.game.desk.paint(draw(table.game.board, flash=True))
    table.clock.at(0.7, lambda: table.stop.request("Esc was pressed"))
    with pytest.raises(Stopped, match="Esc"):
        table.observer.read()
    assert table.clock.seconds <= 0.8


def pressed(of: str, square: int) -> tuple[Table, Board]:
    """A game that shows a board on which one covered cell is being pressed, and the board."""
    board = Board.parse(of)
    cells = bytearray(board.cells)
    cells[square] = Cell.EMPTY
    shown = Board(board.width, board.height, None, bytes(cells))
    return Table(FakeGame(EASY, shown)), board


def test_beside_a_flag_that_may_be_wrong_it_is_believed_after_three_seconds() -> None:
    table, before = pressed("F?0\n000\n000", 1)
    observation = table.observer.read(before)
    assert observation.board.cells[1] == Cell.EMPTY
    assert 3 < observation.taken < 3.2


@pytest.mark.parametrize(
    ("board", "proven"), [("F?0\n000\n000", {0}), ("??0\n000\n000", set())], ids=["mine", "hidden"]
)
def test_beside_a_mine_or_a_hidden_cell_it_is_never_believed(board: str, proven: set[int]) -> None:
    table, before = pressed(board, 1)
    with pytest.raises(Unsettled, match="cell at row 1, column 2 is being pressed"):
        table.observer.read(before, proven)
    assert 4 < table.clock.seconds < 4.2


def test_before_the_first_answer_it_is_waited_for_longer() -> None:
    table, before = pressed("???\n???\n???", 4)
    with pytest.raises(Unsettled, match="is being pressed"):
        table.observer.read(before)
    assert 90 < table.clock.seconds < 91
