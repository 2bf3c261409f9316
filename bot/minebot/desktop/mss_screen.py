"""Captures frames of a window from the screen with mss."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any, Protocol

import numpy as np

from minebot.capture import Frame, Rect
from minebot.desktop.placement import Point, WindowPlacement
from minebot.errors import CaptureError, WindowError
from minebot.stop import Clock


class WindowTracker(Protocol):
    """What a screen, and a simple mouse, need to know about their window."""

    def look(self) -> WindowPlacement:
        """Where the window is now; raises WindowGone, WindowCovered, WindowError when hidden."""
        ...

    def wait(self, seconds: float) -> bool:
        """As `Screen.wait`, counted from the last `look`."""
        ...

    def guard(self, spot: WindowPlacement, point: Point) -> None:
        """Check that a click at the screen point reaches what was at `spot`; see `Mouse.click`."""
        ...


class WindowScreen:
    """Captures a window's pixels with one lasting mss object: a new one costs ten frames."""

    def __init__(self, place: WindowTracker, clock: Clock, display: str | None = None) -> None:
        """`display` names the X display. Raises CaptureError."""
        self._place = place
        self._clock = clock
        self._display = display
        self._mss: Any = self._connect()
        """None once it is released."""

    def grab(self) -> Frame:
        """The window as it is now; see `Screen`."""
        import mss  # noqa: PLC0415

        # mss asserts that the X server answers, even one that is gone.
        failures = (mss.ScreenShotError, AssertionError)
        try:
            return self._frame()
        except (*failures, _OffScreen):
            # The window left the screen this very moment, which a second look tells;
            # or the screen has grown, and mss's buffer has to grow with it.
            self.close()
        try:
            return self._frame()
        except failures as error:
            raise CaptureError(f"the screen could not be captured: {error}") from error

    def _frame(self) -> Frame:
        taken = self._clock.now()
        spot = self._place.look()
        self._mss = self._mss or self._connect()
        area = spot.rect._asdict()
        if not spot.rect.within(Rect(*(self._mss.monitors[0][side] for side in Rect._fields))):
            raise _OffScreen("the window is not wholly on the screen")
        shot = self._mss.grab(area)
        # The bytes are this picture's alone, so the frame may keep them as they are.
        pixels = np.frombuffer(shot.raw, np.uint8).reshape(shot.height, shot.width, 4)
        return Frame(pixels, taken, spot)

    def wait(self, seconds: float) -> bool:
        """Sleep until the window repaints; see `Screen`."""
        return self._place.wait(seconds)

    def close(self) -> None:
        """Release the capture library; a second call does nothing."""
        import mss  # noqa: PLC0415

        # mss 10.2 frees the connection to a display that is gone again each time it is closed.
        released, self._mss = self._mss, None
        if released is not None:
            # That a display is gone is told by what fails first.
            with suppress(mss.ScreenShotError):
                released.close()

    def _connect(self) -> Any:
        import mss  # noqa: PLC0415

        try:
            return mss.MSS(display=self._display) if sys.platform == "linux" else mss.MSS()
        except mss.ScreenShotError as error:
            raise CaptureError(f"the screen cannot be captured: {error}") from error


class _OffScreen(WindowError):
    """The window is not wholly on the screen, as far as mss knows the screen."""
