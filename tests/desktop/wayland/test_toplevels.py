"""Windows as compositors tell of them that say no places."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from minebot.actuator import Button
from minebot.capture import Pixel, State, Window
from minebot.desktop.wayland.connection import Connection
from minebot.desktop.wayland.desktop import WaylandDesktop
from minebot.desktop.wayland.toplevels import WholeScreen
from minebot.errors import WindowError, WindowGone
from minebot.stop import Stop
from tests.desktop.rig import PLACE, Rig
from tests.support.stopping import promised


@pytest.fixture(scope="module")
def placeless(connection: Connection) -> WaylandDesktop:
    """As on compositors that tell nobody where windows are."""
    return WaylandDesktop(connection, None)


class TestWindows:
    def test_without_sway_they_have_names_and_no_places(
        self, rig: Rig, placeless: WaylandDesktop
    ) -> None:
        desktop = placeless
        window = desktop.pick("Log", lambda _: False)
        assert (window.rect, window.state) == (None, State.SHOWN)
        with desktop.open(window, Stop()) as window_session:
            assert window_session.stops == promised()["other wlroots compositors"]
            window_session.control.show()
            frame = window_session.screen.grab()
            assert (frame.width, frame.height) == (1280, 1024)
            window_session.mouse.click(frame, Pixel(PLACE.left + 7, PLACE.top + 9), Button.RIGHT)
            assert rig.clicks(1) == [(7, 9, Button.RIGHT)]
            rig.close()
            with pytest.raises(WindowGone):
                window_session.mouse.click(frame, Pixel(5, 5), Button.LEFT)

    def test_without_sway_another_window_makes_a_picture_old(
        self, rig: Rig, placeless: WaylandDesktop
    ) -> None:
        desktop = placeless
        with desktop.open(desktop.pick("Log", lambda _: False), Stop()) as window_session:
            frame = window_session.screen.grab()
            rig.cover(PLACE)
            with pytest.raises(WindowError, match="changed since it was looked at"):
                window_session.mouse.click(frame, Pixel(PLACE.left + 7, PLACE.top + 9), Button.LEFT)
        assert rig.clicks(0) == []


def test_a_window_that_has_been_closed_takes_no_keys() -> None:
    nothing: Any = SimpleNamespace(windows=dict)
    place = WholeScreen(nothing, nothing, Window("1", "Mines"))
    for window in (None, Window("2", "Notice")):
        with pytest.raises(WindowGone, match="has been closed"):
            place.focus(window)
