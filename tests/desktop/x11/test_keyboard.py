"""Keys on a real display: into the game's window and no other."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from xcffib import xproto

from fixtures.running_game import RunningGame
from minebot.actuator import Button, Key
from minebot.capture import Pixel, Rect
from minebot.desktop.keysyms import ESCAPE
from minebot.desktop.ports import WindowSession
from minebot.desktop.x11.desktop import XDesktop
from minebot.desktop.x11.display import Display
from minebot.desktop.x11.keyboard import XKeyboard, keycodes
from minebot.errors import MinebotError, Stopped, UsageError, WindowError
from minebot.sandbox.private_display import PrivateDisplay
from minebot.stop import Stop
from tests.desktop.x11.client import Client, show

PLACE = Rect(200, 150, 300, 200)
SHIFT, LOCK = 1, 2
CAPS_LOCK, CONTROL = 0xFFE5, 0xFFE3
CONTROL_HELD = 4


class _CountingStop(Stop):
    """Keeps every reason, not only the first."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[str] = []

    def request(self, reason: str, error: type[MinebotError] = Stopped) -> None:
        self.requests.append(reason)
        super().request(reason, error)


def pressed(client: Client, key: str, stop: Stop | None = None) -> list[tuple[int, int]]:
    """The codes and modifiers of the keys that reach the window when `key` is pressed."""
    desktop = XDesktop(client.display.name)
    with desktop.open(client.window, stop or Stop()) as window_session:
        window_session.keyboard.press(Key.parse(key))
    client.wait_for(lambda: bool(client.keys))
    return [(press.detail, press.state) for press in client.keys]


def code(client: Client, keysym: int) -> int:
    return keycodes(client.display, keysym)[0]


@pytest.mark.parametrize("fixture", ["desk", "bare_desk"])
def test_a_key_reaches_the_window_though_another_has_the_focus(
    fixture: str, request: pytest.FixtureRequest
) -> None:
    desk: PrivateDisplay = request.getfixturevalue(fixture)
    with Client(desk.name, PLACE) as client, Client(desk.name, Rect(900, 100, 90, 90)) as other:
        show(other)
        assert pressed(client, "n") == [(code(client, ord("n")), 0)]
        other.take()
        assert other.keys == []


def test_a_capital_is_pressed_with_shift(desk: PrivateDisplay) -> None:
    with Client(desk.name, PLACE) as client:
        *_, last = pressed(client, "N")
        assert last == (code(client, ord("n")), SHIFT)


def test_a_named_key_is_pressed(desk: PrivateDisplay) -> None:
    with Client(desk.name, PLACE) as client:
        assert pressed(client, "F2") == [(code(client, 0xFFBF), 0)]


def test_a_command_is_pressed_with_its_modifier(desk: PrivateDisplay) -> None:
    with Client(desk.name, PLACE) as client:
        assert pressed(client, "ctrl+r") == [
            (code(client, CONTROL), 0),
            (code(client, ord("r")), CONTROL_HELD),
        ]


def test_a_window_of_the_programs_own_that_comes_to_lie_over_it_is_a_dialog(
    desk: PrivateDisplay,
) -> None:
    desktop = XDesktop(desk.name)
    left, top = PLACE.left, PLACE.top
    over, beside = Rect(left + 50, top + 40, 90, 90), Rect(left + 500, top, 90, 90)
    with ExitStack() as ends:
        client = ends.enter_context(Client(desk.name, PLACE))

        def shown(title: str, rect: Rect, program: Display | None, *, framed: bool = True) -> None:
            one = Client(desk.name, rect, title, program=program, override=not framed)
            ends.enter_context(one)

        shown("Rules", over, client.display)
        window_session = ends.enter_context(desktop.open(client.window, Stop()))
        assert window_session.dialogs() == []
        shown("Another program's", over, None)
        shown("Beside it", beside, client.display)
        assert window_session.dialogs() == []
        shown("A new record!", over, client.display)
        assert [window.title for window in window_session.dialogs()] == ["A new record!"]
        shown("Your name?", over, client.display, framed=False)
        *_, name = window_session.dialogs()
        assert name.title == "Your name?"
        window_session.keyboard.press(Key("Return"), name)
        client.wait_for(lambda: bool(client.keys))
        assert client.clicks == []


