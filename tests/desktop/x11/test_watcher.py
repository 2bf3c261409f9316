"""The user's stop: Esc anywhere, a moved mouse, a lost display."""

from __future__ import annotations

import os
import resource
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from xcffib import xproto

from fixtures.waiting import pass_time, within
from minebot.actuator import Button
from minebot.capture import Pixel, Rect
from minebot.desktop.x11.desktop import XDesktop
from minebot.desktop.x11.display import Display
from minebot.desktop.x11.watcher import InputWatcher
from minebot.errors import CaptureError, MinebotError, Stopped, WindowMoved
from minebot.sandbox.private_display import PrivateDisplay
from minebot.stop import Stop
from tests.desktop.rig import Rig, x11_rig
from tests.desktop.x11.client import Client, show
from tests.support.stopping import promised


@pytest.fixture
def rig(desk: PrivateDisplay) -> Iterator[Rig]:
    with x11_rig(desk) as rig:
        yield rig


def xdotool(desk: PrivateDisplay, *arguments: str) -> None:
    subprocess.run(["xdotool", *arguments], env=desk.environ(), check=True)


def stopped_after(stop: Stop, patience: float) -> float:
    """Seconds until the stop is asked for; `patience` when it is not."""
    start = time.monotonic()
    within(lambda: stop.reason is not None, patience)
    return time.monotonic() - start


def test_it_hears_what_is_promised(rig: Rig) -> None:
    assert rig.window_session.stops == promised()["X11"]


def test_esc_tapped_in_another_window_stops_and_still_reaches_it(
    desk: PrivateDisplay, rig: Rig
) -> None:
    with Client(desk.name, Rect(900, 100, 90, 90), "Other") as other:
        show(other)
        xdotool(desk, "key", "Escape")
        stopped_after(rig.stop, 5)
        assert rig.stop.reason == "Esc was pressed"
        other.wait_for(lambda: len(other.keys) == 1)


def test_esc_stops_even_while_another_program_has_seized_the_keyboard(
    desk: PrivateDisplay, rig: Rig
) -> None:
    with Client(desk.name, Rect(900, 100, 90, 90), "Other") as other:
        both = (xproto.GrabMode.Async, xproto.GrabMode.Async)
        now = xproto.Time.CurrentTime
        seized = other.display.core.GrabKeyboard(True, other.id, now, *both).reply()
        assert seized.status == xproto.GrabStatus.Success
        xdotool(desk, "key", "Escape")
        stopped_after(rig.stop, 5)
        assert rig.stop.reason == "Esc was pressed"


