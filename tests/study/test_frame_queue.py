"""Every repaint is kept until there is time to read it, and what nobody saw is told of."""

from __future__ import annotations

import threading
import time
from contextlib import suppress

import numpy as np
import pytest

from fixtures.waiting import pass_time, wait_until
from minebot.capture import Frame
from minebot.errors import WindowCovered, WindowGone
from minebot.stop import Stop, SystemClock
from minebot.study.frame_queue import FrameQueue, QueuedFrame, photographed
from tests.support.fake_clock import FakeClock

EVERY = 0.01


class Painted:
    """A screen that shows a number, and is painted anew by another thread."""

    def __init__(self) -> None:
        self.shown = 0
        self.grabbed = -1
        self._repainted = threading.Event()
        self._repainted.set()
        self.error: Exception | None = None

    def paint(self, number: int) -> None:
        self.shown = number
        self._repainted.set()

    def is_grabbed(self) -> bool:
        return self.grabbed == self.shown

    def grab(self) -> Frame:
        self._repainted.clear()
        if self.error is not None:
            raise self.error
        self.grabbed = self.shown
        return Frame(np.full((1, 1, 4), self.grabbed, np.uint8))

    def wait(self, seconds: float) -> bool:
        return self._repainted.wait(seconds)


def shown(queued: QueuedFrame | None) -> int | None:
    if queued is None or queued.frame is None:
        return None
    return int(queued.frame.pixels[0, 0, 0])


def test_who_reads_slowly_misses_no_repaint() -> None:
    screen = Painted()
    with FrameQueue(screen, SystemClock(Stop()), EVERY) as frame_source:
        seen = [shown(next(frame_source))]
        for number in range(1, 30):
            screen.paint(number)
            wait_until(screen.is_grabbed)
        end = time.monotonic() + 10
        while seen[-1] != 29 and time.monotonic() < end:
            pass_time(0.03)  # reading takes longer than repaints are apart
            seen.append(shown(next(frame_source)))
    assert sorted(set(seen), key=lambda one: -1 if one is None else one) == list(range(30))


def test_the_same_picture_says_that_time_passes() -> None:
    with FrameQueue(Painted(), SystemClock(Stop()), EVERY) as frame_source:
        first, second = next(frame_source), None
        while second is None:
            second = next(frame_source)
    assert first is not None
    assert second.taken > first.taken


def test_a_covered_window_is_no_picture_and_a_lost_one_the_end() -> None:
    screen = Painted()
    with FrameQueue(screen, SystemClock(Stop()), EVERY) as frame_source:
        assert shown(next(frame_source)) == 0
        screen.error = WindowCovered("by another")
        while (queued := next(frame_source)) is None or queued.frame is not None:
            pass
        screen.error = WindowGone("it was closed")
        with pytest.raises(WindowGone):
            list(frame_source)


def test_a_fault_of_the_program_is_no_silence() -> None:
    screen = Painted()
    screen.error = ZeroDivisionError("a fault")
    with (
        FrameQueue(screen, SystemClock(Stop()), EVERY) as frame_source,
        pytest.raises(ZeroDivisionError, match="a fault"),
    ):
        list(frame_source)


def test_it_ends_with_its_block_while_pictures_wait() -> None:
    before = threading.active_count()
    screen = Painted()
    with suppress(ZeroDivisionError), FrameQueue(screen, SystemClock(Stop()), EVERY):
        screen.paint(1)
        raise ZeroDivisionError
    assert threading.active_count() == before


class Slow:
    """A screen in make-believe time, of a machine that comes to it late."""

    def __init__(self, clock: FakeClock) -> None:
        self.clock = clock
        self.late = 0.0
        self.repaints = True

    def grab(self) -> Frame:
        return Frame(np.zeros((1, 1, 4), np.uint8))

    def wait(self, seconds: float) -> bool:
        self.clock.seconds += seconds + self.late
        return self.repaints


def test_when_nobody_looked_is_told_where_something_was_painted() -> None:
    clock = FakeClock()
    screen = Slow(clock)
    frame_source = photographed(screen, clock, 0.05)
    assert next(frame_source).blind == 0
    assert next(frame_source).blind == 0
    screen.late = 0.5
    assert next(frame_source).blind == pytest.approx(0.55)
    screen.repaints = False
    assert next(frame_source).blind == 0
