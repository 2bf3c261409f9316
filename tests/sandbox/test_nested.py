"""An X display in a window of a Wayland desktop."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fixtures.desktops.sway import SwayDesktop
from fixtures.waiting import wait_until, within
from minebot.capture import Rect
from minebot.desktop.x11.display import Display
from minebot.desktop.x11.window_tree import managed
from minebot.errors import CaptureError
from minebot.sandbox.nested import nested_display
from tests.desktop.x11.client import Client


@pytest.fixture
def on_wayland(sway: SwayDesktop, monkeypatch: pytest.MonkeyPatch) -> SwayDesktop:
    """This process is a program of that desktop."""
    for name in ("WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, sway.environ[name])
    return sway


def test_it_is_a_window_with_a_manager_and_ends_with_the_block(on_wayland: SwayDesktop) -> None:
    before = {window["id"] for window in on_wayland.windows()}

    def has_window() -> bool:
        return {window["id"] for window in on_wayland.windows()} > before

    with nested_display() as environ:
        wait_until(has_window)
        with Display(environ["DISPLAY"]) as display:
            assert managed(display)
            size = display.core.GetGeometry(display.root).reply()
            assert min(size.width, size.height) > 700, "an expert board fits"
        with Client(environ["DISPLAY"], Rect(10, 10, 50, 50)) as client:
            assert client.window.title == "Log"
    assert within(lambda: not has_window())
    with pytest.raises(CaptureError):
        Display(environ["DISPLAY"])


@pytest.mark.usefixtures("on_wayland")
def test_its_programs_open_on_it_and_not_on_the_wayland_desktop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XAUTHORITY", "/somewhere")
    monkeypatch.setenv("GTK_THEME", "HighContrast")
    assert os.environ["WAYLAND_DISPLAY"]
    with nested_display() as environ, Display(environ["DISPLAY"]) as display:
        assert managed(display)
    assert environ["XDG_SESSION_TYPE"] == "x11"
    assert (environ["GDK_BACKEND"], environ["QT_QPA_PLATFORM"]) == ("x11", "xcb")
    assert not {"WAYLAND_DISPLAY", "XAUTHORITY"} & environ.keys()
    assert environ["GTK_THEME"] == "HighContrast", "it is the user's own desktop"


def test_without_a_wayland_desktop_it_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-none")
    with pytest.raises(CaptureError, match=r"^Xwayland ended at once") as caught, nested_display():
        pytest.fail("it started")
    assert "\n" not in str(caught.value)


def test_a_missing_server_is_named_with_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with (
        pytest.raises(CaptureError, match=r"^Xwayland is not installed; on Debian: apt"),
        nested_display(),
    ):
        pytest.fail("it started")