def test_a_click_hears_esc_where_the_thread_does_not_come_to_it(
    desk: PrivateDisplay, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(self: InputWatcher) -> None:
        while self.waits():
            pass

    monkeypatch.setattr(InputWatcher, "listen", nothing)
    with x11_rig(desk) as rig:
        frame = rig.grab()
        rig.click(frame, 5, 5)
        xdotool(desk, "key", "Escape")
        with pytest.raises(Stopped, match="Esc was pressed"):
            rig.click(frame, 5, 5)
        assert len(rig.clicks(1)) == 1


class LastMoment(Stop):
    """A stop after whose next look something happens."""

    then: Callable[[], object] | None = None

    def check(self) -> None:
        super().check()
        if self.then is not None:
            then, self.then = self.then, None
            then()


@pytest.mark.parametrize(("key", "error"), [("Escape", Stopped), ("n", WindowMoved)])
def test_a_key_is_heard_though_it_comes_when_a_click_has_begun(
    bare_desk: PrivateDisplay,
    monkeypatch: pytest.MonkeyPatch,
    key: str,
    error: type[MinebotError],
) -> None:
    def nothing(self: InputWatcher) -> None:
        while self.waits():
            pass

    monkeypatch.setattr(InputWatcher, "listen", nothing)
    stop = LastMoment()
    with (
        Client(bare_desk.name, Rect(200, 150, 300, 200)) as game,
        XDesktop(bare_desk.name).open(game.window, stop) as window_session,
    ):
        window_session.control.show()
        frame = window_session.screen.grab()
        window_session.mouse.click(frame, Pixel(5, 5), Button.LEFT)
        stop.then = lambda: xdotool(bare_desk, "key", key)
        with pytest.raises(error):
            window_session.mouse.click(frame, Pixel(6, 5), Button.LEFT)
        assert [press.x for press in game.expect(1)] == [5]


def test_other_keys_do_not_stop(desk: PrivateDisplay, rig: Rig) -> None:
    xdotool(desk, "key", "n", "Return", "space")
    # Esc comes after them and is told of after them.
    xdotool(desk, "key", "Escape")
    stopped_after(rig.stop, 5)
    assert rig.stop.reason == "Esc was pressed"


def test_a_moved_mouse_stops_within_a_tenth_of_a_second(desk: PrivateDisplay, rig: Rig) -> None:
    """Counted in naps and questions of this test's own: a busy machine holds those up as well."""
    rig.click(rig.grab(), 150, 100)
    with Display(desk.name) as display:
        xdotool(desk, "mousemove", "700", "700")
        naps = 0
        while rig.stop.reason is None and naps < 500:
            pass_time(0.01)
            display.core.QueryPointer(display.root).reply()
            naps += 1
    assert rig.stop.reason == "the mouse was moved"
    assert naps <= 10


def test_before_the_first_click_the_mouse_is_the_users(desk: PrivateDisplay, rig: Rig) -> None:
    xdotool(desk, "mousemove", "700", "700")
    stopped_after(rig.stop, 0.1)
    assert rig.stop.reason is None


def test_clicks_are_not_taken_for_the_users(rig: Rig) -> None:
    frame = rig.grab()
    end = time.monotonic() + 0.3
    clicks = 0
    while time.monotonic() < end:
        rig.click(frame, clicks % 300, 100)
        clicks += 1
    assert len(rig.clicks(clicks)) == clicks
    assert rig.stop.reason is None


def test_the_thread_ends_with_the_window_session(desk: PrivateDisplay) -> None:
    def watchers() -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if thread.name == "minebot-stop"]

    with x11_rig(desk):
        assert len(watchers()) == 1
    assert watchers() == []


def test_the_stop_outlives_the_window_session(desk: PrivateDisplay) -> None:
    with x11_rig(desk) as rig:
        rig.stop.check()
    rig.stop.check()


def test_a_display_that_goes_away_stops() -> None:
    stop = Stop()
    with PrivateDisplay((640, 480), window_manager=None) as display:
        client = Client(display.name, Rect(10, 10, 90, 90))
        window_session = XDesktop(display.name).open(client.window, stop)
        window_session.__enter__()
    stopped_after(stop, 5)
    assert stop.reason == "the X display has gone away"
    window_session.__exit__(None, None, None)
    client.close()


def test_a_connection_that_is_cut_stops(
    desk: PrivateDisplay, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[InputWatcher] = []

    def noted(*parts: Any) -> InputWatcher:
        made.append(InputWatcher(*parts))
        return made[-1]

    monkeypatch.setattr("minebot.desktop.x11.desktop.InputWatcher", noted)
    with x11_rig(desk) as rig:
        frame = rig.grab()
        with socket.socket(fileno=os.dup(made[0]._display.fileno())) as line:
            line.shutdown(socket.SHUT_RDWR)
        stopped_after(rig.stop, 5)
        with pytest.raises(CaptureError, match=r"^the X display has gone"):
            rig.click(frame, 5, 5)
        assert rig.clicks(0) == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("error", [ValueError, OSError, struct.error])
def test_a_watcher_that_fails_stops(
    desk: PrivateDisplay, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def fail(_: object) -> None:
        raise error

    with x11_rig(desk) as rig:
        frame = rig.grab()
        monkeypatch.setattr(InputWatcher, "hear_keys", fail)
        stopped_after(rig.stop, 5)
        with pytest.raises(Stopped, match="what listens for keys and the mouse has failed"):
            rig.click(frame, 5, 5)
        assert rig.clicks(0) == []


def test_a_descriptor_too_large_for_select_is_listened_to(desk: PrivateDisplay) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(2048, hard), hard))
    try:
        with ExitStack() as ends:
            while (low := ends.enter_context(Path(os.devnull).open())).fileno() < 1030:
                assert low
            with x11_rig(desk) as rig:
                assert rig.screen.wait(0) in (True, False)
                rig.click(rig.grab(), 5, 5)
                xdotool(desk, "key", "Escape")
                stopped_after(rig.stop, 5)
                assert rig.stop.reason == "Esc was pressed"
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
