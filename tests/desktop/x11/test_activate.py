"""Bringing a window forward from wherever it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from xcffib import xproto

from fixtures.running_game import RunningGame
from minebot.capture import Rect, State
from minebot.desktop.x11.activate import tell_manager
from minebot.desktop.x11.desktop import XDesktop
from minebot.desktop.x11.display import Display
from minebot.desktop.x11.window_tree import number, state
from minebot.errors import WindowError
from minebot.sandbox.private_display import PrivateDisplay
from minebot.stop import Stop
from tests.desktop.x11.client import Client, show

pytestmark = pytest.mark.thorough

PLACE = Rect(200, 150, 300, 200)


@pytest.fixture
def client(desk: PrivateDisplay) -> Iterator[Client]:
    with Client(desk.name, PLACE) as client:
        yield client


def is_ready(client: Client) -> bool:
    """Whether a session can be opened in the window, and the window be seen."""
    desktop = XDesktop(client.display.name)
    with desktop.open(client.window, Stop()) as window_session:
        frame = window_session.screen.grab()
    return (frame.width, frame.height) == client.rect[2:]


def minimise(client: Client) -> None:
    tell_manager(client.display, client.id, "WM_CHANGE_STATE", [3])
    client.wait_for(lambda: state(client.display, client.id) is State.MINIMISED)


def test_a_window_in_front_stays_where_it_is(client: Client) -> None:
    show(client)
    assert client.rect == PLACE
    assert is_ready(client)


def test_a_second_minebot_is_told_of_the_first(
    client: Client,
) -> None:
    desktop, window = XDesktop(client.display.name), client.window
    with Client(client.display.name, Rect(600, 150, 300, 200), "Other") as other:
        with desktop.open(window, Stop()) as first, desktop.open(window, Stop()) as second:
            first.control.show()
            first.control.show()
            show(other)
            with pytest.raises(WindowError, match="another minebot plays in log 'Log'"):
                second.control.show()
        show(client)


@pytest.mark.parametrize("fixture", ["desk", "bare_desk"])
def test_a_window_is_enlarged_until_the_screen_is_full(
    fixture: str, request: pytest.FixtureRequest
) -> None:
    desk: PrivateDisplay = request.getfixturevalue(fixture)
    desktop = XDesktop(desk.name)
    with Client(desk.name, Rect(700, 500, 300, 200)) as client, ExitStack() as ends:
        sizes = [client.rect[2:]]
        control = ends.enter_context(desktop.open(client.window, Stop())).control
        while control.enlarge():
            client.wait_for(lambda: client.rect[2:] != sizes[-1])
            sizes.append(client.rect[2:])
            assert client.rect.within(Rect(0, 0, *desk.size))
            assert is_ready(client)
        assert sizes[1] == (400, 266)
        assert sizes[-1] > (1200, 940)
        assert len(sizes) < 10


def test_a_minimised_window_comes_back(client: Client) -> None:
    minimise(client)
    listed = client.window
    assert listed.state is State.MINIMISED
    show(client, listed)
    assert client.window.state is State.SHOWN
    assert is_ready(client)


def test_a_window_on_another_desktop_is_gone_to(client: Client) -> None:
    tell_manager(client.display, client.id, "_NET_WM_DESKTOP", [2, 2])
    client.wait_for(lambda: client.window.state is State.ELSEWHERE)
    show(client)
    assert is_ready(client)
    current = client.display.ask(client.display.root, "_NET_CURRENT_DESKTOP")
    assert client.display.numbers(current) == (2,)
    tell_manager(client.display, client.display.root, "_NET_CURRENT_DESKTOP", [0])
    client.wait_for(lambda: client.window.state is State.ELSEWHERE)


def test_a_minimised_window_on_another_desktop_comes_back_too(client: Client) -> None:
    minimise(client)
    tell_manager(client.display, client.id, "_NET_WM_DESKTOP", [1, 2])
    client.wait_for(lambda: client.window.state is State.ELSEWHERE)
    show(client)
    assert is_ready(client)
    tell_manager(client.display, client.display.root, "_NET_CURRENT_DESKTOP", [0])
    client.wait_for(lambda: client.window.state is State.ELSEWHERE)


@pytest.mark.parametrize("corner", [(-50, 150), (200, -30), (1100, 150), (1150, 990)])
def test_a_window_partly_off_the_screen_is_moved(client: Client, corner: tuple[int, int]) -> None:
    client.move(*corner)
    show(client)
    assert client.rect.within(Rect(0, 0, 1280, 1024))
    assert client.rect[2:] == PLACE[2:]
    assert is_ready(client)


def test_a_window_too_large_for_the_screen_is_an_error(client: Client) -> None:
    client.resize(1300, 1100)
    with pytest.raises(WindowError, match="too large for the screen by 20 x 76 pixels"):
        show(client)


def test_a_covered_window_is_raised(desk: PrivateDisplay, client: Client) -> None:
    with Client(desk.name, Rect(250, 180, 300, 200), "Other", "other", "Other") as other:
        show(other)
        with (
            XDesktop(desk.name).open(client.window, Stop()) as window_session,
            pytest.raises(WindowError, match=r"is covered by other 'Other' \(0x"),
        ):
            window_session.screen.grab()
        show(client)
        assert is_ready(client)


def test_a_window_with_the_focus_below_another_is_raised(
    desk: PrivateDisplay, client: Client
) -> None:
    with Client(desk.name, Rect(250, 180, 300, 200), "Other", "other", "Other") as other:
        show(client)
        tell_manager(other.display, other.id, "_NET_RESTACK_WINDOW", [2, 0, 0])
        other.wait_for(lambda: not _can_be_seen(client))
        show(client)
        assert is_ready(client)


def _can_be_seen(client: Client) -> bool:
    try:
        return is_ready(client)
    except WindowError:
        return False


def test_what_stays_above_is_named(desk: PrivateDisplay, client: Client) -> None:
    place = Rect(250, 180, 300, 200)
    with (
        Client(desk.name, place, "Clock", "clock", "Clock", override=True),
        pytest.raises(WindowError, match=r"is covered by clock 'Clock' \(0x\w+\): move that away"),
    ):
        show(client)


def test_what_lets_clicks_through_does_not_cover(desk: PrivateDisplay, client: Client) -> None:
    with Client(desk.name, Rect(0, 0, 1280, 1024), "Overlay", override=True) as overlay:
        overlay.let_clicks_through()
        show(client)
        assert is_ready(client)


def test_nor_does_a_window_whose_outline_leaves_a_hole(
    desk: PrivateDisplay, client: Client
) -> None:
    with Client(desk.name, Rect(0, 0, 1280, 1024), "Frame", override=True) as frame:
        frame.outline([Rect(0, 0, 1280, 100), Rect(0, 400, 1280, 624)])
        show(client)
        assert is_ready(client)


def test_a_closed_window_is_an_error(client: Client) -> None:
    listed = client.window
    client.destroy()
    with pytest.raises(WindowError, match="closed"):
        show(client, listed)
    with (
        pytest.raises(WindowError, match="closed"),
        XDesktop(client.display.name).open(listed, Stop()),
    ):
        pass


class TestWithoutAWindowManager:
    def test_a_covered_window_is_raised(self, bare_desk: PrivateDisplay) -> None:
        with (
            Client(bare_desk.name, PLACE) as client,
            Client(bare_desk.name, Rect(250, 180, 300, 200), "Other"),
        ):
            show(client)
            assert is_ready(client)

    def test_a_window_partly_off_the_screen_is_moved(self, bare_desk: PrivateDisplay) -> None:
        with Client(bare_desk.name, Rect(-50, 900, 300, 200)) as client:
            show(client)
            assert client.rect == Rect(0, 824, 300, 200)
            assert is_ready(client)

    def test_a_hidden_window_is_shown(self, bare_desk: PrivateDisplay) -> None:
        with Client(bare_desk.name, PLACE) as client:
            listed = client.window
            client.unmap()
            show(client, listed)
            assert is_ready(client)

    def test_it_gets_the_keyboard(self, bare_desk: PrivateDisplay) -> None:
        with Client(bare_desk.name, PLACE) as client, Client(bare_desk.name, PLACE) as other:
            none, now = xproto.InputFocus.PointerRoot, xproto.Time.CurrentTime
            other.display.core.SetInputFocus(none, other.id, now)
            show(client)
            assert client.display.core.GetInputFocus().reply().focus == client.id


@pytest.mark.game
def test_the_real_game_comes_back_painted(desk: PrivateDisplay) -> None:
    desktop = XDesktop(desk.name)
    with RunningGame(desk, "9x9n10"):
        (listed,) = desktop.windows()
        with desktop.open(listed, Stop()) as window_session:
            before = window_session.screen.grab().pixels[:-40].tobytes()
        with Display(desk.name) as display:
            tell_manager(display, number(listed), "WM_CHANGE_STATE", [3])
            assert display.until(lambda: state(display, number(listed)) is State.MINIMISED, 5)
        with desktop.open(listed, Stop()) as window_session:
            window_session.control.show()
            # The status line at the bottom has a clock.
            assert window_session.screen.grab().pixels[:-40].tobytes() == before


def test_a_question_that_takes_the_focus_is_named(client: Client) -> None:
    display = client.display
    with Client(display.name, Rect(250, 200, 100, 80), "Really?", parent=client.id) as question:
        modal = display.atom("_NET_WM_STATE_MODAL")
        tell_manager(display, question.id, "_NET_WM_STATE", [1, modal])
        with pytest.raises(WindowError, match=r"'Really\?' .* waits for an answer: give it, then"):
            show(client)
