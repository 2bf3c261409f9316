"""Getting to a whole board: past a game's chooser, in a window that is large enough."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from bot.actuator import Button
from bot.board import Board, Cell
from bot.capture import Frame, Pixel, Window
from bot.desktop.ports import Desktop, Seat
from bot.errors import Clipped, VisionError, WindowCovered, WindowError
from bot.play.dialogs import Foreground
from bot.profile import Chooser, Conduct
from bot.stop import Stop
from bot.vision.reader import Reader
from bot.vision.text import Text, texts

__all__ = ["Arrangement"]

_PATIENCE = 4.0
"""Seconds that a game gets for what it was asked for, a board or its chooser."""
_STILL = 0.25
"""Seconds without a repaint after which a window has settled, but for its clock."""
_LOOK = 0.05
_TRIES = 3
"""So often keys that pick a board are pressed."""
_MENU = 0.2
"""Seconds that a menu gets to open or to close."""
_SEVERAL = 2
"""So many boards at least are offered where boards are offered."""


@dataclass(slots=True)
class Arrangement:
    """One window, and all that it takes to have a whole board in it."""

    desktop: Desktop
    window: Window
    seat: Seat
    front: Foreground
    reader: Reader
    stop: Stop
    size: tuple[int, int] | None = None
    """The columns and rows that the person wants, None for whatever there is."""
    _end: float = 0.0
    """When there has to be something, by the monotonic clock."""
    _tries: int = 0
    """How often the keys for another board were pressed."""
    _answer_due: float = -math.inf
    """When they are to be pressed again, by the monotonic clock."""

    @property
    def _conduct(self) -> Conduct:
        return self.reader.profile.conduct

    def make(self) -> None:
        """Have a whole board of the size wanted.

        Without a wish, what cannot be read is left to the player, who waits and says so.
        Raises WindowError, saying what the person has to do, when there is no such board
        to be had; VisionError when nothing tells whether there is; Stopped.
        """
        self._end = time.monotonic() + _PATIENCE
        while True:
            self.stop.check()
            try:
                frame = self.seat.screen.grab()
                board = self.reader.read(frame)
            except WindowCovered:
                if not self.front.clear():
                    raise
                time.sleep(_LOOK)
                continue
            except Clipped as error:
                self._enlarge(error)
                continue
            except VisionError:
                if self._choose(frame):
                    continue
                if self.size is None:
                    return
                if time.monotonic() > self._end:
                    raise  # it may be a board of another size
                self._settle(_LOOK)
                continue
            if self.size in (None, (board.width, board.height)):
                return
            self._leave(board)

    def _settle(self, still: float = _STILL) -> None:
        """Wait until the window has not repainted for a while, but not for ever."""
        end = time.monotonic() + 4 * still
        while self.seat.screen.wait(still) and time.monotonic() < end:
            self.stop.check()
            self.seat.screen.grab()
        self.reader.forget()

    def _enlarge(self, error: Clipped) -> None:
        self._settle()
        if not self._is_clipped():
            return
        if not self.desktop.enlarge(self.window):
            raise WindowError(
                f"{self.window} is too small for its board, and the screen for a larger one"
            ) from error
        self._settle()
        self._extend()

    def _is_clipped(self) -> bool:
        try:
            self.reader.read(self.seat.screen.grab())
        except Clipped:
            return True
        except VisionError:
            pass
        return False

    def _extend(self) -> None:
        self._end = time.monotonic() + _PATIENCE

    def _choose(self, frame: Frame) -> bool:
        """Pick the board on the chooser, if that is what the frame shows."""
        chooser = self._conduct.chooser
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
                f"{self.window} offers {names}, not {width}x{height}: {self._conduct.other_board}"
            )
        rect = offers[self.size].rect
        middle = Pixel(rect.left + rect.width // 2, rect.top + rect.height // 2)
        self.seat.mouse.click(frame.to_point(middle), Button.LEFT)
        self._settle()
        self._extend()
        return True

    def _leave(self, board: Board) -> None:
        """Go from a board of another size to the one wanted, or to the chooser."""
        assert self.size is not None
        has, wanted = f"{board.width}x{board.height}", "{}x{}".format(*self.size)
        chooser = self._conduct.chooser
        keys = self._conduct.board_keys(*self.size)
        if not keys and chooser is not None and chooser.key is not None:
            keys = (chooser.key,)
        if not keys:
            raise WindowError(
                f"the board in {self.window} is {has}, not {wanted}: {self._conduct.other_board}"
            )
        if not _may_be_left(board):
            raise WindowError(
                f"a game on a board of {has} is under way in {self.window}: end it first"
            )
        if time.monotonic() > self._answer_due:
            if self._tries == _TRIES:
                pressed = ", ".join(keys)
                raise WindowError(f"{pressed} pressed in {self.window} does not lead to {wanted}")
            self._tries += 1
            for key in keys:
                self.seat.keyboard.press(key)
                time.sleep(_MENU)  # an open one covers the window, which cannot be looked at
            self._answer_due = time.monotonic() + _PATIENCE
        self._settle()


def _offers(frame: Frame, chooser: Chooser) -> dict[tuple[int, int], Text]:
    found = {}
    for line in texts(frame):
        match = chooser.entry.fullmatch(line.text)
        if match:
            found[int(match["width"]), int(match["height"])] = line
    return found


def _may_be_left(board: Board) -> bool:
    """Whether nothing is lost with it: a board that is over, or not begun."""
    begun = board.covered < len(board.cells)
    return not begun or board.lost or not board.count(Cell.HIDDEN)
