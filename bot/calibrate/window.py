"""The window of a game of which nothing is known: looked at at rest, clicked, resized."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from bot.actuator import Button, Key
from bot.capture import Frame, Pixel, Rect
from bot.desktop.ports import Seat
from bot.errors import WindowCovered, WindowError, WindowHidden, WindowMoved, WindowRestless
from bot.play.answers import answer
from bot.play.dialogs import Dialogs
from bot.play.identify import browses
from bot.play.timing import Timing as PlayTiming
from bot.profile.behaviour import Dialog
from bot.stop import Clock, Stop
from bot.vision.changes import differing
from bot.vision.grid import Grid


@dataclass(frozen=True, slots=True)
class Timing:
    """How long an unknown game is waited for, in seconds."""

    quiet: float = 0.35
    """Without a change on the board for so long, it has come to rest. GNOME Mines answers
    first with the pointer's shade, then, up to 0.28 s after the click, with the content:
    measured."""
    restless: float = 15.0
    """In which it has to come to rest: KMines' slowest fading out takes 1, a page that blows up
    mine after mine 8, confetti up to 12."""
    late: float = 1.5
    """That a click may go unanswered which has ended a game: one page shakes first, and waits a
    second before it shows its mines."""
    message: float = 7.0
    """That a message may lie over the board at the end of a game; KMines' does for 5: measured."""
    own: float = 3.0
    """After a click or a key a window that comes is the game's answer; later, or before any,
    it is the user's. Guessed."""
    covered: float = 10.0
    """In which the user may take away what covers a game that has ended. Guessed."""
    pause: float = 0.5
    """Between two looks at a board that has to come back."""


CLOSES = "Escape"
"""What closes a browser's messages and menus."""
_SHOWN = 0.08
"""Seconds for which the board of an ended game is to be seen before something hides it. Guessed:
shorter, it may still be fading."""
_SMALL = 0.02
"""A part of the window that may go on changing where the grid is not known. Guessed: a clock."""
_SLICE = 0.02
"""Seconds between two looks at a window that does not tell when it is repainted."""
_VEILED = 0.95
"""Such a share of the tiles has changed when a message dims all of a page. Guessed."""
_POLL = 0.25
"""Seconds between two looks for windows in front of the game while it is left alone."""


