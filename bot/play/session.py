"""Games in one window, one after the other: from a window to a list of finished games."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_state_path

from bot.capture import Window
from bot.desktop.ports import Desktop, Seat
from bot.errors import (
    Contradiction,
    GridNotFound,
    MinebotError,
    VisionError,
    WindowCovered,
    WindowError,
)
from bot.play.board_setup import Arrangement
from bot.play.dialogs import Foreground
from bot.play.identify import fitting
from bot.play.player import Player
from bot.play.result import Game, Settings
from bot.profile import Profile
from bot.recording.recorder import Recorder, Recording
from bot.stop import Stop
from bot.vision.reader import Reader
from bot.vision.status import StatusReader

__all__ = ["Session", "open_session", "sit_down"]

_FRESH = 2.0
"""Seconds that a new board may take to show before its key is pressed again."""
_FRESH_TRIES = 5
_STILL = 0.15
"""Seconds without a change after which what fades away is gone, its last shades unseen."""
_KEPT = 4
"""Looks kept when nobody asked for a recording: enough for a report of a failure."""
_KEPT_ALL = 5000
_LOOK = 0.05


@dataclass(slots=True)
class Session:
    """A window that is ready to be played in."""

    window: Window
    profile: Profile
    seat: Seat
    front: Foreground
    reader: Reader
    player: Player
    recorder: Recorder
    stop: Stop
    games: list[Game] = field(default_factory=list)
    """The finished ones."""

    def play(self) -> Game:
        """Play the board that is open to its end."""
        try:
            game = self.player.play()
        except (VisionError, Contradiction) as error:
            self._keep_evidence(error)
            raise
        self.games.append(game)
        return game

    def new_game(self) -> None:
        """Press the game's key for a new board and wait until it shows.

        Raises WindowError when no fresh board comes.
        """
        key = self.profile.conduct.new_game_key
        if key is None:
            raise WindowError(f"{self.window} has no key for a new game: start one by hand")
        self.front.clear()
        for _ in range(_FRESH_TRIES):
            self.seat.keyboard.press(key)
            if self._fresh_board_comes():
                return
            # What came late and does not lie over the board keeps the key from the game.
            self.front.clear("new_game")
            self.reader.forget()
        error = WindowError(f"no new board comes when {key!r} is pressed in {self.window}")
        self._keep_evidence(error)
        raise error

    def _fresh_board_comes(self) -> bool:
        """Whether a fresh board shows in time, and no message of the last game's end on it.

        Such a message takes the clicks that meet it until it has faded away, and of that
        the last part cannot be seen.
        """
        fades = self.profile.conduct.message > 0
        before = None
        now = since = time.monotonic()
        end = now + _FRESH
        while now < end:
            shown = self._fresh_board()
            now = time.monotonic()
            if shown is not None and not fades:
                return True
            if shown is None or before is None or not np.array_equal(shown, before):
                since = now
            elif now - since >= _STILL:
                return True
            before = shown
            self.seat.screen.wait(_LOOK)
        return False

    def _fresh_board(self) -> NDArray[np.uint8] | None:
        """The pixels of the board while none of its cells is opened, else None."""
        self.stop.check()
        try:
            frame = self.seat.screen.grab()
        except WindowCovered:
            # Asks whether to give up a game that is not over, or still tells of the last.
            self.front.clear("new_game")
            return None
        try:
            board = self.reader.read(frame)
        except VisionError as error:
            self.recorder.failed(frame, self.reader.grid, error)
            return None
        grid = self.reader.grid
        if grid is None or board.covered < len(board.cells):
            return None
        return frame.pixels[
            grid.bounds.top : grid.bounds.bottom, grid.bounds.left : grid.bounds.right
        ]

    def _keep_evidence(self, error: MinebotError) -> None:
        """Keep the last looks for a report, and note on the error where they are."""
        folder = user_state_path("minebot") / "failures" / time.strftime("%Y%m%d-%H%M%S")
        self.recorder.write(folder)
        error.add_note(f"what it saw is kept in {folder}")


@contextmanager
def open_session(
    desktop: Desktop,
    window: Window,
    profile: Profile | None,
    stop: Stop,
    settings: Settings,
    *,
    keep: bool,
    recording: Recording | None = None,
    size: tuple[int, int] | None = None,
) -> Iterator[Session]:
    """Bring the window forward, sit down in front of it, and have a whole board in it.

    With `size` it is to be a board of so many columns and rows. See `sit_down`; raises
    WindowError when there is no such board to be had.
    """
    if profile is not None:
        # What the last game's end has left in front keeps the keyboard to itself.
        with desktop.open(window, stop) as seat:
            Foreground(seat, profile.conduct.dialogs).make_way()
    desktop.front(window)
    with sit_down(
        desktop, window, profile, stop, settings, keep=keep, recording=recording
    ) as session:
        Arrangement(desktop, window, session.seat, session.front, session.reader, stop, size).make()
        yield session


@contextmanager
def sit_down(
    desktop: Desktop,
    window: Window,
    profile: Profile | None,
    stop: Stop,
    settings: Settings,
    *,
    keep: bool,
    recording: Recording | None = None,
    touch: bool = True,
) -> Iterator[Session]:
    """Be ready to play in the window, as it stands, for a `with` block.

    With `keep` the recorder keeps many looks in memory. All of them go to the
    `recording`. Without `touch` nothing but a click that
    is asked for changes anything on the desktop. Without a profile the only one is taken
    that fits what the window shows. Raises WindowError, CaptureError, GridNotFound.
    """
    with ExitStack() as ends:
        seat = ends.enter_context(desktop.open(window, stop))
        profile = profile or _told_by_pixels(seat, window, stop)
        status = ends.enter_context(StatusReader(profile.status))
        recorder = Recorder(time.perf_counter, _KEPT_ALL if keep else _KEPT, recording)
        front = Foreground(seat, profile.conduct.dialogs, touch=touch)
        reader = Reader(profile)
        player = Player(
            screen=seat.screen,
            reader=reader,
            mouse=seat.mouse,
            status=status,
            stop=stop,
            clock=time.perf_counter,
            settings=settings,
            journal=recorder,
            front=front,
            conduct=profile.conduct,
        )
        yield Session(window, profile, seat, front, reader, player, recorder, stop)


def _told_by_pixels(seat: Seat, window: Window, stop: Stop) -> Profile:
    """The profile of the only game that fits what the window shows; raises GridNotFound."""
    end = time.monotonic() + _FRESH
    while True:
        stop.check()
        found = fitting(seat.screen.grab())
        if len(found) == 1:
            return found[0]
        if time.monotonic() > end:
            fit = ", ".join(profile.name for profile in found) or "nothing it knows"
            raise GridNotFound(
                f"{window} is no game known by name, and by its looks it may be {fit}: "
                "--profile NAME says which (minebot profiles lists them)"
            )
        seat.screen.wait(_LOOK)
