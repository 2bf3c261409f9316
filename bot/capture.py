"""Pictures and what they are of: windows, frames, and the `Screen` port where frames come from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bot.errors import UsageError

__all__ = ["Frame", "Pixel", "Point", "Rect", "Screen", "State", "Window"]


class Point(NamedTuple):
    """A place on the screen, in screen points from its top left corner."""

    x: int
    y: int


class Pixel(NamedTuple):
    """A place in a frame, in pixels from its top left corner."""

    x: int
    y: int


class Rect(NamedTuple):
    """A rectangle: left, top, width, height; in the unit of what it lies in."""

    left: int
    top: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column past the rectangle."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """The first row past the rectangle."""
        return self.top + self.height

    def holds(self, point: tuple[int, int]) -> bool:
        """Whether the point lies inside."""
        x, y = point
        return self.left <= x < self.right and self.top <= y < self.bottom

    def meets(self, other: Rect) -> bool:
        """Whether the two share at least one pixel."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def within(self, other: Rect) -> bool:
        """Whether this lies wholly inside `other`."""
        return (
            other.left <= self.left
            and other.top <= self.top
            and self.right <= other.right
            and self.bottom <= other.bottom
        )


_CORNER = Point(0, 0)
_MARGIN_POINTS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture of a window, taken at one moment.

    `pixels` has shape (height, width, 4), uint8, blue-green-red-unused, C-contiguous
    and read-only. `origin` is the screen point of its top left pixel. `scale` is how
    many pixels one screen point has: 1 on X11, 2 on macOS Retina screens.
    """

    pixels: NDArray[np.uint8]
    origin: Point = _CORNER
    scale: int = 1

    def __post_init__(self) -> None:
        shape = self.pixels.shape
        if len(shape) != 3 or shape[2] != 4 or 0 in shape or self.pixels.dtype != np.uint8:
            raise UsageError(f"a frame cannot be made of {shape} {self.pixels.dtype}")
        if not self.pixels.flags.c_contiguous:
            raise UsageError("a frame's pixels must be contiguous")
        self.pixels.flags.writeable = False

    @property
    def width(self) -> int:
        """Width in pixels."""
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        """Height in pixels."""
        return int(self.pixels.shape[0])

    def to_point(self, pixel: Pixel) -> Point:
        """The screen point that shows `pixel`."""
        return Point(self.origin.x + pixel.x // self.scale, self.origin.y + pixel.y // self.scale)

    def aside(self, step: int = 0) -> Point:
        """A screen point where a pointer is least in the way: at the left edge, half way down.

        `step` goes so many points on, for a pointer that is to be seen moving.
        """
        left = self.to_point(Pixel(0, self.height // 2))
        return Point(left.x + _MARGIN_POINTS + step, left.y)


_NOWHERE = Rect(0, 0, 0, 0)


class State(Enum):
    """Whether a window can be seen, leaving aside what covers it."""

    SHOWN = "shown"
    MINIMISED = "minimised"
    ELSEWHERE = "on another desktop"


@dataclass(frozen=True, slots=True)
class Window:
    """A program's window as it was when the windows were listed."""

    id: int
    """The window system's number for it."""
    title: str
    instance: str = ""
    """On X11 the first part of WM_CLASS, usually the program's name; otherwise the program."""
    wm_class: str = ""
    """On X11 the second part of WM_CLASS; empty elsewhere."""
    rect: Rect = _NOWHERE
    """What the program draws in, without title bar and border, in screen points."""
    state: State = State.SHOWN
    parent: int = 0
    """The number of the window that it was put in front of, as dialogs are; 0 for none."""

    @property
    def names(self) -> tuple[str, str, str]:
        """Everything that the window can be called, its number apart."""
        return (self.title, self.instance, self.wm_class)

    def __str__(self) -> str:
        program = self.instance or self.wm_class
        return f"{program} {self.title!r} ({self.id:#x})".lstrip()


class Screen(Protocol):
    """One window's picture, again and again."""

    def grab(self) -> Frame:
        """The window as it is now.

        Raises WindowError when the window is gone or no longer wholly on the
        screen, CaptureError when the capture library fails.
        """
        ...

    def wait(self, timeout: float) -> bool:
        """Sleep until the window may have repainted since the last grab.

        Returns whether it has; False after `timeout` seconds without a repaint.
        A screen that cannot tell sleeps a few milliseconds and returns True.
        """
        ...
