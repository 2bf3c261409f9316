"""What a game puts before its board is put away; what a person opened is not."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from bot.capture import Window
from bot.errors import WindowError
from bot.play.dialogs import Foreground
from bot.profile import Dialog
from bot.stop import Stop
from tests.fake_desktop import FakeDesk

WON = Dialog(re.compile("^Congratulations!$"), "ended", ("Escape",))
ASKS = Dialog(re.compile("^$"), "new_game", ("Tab", "Return"))


def desk_with(*titles: str) -> FakeDesk:
    """A desk on which a game shows windows of these titles before its board."""
    desk = FakeDesk(np.zeros((20, 20, 4), np.uint8))
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
    with desk.open(desk.window, Stop()) as seat:
        assert Foreground(seat, [WON, ASKS]).clear(when) is bool(titles)
    assert desk.keys == keys
    assert not desk.dialogs
    assert not desk.clicks


@pytest.mark.parametrize(
    ("title", "when"), [("Preferences", "ended"), ("", "ended"), ("Preferences", "new_game")]
)
def test_what_a_person_opened_is_named_and_left_alone(title: str, when: str) -> None:
    desk = desk_with(title)
    with (
        desk.open(desk.window, Stop()) as seat,
        pytest.raises(WindowError, match=rf"gnome-mines '{title}' \(0x900000\) waits for an"),
    ):
        Foreground(seat, [WON, ASKS]).clear(when)
    assert desk.dialogs
    assert not desk.keys


def test_before_a_game_only_what_the_last_one_left_is_closed() -> None:
    desk = desk_with("Preferences", "Congratulations!")
    with desk.open(desk.window, Stop()) as seat:
        Foreground(seat, [WON, ASKS]).make_way()
    assert [window.title for window in desk.dialogs] == ["Preferences"]
    assert desk.keys == ["Escape"]


def test_what_does_not_close_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.play.dialogs._GONE", 0.05)
    desk = desk_with("Congratulations!")
    stays = list(desk.dialogs)
    with desk.open(desk.window, Stop()) as seat:
        stubborn = replace(seat, dialogs=lambda: stays)
        with pytest.raises(WindowError, match="does not close"):
            Foreground(stubborn, [WON]).clear()
    assert desk.keys == ["Escape"] * 3


def test_the_board_gets_the_keyboard_back_when_nothing_is_in_front() -> None:
    desk = desk_with()
    with desk.open(desk.window, Stop()) as seat:
        Foreground(seat, [WON]).regain()
    assert desk.focused == 1


def test_a_rehearsal_touches_nothing() -> None:
    desk = desk_with("Congratulations!")
    with desk.open(desk.window, Stop()) as seat:
        front = Foreground(seat, [WON], touch=False)
        with pytest.raises(WindowError, match="waits for an answer"):
            front.regain()
        desk.dialogs.clear()
        front.regain()
    assert not desk.keys
    assert not desk.focused
