"""Gets a whole board: passes a game's chooser and makes its window large enough."""

from __future__ import annotations

import math
from dataclasses import dataclass

from minebot.actuator import Button, Key
from minebot.board import Board, Cell
from minebot.capture import Frame, Window
from minebot.desktop.ports import WindowSession
from minebot.errors import Clipped, VisionError, WindowCovered, WindowError
from minebot.play.dialogs import Dialogs
from minebot.play.timing import Timing, await_repaint, await_rest
from minebot.profile import Chooser
from minebot.vision.board_reader import BoardReader
from minebot.vision.pressed import settled
from minebot.vision.text import Text, texts

_TRIES = 3
"""How often the keys that pick a board are pressed. Specified: a limit."""
_RESTS = 4
"""How often `still_seconds` are waited at most for a window to rest. Specified: a limit."""
_SEVERAL = 2
"""Smallest number of boards on a screen that offers a choice. Measured on GNOME Mines."""


@dataclass(slots=True)
class BoardSetup:
    """One window, and all that it takes to have a whole board in it."""

    window_session: WindowSession
    dialogs: Dialogs
    reader: BoardReader
    timing: Timing
    size: tuple[int, int] | None = None
    """The columns and rows that the user wants, None for whatever there is."""
    _end: float = 0.0
    """When there has to be something, in seconds of the clock."""
    _tries: int = 0
    """How often the keys for another board were pressed."""
    _answer_due: float = -math.inf
    """When they are to be pressed again, in seconds of the clock."""

    @property
    def window(self) -> Window:
        """The one of the session."""
        return self.window_session.window

    def make(self) -> None:
        """Get a whole board of the requested size.

        Without a size, an unreadable board is left to the player, which waits and reports it.
        Raises WindowError, saying what the user has to do, when there is no such board
        available; VisionError when nothing tells whether there is; Stopped.
        """
        self._end = self.window_session.clock.now() + self.timing.setup_seconds
        is_at_rest = False
        while True:
            self.window_session.clock.sleep(0)  # raises Stopped
            try:
                frame = self.window_session.screen.grab()
                board = settled(self.reader.read(frame).board)
            except WindowCovered:
                if not self.dialogs.close():
                    raise
                self.window_session.clock.sleep(self.timing.wait_seconds)
            except Clipped as error:
                # A window that does not rest may be half painted.
                if is_at_rest and not self.window_session.control.enlarge():
                    raise WindowError(
                        f"{self.window} is too small for its board, and the screen for a larger one"
                    ) from error
                self._settle()
                is_at_rest = not is_at_rest
            except VisionError:
                is_at_rest = False
                if self._choose(frame):
                    continue
                if self.size is None:
                    return
                if self.window_session.clock.now() > self._end:
                    raise  # it may be a board of another size
                await_repaint(self.window_session, self.timing, self._end)
                self.reader.forget()
            else:
                if self.size in (None, (board.width, board.height)):
                    return
                self._leave(board)

    def _settle(self) -> None:
        """Wait until the window rests, for a limited time; what has to come gets its time anew."""
        await_rest(self.window_session, self.timing, _RESTS * self.timing.still_seconds)
        self.reader.forget()
        self._end = self.window_session.clock.now() + self.timing.setup_seconds

    def _choose(self, frame: Frame) -> bool:
        """Pick the board on the chooser, if that is what the frame shows."""
        behaviour = self.dialogs.behaviour
        chooser = behaviour.chooser
        if chooser is None:
            return False
        offers = _offers(frame, chooser)
        if len(offers) < _SEVERAL:
            return False
        names = ", ".join(f"{width}x{height}" for width, height in offers)
        if self.size is None:
            raise WindowError(f"{self.window} lets choose a board: choose, or say --board {names}")
        if self.size not in offers:
            width, height = self.size
            raise WindowError(
                f"{self.window} offers {names}, not {width}x{height}: {behaviour.other_board}"
            )
        self.window_session.mouse.click(frame, offers[self.size].rect.middle, Button.LEFT)
        self._settle()
        return True

    def _leave(self, board: Board) -> None:
        """Go from a board of another size to the one wanted, or to the chooser."""
        assert self.size is not None
        has, wanted = f"{board.width}x{board.height}", "{}x{}".format(*self.size)
        behaviour = self.dialogs.behaviour
        chooser, keys = behaviour.chooser, behaviour.boards.get(wanted, ())
        if not keys and chooser is not None and chooser.key is not None:
            keys = (chooser.key,)
        if not keys:
            raise WindowError(
                f"the board in {self.window} is {has}, not {wanted}: {behaviour.other_board}"
            )
        if board.begun and not board.lost and board.count(Cell.HIDDEN):
            raise WindowError(
                f"a game on a board of {has} is under way in {self.window}: end it first"
            )
        if self.window_session.clock.now() > self._answer_due:
            if self._tries == _TRIES:
                pressed = ", ".join(keys)
                raise WindowError(f"{pressed} pressed in {self.window} does not lead to {wanted}")
            self._tries += 1
            for key in keys:
                self.window_session.keyboard.press(Key.parse(key))
                # While a menu is open it covers the window, which cannot be grabbed.
                self.window_session.clock.sleep(self.timing.menu_seconds)
            self._answer_due = self.window_session.clock.now() + self.timing.setup_seconds
        self._settle()


def _offers(frame: Frame, chooser: Chooser) -> dict[tuple[int, int], Text]:
    found = {}
    for line in texts(frame):
        match = chooser.entry.fullmatch(line.text)
        if match:
            found[int(match["width"]), int(match["height"])] = line
    return found
