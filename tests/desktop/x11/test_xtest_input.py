"""Clicks on a real display: none lost, none astray, whatever else goes on."""

from __future__ import annotations

import random
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from xcffib import xproto

from fixtures.busy import busy
from fixtures.running_game import RunningGame
from fixtures.waiting import pass_time, wait_until
from minebot.actuator import ESCAPE, Button, Key
from minebot.capture import Pixel, Rect
from minebot.desktop.placement import Point
from minebot.desktop.ports import WindowSession
from minebot.desktop.x11.desktop import XDesktop
from minebot.desktop.x11.display import Display
from minebot.desktop.x11.xtest_input import XKeyboard, XMouse, free_buttons, keycodes
from minebot.errors import MinebotError, Stopped, UsageError, WindowBusy, WindowError, WindowMoved
from minebot.sandbox.private_display import PrivateDisplay
from minebot.stop import Stop
from tests.desktop.rig import PLACE, x11_rig
from tests.desktop.x11.client import Client, show

MOVE = xproto.ConfigWindow.X | xproto.ConfigWindow.Y
SHIFT, LOCK = 1, 2
CAPS_LOCK, CONTROL = 0xFFE5, 0xFFE3
CONTROL_HELD = 4


@pytest.mark.parametrize("processes", [0, 2])
def test_of_300_clicks_every_one_lands(desk: PrivateDisplay, processes: int) -> None:
    rng = random.Random(7)
    wanted = [
        (rng.randrange(PLACE.width), rng.randrange(PLACE.height), rng.choice(list(Button)))
        for _ in range(300)
    ]
    with x11_rig(desk) as rig, busy(processes):
        frame = rig.grab()
        for x, y, button in wanted:
            rig.click(frame, x, y, button)
        assert rig.clicks(300) == wanted


@pytest.mark.thorough
def test_no_click_is_dragged_along_by_a_window_that_moves(desk: PrivateDisplay) -> None:
    """Each click is decided on one place, and lands there or nowhere."""
    rng, over = random.Random(5), threading.Event()
    wanted: list[tuple[int, int, Button]] = []

    def move(client: Client) -> None:
        chance = random.Random(6)
        with Display(desk.name) as other:
            for _ in range(25):
                left, top = PLACE.left + chance.randrange(40), PLACE.top + chance.randrange(40)
                other.core.ConfigureWindow(client.id, MOVE, [left, top])
                other.flush()
                pass_time(chance.uniform(0.17, 0.25))
        over.set()

    with x11_rig(desk) as rig, Client(desk.name, Rect(900, 700, 50, 50)):
        frame, refused = rig.grab(), 0
        mover = threading.Thread(target=move, args=(rig._client,))  # type: ignore[attr-defined]
        mover.start()
        while not over.is_set():
            # Far from the edges: dragged along, it would be told of all the same.
            x, y, button = rng.randrange(50, 250), rng.randrange(50, 150), rng.choice(list(Button))
            try:
                rig.click(frame, x, y, button)
            except WindowMoved:
                refused += 1
                frame = rig.grab()
            else:
                wanted.append((x, y, button))
        mover.join()
        assert rig.clicks(len(wanted)) == wanted
    assert refused
    assert len(wanted) > 50


