"""A make-believe desktop for tests and rehearsals: one window, and a person's hands.

It keeps the contracts of `Screen`, `Mouse`, `Keyboard` and `Desktop` without a
display. What a person, or the game, may do meanwhile is done to the `FakeDesk`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bot.actuator import Button
from bot.capture import Frame, Pixel, Point, Rect, State, Window
from bot.desktop.pointer_guard import Leash
from bot.desktop.ports import Seat
from bot.errors import WindowCovered, WindowError, WindowMoved
from bot.stop import Stop

__all__ = ["FakeDesk", "FakeKeyboard", "FakeMouse", "FakeScreen"]

_CLOSING = ("Escape", "Return")


class FakeDesk:
    """A desktop with one window on it; see `bot.desktop.ports.Desktop`.

    `on_click` and `on_key` are the game: called with the place in the window and
    the button, or the key, they may `paint`. While there are `dialogs` they cover
    the window; Escape or Return pressed in one of them closes it.
    """

    def __init__(
        self,
        pixels: NDArray[np.uint8],
        corner: Point = Point(100, 100),  # noqa: B008 - a Point is an immutable tuple
        screen: Rect = Rect(0, 0, 1920, 1080),  # noqa: B008 - so is a Rect
    ) -> None:
        """`pixels` is what the window shows, as in a `Frame`."""
        height, width, _ = pixels.shape
        self.screen = screen
        self.window = Window(
            0x600003, "Mines", "sgt-mines", "Sgt-mines", Rect(*corner, width, height)
        )
        self.gone = False
        self.covered: Rect | None = None
        """What another window hides, in screen points."""
        self.pointer = Point(0, 0)
        self.clicks: list[tuple[Pixel, Button]] = []
        """What has been clicked, by its place in the window."""
        self.keys: list[str] = []
        self.dialogs: list[Window] = []
        """The game's other windows, in front of it."""
        self.focused = 0
        """How often the window was given the keyboard."""
        self.repainted = False
        self.on_click: Callable[[Pixel, Button], None] | None = None
        self.on_key: Callable[[str], None] | None = None
        self.on_enlarge: Callable[[], bool] | None = None
        """What the game does when its window is made larger; whether it was."""
        self.on_resize: Callable[[int, int], None] | None = None
        """The game paints itself anew in a window of another size; it cannot have one if None."""
        self._pixels = pixels.copy()

    def windows(self) -> list[Window]:
        """The one window, unless it is gone."""
        return [] if self.gone else [self.window]

    def front(self, window: Window) -> None:
        """Show and uncover the window. Raises WindowError when it is gone."""
        if self.gone or window.id != self.window.id:
            raise WindowError("the window has been closed")
        self.window = replace(self.window, state=State.SHOWN)
        self.covered = None

    def enlarge(self, window: Window) -> bool:
        """The game shows what it has for a larger window, if it is given one."""
        if self.gone or window.id != self.window.id:
            raise WindowError("the window has been closed")
        return self.on_enlarge is not None and self.on_enlarge()

    def resize(self, window: Window, width: int, height: int) -> bool:
        """The game shows what it has for that size, if it takes another."""
        if self.gone or window.id != self.window.id:
            raise WindowError("the window has been closed")
        before = self.window.rect
        if self.on_resize is not None:
            self.on_resize(width, height)
        return self.window.rect[2:] != before[2:]

    @contextmanager
    def open(self, window: Window, stop: Stop) -> Iterator[Seat]:
        """A seat in front of the window."""
        if self.gone or window.id != self.window.id:
            raise WindowError("the window has been closed")
        screen = FakeScreen(self)
        mouse, keyboard = FakeMouse(self, stop, screen), FakeKeyboard(self, stop)
        yield Seat(screen, mouse, keyboard, lambda: list(self.dialogs))

    def paint(self, pixels: NDArray[np.uint8]) -> None:
        """The game shows something new, of any size."""
        self._pixels = pixels.copy()
        height, width, _ = pixels.shape
        self.window = replace(self.window, rect=Rect(*self.window.rect[:2], width, height))
        self.repainted = True

    def move(self, corner: Point) -> None:
        """The person moves the window."""
        self.window = replace(self.window, rect=Rect(*corner, *self.window.rect[2:]))
        self.repainted = True

    def minimise(self) -> None:
        """The person puts the window away."""
        self.window = replace(self.window, state=State.MINIMISED)
        self.repainted = True

    def close(self) -> None:
        """The person closes the window."""
        self.gone = True
        self.repainted = True

    def look(self) -> Rect:
        """Where the window is. Raises WindowError when it cannot be seen wholly."""
        rect = self.window.rect
        if self.gone:
            raise WindowError("the window has been closed")
        if self.window.state is not State.SHOWN:
            raise WindowError(f"{self.window} is {self.window.state.value}")
        if not rect.within(self.screen):
            raise WindowError(f"{self.window} is not wholly on the screen")
        if self.dialogs:
            raise WindowCovered(f"{self.window} is covered by {self.dialogs[0]}")
        if self.covered is not None and self.covered.meets(rect):
            raise WindowCovered(f"{self.window} is covered")
        return rect

    def picture(self) -> NDArray[np.uint8]:
        """What the window shows now."""
        return self._pixels.copy()


