"""Games in one window, one after the other: from a window to a list of finished games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from minebot.actuator import Button, Key
from minebot.board import Board
from minebot.capture import Frame, Window
from minebot.desktop.ports import Desktop, WindowSession
from minebot.errors import (
    PASSING,
    Contradiction,
    VisionError,
    WindowCovered,
    WindowError,
    WindowHidden,
)
from minebot.play.board_setup import BoardSetup
from minebot.play.clicker import Clicker
from minebot.play.dialogs import Dialogs
from minebot.play.evidence import failures, keep_evidence
from minebot.play.identify import NAME, identify
from minebot.play.mine_total import MineTotal
from minebot.play.observer import BoardObserver
from minebot.play.player import Player
from minebot.play.result import GameResult, Outcome, PlaySettings
from minebot.play.timing import Stopwatch, Timing, await_rest
from minebot.profile import Behaviour, Profile
from minebot.recording.recorder import Recorder, Recording
from minebot.stop import Stop
from minebot.vision.board_reader import BoardReader
from minebot.vision.known_game import reader_of
from minebot.vision.status import StatusReader

_FRESH_TRIES = 5
"""Times that the key for a new board is pressed. Specified: a limit."""
_IN_A_ROW = 2
"""Windows that take the keyboard one after another. Specified: best times after a message."""
_MESSAGE_SECONDS = {True: 1.0, False: 4.0}
"""Seconds for which a message over a board that has ended is waited for: if there is another way to
a new board, and if there is none. Specified: limits for the user's patience."""
_KEPT = 4
"""Frames kept in memory. Specified: enough for a report of a failure."""


@dataclass(slots=True)
class Session:
    """A window that is ready to be played in."""

    profile: Profile
    window_session: WindowSession
    dialogs: Dialogs
    reader: BoardReader
    observer: BoardObserver
    player: Player
    recorder: Recorder
    timing: Timing
    games: list[GameResult] = field(default_factory=list)
    """The finished ones."""
    finds: Callable[[Session], Behaviour] | None = None
    """Finds out what brings a new board, and has one; the game's behaviour with that."""

    @property
    def window(self) -> Window:
        """The one of the session."""
        return self.window_session.window

    def play(self, *, on: bool = False) -> GameResult:
        """Play the board that is open to its end; with `on` go on with the game under way."""
        try:
            game = self.player.play(on=on)
        except (VisionError, Contradiction) as error:
            keep_evidence(self.recorder, error, failures())
            raise
        finally:
            # The player may have learnt a tile.
            self.profile = self.reader.profile
        if game.outcome is Outcome.STUCK and not (game.board and game.board.begun):
            game.reason = "; ".join(filter(None, (game.reason, self.window_session.no_effect)))
        self.games.append(game)
        return game

    def learn(self, profile: Profile) -> None:
        """Read by a profile of the same game that knows more."""
        self.profile = profile
        self.reader.learn(profile)

    def new_game(self) -> None:
        """Press the game's key or button for a new board; raises WindowError if none comes."""
        behaviour = self.profile.behaviour
        has_way = behaviour.new_game_key is not None or behaviour.new_game_button is not None
        if not has_way and not behaviour.end_buttons and not behaviour.auto_restart:
            if self.finds is None:
                raise WindowError(f"{self.window} has no key for a new game: start one by hand")
            self.learn(self.profile.changed(behaviour=self.finds(self)))
            return
        self.dialogs.close()
        self.dialogs.dismiss()
        if behaviour.auto_restart and self._fresh_board_comes():
            return
        button = behaviour.new_game_button
        if button is not None and button.away < 0:  # A click of it may open a square.
            if self._fresh_board() is not None:
                return
            if self.games and self.games[-1].outcome is Outcome.STUCK:
                raise WindowError(f"the board in {self.window} has not ended: end it by hand")
        # A game that is busy with that may not bear to be asked for another one.
        await_rest(self.window_session, self.timing, self.timing.fresh_seconds)
        for number in range(_FRESH_TRIES):
            if self._new_by_message(_MESSAGE_SECONDS[has_way]):
                return
            if has_way:
                self._ask_for_board(number)
                if self._fresh_board_comes():
                    return
            # What came late and does not lie over the board keeps the key from the game.
            self.dialogs.close("new_game")
            self.reader.forget()
            # A page's alert may tell of the new board.
            if self.dialogs.dismiss() and self._fresh_board_comes():
                return
        key = behaviour.new_game_key
        how = f"when {key!r} is pressed" if key is not None else "by a click on its button"
        error = WindowError(f"no new board comes {how} in {self.window}")
        keep_evidence(self.recorder, error, failures())
        raise error

    def _new_by_message(self, seconds: float) -> bool:
        """Answer what the game shows over its board; whether a new one came by that.

        It is waited for so long. Nothing is clicked while a board shows.
        """
        spots = self.profile.behaviour.end_buttons
        if not spots or not self._message_comes(seconds):
            return False
        for spot in spots:
            with suppress(*PASSING):
                frame = self.window_session.screen.grab()
                grid = self.reader.last_grid(frame)
                if grid is None or self._shows_board(frame):
                    break
                self.window_session.mouse.click(
                    frame, spot.pixel(grid.bounds, grid.tile), Button.LEFT
                )
                if self._fresh_board_comes():
                    return True
        return False

    def _message_comes(self, seconds: float) -> bool:
        """Whether no board can be read any more, for a moment at least."""
        since = self.window_session.clock.now()
        end = since + seconds
        while True:
            self.window_session.clock.sleep(0)  # raises Stopped
            try:
                shows = self._shows_board(self.window_session.screen.grab())
            except WindowCovered:
                shows = True  # by another window: of the game's own nothing is known
            now = self.window_session.clock.now()
            if shows:
                since = now
                if now >= end:
                    return False
            elif now - since > self.timing.still_seconds:
                return True
            self.window_session.screen.wait(self.timing.wait_seconds)

    def _shows_board(self, frame: Frame) -> bool:
        try:
            self.reader.read(frame)
        except (VisionError, Contradiction):
            return False
        return True

    def _ask_for_board(self, tries: int) -> None:
        """Press what brings a new board; `tries` counts the earlier attempts.

        If the board has moved since it began, its button may be at the old place.
        """
        behaviour = self.profile.behaviour
        if behaviour.new_game_key is not None:
            self._press(Key.parse(behaviour.new_game_key))
            return
        assert behaviour.new_game_button is not None
        with suppress(*PASSING):  # a later try may reach it
            frame = self.window_session.screen.grab()
            grid, first = self.reader.last_grid(frame), self.player.first
            if tries % 2 and first is not None:
                grid = first.grid
            grid = grid or self.reader.read(frame, partly=True).grid
            at = behaviour.new_game_button.pixel(grid.bounds, grid.tile)
            self.window_session.mouse.click(frame, at, Button.LEFT)

    def _press(self, key: Key) -> None:
        """Press a key, also if another of the game's windows comes after one was closed.

        WineMine asks for a winner's name, and by and by shows its table of times: both may come
        after the key was to be pressed.
        """
        for _ in range(_IN_A_ROW):
            try:
                self.window_session.keyboard.press(key)
            except WindowError:
                if not self.window_session.dialogs():
                    raise
                self.dialogs.close()
            else:
                return
        self.window_session.keyboard.press(key)

    def _fresh_board_comes(self) -> bool:
        """Whether a fresh board shows in time, and nothing of the last game's end over it.

        A message takes the clicks that meet it until it has faded away, and of that the last part
        cannot be seen; confetti falls into the next game.
        """
        fades = self.timing.message_seconds > 0
        before = None
        now = since = self.window_session.clock.now()
        end, latest = now + self.timing.fresh_seconds, now + self.timing.falling_seconds
        while now < end:
            shown = self._fresh_board()
            now = self.window_session.clock.now()
            if shown is not None and not fades:
                end = latest
            if shown is None or before is None or not np.array_equal(shown, before):
                since = now
            elif now - since >= self.timing.faded_seconds:
                return True
            before = shown
            self.window_session.screen.wait(self.timing.wait_seconds)
        return before is not None and not fades

    def _is_new(self, board: Board) -> bool:
        """Whether it is not the last game's; some games begin with an opening that is made."""
        last = self.player.game.board
        return not board.begun or (
            last is not None and not board.lost and not board.follows(last.with_mines(None))
        )

    def _fresh_board(self) -> NDArray[np.uint8] | None:
        """The pixels of a board that is new, None while none is."""
        self.window_session.clock.sleep(0)  # raises Stopped
        try:
            frame = self.window_session.screen.grab()
        except WindowCovered:
            # Asks whether to give up a game that is not over, or still tells of the last.
            self.dialogs.close("new_game")
            return None
        except WindowHidden:
            return None  # it is taken down for a moment
        try:
            reading = self.reader.read(frame)
        except (VisionError, Contradiction) as error:
            self.recorder.failed(frame, error)
            return None
        if not self._is_new(reading.board):
            return None
        return frame.part(reading.grid.bounds)


