"""Clicks by a virtual pointer, each in one message."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from minebot.actuator import Button
from minebot.capture import Frame, Pixel, Rect
from minebot.desktop.keysyms import BUTTON_CODES
from minebot.desktop.placement import Point, WindowPlacement, locate
from minebot.desktop.wayland.connection import Connection
from minebot.desktop.wayland.idle_notify import IdleWatch
from minebot.desktop.wayland.protocols import ZwlrVirtualPointerManagerV1
from minebot.desktop.wayland.window_location import WindowLocation
from minebot.errors import CaptureError

_PRESSED, _RELEASED = 1, 0
"""Numbers of a button's states. Specified by wl_pointer."""


class WaylandMouse:
    """Clicks in one window. See `minebot.actuator.Mouse`."""

    def __init__(self, connection: Connection, place: WindowLocation, watch: IdleWatch) -> None:
        """Raises CaptureError if the compositor lets no program click."""
        manager = connection.need(ZwlrVirtualPointerManagerV1, "click")
        self._connection = connection
        self._place = place
        self._watch = watch
        self.holding: Callable[[str], AbstractContextManager[None]] | None = None
        """As `WaylandKeyboard.holding`, which comes later."""
        self._pointer = manager.create_virtual_pointer(connection.seat)
        self.press_seconds = 0.0
        self._on_board = False
        """Whether a click has left it on the board."""
        self._parked = 0
        self.clicks = 0
        """How many clicks and moves there have been: what was seen before is old."""

    def click(self, frame: Frame, at: Pixel, button: Button, held: str | None = None) -> None:
        """Press and release; see `Mouse`."""
        spot, point = locate(frame, at)
        with self._watch.own():
            self._place.guard(spot, point)
            # With a wait in between, the user's hand could come between motion and press.
            self._move(point)
            with self._held(held):
                for state in (_PRESSED, _RELEASED):
                    self._pointer.button(
                        self._connection.milliseconds(), BUTTON_CODES[button], state
                    )
                    self._pointer.frame()
                    if state == _PRESSED and self.press_seconds:
                        self._connection.flush()
                        time.sleep(self.press_seconds)
        self._on_board = True
        self.clicks += 1

    def park(self, frame: Frame, board: Rect | None = None) -> None:  # noqa: ARG002 - always there
        """Take the pointer off the board; see `Mouse`."""
        self._watch.check()
        # The user's own place for it too: nobody knows where it is, and pictures may show it.
        self._leave(locate(frame, Pixel(0, 0))[0])

    def clear(self, spot: WindowPlacement) -> None:
        """Take the pointer off what is at `spot`, of which a picture is to be taken.

        Some compositors paint it into every picture; most of it lies outside at the lower right.
        """
        if self._on_board:
            self._leave(spot)

    def _leave(self, spot: WindowPlacement) -> None:
        self._parked += 1
        corner = Point(spot.rect.right - 1 - self._parked % 2, spot.rect.bottom - 1)
        with self._watch.own():
            self._move(corner)
        self._on_board = False
        self.clicks += 1

    def _held(self, modifier: str | None) -> AbstractContextManager[None]:
        if modifier is None:
            return nullcontext()
        if self.holding is None:
            raise CaptureError(f"there is no keyboard to hold {modifier} by")
        return self.holding(modifier)

    def _move(self, point: Point) -> None:
        left, top, width, height = self._connection.layout
        now = self._connection.milliseconds()
        # To the middle of the point: on a scaled screen its edge lies between two pixels.
        x, y = 2 * (point.x - left) + 1, 2 * (point.y - top) + 1
        self._pointer.motion_absolute(now, x, y, 2 * width, 2 * height)
        self._pointer.frame()
