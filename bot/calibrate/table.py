"""A game of which nothing is known, at hand: look when it has come to rest, click, go on."""

from __future__ import annotations

import re
import time
from contextlib import suppress

import numpy as np

from bot.actuator import Button, Key
from bot.capture import Frame, Rect
from bot.desktop.ports import Seat
from bot.errors import WindowCovered, WindowError
from bot.profile.behaviour import Dialog
from bot.stop import Stop
from bot.vision.grid import Grid

__all__ = ["Table"]

_QUIET = 0.35
"""Seconds without a change on the board after which it has come to rest.

GNOME Mines answers first with the pointer's shade, then, up to 0.28 s after the click,
with the content.
"""
_PATIENCE = 5.0
"""Seconds in which it has to come to rest."""
_SLICE = 0.02
_GONE = 2.0
"""Seconds that a dialog gets to close."""


class Table:
    """One game's window with a seat in front of it.

    It clicks squares of the grid alone, and closes the game's own dialogs by Escape.
    """

    def __init__(self, seat: Seat, stop: Stop) -> None:
        self._seat = seat
        self._stop = stop
        self.grid: Grid | None = None
        """Where the tiles are; to be set before the first click."""
        self.frame: Frame | None = None
        """The last look."""
        self.pointer: int | None = None
        """The square that was clicked last."""
        self.answer = 0.0
        """The longest that a click took to show, in seconds."""
        self.dialogs: dict[str, Dialog] = {}
        """What had to be closed, by its title."""
        self._clicked_at: float | None = None

    def look(self) -> Frame:
        """The window once nothing changes on the board any more.

        Raises WindowCovered while a dialog lies over it, whatever the screen raises,
        WindowError when it never comes to rest.
        """
        began = quiet_since = time.monotonic()
        frame = self._seat.screen.grab()
        while (now := time.monotonic()) - quiet_since < _QUIET:
            self._stop.check()
            if now - began > _PATIENCE:
                raise WindowError("the window does not come to rest")
            self._seat.screen.wait(_SLICE)
            later = self._seat.screen.grab()
            if self._differ(frame, later):
                quiet_since = time.monotonic()
            frame = later
        if self._clicked_at is not None and self.frame is not None:
            if self._differ(self.frame, frame):
                self.answer = max(self.answer, quiet_since - self._clicked_at)
            self._clicked_at = None
        self.frame = frame
        return frame

    def _differ(self, one: Frame, other: Frame) -> bool:
        """Whether the boards in them differ; before the grid is known, the windows."""
        if one.pixels.shape != other.pixels.shape:
            return True
        left, top, width, height = self.grid.bounds if self.grid else _all(one)
        part = (slice(top, top + height), slice(left, left + width), slice(3))
        return not np.array_equal(one.pixels[part], other.pixels[part])

    def click(self, square: int, button: Button) -> None:
        """Click the middle of a square; raises what `Mouse.click` does."""
        assert self.grid is not None
        assert self.frame is not None
        y, x = divmod(square, self.grid.width)
        self._seat.mouse.click(self.frame, self.grid.centre(x, y), button)
        self.pointer = square
        self._clicked_at = time.monotonic()

    def step_aside(self) -> None:
        """Take the pointer off the board's middle: a message stays for as long as it lies there."""
        assert self.frame is not None
        self._seat.mouse.park(self.frame)
        self.pointer = None

    def press(self, key: str) -> None:
        """Press a key in the game's window; raises what `Keyboard.press` does."""
        self._seat.keyboard.press(Key.parse(key))

    def resize(self, width: int, height: int) -> None:
        """Give the window another size, if it can have one; raises WindowGone."""
        self._seat.control.resize(width, height)

    def pause(self, seconds: float) -> None:
        """Let time pass; raises Stopped as soon as the person asks for it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._stop.check()
            time.sleep(_SLICE)

    @property
    def covered(self) -> bool:
        """Whether a dialog of the game's own shows."""
        return bool(self._seat.dialogs())

    def close_dialogs(self, when: str) -> bool:
        """Close the game's own dialogs; whether there were any.

        `when` is as in `Dialog`. Raises WindowError for one that does not close.
        """
        shown = self._seat.dialogs()
        for window in reversed(shown):
            # It may still be opening, or gone before the key comes.
            with suppress(WindowCovered):
                self._seat.keyboard.press(Key("Escape"), window)
            end = time.monotonic() + _GONE
            while any(window.id == other.id for other in self._seat.dialogs()):
                self._stop.check()
                if time.monotonic() > end:
                    raise WindowError(f"{window} does not close by Escape: close it by hand")
                time.sleep(_SLICE)
            title = f"^{re.escape(window.title)}$"
            self.dialogs[window.title] = Dialog(re.compile(title), when, ("Escape",))
        return bool(shown)


def _all(frame: Frame) -> Rect:
    return Rect(0, 0, frame.width, frame.height)