@pytest.mark.parametrize("fixture", ["desk", "bare_desk"])
def test_a_dialog_is_closed_by_escape_which_is_no_stop_of_the_users(
    fixture: str, request: pytest.FixtureRequest
) -> None:
    desk: PrivateDisplay = request.getfixturevalue(fixture)
    desktop, stop = XDesktop(desk.name), _CountingStop()
    with ExitStack() as ends:
        client = ends.enter_context(Client(desk.name, PLACE))
        window_session = ends.enter_context(desktop.open(client.window, stop))
        window_session.mouse.click(window_session.screen.grab(), Pixel(150, 100), Button.LEFT)
        dialog = ends.enter_context(
            Client(desk.name, Rect(220, 160, 90, 90), "Won!", parent=client.id)
        )
        (shown,) = window_session.dialogs()
        assert shown.title == "Won!"
        assert (window_session.picture(shown).pixels[..., :3] == (0x99, 0x66, 0x33)).all()
        window_session.keyboard.press(Key("Escape"), shown)
        dialog.wait_for(lambda: bool(dialog.keys))
        assert [press.detail for press in dialog.keys] == [code(dialog, ESCAPE)]
        client.take()
        assert client.keys == []
        window_session.keyboard.focus()
        # A second one, which nobody has announced, is the user's. Whoever has noticed the
        # pointer's move, which came after, has heard both.
        _tap(client, code(client, ESCAPE))
        client.wait_for(lambda: stop.reason is not None)
        client.display.core.WarpPointer(0, client.display.root, 0, 0, 0, 0, 9, 9)
        client.wait_for(lambda: "the mouse was moved" in stop.requests)
        assert stop.requests.count("Esc was pressed") == 1


def test_caps_lock_does_not_make_a_capital(desk: PrivateDisplay) -> None:
    with Client(desk.name, PLACE) as client:
        toggle = code(client, CAPS_LOCK)
        _tap(client, toggle)
        try:
            *_, last = pressed(client, "n")
            assert last == (code(client, ord("n")), LOCK | SHIFT)
        finally:
            _tap(client, toggle)


def _tap(client: Client, key: int) -> None:
    client.fake(xproto.KeyPressEvent, key)
    client.fake(xproto.KeyReleaseEvent, key)


def test_a_held_control_key_is_not_made_a_command_of(
    desk: PrivateDisplay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(XKeyboard, "hold_seconds", 0.05)
    with Client(desk.name, PLACE) as client:
        control = code(client, CONTROL)
        client.fake(xproto.KeyPressEvent, control)
        try:
            with pytest.raises(WindowError, match="Control, Alt or the Windows key is held"):
                pressed(client, "n")
        finally:
            client.fake(xproto.KeyReleaseEvent, control)


def test_what_no_key_writes_is_an_error(desk: PrivateDisplay) -> None:
    with Client(desk.name, PLACE) as client, pytest.raises(UsageError, match="no key writes '地'"):
        pressed(client, "地")


def test_after_the_stop_nothing_is_pressed(desk: PrivateDisplay) -> None:
    stop = Stop()
    stop.request("Ctrl-C")
    with Client(desk.name, PLACE) as client, pytest.raises(Stopped):
        pressed(client, "n", stop)


def test_a_closed_window_is_an_error(desk: PrivateDisplay) -> None:
    with (
        Client(desk.name, PLACE) as client,
        XDesktop(desk.name).open(client.window, Stop()) as window_session,
    ):
        client.destroy()
        with pytest.raises(WindowError, match="closed"):
            window_session.keyboard.press(Key("n"))


@pytest.mark.game
def test_the_real_game_takes_u_for_undo(desk: PrivateDisplay) -> None:
    desktop = XDesktop(desk.name)
    with RunningGame(desk, "9x9n10"):
        (window,) = desktop.windows()
        with desktop.open(window, Stop()) as window_session:
            window_session.control.show()
            window_session.mouse.click(window_session.screen.grab(), Pixel(40, 65), Button.RIGHT)
            _wait_for_flag(window_session, shown=True)
            window_session.keyboard.press(Key("u"))
            _wait_for_flag(window_session, shown=False)


def _wait_for_flag(window_session: WindowSession, *, shown: bool) -> None:
    while shown != (window_session.screen.grab().pixels[55:75, 30:50, :3].max(axis=2).min() == 0):
        assert window_session.screen.wait(3), "the game does not answer"
