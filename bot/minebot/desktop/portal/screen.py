"""The shared picture as a `Screen`: which of its frames are valid, and for how long.

A desktop sends a picture only when something has changed, so the last one is valid until another
comes. But just after a click or a key, a picture may arrive that was taken before it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minebot.capture import Frame, Pixel, Rect
from minebot.desktop.portal.gst import Pipeline
from minebot.errors import CaptureError, UsageError, WindowError, WindowGone
from minebot.stop import POLL_SECONDS, Clock

MONITOR, WINDOW = 1, 2
"""Source types. Specified by the ScreenCast portal."""
_ANSWER = 0.25
"""Seconds after input in which its effect has come, if it has any that can be seen. Measured on
GNOME 43 painting without a GPU: 0.03 to 0.24, 0.08 usually."""
_FIRST = 10.0
"""Seconds that the first picture may take; measured on GNOME 43: 0.02 to 0.4, and once over 5 on a
machine that was busy with other programs."""
_AROUND = 4
"""Pixels around a click that must not have changed. Specified: the smallest cells read have 10."""
_MARGIN = 4
"""Units from the left edge to where the pointer is parked. Specified, as in `placement`."""
_SQUARE = 0.02
"""Share by which the two sides' scales may differ. Specified: sizes are rounded to whole numbers,
which is a fiftieth of a window of 50 pixels."""


@dataclass(frozen=True, slots=True)
class Stream:
    """What the user shares."""

    node: int
    """Its number in PipeWire."""
    kind: int
    """`MONITOR`, `WINDOW`, or 0 if the portal does not say."""
    size: tuple[int, int] | None
    """Its width and height in the units in which it is pointed at, where the portal tells."""


@dataclass(frozen=True, slots=True)
class StreamPosition:
    """Which of the stream's pictures a frame is."""

    number: int
    scale: tuple[float, float]
    """Pixels to a unit in which the stream is pointed at, across and down."""


