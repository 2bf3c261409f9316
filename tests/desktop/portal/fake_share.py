"""A make-believe shared window: what a portal, PipeWire and a desktop with its user do."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minebot.actuator import Button
from minebot.capture import Rect
from minebot.desktop.portal.portal_session import WINDOW, Stream

BUTTONS = {0x110: Button.LEFT, 0x111: Button.RIGHT}


class FakePicture:
    """A picture that has come through the stream."""

    def __init__(self, pixels: NDArray[np.uint8]) -> None:
        self._pixels = pixels.copy()

    @property
    def size(self) -> tuple[int, int]:
        return self._pixels.shape[1], self._pixels.shape[0]

    def pixels(self, area: Rect | None = None) -> NDArray[np.uint8]:
        if area is None:
            return self._pixels.copy()
        return self._pixels[area.top : area.bottom, area.left : area.right].copy()


class FakeShare:
    """One window, shared with `scale` pixels to a point; several threads may use it."""

    def __init__(self, pixels: NDArray[np.uint8], scale: float = 1.0) -> None:
        height, width, _ = pixels.shape
        self.stream = Stream(7, WINDOW, (round(width / scale), round(height / scale)))
        self._size = self.stream.size
        self.has_keyboard = True
        self.is_warm = False
        self.scale = scale
        self.pointer = (0.0, 0.0)
        self.clicks: list[tuple[float, float, Button]] = []
        """Where in the window, in points, and with what."""
        self.notified: list[tuple[Any, ...]] = []
        """What was asked of the portal: method, what it took."""
        self.reason: str | None = None
        """Why the stream has ended."""
        self._pixels = pixels.copy()
        self._coming = [FakePicture(self._pixels)]
        self.is_stuck = False
        """Whether pictures get stuck on their way, but for those of a restart."""
        self.starts = True
        """Whether a restart brings a picture."""
        self._more = threading.Condition()
        self._active = time.monotonic()
        self.last: FakePicture | None = None
        """What came through the stream last."""

    # -- what the portal does

    def notify(self, member: str, signature: str, *body: Any) -> None:
        assert len(signature) == len(body)
        self.notified.append((member, *body))
        self.be_active()
        if member == "NotifyPointerMotionAbsolute":
            node, *place = body
            assert node == self.stream.node
            assert self._size is not None
            assert all(0 <= at < size for at, size in zip(place, self._size, strict=True))
            self.pointer = (place[0], place[1])
        elif member == "NotifyPointerButton" and body[1]:
            self.clicks.append((*self.pointer, BUTTONS[body[0]]))

    # -- what PipeWire does

    def next(self, seconds: float) -> FakePicture | None:
        with self._more:
            self._more.wait_for(lambda: self._coming or self.reason, seconds)
            if not self._coming:
                return None
            self.last = self._coming.pop(0)
            return self.last

    def restart(self) -> None:
        with self._more:
            self._coming = [FakePicture(self._pixels)] if self.starts else []

    def problem(self) -> str | None:
        return self.reason

    # -- what the desktop and its user do

    def idle_seconds(self) -> float:
        return time.monotonic() - self._active

    def be_active(self) -> None:
        """Somebody moves the mouse or presses a key."""
        self._active = time.monotonic()

    def paint(self, rect: Rect, colour: tuple[int, int, int, int]) -> None:
        """The game repaints a part of its window, in pixels."""
        self._pixels[rect.top : rect.bottom, rect.left : rect.right] = colour
        self.show(self._pixels)

    def show(self, pixels: NDArray[np.uint8]) -> None:
        """The window shows something else, of any size."""
        self._pixels = pixels.copy()
        height, width, _ = pixels.shape
        self._size = round(width / self.scale), round(height / self.scale)
        with self._more:
            if not self.is_stuck:
                self._coming.append(FakePicture(pixels))
            self._more.notify_all()

    def end(self, reason: str) -> None:
        """The stream ends."""
        with self._more:
            self.reason = reason
            self._more.notify_all()
