"""Connecting to an X display."""

from __future__ import annotations

import pytest

from minebot.capture import Rect
from minebot.desktop.choose import native
from minebot.desktop.x11.display import Display
from minebot.errors import CaptureError
from minebot.sandbox.private_display import PrivateDisplay
from tests.desktop.x11.client import Client

PLACE = Rect(200, 150, 300, 200)


class TestDisplay:
    @pytest.mark.parametrize(
        ("environ", "says"),
        [
            ({}, "no X display: DISPLAY is not set; `minebot demo` starts a private one"),
            (
                {"WAYLAND_DISPLAY": "wayland-0"},
                "no Wayland compositor can be reached at wayland-0: XDG_RUNTIME_DIR is not set",
            ),
            ({"DISPLAY": ":987"}, "cannot open the X display ':987'"),
            ({"DISPLAY": "nonsense"}, "cannot open the X display 'nonsense'"),
        ],
    )
    def test_no_display_is_one_line(
        self, environ: dict[str, str], says: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"):
            monkeypatch.delenv(name, raising=False)
        for name, value in environ.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(CaptureError) as caught:
            native().windows()
        assert str(caught.value).startswith(says)
        assert "\n" not in str(caught.value)

    def test_the_environments_display_is_the_one_used(
        self, desk: PrivateDisplay, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("DISPLAY", desk.name)
        with Client(desk.name, PLACE) as client:
            assert native().windows() == [client.window]

    def test_a_display_without_xtest_is_an_error(
        self, desk: PrivateDisplay, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with Display(desk.name) as display:
            monkeypatch.setattr("xcffib.xtest.key.name", "XTEST-WHICH-IS-MISSING")
            with pytest.raises(CaptureError, match="lacks the extension XTEST-WHICH-IS-MISSING"):
                _ = display.xtest

    def test_closing_twice_is_fine(self, desk: PrivateDisplay) -> None:
        with Display(desk.name) as display:
            display.close()