def test_a_window_that_is_moved_in_the_middle_of_a_click_moves_after_it(
    bare_desk: PrivateDisplay, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_usual = Display.fake

    def fake(self: Display, kind: Any, *rest: int) -> None:
        if kind is xproto.ButtonPressEvent:
            client = rig._client  # type: ignore[attr-defined]
            other.core.ConfigureWindow(client.id, MOVE, [PLACE.left + 40, PLACE.top + 30])
            other.flush()
            pass_time(0.05)
        as_usual(self, kind, *rest)

    with x11_rig(bare_desk) as rig, Display(bare_desk.name) as other:
        frame = rig.grab()
        monkeypatch.setattr(Display, "fake", fake)
        rig.click(frame, 100, 100)
        assert rig.clicks(1) == [(100, 100, Button.LEFT)]


def test_a_button_stays_down_for_as_long_as_it_is_to(bare_desk: PrivateDisplay) -> None:
    """A game that asks for the buttons sees it, for nobody holds the server meanwhile."""
    with x11_rig(bare_desk) as rig, Display(bare_desk.name) as other:
        rig.mouse.press_seconds = 0.2
        clicking = threading.Thread(target=rig.click, args=(rig.grab(), 5, 5))
        clicking.start()
        seen = []

        def is_over() -> bool:
            mask = other.core.QueryPointer(other.root).reply().mask
            if mask & xproto.KeyButMask.Button1:
                seen.append(time.monotonic())
            return not clicking.is_alive()

        wait_until(is_over)
        assert seen[-1] - seen[0] > 0.1
        assert not other.core.QueryPointer(other.root).reply().mask
        rig.mouse.press_seconds = 0.0
        rig.click(rig.grab(), 6, 5)
        assert [x for x, *_ in rig.clicks(2)] == [5, 6]


def test_a_button_is_released_whatever_ends_the_click(
    bare_desk: PrivateDisplay, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    with Display(bare_desk.name) as other:
        with x11_rig(bare_desk) as rig:
            rig.mouse.press_seconds = 0.0321
            before_sleeping(monkeypatch, 0.0321, interrupt)
            with pytest.raises(KeyboardInterrupt):
                rig.click(rig.grab(), 5, 5)
            rig.grab()  # the server has done by then what it was asked for before
        assert other.until(lambda: not other.core.QueryPointer(other.root).reply().mask, 5)


def test_a_button_that_a_killed_program_left_pressed_is_released_at_the_start(
    bare_desk: PrivateDisplay,
) -> None:
    with Client(bare_desk.name, Rect(900, 700, 50, 50)) as killed:
        killed.fake(xproto.ButtonPressEvent, 1)
    with x11_rig(bare_desk) as rig:
        rig.click(rig.grab(), 5, 5)
        assert rig.clicks(1)[-1] == (5, 5, Button.LEFT)


def test_a_button_that_the_user_holds_at_the_start_is_said(
    bare_desk: PrivateDisplay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(XMouse, "hold_seconds", 0.05)
    with Client(bare_desk.name, Rect(900, 700, 50, 50)) as person, Display(bare_desk.name) as own:
        person.fake(xproto.ButtonPressEvent, 2)  # which no click of the program's uses
        try:
            with pytest.raises(WindowError, match="a mouse button is held down: let it go"):
                free_buttons(own)
        finally:
            person.fake(xproto.ButtonReleaseEvent, 2)


def test_the_modifiers_are_left_as_they_were(bare_desk: PrivateDisplay) -> None:
    with x11_rig(bare_desk) as rig, Display(bare_desk.name) as other:
        rig.click(rig.grab(), 5, 5)
        assert len(rig.clicks(1)) == 1
        assert not other.core.QueryPointer(other.root).reply().mask
        third = xproto.ModMask._3
        other.keyboard.LatchLockState(0x100, third, third, 0, 0, 0, 0, 0)
        try:
            rig.click(rig.grab(), 6, 5)
            assert len(rig.clicks(2)) == 2
            assert other.core.QueryPointer(other.root).reply().mask == third
        finally:
            other.keyboard.LatchLockState(0x100, third, 0, 0, 0, 0, 0, 0)
            other.core.GetInputFocus().reply()


@pytest.mark.game
def test_the_real_game_flags_exactly_the_tiles_clicked(desk: PrivateDisplay) -> None:
    tiles = set(random.Random(3).sample([(x, y) for x in range(30) for y in range(16)], 90))
    desktop = XDesktop(desk.name)
    with RunningGame(desk, "30x16n99"):
        (window,) = desktop.windows()
        with desktop.open(window, Stop()) as window_session:
            window_session.control.show()
            frame = window_session.screen.grab()
            for x, y in sorted(tiles):
                at, clicked = Pixel(40 + 20 * x, 65 + 20 * y), False
                while not clicked:
                    with suppress(WindowBusy):
                        window_session.mouse.click(frame, at, Button.RIGHT)
                        clicked = True
            while (flagged := _flagged(window_session.screen.grab().pixels)) != tiles:
                # The game answers within some milliseconds; a lost click never shows.
                assert window_session.screen.wait(3), f"clicked {tiles}, flagged {flagged}"


def _flagged(pixels: NDArray[np.uint8]) -> set[tuple[int, int]]:
    """The tiles with something black on them; 20 pixels each, the first at (30, 55)."""
    black = pixels[55:375, 30:630, :3].max(axis=2) == 0
    ys, xs = np.nonzero(black.reshape(16, 20, 30, 20).any(axis=(1, 3)))
    return set(zip(xs.tolist(), ys.tolist(), strict=True))


def test_a_window_manager_may_start_meanwhile() -> None:
    with PrivateDisplay((1280, 1024), window_manager=None) as desk, x11_rig(desk) as rig:
        frame = rig.grab()
        rig.click(frame, 5, 5, Button.LEFT)
        assert len(rig.clicks(1)) == 1
        with subprocess.Popen(["openbox"], env=desk.environ()) as manager:
            try:
                # It puts the window into a frame, which moves or covers it for a moment.
                assert rig.screen.wait(10)
                end = time.monotonic() + 10
                while len(rig.clicks(1)) < 2 and time.monotonic() < end:
                    with suppress(WindowError):
                        rig.click(rig.grab(), 6, 7, Button.RIGHT)
                        rig.clicks(2)
            finally:
                manager.terminate()
        assert rig.clicks(2) == [(5, 5, Button.LEFT), (6, 7, Button.RIGHT)]


class TestTheUsersHand:
    def test_a_button_that_is_let_go_soon_is_waited_for(self, desk: PrivateDisplay) -> None:
        with x11_rig(desk) as rig, Client(desk.name, Rect(900, 700, 50, 50)) as person:
            frame = rig.grab()
            person.fake(xproto.ButtonPressEvent, 1)
            release = (xproto.ButtonReleaseEvent, 1)
            timer = threading.Timer(0.05, person.fake, release)
            timer.start()
            rig.click(frame, 5, 5, Button.LEFT)
            timer.join()
            assert rig.clicks(1)[-1] == (5, 5, Button.LEFT)

    def test_a_button_that_is_held_is_the_stop(
        self, desk: PrivateDisplay, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(XMouse, "hold_seconds", 0.05)
        with x11_rig(desk) as rig, Client(desk.name, Rect(900, 700, 50, 50)) as person:
            frame = rig.grab()
            person.fake(xproto.ButtonPressEvent, 1)
            with pytest.raises(Stopped, match="a mouse button is held down"):
                rig.click(frame, 5, 5, Button.RIGHT)
            person.fake(xproto.ButtonReleaseEvent, 1)

    def test_esc_is_heard_while_a_button_is_held(
        self, desk: PrivateDisplay, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(XMouse, "hold_seconds", 10)
        with x11_rig(desk) as rig, Client(desk.name, Rect(900, 700, 50, 50)) as person:
            frame = rig.grab()
            (escape,) = keycodes(person.display, ESCAPE)
            person.fake(xproto.ButtonPressEvent, 1)
            timer = threading.Timer(0.05, person.fake, (xproto.KeyPressEvent, escape))
            timer.start()
            with pytest.raises(Stopped, match="Esc was pressed"):
                rig.click(frame, 5, 5, Button.RIGHT)
            timer.join()
            person.fake(xproto.KeyReleaseEvent, escape)
            person.fake(xproto.ButtonReleaseEvent, 1)

    @pytest.mark.parametrize("keysym", [0xFFE1, 0xFFE3, 0xFFE9, 0xFFEB])
    def test_a_key_that_changes_clicks_is_waited_for_then_the_stop(
        self, desk: PrivateDisplay, monkeypatch: pytest.MonkeyPatch, keysym: int
    ) -> None:
        with x11_rig(desk) as rig, Client(desk.name, Rect(900, 700, 50, 50)) as person:
            frame = rig.grab()
            key = keycodes(person.display, keysym)[0]
            person.fake(xproto.KeyPressEvent, key)
            timer = threading.Timer(0.03, person.fake, (xproto.KeyReleaseEvent, key))
            timer.start()
            rig.click(frame, 5, 5, Button.LEFT)
            timer.join()
            assert rig.clicks(1) == [(5, 5, Button.LEFT)]
            person.fake(xproto.KeyPressEvent, key)
            monkeypatch.setattr(XMouse, "hold_seconds", 0.03)
            with pytest.raises(Stopped, match="Shift, Control, Alt or the Windows key is held"):
                rig.click(frame, 5, 5, Button.LEFT)
            person.fake(xproto.KeyReleaseEvent, key)

    def test_swapped_buttons_do_what_they_are_named_for(self, bare_desk: PrivateDisplay) -> None:
        with Client(bare_desk.name, Rect(900, 700, 50, 50)) as person:
            core = person.display.core
            usual = list(core.GetPointerMapping().reply().map)
            core.SetPointerMapping(len(usual), [3, 2, 1, *usual[3:]]).reply()
            try:
                with x11_rig(bare_desk) as rig:
                    frame = rig.grab()
                    rig.click(frame, 5, 5, Button.LEFT)
                    rig.click(frame, 6, 5, Button.RIGHT)
                    assert rig.clicks(2) == [(5, 5, Button.LEFT), (6, 5, Button.RIGHT)]
            finally:
                core.SetPointerMapping(len(usual), usual).reply()


@pytest.fixture
def slow_manager(bare_desk: PrivateDisplay) -> Iterator[Client]:
    """Holds every click up, as a click-to-focus window manager does, until it is let go."""
    with Client(bare_desk.name, Rect(900, 700, 50, 50)) as manager:
        manager.display.core.GrabButtonChecked(
            False, manager.display.root, xproto.EventMask.ButtonPress,
            xproto.GrabMode.Sync, xproto.GrabMode.Async, 0, 0, 1, xproto.ModMask.Any,
        ).check()  # fmt: skip
        yield manager


@pytest.mark.usefixtures("slow_manager")
def test_a_click_that_never_comes_through_is_an_error(
    bare_desk: PrivateDisplay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(XMouse, "through_seconds", 0.05)
    with x11_rig(bare_desk) as rig:
        frame = rig.grab()
        with pytest.raises(WindowError, match=r"the click at point \(205, 155\) is stuck"):
            rig.click(frame, 5, 5, Button.LEFT)


@pytest.mark.parametrize("pyautogui", [False, True])
def test_a_busy_window_manager_gets_longer_than_a_person(
    bare_desk: PrivateDisplay,
    slow_manager: Client,
    monkeypatch: pytest.MonkeyPatch,
    pyautogui: bool,
) -> None:
    monkeypatch.setattr(XMouse, "hold_seconds", 0.01)
    began = time.monotonic()

    def let_through() -> None:
        if time.monotonic() - began > 0.1:
            core = slow_manager.display.core
            core.AllowEventsChecked(xproto.Allow.ReplayPointer, xproto.Time.CurrentTime).check()

    with x11_rig(bare_desk, pyautogui=pyautogui) as rig:
        frame = rig.grab()
        before_sleeping(monkeypatch, 0.001, let_through)
        rig.click(frame, 5, 5, Button.LEFT)
        # The manager is not asked about this one.
        rig.click(frame, 6, 5, Button.RIGHT)
        assert rig.clicks(2) == [(5, 5, Button.LEFT), (6, 5, Button.RIGHT)]


def before_sleeping(
    monkeypatch: pytest.MonkeyPatch, seconds: float, do: Callable[[], None]
) -> None:
    """Have this done before each sleep of so many seconds, which tell the sleeps apart."""
    as_usual = time.sleep

    def first(length: float) -> None:
        if length == seconds:
            do()
        as_usual(length)

    monkeypatch.setattr(time, "sleep", first)


@pytest.mark.usefixtures("slow_manager")
def test_a_stop_is_heard_while_a_click_is_held_up(bare_desk: PrivateDisplay) -> None:
    with x11_rig(bare_desk) as rig:
        frame = rig.grab()
        timer = threading.Timer(0.1, rig.stop.request, ["the test says so"])
        timer.start()
        with pytest.raises(Stopped, match="the test says so"):
            rig.click(frame, 5, 5, Button.LEFT)
        timer.join()


def test_the_pointer_lies_still_before_each_long_click(
    bare_desk: PrivateDisplay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(XMouse, "hover_seconds", 0.0123)
    rested = []
    with x11_rig(bare_desk) as rig:
        rig.mouse.press_seconds = 0.01
        before_sleeping(monkeypatch, 0.0123, lambda: rested.append(rig.pointer()))
        frame = rig.grab()
        for x in (5, 6):
            rig.click(frame, x, 5, Button.LEFT)
        assert len(rig.clicks(2)) == 2
    assert rested == [Point(205, 155), Point(206, 155)]


class TestUnderACompositor:
    @pytest.fixture(autouse=True)
    def compositor(self, bare_desk: PrivateDisplay) -> Iterator[None]:
        with Client(bare_desk.name, Rect(900, 700, 50, 50)) as client:
            atom = client.display.atom("_NET_WM_CM_S0")
            now = xproto.Time.CurrentTime
            client.display.core.SetSelectionOwnerChecked(client.id, atom, now).check()
            yield

    def test_the_pointer_lies_still_before_the_first_click(
        self, bare_desk: PrivateDisplay, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(XMouse, "hover_seconds", 0.0123)
        hovers = 0

        def hovering() -> None:
            nonlocal hovers
            hovers += 1
            assert rig.pointer() == Point(205, 155)
            assert rig.clicks(0) == []

        with x11_rig(bare_desk) as rig:
            before_sleeping(monkeypatch, 0.0123, hovering)
            frame = rig.grab()
            rig.click(frame, 5, 5, Button.LEFT)
            rig.click(frame, 6, 5, Button.LEFT)
            assert rig.clicks(2) == [(5, 5, Button.LEFT), (6, 5, Button.LEFT)]
        assert hovers == 1

    def test_a_hand_on_the_mouse_meanwhile_is_the_stop(
        self, bare_desk: PrivateDisplay, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(XMouse, "hover_seconds", 0.0123)
        with x11_rig(bare_desk) as rig:
            before_sleeping(monkeypatch, 0.0123, lambda: rig.push(40, 0))
            frame = rig.grab()
            with pytest.raises(Stopped, match="the mouse was moved"):
                rig.click(frame, 5, 5, Button.LEFT)
            assert rig.clicks(0) == []


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
