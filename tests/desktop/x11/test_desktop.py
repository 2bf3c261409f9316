"""A Wayland desktop's X server is told apart from one with a screen that can be read."""

from __future__ import annotations

import numpy as np
import pytest

from fixtures.desktops.sway import SwayDesktop
from fixtures.desktops.wayland_user import WaylandUser
from fixtures.waiting import wait_until
from minebot.actuator import Button
from minebot.capture import Pixel, Rect
from minebot.desktop.choose import native, ways
from minebot.desktop.x11.desktop import XDesktop, is_rootless
from minebot.sandbox.private_display import PrivateDisplay, nested_display
from minebot.stop import Stop
from tests.desktop.x11.client import Client
from tests.support.stopping import promised


def test_a_wayland_desktops_own_has_no_screen_though_a_window_is_shown(
    sway: SwayDesktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    name = sway.x11_display
    with sway.as_its_user(), Client(name, Rect(0, 0, 300, 200), anywhere=True):
        assert is_rootless(name)
        (way,) = ways(name)
        assert "XWayland" in way.finding


def test_black_alone_is_no_reason(bare_desk: PrivateDisplay) -> None:
    assert not is_rootless(bare_desk.name)


def test_a_window_of_its_own_has_a_screen(
    sway: SwayDesktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, sway.environ[name])
    with nested_display() as environ:
        assert not is_rootless(environ["DISPLAY"])


def test_a_window_of_its_own_hears_esc_while_it_has_the_keyboard(
    sway: SwayDesktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, sway.environ[name])
    with (
        nested_display() as environ,
        Client(environ["DISPLAY"], Rect(0, 0, 300, 200)) as client,
        WaylandUser(sway.environ) as user,
        XDesktop(environ["DISPLAY"]).open(client.window, stop := Stop()) as window_session,
    ):
        assert window_session.stops == promised()["`minebot start` in a window of its own"]
        wait_until(lambda: _focused(sway))
        nested, name = _focused(sway), sway.x11_display
        with sway.as_its_user(), Client(name, Rect(0, 0, 300, 200), anywhere=True) as other:
            wait_until(lambda: _focused(sway) not in ([], nested))
            user.does("Escape")
            other.wait_for(lambda: bool(other.keys))
            stop.check()
        wait_until(lambda: _focused(sway) == nested)
        user.does("Escape")
        assert stop.wait(5)
    assert stop.reason == "Esc was pressed"


def test_its_windows_are_seen_and_clicked(
    sway: SwayDesktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    name, red = sway.x11_display, 0xCC2211
    promise = promised()["X11 programs on other Wayland desktops"]
    sway.say("output HEADLESS-1 scale 1")
    with sway.as_its_user(), Client(name, Rect(0, 0, 300, 200), anywhere=True) as client:
        client.paint(Rect(20, 30, 5, 5), red)
        desktop = native(name)
        window = desktop.pick("Log", lambda _: False)
        with desktop.open(window, Stop()) as window_session:
            assert window_session.stops == promise
            assert "minebot start" in window_session.no_effect
            frame = window_session.screen.grab()
            while not frame.source.settled:  # type: ignore[attr-defined]
                window_session.clock.sleep(0.01)
                frame = window_session.screen.grab()
            painted = (frame.pixels[..., :3] == (0x11, 0x22, 0xCC)).all(axis=2)
            assert np.argwhere(painted).min(axis=0).tolist() == [30, 20]
            assert painted.sum() == 25
            for x, y in ((22, 32), (299, 199), (0, 0)):
                window_session.mouse.click(frame, Pixel(x, y), Button.LEFT)
            assert [(press.x, press.y) for press in client.expect(3)] == [
                (22, 32),
                (299, 199),
                (0, 0),
            ]


def _focused(sway: SwayDesktop) -> list[int]:
    """The number of the window that has the keyboard, alone."""
    return [window["id"] for window in sway.windows() if window["focused"]]
