"""Drives an unknown game's window: waits until it is idle, reads its board, clicks, types.

A `View` is the board in one frame of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minebot.actuator import Button, Key
from minebot.board import Board, Cell
from minebot.capture import Frame, Pixel
from minebot.desktop.ports import WindowSession
from minebot.errors import (
    Contradiction,
    Unsettled,
    VisionError,
    WindowCovered,
    WindowError,
    WindowHidden,
    WindowMoved,
    WindowRestless,
)
from minebot.play.dialogs import OWN_SECONDS, Dialogs
from minebot.stop import POLL_SECONDS, Clock
from minebot.vision.board_reader import BoardReader
from minebot.vision.grid import Grid
from minebot.vision.tiles import SAME_LEVELS, differ

LIT = 2
"""Open cells that may change with nothing over them. Specified: the pointer's, before and now."""
ENDING_TILES = 3
"""Kinds of tiles that only an ended game shows. Specified: mine, hit mine, wrong flag."""
CLOSES = "Escape"
"""The key that closes a browser's messages and menus."""
_AROUND = 8
"""Number of neighbours of a cell: a tile drawn larger below the pointer covers them. Specified."""
_QUIET_SECONDS = 0.35
"""A board that has not changed for so long is at rest. Measured: GNOME Mines shows first the
pointer's shade, and the content up to 0.28 s after the click."""
_RESTLESS_SECONDS = 15.0
"""Time in which a board has to rest. Measured: mine after mine takes 8, confetti up to 12."""
_COVERED_SECONDS = 10.0
"""Time that the user has to take away what covers the game. Specified."""
_PAUSE_SECONDS = 0.5
"""Time between two looks at a board that has to come back. Specified."""


@dataclass(frozen=True, slots=True)
class View:
    """The board in one frame."""

    frame: Frame
    grid: Grid
    board: Board
    """Its mine total is unknown; what cannot be read counts as hidden."""
    unread: frozenset[int]
    """Squares that cannot be read."""

    def tile(self, square: int) -> NDArray[np.int16]:
        """The pixels of a cell, shape (side, side, 3)."""
        rect = self.grid.rect(*self.board.xy(square))
        return self.frame.part(rect)[..., :3].astype(np.int16)

    def differs(self, other: View, square: int) -> bool:
        """Whether a cell is drawn differently in the other view."""
        one, two = self.tile(square), other.tile(square)
        return one.shape != two.shape or bool(np.abs(one - two).mean() > SAME_LEVELS)

    def hidden(self) -> set[int]:
        """The covered cells without a flag."""
        return {*self.board.squares(Cell.HIDDEN)} - self.unread

    def flags(self) -> set[int]:
        """The cells with a flag."""
        return {*self.board.squares(Cell.FLAG)}

    @property
    def shows_mines(self) -> bool:
        """Whether it shows a mine, as a game does that has ended."""
        return Cell.MINE in self.board.cells or self.board.lost

    def disturbed(self, after: View) -> int:
        """How many cells that were open cannot be read any more later, or are not as they were."""
        cells, later = self.board.cells, after.board.cells
        if len(cells) != len(later):
            return len(cells)
        same = self.grid == after.grid
        return sum(
            later[square] != cells[square] and not (same and not after.differs(self, square))
            for square in self.board.opened
        )

    def is_covered(self, after: View) -> bool:
        """Whether something lies over the board later: cells that were open are not as they were.

        Over covered cells it makes more different tiles unreadable than the end of a game does.
        """
        strange = {after.tile(square).tobytes() for square in after.unread - self.unread}
        return self.disturbed(after) > LIT or len(strange) > ENDING_TILES

    def is_dimmed(self, after: View) -> bool:
        """Whether all cells that were open are drawn differently later, and read the same."""
        opened = self.board.opened
        return bool(opened) and all(after.differs(self, square) for square in opened)

    def is_new(self, last: Board | None) -> bool:
        """Whether it is another board than the last one; some games begin with an opening."""
        if self.shows_mines:
            return False
        if not self.board.begun:
            return not self.unread
        return last is not None and not (self.unread or self.board.follows(last))


