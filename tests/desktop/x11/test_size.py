"""The size of a window is asked for, and comes true."""

from __future__ import annotations

import pytest

from minebot.capture import Rect
from minebot.desktop.x11.desktop import XDesktop
from minebot.sandbox.private_display import PrivateDisplay
from minebot.stop import Stop
from tests.desktop.x11.client import Client


@pytest.mark.parametrize("fixture", ["desk", "bare_desk"])
def test_a_window_is_given_a_size_and_its_own_again(
    fixture: str, request: pytest.FixtureRequest
) -> None:
    desk: PrivateDisplay = request.getfixturevalue(fixture)
    desktop = XDesktop(desk.name)
    with (
        Client(desk.name, Rect(700, 500, 300, 200)) as client,
        desktop.open(client.window, Stop()) as window_session,
    ):
        before = client.rect
        assert window_session.control.resize(250, 160)
        assert client.rect[2:] == (250, 160)
        assert window_session.control.resize(5000, 160)
        assert client.rect.within(Rect(0, 0, *desk.size))
        assert client.rect.width > 1000
        assert window_session.control.resize(300, 200)
        assert client.rect[2:] == before[2:]
        assert not window_session.control.resize(300, 200)
