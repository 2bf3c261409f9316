"""Sees the board: grabs the window, reads it, and looks again until what it reads can be."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass

from minebot.board import Board
from minebot.capture import Frame
from minebot.desktop.ports import WindowSession
from minebot.errors import Contradiction, Unsettled, VisionError, WindowCovered, WindowHidden
from minebot.play.dialogs import Dialogs
from minebot.play.timing import Timing
from minebot.recording.recorder import Recorder
from minebot.vision.board_reader import BoardReader
from minebot.vision.grid import Grid
from minebot.vision.pressed import settled
from minebot.vision.reading import Reading
from minebot.vision.tiles import TileReading


@dataclass(frozen=True, slots=True)
class Observation:
    """The board at one moment."""

    frame: Frame
    reading: Reading
    taken: float
    """Seconds of the clock when the grab began: what came later is not in the frame."""
    since: float
    """When what it shows may have come, by the same clock: since when no frame could be read before
    this one, else when this one was taken."""

    @property
    def grid(self) -> Grid:
        """In pixels of the frame."""
        return self.reading.grid

    @property
    def board(self) -> Board:
        """The board that was read, its mine total unknown."""
        return self.reading.board


@dataclass(frozen=True, slots=True)
class BoardObserver:
    """Reads one window's board, as often as it takes."""

    window_session: WindowSession
    reader: BoardReader
    dialogs: Dialogs
    recorder: Recorder
    timing: Timing

    def read(
        self,
        before: Board | None = None,
        proven: Set[int] = frozenset(),
        shows_end: Callable[[Sequence[TileReading]], bool] = lambda _: False,
    ) -> Observation:
        """The board as it is now, read again while it cannot be read or cannot be.

        `before` is the board that was believed last in the same game, None for the first;
        `proven` are the squares known to hold mines. A frame whose tiles `shows_end` takes for the
        end of the game is not waited for to be read. Raises the VisionError or
        Contradiction that did not go away, Stopped, WindowError, CaptureError.
        """
        clock = self.window_session.clock
        unread_since: float | None = None
        aside_after = self.timing.aside_seconds
        while True:
            clock.sleep(0)  # raises Stopped
            taken = clock.now()
            waited = 0.0 if unread_since is None else taken - unread_since
            board: Board | None = None
            try:
                frame = self.window_session.screen.grab()
                reading = self.reader.read(frame)
                board = reading.board
                self._check(board, before, proven, waited)
            except (WindowHidden, WindowCovered, VisionError, Contradiction) as error:
                now = clock.now()
                unread_since = now if unread_since is None else unread_since
                unread_for = now - unread_since
                if isinstance(error, WindowHidden):
                    # A game that ends takes its window down first, and is gone soon.
                    if unread_for > self.timing.close_seconds:
                        raise
                    clock.sleep(self.timing.wait_seconds)
                    continue
                if isinstance(error, WindowCovered):
                    # A notice or a tooltip goes again; what the game put there is closed.
                    own = self.dialogs.close()
                    self.dialogs.close_menu()
                    if not own and unread_for > self.timing.read_again_seconds:
                        raise
                else:
                    self.recorder.failed(frame, error, board)
                    if unread_for > self._patience_seconds(error, before):
                        raise
                    if unread_for > aside_after:
                        if shows_end(self.reader.tentative_tiles(frame)):
                            raise
                        self._regain(frame)
                        self.reader.relabel()
                        aside_after += self.timing.aside_seconds
                    # A window that was resized may have been half painted when its grid was found.
                    self.reader.forget()
                self.wait()
            else:
                self.recorder.looked(frame, board)
                since = taken if unread_since is None else unread_since
                return Observation(frame, reading, taken, since)

    def queued(self) -> Frame | None:
        """The window as it is now, None while another lies over it or it is taken down."""
        with suppress(WindowCovered, WindowHidden):
            return self.window_session.screen.grab()
        return None

    def wait(self) -> None:
        """Wait for a repaint, for a moment at most."""
        self.window_session.screen.wait(self.timing.wait_seconds)

    def distrust(self, observation: Observation, error: Contradiction) -> None:
        """Read all of the next frame anew: this one's board cannot be, as a search has shown."""
        self.recorder.failed(observation.frame, error, observation.board)
        self.reader.forget()

    def _patience_seconds(self, error: Exception, before: Board | None) -> float:
        """For how long this error is waited to go away."""
        if before is not None and not before.begun:
            # The cell of the first click looks pressed while the game makes up the board; what
            # fell at the end of the last game may fall over this one.
            is_made = isinstance(error, Unsettled)
            return self.timing.first_board_seconds if is_made else self.timing.falling_seconds
        return self.timing.read_again_seconds

    def _regain(self, frame: Frame) -> None:
        """Put away dialogs, and the pointer: a message may stay for as long as it lies there."""
        self.dialogs.refocus()
        self.dialogs.dismiss()
        grid = self.reader.last_grid(frame)
        self.window_session.mouse.park(frame, grid.bounds if grid is not None else None)

    def _check(self, board: Board, before: Board | None, proven: Set[int], waited: float) -> None:
        """Raise Unsettled or Contradiction when the board is not to be believed after `before`.

        It has not been believed for `waited` seconds.
        """
        if before is not None and board == before.with_mines(None):
            return
        settled(
            board,
            before,
            proven,
            patient=waited > self.timing.held_seconds,
            four_neighbour_flood=self.reader.profile.behaviour.four_neighbour_flood,
        )
        problems = board.problems()
        if problems and not board.lost:
            raise Contradiction(f"the board makes no sense: {problems[0]}")
        if before is not None and not board.follows(before):
            raise Contradiction("opened cells were lost: another game began, or the board changed")
