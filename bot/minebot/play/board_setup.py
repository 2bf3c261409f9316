"""Gets a whole board: passes a game's chooser and makes its window large enough."""

from __future__ import annotations

import math

from minebot.actuator import Button, Key
from minebot.board import Board, Cell
from minebot.capture import Frame
from minebot.errors import Clipped, VisionError, WindowCovered, WindowError
from minebot.play.observer import BoardObserver
from minebot.play.timing import await_repaint, await_rest
from minebot.profile import Chooser
from minebot.vision.pressed import settled
from minebot.vision.text import Text, texts

_TRIES = 3
"""How often the keys that pick a board are pressed. Specified: a limit."""
_RESTS = 4
"""How often `still_seconds` are waited at most for a window to rest. Specified: a limit."""
_SEVERAL = 2
"""Smallest number of boards on a screen that offers a choice. Measured on GNOME Mines."""


class BoardSetup:
    """One window, and all that it takes to have a whole board in it."""

    def __init__(self, observer: BoardObserver, size: tuple[int, int] | None = None) -> None:
        """`size`: the columns and rows that the user wants, None for whatever there is."""
        self._window_session, self._reader = observer.window_session, observer.reader
        self._dialogs, self._timing = observer.dialogs, observer.timing
        self._window, self._clock = self._window_session.window, self._window_session.clock
        self._size = size
        self._end = 0.0
        """When there has to be something, in seconds of the clock."""
        self._tries = 0
        """How often the keys for another board were pressed."""
        self._answer_due = -math.inf
        """When they are to be pressed again, in seconds of the clock."""

    def make(self) -> None:
        """Get a whole board of the requested size.

        Without a size, an unreadable board is left to the player, which waits and reports it.
        Raises WindowError, saying what the user has to do, when there is no such board
        available; VisionError when nothing tells whether there is; Stopped.
        """
        self._end = self._clock.now() + self._timing.setup_seconds
        is_at_rest = False
        while True:
            self._clock.sleep(0)  # raises Stopped
            try:
                frame = self._window_session.screen.grab()
                board = settled(self._reader.read(frame).board)
            except WindowCovered:
                if not self._dialogs.close():
                    raise
                self._clock.sleep(self._timing.wait_seconds)
            except Clipped as error:
                # A window that does not rest may be half painted.
                if is_at_rest and not self._window_session.control.enlarge():
                    raise WindowError(
                        f"{self._window} is too small for its board, "
                        "and the screen for a larger one"
                    ) from error
                self._settle()
                is_at_rest = not is_at_rest
            except VisionError:
                is_at_rest = False
                if self._choose(frame):
                    continue
                if self._size is None:
                    return
                if self._clock.now() > self._end:
                    raise  # it may be a board of another size
                await_repaint(self._window_session, self._timing, self._end)
                self._reader.forget()
            else:
                if self._size in (None, (board.width, board.height)):
                    return
                self._leave(board)

    def _settle(self) -> None:
        """Wait until the window rests, for a limited time; what has to come gets its time anew."""
        await_rest(self._window_session, self._timing, _RESTS * self._timing.still_seconds)
        self._reader.forget()
        self._end = self._clock.now() + self._timing.setup_seconds

    def _choose(self, frame: Frame) -> bool:
        """Pick the board on the chooser, if that is what the frame shows."""
        behaviour = self._dialogs.behaviour
        chooser = behaviour.chooser
        if chooser is None:
            return False
        offers = _offers(frame, chooser)
        if len(offers) < _SEVERAL:
            return False
        names = ", ".join(f"{width}x{height}" for width, height in offers)
        if self._size is None:
            raise WindowError(f"{self._window} lets choose a board: choose, or say --board {names}")
        if self._size not in offers:
            width, height = self._size
            raise WindowError(
                f"{self._window} offers {names}, not {width}x{height}: {behaviour.other_board}"
            )
        self._window_session.mouse.click(frame, offers[self._size].rect.middle, Button.LEFT)
        self._settle()
        return True

    def _leave(self, board: Board) -> None:
        """Go from a board of another size to the one wanted, or to the chooser."""
        assert self._size is not None
        has, wanted = f"{board.width}x{board.height}", "{}x{}".format(*self._size)
        behaviour = self._dialogs.behaviour
        chooser, keys = behaviour.chooser, behaviour.boards.get(wanted, ())
        if not keys and chooser is not None and chooser.key is not None:
            keys = (chooser.key,)
        if not keys:
            raise WindowError(
                f"the board in {self._window} is {has}, not {wanted}: {behaviour.other_board}"
            )
        if board.begun and not board.lost and board.count(Cell.HIDDEN):
            raise WindowError(
                f"a game on a board of {has} is under way in {self._window}: end it first"
            )
        if self._clock.now() > self._answer_due:
            if self._tries == _TRIES:
                pressed = ", ".join(keys)
                raise WindowError(f"{pressed} pressed in {self._window} does not lead to {wanted}")
            self._tries += 1
            for key in keys:
                self._window_session.keyboard.press(Key.parse(key))
                # While a menu is open it covers the window, which cannot be grabbed.
                self._clock.sleep(self._timing.menu_seconds)
            self._answer_due = self._clock.now() + self._timing.setup_seconds
        self._settle()


def _offers(frame: Frame, chooser: Chooser) -> dict[tuple[int, int], Text]:
    found = {}
    for line in texts(frame):
        match = chooser.entry.fullmatch(line.text)
        if match:
            found[int(match["width"]), int(match["height"])] = line
    return found
