"""Listing windows."""

from __future__ import annotations

import pytest

from fixtures.running_game import RunningGame
from minebot.capture import Rect, State
from minebot.desktop.x11.desktop import XDesktop
from minebot.desktop.x11.window_tree import number
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
