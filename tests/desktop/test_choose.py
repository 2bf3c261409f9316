"""The desktop that fits the machine, or several: each window is played where it came from."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

from minebot.capture import Window
from minebot.desktop.choose import CompositeDesktop, native
from minebot.desktop.ports import Desktop
from minebot.desktop.pyautogui_desktop import PyAutoGuiDesktop
from minebot.errors import CaptureError, Unlisted, WindowError
from minebot.stop import Stop
from tests.support.fake_desktop import FakeDesk


def test_it_is_a_desktop_for_what_is_not_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(native(backend="portable"), PyAutoGuiDesktop)
    monkeypatch.setattr(sys, "platform", "win32")
    desktop: Desktop = native()
    assert isinstance(desktop, PyAutoGuiDesktop)


def test_without_what_the_portal_needs_it_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "jeepney", None)
    for name in [name for name in sys.modules if name.startswith("minebot.desktop.portal.")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(CaptureError, match=r"needs jeepney: pip.* install .*\.\[portal\]"):
        native(backend="portal")


BLANK = np.zeros((50, 60, 4), np.uint8)


class _Asking(FakeDesk):
    """One that lists nothing, and takes what its user points at."""

    name = "asking"

    def windows(self) -> list[Window]:
        raise Unlisted("nobody is told")

    def pick(self, *_: object) -> Window:
        return self.window


@pytest.fixture
def listing() -> FakeDesk:
    return FakeDesk(BLANK)


@pytest.fixture
def asking() -> FakeDesk:
    desk = _Asking(BLANK)
    desk.window = replace(desk.window, id="asked")
    return desk


def test_a_window_that_the_first_one_has_is_played_there(
    listing: FakeDesk, asking: FakeDesk
) -> None:
    both = CompositeDesktop([listing, asking])
    assert both.windows() == [listing.window]
    with both.open(both.pick("Mines", lambda _: True), Stop()):
        assert (listing.opened, asking.opened) == (1, 0)


def test_one_that_it_lacks_is_the_last_ones(listing: FakeDesk, asking: FakeDesk) -> None:
    both = CompositeDesktop([listing, asking])
    with both.open(both.pick("Minefield", lambda _: False), Stop()) as window_session:
        assert window_session.window.id == "asked"
        assert (listing.opened, asking.opened) == (0, 1)


def test_where_none_has_it_the_last_one_says_why(listing: FakeDesk) -> None:
    other = FakeDesk(BLANK)
    other.window = replace(other.window, title="Chess", app_ids=())
    with pytest.raises(WindowError, match="Chess"):
        CompositeDesktop([listing, other]).pick("Go", lambda _: False)


def test_where_none_tells_that_is_said(asking: FakeDesk) -> None:
    with pytest.raises(Unlisted, match="nobody is told"):
        CompositeDesktop([asking, asking]).windows()
