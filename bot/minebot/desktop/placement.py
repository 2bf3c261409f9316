"""The position of a frame on the screen, kept in `Frame.source` by backends that know it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from minebot.capture import Frame, Pixel, Rect
from minebot.errors import UsageError, WindowError, WindowMoved

_MARGIN = 4
"""Screen points from a window's edge to where the pointer is parked. Specified: inside any border
that a window manager draws to resize a window by."""
_ROOM = 12
"""Screen points at the left edge that parking there takes. Specified: three times `_MARGIN`."""


class Point(NamedTuple):
    """A place on the screen, in screen points from its top left corner."""

    x: int
    y: int

    def __str__(self) -> str:
        return f"point ({self.x}, {self.y})"


@dataclass(frozen=True, slots=True)
class WindowPlacement:
    """Where a window was when a frame of it was taken."""

    rect: Rect
    """Its inside, in screen points. A frame has more pixels than these on a scaled screen."""
    turn: int = 0
    """How often the window had been moved, resized, hidden or shown until then."""
    settled: bool = True
    """Whether the game has had time to repaint after the last of these."""

    def check(self, window: object, rect: Rect, turn: int = 0) -> None:
        """Raise WindowMoved if `rect` and `turn` are others now, or it may not be painted yet."""
        if (rect, turn) != (self.rect, self.turn):
            raise WindowMoved(f"{window} has moved or changed since it was looked at")
        if not self.settled:
            raise WindowMoved(f"{window} has moved or changed, and may not be painted yet")


def locate(frame: Frame, at: Pixel) -> tuple[WindowPlacement, Point]:
    """Where the frame was, and the screen point that showed the middle of its pixel `at`.

    Raises WindowError for a pixel outside the frame, UsageError for a frame from elsewhere.
    """
    spot = _spot(frame)
    if not (0 <= at.x < frame.width and 0 <= at.y < frame.height):
        raise WindowError(f"{at} lies outside the window's {frame.width}x{frame.height}")
    # Doubled, so that whole numbers do: a pixel's middle lies half a pixel further on.
    x = (2 * at.x + 1) * spot.rect.width // (2 * frame.width)
    y = (2 * at.y + 1) * spot.rect.height // (2 * frame.height)
    return spot, Point(spot.rect.left + x, spot.rect.top + y)


def aside(frame: Frame, step: int, board: Rect | None = None) -> Point:
    """The screen point where a pointer is least in the way: at the left edge, half way down.

    It is the right edge, or the lower one, where a `board`, in the frame's pixels, leaves more
    room: a game may light the tile nearest to the pointer. Even and odd `step`s give two points
    that lie side by side.
    """
    rect = _spot(frame).rect
    across, down = rect.width // 2, rect.height // 2
    left = Point(rect.left + _MARGIN + step % 2, rect.top + down)
    if board is None:
        return left
    right = Point(rect.right - 1 - _MARGIN - step % 2, rect.top + down)
    below = Point(rect.left + across + step % 2, rect.bottom - 1 - _MARGIN)
    wide, high = rect.width / frame.width, rect.height / frame.height
    room = {
        left: wide * board.left,
        right: wide * (frame.width - board.right),
        below: high * (frame.height - board.bottom),
    }
    return left if room[left] > _ROOM else max(room, key=lambda point: room[point])


def _spot(frame: Frame) -> WindowPlacement:
    if not isinstance(frame.source, WindowPlacement):
        raise UsageError("this frame was not taken from the screen")
    return frame.source
