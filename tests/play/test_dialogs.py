"""What a game puts before its board is put away; what the user opened is not."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from minebot.actuator import Button
from minebot.capture import Window
from minebot.errors import Stopped, WindowError
from minebot.play.dialogs import Dialogs
from minebot.profile.schema import Behaviour, Dialog
from minebot.stop import Stop
from tests.support.fake_clock import TimedDesk

WON = Dialog(re.compile("^Congratulations!$"), "ended", ("Escape",))
ASKS = Dialog(re.compile("^$"), "new_game", ("Tab", "Return"))
ENDS, BOTH = Behaviour(dialogs=(WON,)), Behaviour(dialogs=(WON, ASKS))


def desk_with(*titles: str) -> TimedDesk:
    """A desk on which a game shows windows of these titles before its board."""
    desk = TimedDesk(np.zeros((20, 20, 4), np.uint8))
    desk.dialogs = [
        Window(f"0x90000{number}", title, ("gnome-mines",), parent=desk.window.id)
        for number, title in enumerate(titles)
    ]
    return desk


@pytest.mark.parametrize(
    ("titles", "when", "keys"),
    [
        ((), "ended", []),
        (("Congratulations!",), "ended", ["Escape"]),
        (("",), "new_game", ["Tab", "Return"]),
        (("Congratulations!",), "new_game", ["Escape"]),
    ],
)
def test_what_the_game_asks_is_answered_by_keys(
    titles: tuple[str, ...], when: str, keys: list[str]
) -> None:
    desk = desk_with(*titles)
    with desk.open(desk.window, Stop()) as window_session:
        assert Dialogs(window_session, BOTH).close(when) is bool(titles)
    assert desk.keys == keys
    assert not desk.dialogs
    assert not desk.clicks


@pytest.mark.parametrize(
    ("title", "when"), [("Preferences", "ended"), ("", "ended"), ("Preferences", "new_game")]
)
def test_what_the_user_opened_is_named_and_left_alone(title: str, when: str) -> None:
    desk = desk_with(title)
    with (
        desk.open(desk.window, Stop()) as window_session,
        pytest.raises(WindowError, match=rf"gnome-mines '{title}' \(0x900000\) waits for an"),
    ):
        Dialogs(window_session, BOTH).close(when)
    assert desk.dialogs
    assert not desk.keys


@pytest.mark.parametrize("button", list(Button))
def test_a_window_that_comes_in_answer_to_a_click_is_closed(button: Button) -> None:
    desk = desk_with("Preferences")
    with desk.open(desk.window, Stop()) as window_session:
        dialogs = Dialogs(window_session, ENDS)
        (before,) = desk.dialogs
        dialogs.note_click(button)
        desk.clock.sleep(2.9)
        desk.dialogs[:] = [Window("0x900001", "What a time!", parent=desk.window.id)]
        assert dialogs.close()
        assert desk.keys == ["Escape"]
        desk.clock.sleep(3.1)
        later = Window("0x900002", "Statistics", parent=desk.window.id)
        for users in (before, later):
            desk.dialogs[:] = [users]
            with pytest.raises(WindowError, match="waits for an answer"):
                dialogs.close()
    assert desk.keys == ["Escape"]


def test_a_window_that_escape_does_not_close_is_closed_by_its_button() -> None:
    desk = desk_with()
    with desk.open(desk.window, Stop()) as window_session:
        dialogs = Dialogs(window_session, ENDS)
        dialogs.note_click(Button.LEFT)
        shown = [Window("0x900001", "Your name?", parent=desk.window.id)]

        def left() -> list[Window]:
            return [] if desk.keys[-2:] == ["Tab", "space"] else shown

        dialogs.window_session = replace(window_session, dialogs=left)
        assert dialogs.close()
        assert desk.keys == ["Escape", "Return", "Tab", "space"]
        desk.keys.clear()
        desk.clock.sleep(100)  # it is known by now
        assert dialogs.close()
    assert desk.keys == ["Escape", "Return", "Tab", "space"]


def test_before_a_game_only_what_the_last_one_left_is_closed() -> None:
    desk = desk_with("Preferences", "Congratulations!")
    with desk.open(desk.window, Stop()) as window_session:
        Dialogs(window_session, BOTH).close_finished()
    assert [window.title for window in desk.dialogs] == ["Preferences"]
    assert desk.keys == ["Escape"]


def test_what_does_not_close_is_an_error() -> None:
    desk = desk_with("Congratulations!")
    stays = list(desk.dialogs)
    with desk.open(desk.window, Stop()) as window_session:
        stubborn = replace(window_session, dialogs=lambda: stays)
        with pytest.raises(WindowError, match="does not close"):
            Dialogs(stubborn, ENDS).close()
    assert desk.keys == ["Escape"] * 3
    assert 6 < desk.clock.seconds < 6.5


def test_a_stop_is_heard_while_a_window_is_to_close() -> None:
    desk, stop = desk_with("Congratulations!"), Stop()
    stays = list(desk.dialogs)
    desk.clock.at(0.5, lambda: stop.request("Esc was pressed"))
    with desk.open(desk.window, stop) as window_session:
        stubborn = replace(window_session, dialogs=lambda: stays)
        with pytest.raises(Stopped, match="Esc"):
            Dialogs(stubborn, ENDS).close()
    assert desk.keys == ["Escape"]
    assert desk.clock.seconds < 0.6


def test_the_frame_of_a_closed_window_is_waited_for() -> None:
    desk = desk_with("Congratulations!")
    with desk.open(desk.window, Stop()) as window_session:
        dialogs = Dialogs(window_session, ENDS)
        assert dialogs.close()
        desk.clock.sleep(0.9)
        assert dialogs.close()
        desk.clock.sleep(0.2)
        assert not dialogs.close()


def test_the_board_gets_the_keyboard_back_when_nothing_is_in_dialogs() -> None:
    desk = desk_with()
    with desk.open(desk.window, Stop()) as window_session:
        Dialogs(window_session, ENDS).refocus()
    assert desk.focused == 1


def test_a_rehearsal_touches_nothing() -> None:
    desk = desk_with("Congratulations!")
    with desk.open(desk.window, Stop()) as window_session:
        dialogs = Dialogs(window_session, ENDS, touch=False)
        with pytest.raises(WindowError, match="waits for an answer"):
            dialogs.refocus()
        desk.dialogs.clear()
        dialogs.refocus()
    assert not desk.keys
    assert not desk.focused
