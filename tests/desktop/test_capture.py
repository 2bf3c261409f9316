"""Every screen keeps one contract."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pytest

from minebot.actuator import Button
from minebot.capture import Rect
from minebot.errors import WindowCovered, WindowError, WindowGone
from tests.desktop.rig import BLUE, PLACE, RIGS, Rig, rig_of

RED = 0xCC2211


@pytest.fixture(params=RIGS)
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    with rig_of(request.param, request) as rig:
        yield rig


class TestEveryScreen:
    def test_a_frame_is_the_windows_inside(self, rig: Rig) -> None:
        if rig.blurs:
            pytest.skip("XWayland's windows are blurred on a scaled screen")
        rig.paint(Rect(10, 20, 5, 5), RED)
        frame = rig.screen.grab()
        assert frame.width * PLACE.height == frame.height * PLACE.width
        wanted = np.full((frame.height, frame.width), BLUE)
        wanted[20:25, 10:15] = RED
        blue, green, red, _ = np.moveaxis(frame.pixels.astype(int), 2, 0)
        assert np.array_equal(red << 16 | green << 8 | blue, wanted)

    def test_a_frame_stays_as_it_was(self, rig: Rig) -> None:
        frame = rig.screen.grab()
        before = frame.pixels.copy()
        rig.paint(Rect(0, 0, 300, 200), RED)
        after = rig.screen.grab()
        assert np.array_equal(frame.pixels, before)
        assert not np.array_equal(frame.pixels, after.pixels)
        with pytest.raises(ValueError, match="read-only"):
            frame.pixels[0, 0, 0] = 1

    def test_it_follows_a_moved_window(self, rig: Rig) -> None:
        rig.screen.grab()
        rig.move(300, 250)
        frame = rig.grab()
        rig.click(frame, 3, 4)
        ((x, y, _),) = rig.clicks(1)
        scale = frame.width / PLACE.width
        assert abs(x - 3) < scale
        assert abs(y - 4) < scale

    def test_it_follows_one_of_another_size(self, rig: Rig) -> None:
        scale = rig.screen.grab().width / PLACE.width
        rig.resize(420, 320)
        frame = rig.grab()
        assert (frame.width, frame.height) == (420 * scale, 320 * scale)
        rig.click(frame, frame.width - 1, frame.height - 1, Button.RIGHT)
        ((x, y, _),) = rig.clicks(1)
        assert abs(x - (frame.width - 1)) < scale
        assert abs(y - (frame.height - 1)) < scale

    def test_it_says_when_a_frame_was_taken(self, rig: Rig) -> None:
        before = rig.window_session.clock.now()
        first, second = rig.screen.grab(), rig.screen.grab()
        assert before <= first.taken <= second.taken <= rig.window_session.clock.now()

    def test_without_a_repaint_waiting_ends_with_false(self, rig: Rig) -> None:
        rig.screen.grab()
        assert not rig.screen.wait(0.05)

    def test_a_repaint_since_the_grab_ends_it_at_once(self, rig: Rig) -> None:
        rig.screen.grab()
        rig.paint(Rect(0, 0, 1, 1), RED)
        start = time.monotonic()
        assert rig.screen.wait(5)
        assert rig.screen.wait(5)
        assert time.monotonic() - start < 4

    def test_a_grab_takes_note_of_the_repaint(self, rig: Rig) -> None:
        for colour in (RED, BLUE, RED):
            rig.screen.grab()
            assert not rig.screen.wait(0.02)
            rig.paint(Rect(0, 0, 300, 200), colour)
            assert rig.screen.wait(5)

    @pytest.mark.parametrize(("how", "error"), [("hide", WindowError), ("close", WindowGone)])
    def test_a_window_that_goes_ends_the_waiting_with_an_error(
        self, rig: Rig, how: str, error: type[WindowError]
    ) -> None:
        rig.screen.grab()
        getattr(rig, how)()
        assert rig.screen.wait(5)
        with pytest.raises(error, match=r"closed|minimised"):
            rig.screen.grab()

    def test_a_window_partly_off_the_screen_is_an_error(self, rig: Rig) -> None:
        rig.move(-5, 150)
        with pytest.raises(WindowError, match="not wholly on the screen"):
            rig.screen.grab()

    def test_a_covered_window_is_an_error(self, rig: Rig) -> None:
        rig.screen.grab()
        rig.cover(Rect(PLACE.right - 1, PLACE.bottom - 1, 50, 50))
        with pytest.raises(WindowCovered):
            rig.screen.grab()

    def test_a_neighbour_is_not(self, rig: Rig) -> None:
        rig.cover(Rect(PLACE.right, PLACE.top, 50, 50))
        rig.screen.grab()
