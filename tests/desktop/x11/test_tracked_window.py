"""A window is not clicked on what may not show any more."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest
from xcffib import xproto

from fixtures.waiting import stays
from minebot.actuator import Button
from minebot.capture import Pixel, Rect
from minebot.desktop.x11.desktop import XDesktop
from minebot.desktop.x11.display import Display
from minebot.desktop.x11.window_tree import top_level
from minebot.desktop.x11.xtest_input import keycodes
from minebot.errors import WindowBusy, WindowError, WindowHidden, WindowMoved
from minebot.sandbox.private_display import PrivateDisplay
from minebot.stop import Stop
from tests.desktop.rig import PLACE, x11_rig
from tests.desktop.x11.client import Client, show


def test_a_frame_of_a_window_that_may_not_be_painted_yet_is_not_clicked(
    bare_desk: PrivateDisplay,
) -> None:
    """What a game shows just after a change of size may be its board as it was before."""
    with x11_rig(bare_desk) as rig:
        rig.grab()
        rig.resize(310, 210)
        early = rig.screen.grab()
        with pytest.raises(WindowMoved, match="may not be painted yet"):
            rig.click(early, 5, 5)

        def is_refused() -> bool:
            rig.paint(Rect(0, 0, 9, 9), 0x112233)
            with pytest.raises(WindowMoved):
                rig.click(rig.screen.grab(), 5, 5)
            return True

        assert stays(is_refused, 0.4), "it goes on painting"
        rig.click(rig.grab(), 5, 5)
        assert rig.clicks(1) == [(5, 5, Button.LEFT)]
        # From then on it may paint as it likes.
        frame = rig.grab()
        rig.paint(Rect(0, 0, 9, 9), 0x332211)
        rig.click(frame, 6, 5)
        assert len(rig.clicks(2)) == 2


def test_a_game_that_falls_silent_is_not_clicked_until_it_has_answered_and_painted(
    bare_desk: PrivateDisplay,
) -> None:
    """It may be making up another board, for which the click was not meant."""
    with (
        Client(bare_desk.name, PLACE, answers=True) as game,
        XDesktop(bare_desk.name).open(game.window, Stop()) as window_session,
    ):
        window_session.control.show()
        frame = window_session.screen.grab()
        for count in range(1, 4):  # it answers each at once
            window_session.mouse.click(frame, Pixel(count, 5), Button.LEFT)
            game.expect(count)
        for x in (4, 5):
            window_session.mouse.click(frame, Pixel(x, 5), Button.LEFT)
        for _ in range(2):
            with pytest.raises(WindowBusy, match="has not taken the last clicks yet"):
                window_session.mouse.click(frame, Pixel(6, 5), Button.LEFT)
        assert len(game.expect(5)) == 5
        # It has answered by now, but not painted.
        with pytest.raises(WindowBusy, match="was late"):
            window_session.mouse.click(frame, Pixel(6, 5), Button.LEFT)
        window_session.mouse.click(frame, Pixel(7, 5), Button.LEFT)
        assert [press.x for press in game.expect(6)] == [1, 2, 3, 4, 5, 7]


@pytest.mark.parametrize("pyautogui", [False, True])
def test_after_a_key_of_the_users_what_was_seen_before_is_not_clicked(
    bare_desk: PrivateDisplay, pyautogui: bool
) -> None:
    """The key may have begun another board, for which the click was not meant."""
    with x11_rig(bare_desk, pyautogui=pyautogui) as rig:
        frame = rig.grab()
        rig.click(frame, 1, 5)
        press_key(bare_desk, rig._client)  # type: ignore[attr-defined]
        for _ in range(2):
            with pytest.raises(WindowMoved):
                rig.click(frame, 2, 5)
        end = time.monotonic() + 10
        while len(rig.clicks(1)) < 2 and time.monotonic() < end:
            with suppress(WindowMoved):
                rig.click(rig.grab(), 3, 5)
        assert rig.clicks(2) == [(1, 5, Button.LEFT), (3, 5, Button.LEFT)]


def test_a_game_is_not_clicked_before_it_has_taken_the_users_key(
    bare_desk: PrivateDisplay,
) -> None:
    with (
        Client(bare_desk.name, PLACE, answers=True) as game,
        XDesktop(bare_desk.name).open(game.window, Stop()) as window_session,
    ):
        window_session.control.show()
        frame = window_session.screen.grab()
        window_session.mouse.click(frame, Pixel(1, 5), Button.LEFT)
        game.expect(1)
        press_key(bare_desk, game)
        with pytest.raises(WindowMoved):
            window_session.mouse.click(frame, Pixel(2, 5), Button.LEFT)
        for _ in range(10):  # for longer than what was moved takes to count as painted
            with pytest.raises(WindowBusy):
                window_session.mouse.click(window_session.screen.grab(), Pixel(2, 5), Button.LEFT)
        game.take()  # it answers
        for _ in range(2):
            with pytest.raises((WindowBusy, WindowMoved)):
                window_session.mouse.click(window_session.screen.grab(), Pixel(2, 5), Button.LEFT)
        assert len(game.expect(1)) == 1


def test_a_key_for_another_program_holds_no_click_up(bare_desk: PrivateDisplay) -> None:
    with (
        Client(bare_desk.name, PLACE, answers=True) as game,
        Client(bare_desk.name, Rect(900, 100, 90, 90), "Other") as other,
        XDesktop(bare_desk.name).open(game.window, Stop()) as window_session,
    ):
        window_session.control.show()
        frame = window_session.screen.grab()
        press_key(bare_desk, other)
        window_session.mouse.click(frame, Pixel(2, 5), Button.LEFT)
        assert [press.x for press in game.expect(1)] == [2]


def press_key(desk: PrivateDisplay, client: Client) -> None:
    """Type an n into the window."""
    with Display(desk.name) as user:
        user.core.SetInputFocus(xproto.InputFocus.PointerRoot, client.id, 0)
        (code, *_) = keycodes(user, ord("n"))
        for kind in (xproto.KeyPressEvent, xproto.KeyReleaseEvent):
            user.xtest.FakeInput(kind.event_number, code, 0, user.root, 0, 0, 0)
        user.core.GetInputFocus().reply()


def test_what_happened_before_the_window_got_the_keyboard_is_not_forgotten(
    desk: PrivateDisplay,
) -> None:
    with x11_rig(desk) as rig, Client(desk.name, Rect(900, 700, 50, 50)) as other:
        show(other)
        frame = rig.grab()
        rig.move(PLACE.left + 50, PLACE.top)
        rig.move(PLACE.left, PLACE.top)
        rig.keyboard.focus()
        with pytest.raises(WindowMoved):
            rig.click(frame, 5, 5)
        assert rig.clicks(0) == []


def test_a_game_that_never_answers_is_clicked_all_the_same(bare_desk: PrivateDisplay) -> None:
    with (
        Client(bare_desk.name, PLACE) as game,
        XDesktop(bare_desk.name).open(game.window, Stop()) as window_session,
    ):
        window_session.control.show()
        frame = window_session.screen.grab()
        for x in range(5):
            window_session.mouse.click(frame, Pixel(x, 5), Button.LEFT)
        assert [press.x for press in game.expect(5)] == [0, 1, 2, 3, 4]


def test_a_window_that_gets_another_frame_is_not_gone(
    desk: PrivateDisplay, monkeypatch: pytest.MonkeyPatch
) -> None:
    with x11_rig(desk) as rig, Client(desk.name, Rect(900, 700, 50, 50)) as other:
        old = [other.id]  # which is gone by the time that it is looked for
        other.destroy()
        monkeypatch.setattr(
            "minebot.desktop.x11.tracked_window.top_level",
            lambda *of: old.pop() if old else top_level(*of),
        )
        with pytest.raises(WindowHidden, match="is given another frame"):
            rig.screen.grab()
        rig.click(rig.grab(), 5, 5)
        assert rig.clicks(1) == [(5, 5, Button.LEFT)]


def test_a_hidden_windows_frame_is_not_clicked_while_the_manager_is_slow_to_hide_it(
    tmp_path: Path,
) -> None:
    number, manager = tmp_path / "number", tmp_path / "manager"
    manager.write_text(f"#!/bin/sh\necho $$ > {number}\nexec openbox\n")
    manager.chmod(0o700)
    with (
        PrivateDisplay((1280, 1024), window_manager=str(manager)) as desk,
        x11_rig(desk) as rig,
    ):
        frame = rig.grab()
        os.kill(int(number.read_text()), signal.SIGSTOP)
        try:
            rig.hide()
            with pytest.raises(WindowError, match="is minimised or on another desktop"):
                rig.click(frame, 5, 5, Button.LEFT)
        finally:
            os.kill(int(number.read_text()), signal.SIGCONT)
