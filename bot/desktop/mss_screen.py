"""Frames of a window by mss, which reads them off the screen."""

from __future__ import annotations

import sys
from typing import Any, Protocol

import numpy as np

from bot.capture import Frame, Point, Rect
from bot.errors import CaptureError

__all__ = ["Place", "WindowScreen"]


class Place(Protocol):
    """What a screen has to know of its window."""

    def look(self) -> Rect:
        """Where the window is now, in screen points.

        Raises WindowError when it is closed, hidden, covered or not wholly on the screen.
        """
        ...

    def wait(self, timeout: float) -> bool:
        """As `Screen.wait`, counted from the last `look`."""
        ...


class WindowScreen:
    """A window's pixels off the screen, through one long-lived mss object.

    A new mss object for every frame would cost ten times as much as the frame.
    """

    def __init__(self, place: Place, display: str | None = None) -> None:
        """`display` names the X display. Raises CaptureError."""
        self._place = place
        self._display = display
        self._mss = self._connect()

    def grab(self) -> Frame:
        """The window as it is now; see `Screen`."""
        import mss  # noqa: PLC0415

        try:
            return self._frame()
        except mss.ScreenShotError:
            # The window left the screen this very moment, which a second look tells;
            # or the screen has grown, and mss's buffer has to grow with it.
            self._mss.close()
            self._mss = self._connect()
        try:
            return self._frame()
        except mss.ScreenShotError as error:
            raise CaptureError(f"the screen could not be captured: {error}") from error

    def _frame(self) -> Frame:
        rect = self._place.look()
        area = {"left": rect.left, "top": rect.top, "width": rect.width, "height": rect.height}
        shot = self._mss.grab(area)
        # The bytes are this picture's alone, so the frame may keep them as they are.
        pixels = np.frombuffer(shot.raw, np.uint8).reshape(shot.height, shot.width, 4)
        return Frame(pixels, Point(rect.left, rect.top), scale=shot.width // rect.width)

    def wait(self, timeout: float) -> bool:
        """Sleep until the window repaints; see `Screen`."""
        return self._place.wait(timeout)

    def close(self) -> None:
        """Let go of the capture library; a second time does nothing."""
        self._mss.close()

    def _connect(self) -> Any:
        import mss  # noqa: PLC0415

        try:
            return mss.MSS(display=self._display) if sys.platform == "linux" else mss.MSS()
        except mss.ScreenShotError as error:
            raise CaptureError(f"the screen cannot be captured: {error}") from error
