"""Which of a stream's pictures may be believed; pointer and keyboard by the portal."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest

from minebot.actuator import Button, Key
from minebot.capture import Frame, Pixel, Rect
from minebot.desktop.portal.idle_monitor import IdleAttribution
from minebot.desktop.portal.portal_session import MONITOR, WINDOW, Stream
from minebot.desktop.portal.shared_picture import PortalScreen, RemoteInput
from minebot.errors import CaptureError, Stopped, UsageError, WindowError, WindowGone, WindowMoved
from minebot.stop import Stop, SystemClock
from tests.desktop.portal.fake_share import FakeShare

WHITE = (255, 255, 255, 0)
SPOT = Rect(50, 20, 3, 3)
KEY, MOTION, BUTTON = "NotifyKeyboardKeysym", "NotifyPointerMotionAbsolute", "NotifyPointerButton"
SHIFT, CONTROL = 0xFFE1, 0xFFE3
AT = Pixel(30, 20)


def black(width: int = 100, height: int = 60) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.zeros((height, width, 4), np.uint8)


class FastClock(SystemClock):
    """A hundred seconds pass in one."""

    def now(self) -> float:
        return 100 * super().now()


@pytest.fixture
def share() -> FakeShare:
    return FakeShare(black())


@pytest.fixture
def stop() -> Stop:
    return Stop()


@pytest.fixture
def screen(share: FakeShare, stop: Stop) -> PortalScreen:
    return PortalScreen(share, share.stream, SystemClock(stop))


class TestAfterInput:
    def test_a_picture_from_before_is_not_believed(
        self, share: FakeShare, screen: PortalScreen
    ) -> None:
        screen.grab()
        share.paint(Rect(0, 0, 9, 9), WHITE)
        screen.note_input()
        assert not screen.wait(0), "it is no news"
        threading.Timer(0.1, share.paint, (SPOT, WHITE)).start()
        assert screen.grab().pixels[20, 50, 0] == 255

    def test_when_nothing_has_changed_it_is_how_things_are(
        self, share: FakeShare, screen: PortalScreen
    ) -> None:
        screen.grab()
        share.paint(SPOT, WHITE)
        screen.note_input()
        began = time.monotonic()
        assert screen.grab().pixels[20, 50, 0] == 255
        assert 0.2 < time.monotonic() - began < 2
        began = time.monotonic()
        screen.grab()
        assert time.monotonic() - began < 0.2

    def test_one_that_got_stuck_is_had_by_a_new_start(
        self, share: FakeShare, screen: PortalScreen
    ) -> None:
        screen.grab()
        screen.note_input()
        share.is_stuck = True
        share.paint(SPOT, WHITE)
        assert screen.grab().pixels[20, 50, 0] == 255
        assert not screen.wait(0.5), "it shows how it is"

    def test_nor_does_one_from_before_hide_that_the_next_got_stuck(
        self, share: FakeShare, screen: PortalScreen
    ) -> None:
        screen.grab()
        screen.note_input()
        share.paint(Rect(0, 0, 9, 9), WHITE)
        share.is_stuck = True
        share.paint(SPOT, WHITE)
        assert screen.grab().pixels[20, 50, 0] == 0
        assert screen.wait(2)
        assert screen.grab().pixels[20, 50, 0] == 255
        assert not screen.wait(0.5), "it shows how it is"

    def test_where_a_new_start_brings_none_the_last_one_is_how_things_are(
        self, share: FakeShare, stop: Stop
    ) -> None:
        screen = PortalScreen(share, share.stream, FastClock(stop))
        screen.grab()
        share.starts = False
        screen.note_input()
        assert screen.grab().pixels[20, 50, 0] == 0
        assert not screen.wait(3)

    def test_and_news_that_waiting_hears_of(self, share: FakeShare, screen: PortalScreen) -> None:
        screen.grab()
        share.paint(SPOT, WHITE)
        screen.note_input()
        assert screen.wait(2)

    def test_the_stop_ends_the_waiting(
        self, share: FakeShare, screen: PortalScreen, stop: Stop
    ) -> None:
        screen.grab()
        screen.note_input()
        stop.request("Ctrl-C")
        with pytest.raises(Stopped):
            screen.grab()
        with pytest.raises(Stopped):
            screen.wait(5)
        assert share.notified == []


class TestWhatStillShows:
    def test_the_newest_picture_tells(self, share: FakeShare, screen: PortalScreen) -> None:
        frame = screen.grab()
        assert screen.still_shows(frame, Pixel(51, 21))
        share.paint(SPOT, WHITE)
        assert not screen.still_shows(frame, Pixel(51, 21))
        assert not screen.still_shows(frame, Pixel(46, 16))
        assert screen.still_shows(frame, Pixel(60, 21))
        assert screen.still_shows(frame, Pixel(99, 59))
        assert screen.still_shows(screen.grab(), Pixel(51, 21))

    def test_the_byte_that_means_nothing_does_not(
        self, share: FakeShare, screen: PortalScreen
    ) -> None:
        frame = screen.grab()
        share.paint(SPOT, (0, 0, 0, 255))
        assert screen.still_shows(frame, Pixel(51, 21))

    def test_one_of_another_size_does(self, share: FakeShare, screen: PortalScreen) -> None:
        frame = screen.grab()
        share.show(black(120))
        assert not screen.still_shows(frame, Pixel(51, 21))


class TestTheEndOfTheStream:
    @pytest.mark.parametrize(
        ("kind", "error", "says"),
        [(WINDOW, WindowGone, "shared window is closed"), (MONITOR, CaptureError, "shared screen")],
    )
    def test_it_is_an_error_with_its_reason(
        self, share: FakeShare, stop: Stop, kind: int, error: type[Exception], says: str
    ) -> None:
        screen = PortalScreen(share, Stream(7, kind, (100, 60)), SystemClock(stop))
        frame = screen.grab()
        share.end("target not found")
        assert screen.wait(5)
        for _ in range(2):
            with pytest.raises(error, match=f"{says}.*: target not found"):
                screen.grab()
        with pytest.raises(error):
            screen.still_shows(frame, Pixel(1, 1))

    def test_no_picture_at_all_is_one(self, share: FakeShare, stop: Stop) -> None:
        screen = PortalScreen(share, share.stream, FastClock(stop))
        assert share.next(0) is not None
        share.starts = False
        with pytest.raises(CaptureError, match="the desktop sends no picture"):
            screen.grab()

    def test_a_first_one_that_got_stuck_is_had_by_a_new_start(
        self, share: FakeShare, stop: Stop
    ) -> None:
        screen = PortalScreen(share, share.stream, FastClock(stop))
        assert share.next(0) is not None
        assert screen.grab().width == 100


def test_what_came_before_it_looked_is_how_things_are(share: FakeShare, stop: Stop) -> None:
    PortalScreen(share, share.stream, SystemClock(stop)).grab()
    second = PortalScreen(share, share.stream, SystemClock(stop))
    assert second.grab().width == 100


class TestWhereAPixelIs:
    @pytest.mark.parametrize(
        ("size", "wanted"),
        [((100, 60), (10.5, 5.5)), ((80, 48), (8.4, 4.4)), ((50, 30), (5.25, 2.75))],
    )
    def test_at_each_scale(
        self, share: FakeShare, stop: Stop, size: tuple[int, int], wanted: tuple[float, float]
    ) -> None:
        screen = PortalScreen(share, Stream(7, MONITOR, size), SystemClock(stop))
        assert screen.point(screen.grab(), Pixel(10, 5)) == pytest.approx(wanted)

    def test_where_nobody_tells_a_pixel_is_a_unit(self, share: FakeShare, stop: Stop) -> None:
        screen = PortalScreen(share, Stream(7, MONITOR, None), SystemClock(stop))
        assert screen.point(screen.grab(), Pixel(10, 5)) == (10.5, 5.5)

    def test_a_picture_that_does_not_fit_is_not_clicked(self, share: FakeShare, stop: Stop) -> None:
        screen = PortalScreen(share, Stream(7, WINDOW, (50, 50)), SystemClock(stop))
        for _ in range(2):
            with pytest.raises(CaptureError, match=r"clicks could miss.*share the whole screen"):
                screen.grab()

    def test_nor_a_screen_that_was_rescaled(self, share: FakeShare, stop: Stop) -> None:
        screen = PortalScreen(share, Stream(7, MONITOR, (100, 60)), SystemClock(stop))
        screen.grab()
        share.show(black(200, 120))
        with pytest.raises(CaptureError, match="has another size now"):
            screen.grab()

    def test_nor_a_frame_from_elsewhere(self, screen: PortalScreen) -> None:
        with pytest.raises(UsageError):
            screen.point(Frame(black()), Pixel(1, 1))


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
