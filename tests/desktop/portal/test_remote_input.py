"""Pointer and keyboard by the portal, beyond what every mouse keeps to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from minebot.actuator import Button, Key
from minebot.capture import Pixel, Rect
from minebot.desktop.portal.idle_monitor import IdleAttribution
from minebot.desktop.portal.remote_input import RemoteInput
from minebot.desktop.portal.screen import PortalScreen
from minebot.errors import Stopped, WindowError, WindowMoved
from minebot.stop import Stop, SystemClock
from tests.desktop.portal.fake_share import FakeShare

KEY, MOTION, BUTTON = "NotifyKeyboardKeysym", "NotifyPointerMotionAbsolute", "NotifyPointerButton"
SHIFT, CONTROL = 0xFFE1, 0xFFE3
AT = Pixel(30, 20)


class Table:
    """All that it takes."""

    def __init__(self, *, allowed: bool = True) -> None:
        self.share, self.stop = FakeShare(np.zeros((60, 100, 4), np.uint8)), Stop()
        clock = SystemClock(self.stop)
        self.screen = PortalScreen(self.share, self.share.stream, clock)
        self.share.has_keyboard = allowed
        self.devices = RemoteInput(self.share, self.screen, self.stop, IdleAttribution(), clock)

    def sent(self) -> list[tuple[Any, ...]]:
        """What was asked of the portal since the last time."""
        sent, self.share.notified = self.share.notified, []
        return sent


@pytest.fixture
def table() -> Table:
    return Table()


def test_new_devices_are_warmed_up_once(table: Table) -> None:
    frame = table.screen.grab()
    table.devices.click(frame, AT, Button.LEFT)
    assert table.sent() == [
        (MOTION, 7, 30.5, 20.5),
        (KEY, SHIFT, 1),
        (KEY, SHIFT, 0),
        (MOTION, 7, 30.5, 20.5),
        (BUTTON, 0x110, 1),
        (BUTTON, 0x110, 0),
    ]
    table.devices.click(frame, AT, Button.RIGHT)
    assert table.sent() == [(MOTION, 7, 30.5, 20.5), (BUTTON, 0x111, 1), (BUTTON, 0x111, 0)]


def test_a_stop_in_the_middle_leaves_nothing_held_down(table: Table) -> None:
    table.share.is_warm = True
    frame = table.screen.grab()
    notify = table.share.notify

    def stopping(member: str, signature: str, *body: Any) -> None:
        notify(member, signature, *body)
        if member == BUTTON and body[1]:
            table.stop.request("Esc was pressed")

    table.share.notify = stopping  # type: ignore[method-assign]
    table.devices.click(frame, AT, Button.LEFT)
    assert table.sent()[-1] == (BUTTON, 0x110, 0)
    with pytest.raises(Stopped):
        table.devices.click(frame, AT, Button.LEFT)
    assert table.sent() == []


def test_what_looks_another_way_is_not_clicked(table: Table) -> None:
    frame = table.screen.grab()
    table.share.paint(Rect(28, 18, 9, 9), (255, 255, 255, 0))
    with pytest.raises(WindowMoved):
        table.devices.click(frame, AT, Button.LEFT)
    assert table.sent() == []
    table.devices.click(table.screen.grab(), AT, Button.LEFT)


class TestTheKeyboard:
    def test_no_key_goes_to_a_window_that_was_not_clicked(self, table: Table) -> None:
        with pytest.raises(WindowError, match=r"'n' cannot be pressed: .* only a click"):
            table.devices.press(Key.parse("n"))
        assert table.sent() == []

    def test_modifiers_are_held_around_it(self, table: Table) -> None:
        table.devices.click(table.screen.grab(), AT, Button.LEFT)
        table.sent()
        table.devices.press(Key.parse("ctrl+shift+F2"))
        f2 = 0xFFBF
        assert table.sent() == [
            (KEY, CONTROL, 1),
            (KEY, SHIFT, 1),
            (KEY, f2, 1),
            (KEY, f2, 0),
            (KEY, SHIFT, 0),
            (KEY, CONTROL, 0),
        ]

    def test_one_that_was_not_allowed_says_so(self) -> None:
        table = Table(allowed=False)
        table.devices.click(table.screen.grab(), AT, Button.LEFT)
        assert KEY not in {member for member, *_ in table.sent()}
        with pytest.raises(WindowError, match="was not to allow keys"):
            table.devices.press(Key.parse("n"))
        assert table.sent() == []

    def test_after_the_stop_nothing_is_typed(self, table: Table) -> None:
        table.devices.click(table.screen.grab(), AT, Button.LEFT)
        table.stop.request("Ctrl-C")
        table.sent()
        with pytest.raises(Stopped):
            table.devices.press(Key.parse("ctrl+n"))
        assert table.sent() == []
