"""A Wayland session is told apart from a screen that can be played on."""

from __future__ import annotations

import pytest

from bot.capture import Rect
from bot.desktop.choose import native
from bot.errors import CaptureError
from bot.sandbox.display import PrivateDisplay
from tests.desktop.x11.client import Client


@pytest.fixture
def black_desk(bare_desk: PrivateDisplay, monkeypatch: pytest.MonkeyPatch) -> PrivateDisplay:
    """A display that calls its monitor what XWayland calls its own, and shows nothing."""
    monkeypatch.setattr("bot.desktop.x11.wayland._OUTPUT", b"screen")
    return bare_desk


def test_a_display_that_shows_nothing_is_refused(black_desk: PrivateDisplay) -> None:
    with pytest.raises(CaptureError, match="this is a Wayland session"):
        native(black_desk.name).windows()


def test_unless_the_user_insists(black_desk: PrivateDisplay) -> None:
    assert native(black_desk.name, backend="x11").windows() == []


def test_one_on_which_something_is_shown_is_not(black_desk: PrivateDisplay) -> None:
    with Client(black_desk.name, Rect(300, 300, 100, 100)):
        assert len(native(black_desk.name).windows()) == 1


def test_black_alone_is_no_reason(bare_desk: PrivateDisplay) -> None:
    assert native(bare_desk.name).windows() == []
