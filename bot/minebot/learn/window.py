"""Drives an unknown game's window: waits until it is idle, reads its board, clicks, types."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

import numpy as np

from minebot.actuator import Button, Key
from minebot.board import Board, Cell
from minebot.capture import Frame, Pixel
from minebot.desktop.ports import WindowSession
from minebot.errors import (
    GridNotFound,
    Unsettled,
    VisionError,
    WindowCovered,
    WindowError,
    WindowHidden,
    WindowMoved,
    WindowRestless,
)
from minebot.learn.findings import Findings
from minebot.play.dialogs import OWN_SECONDS, Dialogs
from minebot.play.observer import Observation
from minebot.play.timing import Timing, await_rest
from minebot.stop import POLL_SECONDS, Clock
from minebot.vision.board_reader import BoardReader
from minebot.vision.grid import Grid
from minebot.vision.tiles import crop, differ, keys

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


def hidden(seen: Observation) -> set[int]:
    """The covered cells without a flag, of those that can be read."""
    return {*seen.board.squares(Cell.HIDDEN)}.difference(seen.reading.unread)


def flagged(seen: Observation) -> set[int]:
    """The cells with a flag."""
    return {*seen.board.squares(Cell.FLAG)}


def changed(before: Observation, after: Observation) -> set[int]:
    """The cells that are drawn differently later, all of them on a board of another size."""
    one, other = before.grid, after.grid
    if (one.width, one.height, one.tile) != (other.width, other.height, other.tile):
        return {*range(len(before.board.cells))}
    return {*np.flatnonzero(differ(before.frame, after.frame, one, other)).tolist()}


def disturbed(before: Observation, after: Observation) -> int:
    """How many cells that were open cannot be read any more later, or are not as they were."""
    if len(before.board.cells) != len(after.board.cells):
        return len(before.board.cells)
    others = {square for square, *_ in after.board.changes(before.board)} & before.board.opened
    return len(others & changed(before, after) if before.grid == after.grid else others)


def is_covered(before: Observation, after: Observation) -> bool:
    """Whether something lies over the board later: cells that were open are not as they were.

    Over covered cells it makes more different tiles unreadable than the end of a game does.
    """
    new = {*after.reading.unread}.difference(before.reading.unread)
    strange = {*keys(crop(after.frame, after.grid), after.grid.tile)[[*new]].tolist()}
    return disturbed(before, after) > LIT or len(strange) > ENDING_TILES


def is_dimmed(before: Observation, after: Observation) -> bool:
    """Whether all cells that were open are drawn differently later, and read the same."""
    opened = before.board.opened
    return bool(opened) and opened <= changed(before, after)


def is_new(seen: Observation | None, last: Board) -> bool:
    """Whether another board than the last one is seen; some games begin with an opening."""
    if seen is None or seen.board.shown_mines or seen.reading.unread:
        return False
    return not (seen.board.begun and seen.board.follows(last))


def read_board(reader: BoardReader, frame: Frame) -> Observation | None:
    """The board in the frame, found anew where it is not where it was; None for none."""
    for _ in range(2):
        with suppress(VisionError):
            reading = reader.read(frame, partly=True)
            if reading.is_board and not isinstance(reading.problem, Unsettled):
                return Observation(frame, reading, frame.taken, frame.taken)
        reader.forget()
    return None


@dataclass
class GameWindow:
    """One game's window.

    Clicks cells of the grid and places beside it on request. Closes by keys what the game puts in
    front of its window in answer to a click or a key. Records in its findings what that takes.
    """

    window_session: WindowSession
    reader: BoardReader
    findings: Findings
    """What is known of the game."""
    view: Observation
    """The board that was read last."""

    def __post_init__(self) -> None:
        self.clock: Clock = self.window_session.clock
        self.frame = self.view.frame
        """What the window showed when it was looked at last."""
        self.running = self.view
        """The last board that was read while its game was running."""
        self.answer_seconds = 0.0
        """How long the last click took to show."""
        self.dialogs = Dialogs(self.window_session)
        """What lies in front of the window, and how it is closed by what was seen in this run."""
        self.in_browser = self.dialogs.in_browser
        """Whether the game is a page, and many keys are the browser's."""
        self.clicked: set[int] = set()
        """The squares that were clicked in this game: elsewhere no flag and no hit mine shows."""
        self._clicked_at: float | None = None
        """When the last click was sent, None once it was looked at what came of it."""
        self._pointer: int | None = None
        """The square that was clicked last, None once the pointer has left the board."""
        self.reader.expect(flagged=self.clicked, opened=self.clicked)

    @classmethod
    def opened(cls, window_session: WindowSession, reader: BoardReader, findings: Findings) -> Self:
        """The window once it shows a board at rest; raises GridNotFound, and as `look`."""
        # What moves may lie beside a board that was not found yet, as a clock does.
        await_rest(window_session, Timing(), _RESTLESS_SECONDS)
        first = read_board(reader, window_session.screen.grab())
        if first is not None:
            window = cls(window_session, reader, findings, first)
            if window.look() is not None:
                return window
        raise GridNotFound(f"no board can be read in {window_session.window}")

    @property
    def grid(self) -> Grid:
        """Where the board was seen last."""
        return self.view.grid

    # -- seeing

    def look(self, *, aside: bool = False) -> Observation | None:
        """The board once nothing changes on it any more; None if none can be read.

        With `aside` the pointer leaves the board before: a cell may look lit below it. Raises
        WindowCovered while a dialog lies over it, WindowRestless, and as the screen does.
        """
        if aside or self.findings.behaviour.park_after_click:
            self.step_aside()
        frame = self._at_rest()
        view = read_board(self.reader, frame)
        if self._pointer is not None and (view is None or view.reading.unread):
            view = self._without_pointer(frame, view)
        self.view = view or self.view
        return view

    def uncovered(self) -> Observation | None:
        """As `look`, but another program's window is given time to go."""
        end = self.clock.now() + _COVERED_SECONDS
        while True:
            try:
                return self.look()
            except WindowCovered:
                if self.dialogs.shown() or self.clock.now() > end:
                    raise
            self.pause()

    def _without_pointer(self, frame: Frame, view: Observation | None) -> Observation | None:
        """The board with the pointer off it, where more of it can be read so."""
        pointed = self._pointer
        self.step_aside()
        aside = self._at_rest()
        other = read_board(self.reader, aside)
        if other is None or (
            view is not None and len(other.reading.unread) >= len(view.reading.unread)
        ):
            return view
        if aside.pixels.shape == frame.pixels.shape:
            lit = differ(frame, aside, other.grid)
            lit[pointed] = False
            if 0 < int(lit.sum()) <= _AROUND:
                self.findings.note(park_after_click=True)
        return other

    def _at_rest(self) -> Frame:
        self.dialogs.shown()
        self.clock.sleep(0)  # raises Stopped
        began = quiet_since = self.clock.now()
        frame = self._grab()
        while (now := self.clock.now()) - quiet_since < _QUIET_SECONDS:
            if now - began > _RESTLESS_SECONDS:
                raise WindowRestless(
                    "the board changes all the time, and is learnt only while it rests: stop what "
                    "moves on it, such as a clock or an animation, in the game's settings"
                )
            self.window_session.screen.wait(POLL_SECONDS)
            self.clock.sleep(0)
            later = self._grab()
            if self._differ(frame, later):
                quiet_since = self.clock.now()
            frame = later
        self.dialogs.shown()
        if self._clicked_at is not None and self._differ(self.frame, frame):
            self.answer_seconds = quiet_since - self._clicked_at
        self._clicked_at = None
        self.frame = frame
        return frame

    def _grab(self) -> Frame:
        """A picture of the window; some games take it down for a moment with each new board."""
        end = self.clock.now() + OWN_SECONDS
        while True:
            try:
                return self.window_session.screen.grab()
            except WindowHidden:
                if self.clock.now() > end:
                    raise
            self.pause(POLL_SECONDS)

    def _differ(self, one: Frame, other: Frame) -> bool:
        """Whether the boards alone differ."""
        first, second = (frame.part(self.grid.bounds)[..., :3] for frame in (one, other))
        return one.pixels.shape != other.pixels.shape or not np.array_equal(first, second)

    @property
    def is_covered_within(self) -> bool:
        """Whether something lay over the board in the game's own window at the last look."""
        before, now = self.running, self.view
        if now.frame is not self.frame:
            return True
        return not is_new(now, before.board) and is_covered(before, now)

    # -- acting

    def click(self, square: int, button: Button = Button.LEFT, held: str | None = None) -> None:
        """Click the middle of a cell; `held` and what it raises are as in `Mouse.click`."""
        y, x = divmod(square, self.grid.width)
        self._send(self.grid.centre(x, y), button, held)
        self._pointer = square
        self.clicked.add(square)
        self._clicked_at, self.answer_seconds = self.clock.now(), 0.0

    def press_button(self, at: Pixel) -> None:
        """Click what lies beside the board, or over it; raises what `Mouse.click` does."""
        self._send(at, Button.LEFT)
        self._pointer = None

    def _send(self, at: Pixel, button: Button, held: str | None = None) -> None:
        """Click by the last look, or by a later one that shows the same board."""
        before, mouse = self.frame, self.window_session.mouse
        longer = self.findings.behaviour.press_milliseconds / 1000
        mouse.press_seconds = max(mouse.press_seconds, longer)
        self.dialogs.shown()
        end = self.clock.now() + _RESTLESS_SECONDS
        while True:
            try:
                mouse.click(self.frame, at, button, held)
            except WindowMoved:
                if self.clock.now() > end or self._differ(before, self._at_rest()):
                    raise
                self.pause()
            else:
                self.dialogs.note_click()
                return

    def step_aside(self) -> None:
        """Take the pointer off the board: a message stays for as long as it lies there."""
        self.window_session.mouse.park(self.frame, self.grid.bounds)
        self._pointer = None

    def press(self, key: str) -> None:
        """Press a key in the game's window; raises what `Keyboard.press` does."""
        self.dialogs.shown()
        try:
            self.window_session.keyboard.press(Key.parse(key))
        except WindowError:
            # One more dialog may have come after those that were closed.
            if not self.dialogs.shown():
                raise
            self.close_dialogs("ended")
            self.window_session.keyboard.press(Key.parse(key))
        self.dialogs.note_click()

    def pause(self, seconds: float = _PAUSE_SECONDS) -> None:
        """Let time pass; raises Stopped as soon as the user asks for it."""
        end = self.clock.now() + seconds
        while (left := end - self.clock.now()) > 0:
            self.clock.sleep(min(left, POLL_SECONDS))
            self.dialogs.shown()

    def close_dialogs(self, when: str, keys: Sequence[str] = ()) -> None:
        """Close what the game has put in front of its window, and record what does.

        All is as in `Dialogs.close`, but windows that come in answer to that are closed, too.
        """
        while self.dialogs.shown():
            # It may still be opening, or gone before the key comes: then it is asked for again.
            with suppress(WindowCovered):
                self.dialogs.close(when, keys)
            dialogs = (*self.findings.behaviour.dialogs, *self.dialogs.known)
            titled = {dialog.title.pattern: dialog for dialog in dialogs}
            self.findings.note(dialogs=tuple(titled.values()))
            self.dialogs.note_click()
            # WineMine asks for a winner's name, and then shows its table of times.
            self.pause()