class FakeScreen:
    """The window's pixels; see `bot.capture.Screen`. `wait` takes no time."""

    def __init__(self, desk: FakeDesk) -> None:
        self._desk = desk
        self.rect = desk.window.rect
        """Where the last frame showed the window."""

    def grab(self) -> Frame:
        """The window as it is now."""
        self._desk.repainted = False
        self.rect = self._desk.look()
        return Frame(self._desk.picture(), Point(self.rect.left, self.rect.top))

    def wait(self, timeout: float) -> bool:  # noqa: ARG002 - make-believe time
        """Whether the window has repainted since the last grab."""
        return self._desk.repainted


class FakeMouse:
    """Clicks in the window; see `bot.actuator.Mouse`."""

    def __init__(self, desk: FakeDesk, stop: Stop, screen: FakeScreen) -> None:
        self._desk = desk
        self._stop = stop
        self._screen = screen
        self._leash = Leash()

    def click(self, point: Point, button: Button) -> None:
        """Write the click down, and let the game answer."""
        desk = self._desk
        self._stop.check()
        self._leash.check(desk.pointer, self._stop)
        self._reach(point)
        desk.pointer = point
        self._leash.leave(point)
        pixel = Pixel(point.x - desk.window.rect.left, point.y - desk.window.rect.top)
        desk.clicks.append((pixel, button))
        if desk.on_click is not None:
            desk.on_click(pixel, button)

    def rest(self, point: Point) -> None:
        """Move there; see `bot.actuator.Mouse`."""
        self._stop.check()
        if not self._leash.is_free:
            self._leash.check(self._desk.pointer, self._stop)
            self._desk.pointer = point
            self._leash.leave(point)

    def _reach(self, point: Point) -> None:
        desk = self._desk
        if desk.gone:
            raise WindowError("the window has been closed")
        if desk.window.rect != self._screen.rect:
            raise WindowMoved(f"{desk.window} has moved since it was last looked at")
        if not desk.window.rect.holds(point):
            raise WindowError(f"({point.x}, {point.y}) lies outside {desk.window}")
        if desk.window.state is not State.SHOWN:
            raise WindowError(f"{desk.window} is {desk.window.state.value}")
        if desk.dialogs or (desk.covered is not None and desk.covered.holds(point)):
            raise WindowCovered(f"{desk.window} is covered at ({point.x}, {point.y})")


class FakeKeyboard:
    """Types into the window; see `bot.actuator.Keyboard`."""

    def __init__(self, desk: FakeDesk, stop: Stop) -> None:
        self._desk = desk
        self._stop = stop

    def press(self, key: str, window: Window | None = None) -> None:
        """Write the key down, and let the game answer."""
        self._stop.check()
        if self._desk.gone:
            raise WindowError("the window has been closed")
        self._desk.keys.append(key)
        if window is not None:
            if key in _CLOSING and window in self._desk.dialogs:
                self._desk.dialogs.remove(window)
            self._desk.repainted = True
        elif self._desk.on_key is not None:
            self._desk.on_key(key)

    def focus(self) -> None:
        """Write down that the window was given the keyboard."""
        self._desk.focused += 1