class Table:
    """One game's window with a seat in front of it.

    It clicks squares of the grid alone, and closes by Escape what the game has put in
    front of its window in answer to a click or a key.
    """

    def __init__(self, seat: Seat, stop: Stop, clock: Clock, timing: Timing) -> None:
        self._seat = seat
        self._stop = stop
        self.clock = clock
        self.timing = timing
        self.grid: Grid | None = None
        """Where the tiles are; to be set before the first click."""
        self.frame: Frame | None = None
        """The last look."""
        self.unhidden: Frame | None = None
        """What it showed of the board before something came to lie over it, if it did."""
        self.message: Frame | None = None
        """What the game's own window shows over the board that has ended, as long as it does."""
        self.press_seconds = 0.0
        """For how long a button is held down at each click."""
        self.gone = False
        """Whether the game has closed the window once it had ended."""
        self.renewed = False
        """Whether a new board has come by itself since the last game."""
        self.pointer: int | None = None
        """The square that was clicked last."""
        self.answer = 0.0
        """The longest that a click took to show, in seconds."""
        self.dialogs: dict[str, Dialog] = {}
        """What had to be closed, by its title."""
        self._clicked_at: float | None = None
        self._acted_at: float | None = None
        """When the last click or key was sent."""
        self._came: dict[object, bool] = {}
        """Of each window in front of the game whether it came as an answer."""
        self._note_dialogs()

    def look(self, hides: Callable[[Frame], bool] = lambda _: False) -> Frame:
        """The window once nothing changes on the board any more.

        `hides` tells whether something seems to lie over the board; `unhidden` is then what was
        seen of it before that came. Raises WindowCovered while a dialog lies over it, whatever
        the screen raises, WindowRestless when it never comes to rest.
        """
        self._note_dialogs()
        self._stop.check()
        self.unhidden = None
        began = quiet_since = self.clock.now()
        frame = self._grab()
        while (now := self.clock.now()) - quiet_since < self.timing.quiet:
            if now - began > self.timing.restless:
                raise WindowRestless("the window does not come to rest")
            self._seat.screen.wait(_SLICE)
            self._stop.check()
            later = self._grab()
            if self._differ(frame, later):
                stood = self.clock.now() - quiet_since
                if self.unhidden is None and stood >= _SHOWN and hides(later) and not hides(frame):
                    self.unhidden = frame
                quiet_since = self.clock.now()
            frame = later
        self._note_dialogs()
        if self._clicked_at is not None and self.frame is not None:
            if self._differ(self.frame, frame):
                self.answer = max(self.answer, quiet_since - self._clicked_at)
            self._clicked_at = None
        self.frame = frame
        return frame

    def _grab(self) -> Frame:
        """A picture of the window; some games take it down for a moment with each new board."""
        end = self.clock.now() + self.timing.own
        while True:
            try:
                return self._seat.screen.grab()
            except WindowHidden:
                if self.clock.now() > end:
                    raise
            self.pause(_SLICE)

    def _differ(self, one: Frame, other: Frame) -> bool:
        """Whether the boards in them differ; before the grid is known, the windows.

        A clock, or something else that is small, may go on beside a board that rests.
        """
        if one.pixels.shape != other.pixels.shape:
            return True
        part = self.grid.bounds if self.grid else Rect(0, 0, one.width, one.height)
        shown = (slice(part.top, part.bottom), slice(part.left, part.right), slice(3))
        if np.array_equal(one.pixels[shown], other.pixels[shown]):
            return False
        if self.grid is not None:
            return True
        rows, columns = np.nonzero((one.pixels[shown] != other.pixels[shown]).any(axis=2))
        return bool(np.ptp(rows) * np.ptp(columns) > _SMALL * one.width * one.height)

    def click(self, square: int, button: Button = Button.LEFT, held: str | None = None) -> None:
        """Click the middle of a square; `held` and what it raises are as of `Mouse.click`."""
        assert self.grid is not None
        assert self.frame is not None
        y, x = divmod(square, self.grid.width)
        at = self.grid.centre(x, y)
        self._send(lambda frame: self._seat.mouse.click(frame, at, button, held))
        self.pointer = square
        self._clicked_at = self._acted_at = self.clock.now()

    def press_button(self, at: Pixel) -> None:
        """Click what lies beside the board; raises what `Mouse.click` does."""
        self._send(lambda frame: self._seat.mouse.click(frame, at, Button.LEFT))
        self.pointer = None
        self._acted_at = self.clock.now()

    def _send(self, click: Callable[[Frame], None]) -> None:
        """Click by the last look, or by a later one that shows the same.

        The window may have been given another size, and its own again; one that never stops
        painting counts as painted only some seconds later.
        """
        assert self.frame is not None
        before = self.frame
        self._seat.mouse.press_seconds = self.press_seconds
        self._note_dialogs()
        end = self.clock.now() + self.timing.restless
        while True:
            try:
                click(self.frame)
            except WindowMoved:
                if self.clock.now() > end or self._differ(before, self.look()):
                    raise
                self.pause(self.timing.pause)
            else:
                return

    @property
    def in_browser(self) -> bool:
        """Whether the game is a page, and many keys are the browser's."""
        return browses(self._seat.window)

    def is_veiled(self, before: Frame) -> bool:
        """Whether nearly every tile has changed since, as below a message that dims a page."""
        if (
            self.grid is None
            or self.frame is None
            or before.pixels.shape != self.frame.pixels.shape
        ):
            return False
        tiles = self.grid.width * self.grid.height
        return differing(before, self.frame, self.grid) >= _VEILED * tiles

    def step_aside(self) -> None:
        """Take the pointer off the board's middle: a message stays for as long as it lies there."""
        assert self.frame is not None
        self._seat.mouse.park(self.frame, self.grid.bounds if self.grid is not None else None)
        self.pointer = None

    def press(self, key: str) -> None:
        """Press a key in the game's window; raises what `Keyboard.press` does."""
        self._note_dialogs()
        try:
            self._seat.keyboard.press(Key.parse(key))
        except WindowError:
            # One more may have come after those that were closed.
            if not self.covered:
                raise
            self.close_dialogs("ended")
            self._seat.keyboard.press(Key.parse(key))
        self._acted_at = self.clock.now()

    def resize(self, width: int, height: int) -> None:
        """Give the window another size, if it can have one; raises WindowGone."""
        self._seat.control.resize(width, height)

    def pause(self, seconds: float) -> None:
        """Let time pass; raises Stopped as soon as the user asks for it."""
        end = self.clock.now() + seconds
        while (left := end - self.clock.now()) > 0:
            self.clock.sleep(min(left, _POLL))
            self._note_dialogs()

    @property
    def covered(self) -> bool:
        """Whether a dialog of the game's own shows."""
        return bool(self._seat.dialogs())

    def close_dialogs(self, when: str, keys: Sequence[str] = ("Escape",)) -> None:
        """Close what the game has put in front of its window by these keys, and learn it.

        `when` is as in `Dialog`. Raises WindowError for a window that the user has opened,
        and for one that does not close.
        """
        while self._close_shown(when, tuple(keys)):
            # WineMine asks for a winner's name, and then shows its table of times.
            self.pause(self.timing.pause)

    def _close_shown(self, when: str, keys: tuple[str, ...]) -> bool:
        """Close what is in front now; whether there was anything."""
        self._note_dialogs()
        shown = self._seat.dialogs()
        for window in shown:
            if not self._came.get(window.id):
                raise WindowError(f"{window} waits for an answer: give it, then start again")
            title = re.compile(f"^{re.escape(window.title)}$")
            if window.title not in self.dialogs or when == "ended":
                self.dialogs[window.title] = Dialog(title, when, keys)
        for window in reversed(shown) if when == "ended" else ():
            taken = answer(self._seat, window, self.clock)
            known = self.dialogs[window.title]
            self.dialogs[window.title] = Dialog(known.title, when, taken)
        self._acted_at = self.clock.now() if shown else self._acted_at
        # The answer may have brought another.
        if all(window.title in self.dialogs for window in self._seat.dialogs()):
            # It may still be opening, or gone before the key comes: then it is asked for again.
            with suppress(WindowCovered):
                Dialogs(self._seat, tuple(self.dialogs.values()), PlayTiming()).close(when)
            self._acted_at = self.clock.now() if shown else self._acted_at
        return bool(shown)

    def _note_dialogs(self) -> None:
        """Take down which windows have come, and whether that was an answer."""
        acted = self._acted_at
        for window in self._seat.dialogs():
            answer = acted is not None and self.clock.now() - acted <= self.timing.own
            self._came.setdefault(window.id, answer)
