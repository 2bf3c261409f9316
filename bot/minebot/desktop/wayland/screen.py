"""Frames of the game's window, and when it may have repainted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from minebot.capture import Frame
from minebot.desktop.placement import WindowPlacement
from minebot.desktop.wayland.frame_capture import Copy, FrameCapture
from minebot.desktop.wayland.virtual_input import VirtualInput, WindowLocation
from minebot.errors import CaptureError, WindowError
from minebot.stop import Clock

_BURST = 0.012
"""Seconds that are clicked before the game's answer is looked at: it needs 0.004 for one at
240 pictures a second, 0.011 at 60. Measured: with 0.008 boards take a tenth longer at 240."""

_TRIES = 3
"""Pictures taken of a window that changes meanwhile. Specified: a limit; it is looked at again."""


class WaylandScreen:
    """One window's pictures. See `minebot.capture.Screen`."""

    def __init__(
        self, camera: FrameCapture, place: WindowLocation, mouse: VirtualInput, clock: Clock
    ) -> None:
        self._camera = camera
        self._place = place
        self._mouse = mouse
        self._clock = clock
        self._waiting: tuple[Copy, WindowPlacement, int] | None = None
        """A picture that comes with the next repaint; of what; and the clicks before it."""
        self._fresh: tuple[NDArray[np.uint8], WindowPlacement, int, float] | None = None
        """A picture that came so, with the moment at which it was there."""
        self._grabbed = clock.now()
        self._last: Frame | None = None
        self._clicks = 0
        """How many clicks there had been at the last grab."""

    def grab(self) -> Frame:
        """The window as it is now; see `Screen`."""
        output, spot = self._place.look()
        self._mouse.clear(spot)
        fresh, self._fresh = self._fresh, None
        if fresh is not None and fresh[1:3] == (spot, self._mouse.clicks):
            pixels, _, _, taken = fresh
            return self._frame(pixels, taken, spot)
        self._drop()
        for _ in range(_TRIES):
            taken = self._clock.now()
            picture = self._camera.finish(self._camera.ask(output, spot.rect))
            if picture is None:
                raise CaptureError("the Wayland compositor shows no picture: is the screen off?")
            # What the compositor showed while the window moved may be of another place.
            after, now = self._place.look()
            if (after, now) == (output, spot):
                return self._frame(picture, taken, spot)
            output, spot = after, now
        raise WindowError("the window does not keep still")

    def wait(self, seconds: float) -> bool:
        """Sleep until the window may have repainted; see `Screen`."""
        if self._mouse.clicks != self._clicks and seconds == 0:
            return self._clock.now() - self._grabbed > _BURST
        end = self._clock.now() + seconds
        while self._fresh is None:
            left = max(0.0, end - self._clock.now())
            try:
                self._watch_window(left)
            except WindowError:
                return True  # the next grab says so
            if left == 0:
                break
        return self._fresh is not None

    def _watch_window(self, seconds: float) -> None:
        """Wait for a picture of a repaint; it is `_fresh` if the window has changed in it.

        The compositor tells of repaints anywhere on the screen.
        """
        if self._waiting is None:
            output, spot = self._place.look()
            self._mouse.clear(spot)
            copy = self._camera.ask(output, spot.rect, when_damaged=True)
            self._waiting = copy, spot, self._mouse.clicks
        copy, spot, clicks = self._waiting
        pixels = self._camera.finish(copy, seconds)
        if pixels is None:
            return
        self._waiting = None
        last = self._last
        if last is None or last.source != spot or not np.array_equal(pixels, last.pixels):
            self._fresh = pixels, spot, clicks, self._clock.now()

    def close(self) -> None:
        """Give back what pictures need."""
        self._drop()
        self._camera.close()

    def _frame(self, pixels: NDArray[np.uint8], taken: float, spot: WindowPlacement) -> Frame:
        self._grabbed = self._clock.now()
        self._clicks = self._mouse.clicks
        self._last = Frame(pixels, taken, spot)
        return self._last

    def _drop(self) -> None:
        if self._waiting is not None:
            self._waiting[0].drop()
            self._waiting = None