@contextmanager
def open_session(
    desktop: Desktop,
    window: Window,
    profile: Profile | None,
    stop: Stop,
    settings: PlaySettings,
    *,
    recording: Recording | None = None,
    size: tuple[int, int] | None = None,
    touch: bool = True,
) -> Iterator[Session]:
    """Open a session on the window: bring it forward and wait for a whole board in it.

    `size` asks for a board of that many columns and rows. Without `touch` the window is used as it
    is, and only requested clicks change anything on the desktop. Without a profile, the one that
    fits is used. Raises WindowError without such a board, CaptureError, GridNotFound, Stopped.
    """
    with desktop.open(window, stop) as window_session:
        if touch and profile is not None:
            # What the last game's end has left in front keeps the keyboard to itself.
            Dialogs(window_session, profile.behaviour).close_finished()
        if touch:
            window_session.control.show()
        profile = profile or identify(window_session)[0]
        with StatusReader(profile.counter or profile.status) as status:
            timing = Timing.of(profile.behaviour)
            window_session.mouse.press_seconds = profile.behaviour.press_milliseconds / 1000
            watch = Stopwatch(window_session.clock)
            recorder = Recorder(window_session.clock.now, _KEPT, recording)
            behaviour = profile.behaviour
            dialogs = Dialogs(window_session, behaviour, touch)
            reader = reader_of(profile)
            observer = BoardObserver(
                window_session=window_session,
                reader=reader,
                dialogs=dialogs,
                recorder=recorder,
                watch=watch,
                timing=timing,
            )
            mouse, is_new = window_session.mouse, profile.name == NAME
            clicker = Clicker(mouse, window_session.clock, settings.say, behaviour, is_new)
            player = Player(
                observer=observer,
                total=MineTotal(status, settings.mines, window_session.clock, timing),
                clicker=clicker,
                settings=settings,
            )
            if settings.style.chords and is_new:
                settings.say("at first sight flags are tried last, so that no chords are made")
            elif settings.style.chords and not clicker.can_chord:
                settings.say("this game has no click that flags a cell: chords are not possible")
            if touch:
                BoardSetup(window_session, dialogs, reader, timing, size).make()
            yield Session(
                profile, window_session, dialogs, reader, observer, player, recorder, timing
            )
