"""The person's stop: Esc anywhere, a moved mouse, a lost display."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Iterator

import pytest
from xcffib import xproto

from bot.actuator import Button
from bot.capture import Point, Rect
from bot.desktop.x11.desktop import XDesktop
from bot.desktop.x11.display import Display
from bot.sandbox.display import PrivateDisplay
from bot.stop import Stop
from tests.desktop.rig import PLACE, Rig, x11_rig
from tests.desktop.x11.client import Client

MIDDLE = Point(PLACE.left + 150, PLACE.top + 100)


@pytest.fixture
def rig(desk: PrivateDisplay) -> Iterator[Rig]:
    with x11_rig(desk) as rig:
        rig.screen.grab()
        yield rig


def xdotool(desk: PrivateDisplay, *arguments: str) -> None:
    subprocess.run(["xdotool", *arguments], env=desk.environ(), check=True)


def stopped_after(stop: Stop, patience: float) -> float:
    """Seconds until the stop is asked for; `patience` when it is not."""
    start = time.monotonic()
    while stop.reason is None and time.monotonic() < start + patience:
        time.sleep(0.001)
    return time.monotonic() - start


def test_esc_tapped_in_another_window_stops_and_still_reaches_it(
    desk: PrivateDisplay, rig: Rig
) -> None:
    with Client(desk.name, Rect(900, 100, 90, 90), "Other") as other:
        XDesktop(desk.name).front(other.window)
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


def test_other_keys_do_not_stop(desk: PrivateDisplay, rig: Rig) -> None:
    xdotool(desk, "key", "n", "Return", "space")
    # Esc comes after them and is told of after them.
    xdotool(desk, "key", "Escape")
    stopped_after(rig.stop, 5)
    assert rig.stop.reason == "Esc was pressed"


def test_a_moved_mouse_stops_within_a_tenth_of_a_second(desk: PrivateDisplay, rig: Rig) -> None:
    """Counted in naps and questions of this test's own: a busy machine holds those up as well."""
    rig.mouse.click(MIDDLE, Button.LEFT)
    with Display(desk.name) as display:
        xdotool(desk, "mousemove", "700", "700")
        naps = 0
        while rig.stop.reason is None and naps < 500:
            time.sleep(0.01)
            display.core.QueryPointer(display.root).reply()
            naps += 1
    assert rig.stop.reason == "the mouse was moved"
    assert naps <= 10


def test_before_the_first_click_the_mouse_is_the_persons(desk: PrivateDisplay, rig: Rig) -> None:
    xdotool(desk, "mousemove", "700", "700")
    stopped_after(rig.stop, 0.1)
    assert rig.stop.reason is None


def test_clicks_are_not_taken_for_the_persons(rig: Rig) -> None:
    end = time.monotonic() + 0.3
    clicks = 0
    while time.monotonic() < end:
        rig.mouse.click(Point(PLACE.left + clicks % 300, MIDDLE.y), Button.LEFT)
        clicks += 1
    assert len(rig.clicks(clicks)) == clicks
    assert rig.stop.reason is None


def test_the_thread_ends_with_the_seat(desk: PrivateDisplay) -> None:
    def watchers() -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if thread.name == "minebot-stop"]

    with x11_rig(desk):
        assert len(watchers()) == 1
    assert watchers() == []


def test_a_display_that_goes_away_stops() -> None:
    stop = Stop()
    with PrivateDisplay((640, 480), window_manager=None) as display:
        client = Client(display.name, Rect(10, 10, 90, 90))
        seat = XDesktop(display.name).open(client.window, stop)
        seat.__enter__()
    stopped_after(stop, 5)
    assert stop.reason == "the X display has gone away"
    seat.__exit__(None, None, None)
    client.close()
