"""Pictures and what they are of: windows, frames, and the `Screen` port where frames come from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from minebot.errors import UsageError


class Pixel(NamedTuple):
    """A place in a frame, in pixels from its top left corner."""

    x: int
    y: int

    def __str__(self) -> str:
        return f"pixel ({self.x}, {self.y})"


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

    @classmethod
    def around(cls, rects: Iterable[Rect]) -> Self:
        """The smallest rectangle around all of them, at least one."""
        edges = ((*one[:2], one.right, one.bottom) for one in rects)
        lefts, tops, rights, bottoms = zip(*edges, strict=True)
        return cls.between(min(lefts), min(tops), max(rights), max(bottoms))

    @classmethod
    def between(cls, left: int, top: int, right: int, bottom: int) -> Self:
        """The rectangle from one corner up to the other, whose column and row lie outside."""
        return cls(left, top, right - left, bottom - top)

    @property
    def middle(self) -> Pixel:
        """The pixel in its middle, the lower right one of four."""
        return Pixel(self.left + self.width // 2, self.top + self.height // 2)

    @property
    def area(self) -> tuple[slice, slice]:
        """The rows and columns of a picture that it covers, as far as they lie inside."""
        rows = slice(max(0, self.top), max(0, self.bottom))
        return rows, slice(max(0, self.left), max(0, self.right))

    def holds(self, point: tuple[int, int]) -> bool:
        """Whether the point lies inside."""
        x, y = point
        return self.left <= x < self.right and self.top <= y < self.bottom

    def meets(self, other: Rect) -> bool:
        """Whether the two share at least one pixel."""
        shared = self.clipped(other)
        return shared.width > 0 and shared.height > 0

    def within(self, other: Rect) -> bool:
        """Whether this lies wholly inside `other`."""
        return Rect.around([self, other]) == other

    def clipped(self, other: Rect) -> Rect:
        """What of it lies inside `other`, of no width or height where nothing does."""
        left, top = max(self.left, other.left), max(self.top, other.top)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Rect.between(left, top, max(left, right), max(top, bottom))

    def grown(self, across: int, down: int) -> Rect:
        """Return the rectangle enlarged by `across` at left and right, `down` at top and bottom."""
        left, top = self.left - across, self.top - down
        return Rect.between(left, top, self.right + across, self.bottom + down)

    def moved(self, right: int, down: int) -> Rect:
        """Return the rectangle shifted by that many pixels."""
        return self._replace(left=self.left + right, top=self.top + down)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture of a window, taken at one moment."""

    pixels: NDArray[np.uint8]
    """Shape (height, width, 4), blue-green-red-unused, C-contiguous and read-only."""
    taken: float = 0.0
    """Nothing that came later is in it; seconds of the window session's clock."""
    source: object = None
    """The backend's own: where on a screen this was. Nobody else looks into it."""

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

    @property
    def bounds(self) -> Rect:
        """All of it."""
        return Rect(0, 0, self.width, self.height)

    def part(self, rect: Rect) -> NDArray[np.uint8]:
        """The pixels of a rectangle that lies inside it, of the same shape as all; not a copy."""
        return self.pixels[rect.area]


class State(Enum):
    """Whether a window can be seen, leaving aside what covers it."""

    SHOWN = "shown"
    MINIMISED = "minimised"
    ELSEWHERE = "on another desktop"


@dataclass(frozen=True, slots=True)
class Window:
    """A program's window as it was when the windows were listed."""

    id: str
    """What the window system calls it, as text: "0x60003" on X11."""
    title: str
    app_ids: tuple[str, ...] = ()
    """What its program is called, the most telling first: WM_CLASS, app_id, the executable."""
    state: State = State.SHOWN
    rect: Rect | None = None
    """What the program draws in, in points of the screen, where told: for messages alone."""
    parent: str = ""
    """The id of the window that it was put in front of, as dialogs are; empty for none."""

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that the window can be called, its id apart."""
        return (self.title, *self.app_ids)

    def __str__(self) -> str:
        return f"{''.join(self.app_ids[:1])} {self.title!r} ({self.id})".lstrip()


class Screen(Protocol):
    """One window's picture, again and again."""

    def grab(self) -> Frame:
        """The window as it is now.

        Raises WindowGone, WindowCovered, another WindowError when it is not wholly on the
        screen, CaptureError when the capture library fails.
        """

    def wait(self, seconds: float) -> bool:
        """Sleep until the window may have repainted since the last grab.

        Returns whether it has; False after `seconds` without a repaint. A screen that
        cannot tell sleeps a few milliseconds and returns True.
        """
