"""Gets a whole board: passes a game's chooser and makes its window large enough."""

from __future__ import annotations

import math
from dataclasses import dataclass

from minebot.actuator import Button, Key
from minebot.board import Board, Cell
from minebot.capture import Frame
from minebot.errors import Clipped, VisionError, WindowCovered, WindowError
from minebot.play.observer import BoardObserver
from minebot.play.timing import await_repaint, await_rest
from minebot.vision.pressed import settled
from minebot.vision.text import texts

_TRIES = 3
"""How often the keys that pick a board are pressed. Specified: a limit."""
_RESTS = 4
"""How often `still_seconds` are waited at most for a window to rest. Specified: a limit."""
_SEVERAL = 2
"""Smallest number of boards on a screen that offers a choice. Measured on GNOME Mines."""


@dataclass(slots=True)
class BoardSetup:
    """One window, and all that it takes to have a whole board in it."""

    observer: BoardObserver
    size: tuple[int, int] | None
    """The columns and rows that the user wants, None for whatever there is."""
    _tries: int = 0
    """How often the keys for another board were pressed."""
    _answer_due: float = -math.inf
    """When they are to be pressed again, in seconds of the clock."""

    def make(self) -> None:
        """Get a whole board of the requested size.

        Without a size, an unreadable board is left to the player, which waits and reports it.
        Raises WindowError, saying what the user has to do, when there is no such board
        available; VisionError when nothing tells whether there is; Stopped.
        """
        window_session, reader = self.observer.window_session, self.observer.reader
        clock, timing = window_session.clock, self.observer.timing
        end, is_at_rest = clock.now() + timing.setup_seconds, False
        while True:
            clock.sleep(0)  # raises Stopped
            try:
                frame = window_session.screen.grab()
                board = settled(reader.read(frame).board)
            except WindowCovered:
                if not self.observer.dialogs.close():
                    raise
                clock.sleep(timing.wait_seconds)
                continue
            except Clipped as error:
                # A window that does not rest may be half painted.
                if is_at_rest and not window_session.control.enlarge():
                    raise WindowError(
                        f"{window_session.window} is too small for its board, "
                        "and the screen for a larger one"
                    ) from error
                is_at_rest = not is_at_rest
            except VisionError:
                is_at_rest = False
                if not self._choose(frame):
                    if self.size is None:
                        return
                    if clock.now() > end:
                        raise  # it may be a board of another size
                    await_repaint(window_session, timing, end)
                    reader.forget()
                    continue
            else:
                if self.size in (None, (board.width, board.height)):
                    return
                self._leave(board)
            await_rest(window_session, timing, _RESTS * timing.still_seconds)
            reader.forget()
            end = clock.now() + timing.setup_seconds  # what has to come gets its time anew

    def _choose(self, frame: Frame) -> bool:
        """Pick the board on the chooser, if that is what the frame shows."""
        window, behaviour = self.observer.window_session.window, self.observer.dialogs.behaviour
        if behaviour.chooser is None:
            return False
        lines = [(behaviour.chooser.entry.fullmatch(line.text), line) for line in texts(frame)]
        offers = {(int(it["width"]), int(it["height"])): line.rect for it, line in lines if it}
        if len(offers) < _SEVERAL:
            return False
        names = ", ".join(f"{width}x{height}" for width, height in offers)
        if self.size is None:
            raise WindowError(f"{window} lets choose a board: choose, or say --board {names}")
        if self.size not in offers:
            wanted = "{}x{}".format(*self.size)
            raise WindowError(f"{window} offers {names}, not {wanted}: {behaviour.other_board}")
        self.observer.window_session.mouse.click(frame, offers[self.size].middle, Button.LEFT)
        return True

    def _leave(self, board: Board) -> None:
        """Go from a board of another size to the one wanted, or to the chooser."""
        assert self.size is not None
        window_session, timing = self.observer.window_session, self.observer.timing
        window, clock = window_session.window, window_session.clock
        behaviour = self.observer.dialogs.behaviour
        has, wanted = f"{board.width}x{board.height}", "{}x{}".format(*self.size)
        chooser, keys = behaviour.chooser, behaviour.boards.get(wanted, ())
        if not keys and chooser is not None and chooser.key is not None:
            keys = (chooser.key,)
        if not keys:
            raise WindowError(
                f"the board in {window} is {has}, not {wanted}: {behaviour.other_board}"
            )
        if board.begun and not board.lost and board.count(Cell.HIDDEN):
            raise WindowError(f"a game on a board of {has} is under way in {window}: end it first")
        if clock.now() <= self._answer_due:
            return
        if self._tries == _TRIES:
            pressed = ", ".join(keys)
            raise WindowError(f"{pressed} pressed in {window} does not lead to {wanted}")
        self._tries += 1
        for key in keys:
            window_session.keyboard.press(Key.parse(key))
            # While a menu is open it covers the window, which cannot be grabbed.
            clock.sleep(timing.menu_seconds)
        self._answer_due = clock.now() + timing.setup_seconds