class PortalScreen:
    """The stream's pictures. For one thread."""

    def __init__(self, pictures: Pipeline, stream: Stream, clock: Clock) -> None:
        self._pictures = pictures
        self._stream = stream
        self._clock = clock
        # A still screen sends no other.
        self._newest = pictures.last
        self._number = 0 if self._newest is None else 1
        """Number of pictures received."""
        self._old = 0
        """Number of pictures received before the last input was sent."""
        self._answered = clock.now()
        """When that input's effect has come, in seconds of the clock."""
        self._frame: Frame | None = None
        self._scale: tuple[float, float] | None = None
        self._problem: str | None = None

    def grab(self) -> Frame:
        """The picture as it is now; see `minebot.capture.Screen`.

        After input it is one that came later, or, when none has come in time, the one from
        before, which nothing has changed then. Raises WindowGone, CaptureError, Stopped.
        """
        while self._problem is None and not self._has_current():
            self._clock.sleep(0)  # raises Stopped
            self._take(POLL_SECONDS)
        taken = self._clock.now()
        self._take(0)
        if self._problem is not None:
            raise self._ended(self._problem)
        assert self._newest is not None
        number = self._number
        if self._frame is None or _shown(self._frame).number != number:
            pixels = self._newest.pixels()
        else:
            pixels = self._frame.pixels
        self._frame = Frame(pixels, taken, StreamPosition(number, self._scale_of(pixels)))
        return self._frame

    def wait(self, seconds: float) -> bool:
        """Sleep until there is a picture newer than the last frame; see `minebot.capture.Screen`.

        One from before the last input is none.
        """
        end = self._clock.now() + seconds
        self._take(0)
        while not self._has_news():
            left = end - self._clock.now()
            if left <= 0:
                return False
            self._clock.sleep(0)  # raises Stopped
            self._take(min(left, POLL_SECONDS))
        return True

    def note_input(self) -> None:
        """Note that the desktop has just taken input: all pictures so far are older."""
        self._take(0)
        self._old = self._number
        self._answered = self._clock.now() + _ANSWER

    def point(self, frame: Frame, at: Pixel) -> tuple[float, float]:
        """Where the middle of a frame's pixel is, in the units in which the stream is pointed at.

        Raises WindowError for a pixel outside the frame, UsageError for a frame from elsewhere.
        """
        across, down = _shown(frame).scale
        if not (0 <= at.x < frame.width and 0 <= at.y < frame.height):
            raise WindowError(f"{at} lies outside the picture's {frame.width}x{frame.height}")
        return (at.x + 0.5) / across, (at.y + 0.5) / down

    def edge(self, frame: Frame, step: int = 0) -> tuple[float, float]:
        """Where a pointer is least in the way: at the left edge, half way down.

        In the stream's units; even and odd `step`s give two places that lie side by side.
        """
        across, down = _shown(frame).scale
        return min(_MARGIN + step % 2, (frame.width - 0.5) / across), frame.height / 2 / down

    def still_shows(self, frame: Frame, at: Pixel) -> bool:
        """Whether the newest picture looks the same there. Raises WindowGone, CaptureError."""
        self._take(0)
        if self._problem is not None:
            raise self._ended(self._problem)
        if self._newest is None or _shown(frame).number == self._number:
            return True
        if self._newest.size != (frame.width, frame.height):
            return False
        around = Rect(*at, 1, 1).grown(_AROUND, _AROUND).clipped(frame.bounds)
        # The fourth byte of a pixel means nothing.
        now, then = self._newest.pixels(around)[..., :3], frame.part(around)[..., :3]
        return np.array_equal(now, then)

    def _has_current(self) -> bool:
        """Whether the newest picture is to be believed; raises CaptureError if none ever comes."""
        if self._number == 0:
            if self._clock.now() > self._answered + _FIRST:
                raise CaptureError(
                    "the desktop sends no picture of what was shared: run minebot again, and "
                    "share the screen in place of the window, or the window in place of the screen"
                )
            return False
        return self._number > self._old or self._clock.now() >= self._answered

    def _has_news(self) -> bool:
        if self._problem is not None:
            return True
        grabbed = 0 if self._frame is None else _shown(self._frame).number
        return self._number > grabbed and self._has_current()

    def _take(self, seconds: float) -> None:
        """Take the newest picture, or wait up to `seconds` for the next one."""
        picture = self._pictures.next(seconds)
        if picture is None:
            self._problem = self._problem or self._pictures.problem()
        while picture is not None:
            self._newest = picture
            self._number += 1
            picture = self._pictures.next(0)

    def _ended(self, problem: str) -> WindowError | CaptureError:
        if self._stream.kind == WINDOW:
            return WindowGone(f"the shared window is closed, or not shared any more: {problem}")
        return CaptureError(f"the shared screen cannot be seen any more: {problem}")

    def _scale_of(self, pixels: NDArray[np.uint8]) -> tuple[float, float]:
        """Pixels to a unit; raises CaptureError when clicks could miss what the picture shows."""
        height, width, _ = pixels.shape
        if self._scale is None:
            across, down = self._stream.size or (width, height)
            self._scale = (width / across, height / down)
            if abs(self._scale[0] / self._scale[1] - 1) > _SQUARE:
                raise CaptureError(
                    f"the shared picture has {width}x{height} pixels for {across}x{down} points, "
                    "so clicks could miss: run minebot again, and share the whole screen"
                )
        elif (
            self._stream.kind != WINDOW
            and self._frame is not None
            and (width, height) != (self._frame.width, self._frame.height)
        ):
            raise CaptureError("the shared screen has another size now: run minebot again")
        return self._scale


def _shown(frame: Frame) -> StreamPosition:
    if not isinstance(frame.source, StreamPosition):
        raise UsageError("this frame was not taken from the shared picture")
    return frame.source
