"""Where windows lie on a screen, in its own scale."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from fixtures.desktops.sway import SwayDesktop
from fixtures.waiting import settled, stays
from minebot.capture import Rect, Window
from minebot.desktop.wayland.desktop import WaylandDesktop
from minebot.desktop.wayland.window_location import WholeScreen
from minebot.errors import WindowError, WindowGone
from tests.desktop.rig import PLACE, Rig


class TestWindows:
    def test_a_window_that_was_put_away_is_shown(self, rig: Rig) -> None:
        rig.hide()
        rig.window_session.control.show()
        assert rig.grab().width == PLACE.width

    def test_one_on_another_workspace_too(self, rig: Rig, sway: SwayDesktop) -> None:
        sway.say("workspace other")
        with pytest.raises(WindowError, match="on another desktop"):
            rig.screen.grab()
        rig.window_session.control.show()
        assert rig.grab().width == PLACE.width

    def test_it_is_enlarged_where_it_floats_and_left_where_it_is_tiled(
        self, rig: Rig, sway: SwayDesktop
    ) -> None:
        assert rig.window_session.control.enlarge()
        assert rig.grab().pixels.shape[1::-1] == (PLACE.width * 4 // 3, PLACE.height * 4 // 3)
        number = rig.window_session.window.id.removeprefix("sway:")
        sway.say(f"[con_id={number}] floating disable")
        assert not rig.window_session.control.enlarge()

    def test_a_picture_of_another_window_takes_no_second_seat(
        self, rig: Rig, on_sway: WaylandDesktop, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # Its end would give back the keys that stop this one.
        monkeypatch.setattr(on_sway, "open", None)
        rig.grab()
        rig.cover(Rect(PLACE.left + 10, PLACE.top + 10, 80, 60))
        notice = on_sway.pick("Notice", lambda _: False)
        picture = rig.window_session.picture(notice)
        assert (picture.width, picture.height) == (80, 60)
        assert (picture.pixels[..., :3] == (0x99, 0x66, 0x33)).all()
        assert stays(lambda: rig.stop.reason is None, 0.1)
        rig.stop.check()

    @pytest.mark.parametrize("border", ["none", "normal"])
    def test_an_enlarged_window_keeps_its_corner_and_stays_on_the_screen(
        self, rig: Rig, sway: SwayDesktop, border: str
    ) -> None:
        control, number = (
            rig.window_session.control,
            rig.window_session.window.id.removeprefix("sway:"),
        )
        sway.say(f"[con_id={number}] border {border}")
        rig.grab()

        def place() -> list[int]:
            (window,) = (one for one in sway.windows() if str(one["id"]) == number)
            rect = window["rect"]
            return [rect["x"], rect["y"] - window["deco_rect"]["height"]]

        # A late answer to one size undoes the next.
        was = settled(place, 0.3)
        assert control.enlarge()
        assert place() == was
        frame = rig.grab()
        while control.enlarge():
            frame = rig.grab()  # which has to be wholly on the screen
        assert frame.width > 1200
        assert frame.height > 900
        # Larger than the screen, sway would not give it its size again.
        sway.say(f"[con_id={number}] border normal 40")
        rig.grab()
        assert not control.enlarge()


def test_a_window_that_has_been_closed_takes_no_keys() -> None:
    nothing: Any = SimpleNamespace(windows=dict, activate=None)
    place = WholeScreen(nothing, nothing, Window("1", "Mines"))
    for window in (None, Window("2", "Notice")):
        with pytest.raises(WindowGone, match="has been closed"):
            place.focus(window)
