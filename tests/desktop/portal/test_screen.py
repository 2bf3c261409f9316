"""Which of a stream's pictures may be believed."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from minebot.capture import Frame, Pixel, Rect
from minebot.desktop.portal.screen import MONITOR, WINDOW, PortalScreen, Stream
from minebot.errors import CaptureError, Stopped, UsageError, WindowGone
from minebot.stop import Stop, SystemClock
from tests.desktop.portal.fake_share import FakeShare

WHITE = (255, 255, 255, 0)
SPOT = Rect(50, 20, 3, 3)


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
        assert time.monotonic() - began < 0.1

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
        with pytest.raises(CaptureError, match="the desktop sends no picture"):
            screen.grab()


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
