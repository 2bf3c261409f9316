"""Listing windows, and connecting to the display."""

from __future__ import annotations

import pytest

from fixtures.running_game import RunningGame
from minebot.capture import Rect, State
from minebot.desktop.choose import native
from minebot.desktop.x11.desktop import XDesktop
from minebot.desktop.x11.display import Display
from minebot.desktop.x11.window_tree import number
from minebot.errors import CaptureError
from minebot.sandbox.private_display import PrivateDisplay
from tests.desktop.x11.client import Client

PLACE = Rect(200, 150, 300, 200)


class TestWindows:
    @pytest.mark.parametrize("fixture", ["desk", "bare_desk"])
    def test_windows_are_listed_with_their_names_and_places(
        self, fixture: str, request: pytest.FixtureRequest
    ) -> None:
        desk: PrivateDisplay = request.getfixturevalue(fixture)
        with Client(desk.name, PLACE, "Minen ± 地雷", "game", "RunningGame") as client:
            (found,) = XDesktop(desk.name).windows()
            assert number(found) == client.id
        assert (found.title, found.app_ids) == ("Minen ± 地雷", ("game", "RunningGame"))
        assert (found.rect, found.state) == (PLACE, State.SHOWN)

    def test_without_windows_the_list_is_empty(self, desk: PrivateDisplay) -> None:
        assert XDesktop(desk.name).windows() == []

    def test_what_is_not_a_programs_window_is_not_listed(self, bare_desk: PrivateDisplay) -> None:
        with Client(bare_desk.name, PLACE, "Tooltip", override=True):
            assert XDesktop(bare_desk.name).windows() == []

    @pytest.mark.parametrize("fixture", ["desk", "bare_desk"])
    def test_the_real_game_is_found(self, fixture: str, request: pytest.FixtureRequest) -> None:
        desk: PrivateDisplay = request.getfixturevalue(fixture)
        with RunningGame(desk, "9x9n10") as game:
            found = XDesktop(desk.name).pick("sgt-mines", lambda _: False)
            assert (found.id, found.rect) == (game.window, game.area())
            assert (found.title, found.app_ids[1]) == ("Mines", "Sgt-mines")


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
