"""A thread that hears the user's stop, whose end is one too; and whose hand moved the pointer."""

from __future__ import annotations

import os
import threading

import pytest

from fixtures.waiting import stays
from minebot.desktop.listener import Listener, PointerGuard
from minebot.desktop.placement import Point
from minebot.errors import CaptureError, Stopped
from minebot.stop import Stop


class Pipe(Listener):
    """Hears whoever writes into a pipe."""

    def __init__(self, stop: Stop, error: Exception | None = None) -> None:
        super().__init__(stop, "a pipe")
        self.source, self.end = os.pipe()
        self.error = error

    def listen(self) -> None:
        while self.waits(self.source):
            os.read(self.source, 1)
            if self.error is not None:
                raise self.error
            self._stop.request("somebody wrote")

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        for end in (self.source, self.end):
            os.close(end)


def test_what_it_hears_is_the_stop() -> None:
    stop = Stop()
    with Pipe(stop) as pipe:
        os.write(pipe.end, b"x")
        assert stop.wait(10)
    assert stop.reason == "somebody wrote"


def test_closed_it_is_none() -> None:
    stop = Stop()
    with Pipe(stop):
        pass
    assert stop.reason is None


def test_before_anything_is_written_it_waits() -> None:
    stop = Stop()
    with Pipe(stop):
        assert stays(lambda: stop.reason is None, 0.1)


def test_a_display_that_has_gone_is_its_own_error() -> None:
    stop = Stop()
    with Pipe(stop, CaptureError("the display has gone")) as pipe:
        os.write(pipe.end, b"x")
        assert stop.wait(10)
    with pytest.raises(CaptureError, match=r"^the display has gone$"):
        stop.check()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_whatever_else_ends_it_stops_the_program() -> None:
    stop = Stop()
    with Pipe(stop, ZeroDivisionError()) as pipe:
        os.write(pipe.end, b"x")
        assert stop.wait(10)
    with pytest.raises(Stopped, match="what listens for a pipe has failed"):
        stop.check()


class TestPointerGuard:
    def test_before_the_first_click_every_place_is_fine(self) -> None:
        stop, guard = Stop(), PointerGuard()
        guard.glance(lambda: Point(5, 5), stop)
        guard.check(Point(900, 5), stop)
        stop.check()

    @pytest.mark.parametrize(("off", "stops"), [(2, False), (3, True), (-2, False), (-3, True)])
    def test_so_far_the_pointer_may_be_off(self, off: int, *, stops: bool) -> None:
        stop, guard = Stop(), PointerGuard()
        guard.placed = Point(100, 100)
        guard.glance(lambda: Point(100, 100 + off), stop)
        assert (stop.reason is not None) == stops

    def test_a_glance_does_not_wait_for_a_click_under_way(self) -> None:
        stop, guard = Stop(), PointerGuard()
        guard.placed = Point(100, 100)
        looked: list[Point] = []

        def where() -> Point:
            looked.append(Point(500, 500))
            return looked[-1]

        with guard.lock:
            other = threading.Thread(target=guard.glance, args=(where, stop))
            other.start()
            other.join(10)
            assert not looked
        guard.glance(where, stop)
        assert stop.reason == "the mouse was moved"