class GameWindow:
    """One game's window.

    Clicks cells of the grid and places beside it on request. Closes by keys what the game puts in
    front of its window in answer to a click or a key.
    """

    def __init__(self, window_session: WindowSession, reader: BoardReader) -> None:
        self._window_session = window_session
        self._reader = reader
        self.clock: Clock = window_session.clock
        self.frame: Frame | None = None
        """What the window showed when it was looked at last."""
        self.view: View | None = None
        """The board that was read last."""
        self.running: View | None = None
        """The last board that was read while its game was running."""
        self.pointer: int | None = None
        """The square that was clicked last, None once the pointer has left the board."""
        self.press_seconds = 0.0
        """How long a button is held down at each click."""
        self.park_after_click = False
        """Whether the pointer has to leave the board for it to be read."""
        self.answer_seconds = 0.0
        """The longest that a click took to show, of those in the middle of a game."""
        self._answer_seconds = 0.0
        """How long the last click took to show."""
        self._clicked_at: float | None = None
        self.dialogs = Dialogs(window_session)
        """Knows what had to be closed."""
        self.clicked: set[int] = set()
        """The squares that were clicked in this game: elsewhere no flag and no hit mine shows."""
        reader.expect(flagged=self.clicked, opened=self.clicked)

    @property
    def in_browser(self) -> bool:
        """Whether the game is a page, and many keys are the browser's."""
        return self.dialogs.in_browser

    @property
    def board(self) -> Board | None:
        """The board that was read last."""
        return None if self.view is None else self.view.board

    @property
    def grid(self) -> Grid:
        """Where the board was seen last."""
        assert self.view is not None, "a board was read before anything is clicked"
        return self.view.grid

    # -- seeing

    def look(self) -> View | None:
        """The board once nothing changes on it any more; None if none can be read.

        Raises WindowCovered while a dialog lies over it, WindowRestless, and as the screen does.
        """
        if self.park_after_click:
            self.step_aside()
        frame = self._at_rest()
        view = self._read(frame)
        if self.pointer is not None and (view is None or view.unread):
            view = self._without_pointer(frame, view)
        self.view = view or self.view
        return view

    def uncovered(self) -> View | None:
        """As `look`, but another program's window is given time to go."""
        end = self.clock.now() + _COVERED_SECONDS
        while True:
            try:
                return self.look()
            except WindowCovered:
                if self.covered or self.clock.now() > end:
                    raise
            self.pause()

    def _without_pointer(self, frame: Frame, view: View | None) -> View | None:
        """The board with the pointer off it, where more of it can be read so."""
        pointed = self.pointer
        self.step_aside()
        aside = self._at_rest()
        other = self._read(aside)
        if other is None or (view is not None and len(other.unread) >= len(view.unread)):
            return view
        if aside.pixels.shape == frame.pixels.shape:
            changed = differ(frame, aside, other.grid)
            changed[pointed] = False
            self.park_after_click |= 0 < int(changed.sum()) <= _AROUND
        return other

    def _read(self, frame: Frame) -> View | None:
        """The board in the frame, found anew where it is not where it was; None for none."""
        for _ in range(2):
            with suppress(VisionError):
                reading = self._reader.read(frame, partly=True)
                is_possible = not isinstance(reading.problem, Unsettled | Contradiction)
                if is_possible and 2 * len(reading.unread) < len(reading.tiles):
                    return View(frame, reading.grid, reading.board, frozenset(reading.unread))
            self._reader.forget()
        return None

    def _at_rest(self) -> Frame:
        self.dialogs.shown()
        self.clock.sleep(0)  # raises Stopped
        began = quiet_since = self.clock.now()
        frame = self._grab()
        while (now := self.clock.now()) - quiet_since < _QUIET_SECONDS:
            if now - began > _RESTLESS_SECONDS:
                # What moves may lie beside a board that was not found yet, as a clock does.
                if self.view is None and (view := self._read(frame)) is not None:
                    self.view, began, quiet_since = view, now, now
                    continue
                self._clicked_at = None
                raise WindowRestless(
                    "the board changes all the time, and is learnt only while it rests: stop what "
                    "moves on it, such as a clock or an animation, in the game's settings"
                )
            self._window_session.screen.wait(POLL_SECONDS)
            self.clock.sleep(0)
            later = self._grab()
            if self._differ(frame, later):
                quiet_since = self.clock.now()
            frame = later
        self.dialogs.shown()
        if self._clicked_at is not None and self.frame is not None:
            if self._differ(self.frame, frame):
                self._answer_seconds = quiet_since - self._clicked_at
            self._clicked_at = None
        self.frame = frame
        return frame

    def note_answer(self) -> None:
        """Record how long the last click took to show: it began no game, and ended none."""
        self.answer_seconds = max(self.answer_seconds, self._answer_seconds)

    def _grab(self) -> Frame:
        """A picture of the window; some games take it down for a moment with each new board."""
        end = self.clock.now() + OWN_SECONDS
        while True:
            try:
                return self._window_session.screen.grab()
            except WindowHidden:
                if self.clock.now() > end:
                    raise
            self.pause(POLL_SECONDS)

    def _differ(self, one: Frame, other: Frame) -> bool:
        """Whether the boards alone differ; before one was read, the windows."""
        if one.pixels.shape != other.pixels.shape:
            return True
        part = self.view.grid.bounds if self.view is not None else one.bounds
        return not np.array_equal(one.part(part)[..., :3], other.part(part)[..., :3])

    @property
    def is_covered_within(self) -> bool:
        """Whether something lay over the board in the game's own window at the last look."""
        view = self.view
        if view is None or view.frame is not self.frame:
            return True
        before = self.running
        return before is not None and not view.is_new(before.board) and before.is_covered(view)

    # -- acting

    def click(self, square: int, button: Button = Button.LEFT, held: str | None = None) -> None:
        """Click the middle of a cell; `held` and what it raises are as in `Mouse.click`."""
        y, x = divmod(square, self.grid.width)
        self._send(self.grid.centre(x, y), button, held)
        self.pointer = square
        self.clicked.add(square)
        self._clicked_at = self.clock.now()

    def press_button(self, at: Pixel) -> None:
        """Click what lies beside the board, or over it; raises what `Mouse.click` does."""
        self._send(at, Button.LEFT)
        self.pointer = None

    def _send(self, at: Pixel, button: Button, held: str | None = None) -> None:
        """Click by the last look, or by a later one that shows the same board."""
        assert self.frame is not None, "it is looked at before it is clicked"
        before = self.frame
        self._window_session.mouse.press_seconds = self.press_seconds
        self.dialogs.shown()
        end = self.clock.now() + _RESTLESS_SECONDS
        while True:
            try:
                self._window_session.mouse.click(self.frame, at, button, held)
            except WindowMoved:
                if self.clock.now() > end or self._differ(before, self._at_rest()):
                    raise
                self.pause()
            else:
                self.dialogs.note_click()
                return

    def step_aside(self) -> None:
        """Take the pointer off the board: a message stays for as long as it lies there."""
        assert self.frame is not None, "it is looked at before the pointer leaves it"
        bounds = self.view.grid.bounds if self.view is not None else None
        self._window_session.mouse.park(self.frame, bounds)
        self.pointer = None

    def press(self, key: str) -> None:
        """Press a key in the game's window; raises what `Keyboard.press` does."""
        self.dialogs.shown()
        try:
            self._window_session.keyboard.press(Key.parse(key))
        except WindowError:
            # One more dialog may have come after those that were closed.
            if not self.covered:
                raise
            self.close_dialogs("ended")
            self._window_session.keyboard.press(Key.parse(key))
        self.dialogs.note_click()

    def pause(self, seconds: float = _PAUSE_SECONDS) -> None:
        """Let time pass; raises Stopped as soon as the user asks for it."""
        end = self.clock.now() + seconds
        while (left := end - self.clock.now()) > 0:
            self.clock.sleep(min(left, POLL_SECONDS))
            self.dialogs.shown()

    # -- the game's other windows

    @property
    def covered(self) -> bool:
        """Whether a dialog of the game's own shows."""
        return bool(self._window_session.dialogs())

    def close_dialogs(self, when: str, keys: Sequence[str] = (CLOSES,)) -> None:
        """Close what the game has put in front of its window by these keys, and learn it.

        `when` is as in `Dialog`. Raises WindowError for one of the user's, or that does not close.
        """
        while shown := self.dialogs.shown():
            for window in shown:
                if not self.dialogs.is_answer(window):
                    raise WindowError(f"{window} waits for an answer: give it, then start again")
                known = (one.title.search(window.title) for one in self.dialogs.known)
                if when != "ended" and not any(known):
                    self.dialogs.learn(window, when, keys)
            # It may still be opening, or gone before the key comes: then it is asked for again.
            with suppress(WindowCovered):
                self.dialogs.close(when)
            self.dialogs.note_click()
            # WineMine asks for a winner's name, and then shows its table of times.
            self.pause()
