"""Games in one window, one after the other: from a window to a list of finished games."""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_state_path

from minebot.actuator import Button, Key
from minebot.capture import Frame, Window
from minebot.desktop.ports import Desktop
from minebot.errors import (
    PASSING,
    Contradiction,
    MinebotError,
    UsageError,
    VisionError,
    WindowCovered,
    WindowError,
    WindowHidden,
)
from minebot.play.board_setup import BoardSetup
from minebot.play.clicker import Clicker
from minebot.play.dialogs import Dialogs
from minebot.play.identify import NAME, identify
from minebot.play.mine_total import MineTotal
from minebot.play.observer import BoardObserver
from minebot.play.player import Player
from minebot.play.result import GameResult, Outcome, PlaySettings
from minebot.play.timing import Timing, await_rest
from minebot.profile import Behaviour, Profile
from minebot.recording.recorder import Recorder, Recording
from minebot.stop import Stop
from minebot.vision.known_game import reader_of
from minebot.vision.status import StatusReader

_FRESH_TRIES = 5
"""Times that the key for a new board is pressed. Specified: a limit."""
_IN_A_ROW = 2
"""Windows that take the keyboard one after another. Specified: best times after a message."""
_MESSAGE_SECONDS = {True: 1.0, False: 4.0}
"""Seconds for which a message over a board that has ended is waited for: if there is another way to
a new board, and if there is none. Specified: limits for the user's patience."""
_FAILURES = 20
"""Failures whose frames are kept. Specified: some tens of pictures on the user's disk."""
_OURS = re.compile(r"\d{8}-\d{6}-")
"""How the name of a folder of a failure begins; what else lies there is the user's."""


class Session:
    """A window that is ready to be played in."""

    def __init__(self, player: Player) -> None:
        self.player, self.observer = player, player.observer
        self.window_session, self.reader = self.observer.window_session, self.observer.reader
        self.dialogs, self.recorder = self.observer.dialogs, self.observer.recorder
        self.timing, self.window = self.observer.timing, self.window_session.window
        self.games: list[GameResult] = []
        """The finished ones."""
        self.finds: Callable[[Session], Behaviour] | None = None
        """Finds out what brings a new board, and has one; the game's behaviour with that."""

    @property
    def profile(self) -> Profile:
        """What is known of the game, with the tiles that were learnt."""
        return self.reader.profile

    def play(self, *, on: bool = False) -> GameResult:
        """Play the board that is open to its end; with `on` go on with the game under way."""
        try:
            game = self.player.play(on=on)
        except (VisionError, Contradiction) as error:
            keep_evidence(self.recorder, error)
            raise
        if game.outcome is Outcome.STUCK and not (game.board and game.board.begun):
            game.reason = "; ".join(filter(None, (game.reason, self.window_session.no_effect)))
        self.games.append(game)
        return game

    def new_game(self) -> None:
        """Press the game's key or button for a new board; raises WindowError if none comes."""
        behaviour = self.profile.behaviour
        has_way = behaviour.new_game_key is not None or behaviour.new_game_button is not None
        if not has_way and not behaviour.end_buttons and not behaviour.auto_restart:
            if self.finds is None:
                raise WindowError(f"{self.window} has no key for a new game: start one by hand")
            self.reader.learn(self.profile.changed(behaviour=self.finds(self)))
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
        keep_evidence(self.recorder, error)
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
                at = spot.pixel(grid.bounds, grid.tile)
                self.window_session.mouse.click(frame, at, Button.LEFT)
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
        with suppress(VisionError, Contradiction):
            self.reader.read(frame)
            return True
        return False

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
            first = self.player.first if tries % 2 else None
            last = self.reader.last_grid(frame) if first is None else first.grid
            grid = last or self.reader.read(frame, partly=True).grid
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

    def _fresh_board(self) -> NDArray[np.uint8] | None:
        """The pixels of a board that is new, None while none is."""
        self.window_session.clock.sleep(0)  # raises Stopped
        try:
            frame = self.window_session.screen.grab()
            reading = self.reader.read(frame)
        except WindowCovered:
            # Asks whether to give up a game that is not over, or still tells of the last.
            self.dialogs.close("new_game")
            return None
        except WindowHidden:
            return None  # it is taken down for a moment
        except (VisionError, Contradiction) as error:
            self.recorder.failed(frame, error)
            return None
        board, last = reading.board, self.player.game.board
        # Some games begin with an opening that is made.
        is_new = not board.begun or (last and not board.lost and not board.follows(last))
        return frame.part(reading.grid.bounds) if is_new else None


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
            behaviour, is_new = profile.behaviour, profile.name == NAME
            clock, mouse = window_session.clock, window_session.mouse
            mouse.press_seconds = behaviour.press_milliseconds / 1000
            reader, timing = reader_of(profile), Timing.of(behaviour)
            dialogs = Dialogs(window_session, behaviour, touch)
            recorder = Recorder(clock.now, recording)
            observer = BoardObserver(window_session, reader, dialogs, recorder, timing)
            total = MineTotal(status, settings.mines, clock, timing)
            clicker = Clicker(mouse, clock, settings.say, behaviour, is_new)
            player = Player(observer, total, clicker, settings)
            if settings.style.chords and is_new:
                settings.say("at first sight flags are tried last, so that no chords are made")
            elif settings.style.chords and not clicker.can_chord:
                settings.say("this game has no click that flags a cell: chords are not possible")
            try:
                if touch:
                    BoardSetup(observer, size).make()
                yield Session(player)
            except VisionError as error:
                if (key := behaviour.new_game_key) is not None:
                    error.add_note(f"if its game has ended, press {key} in it for a new board")
                raise


def keep_evidence(recorder: Recorder, error: MinebotError) -> None:
    """Keep the last frames in a folder of the user's state, and note on `error` where.

    They are written as the fixtures are, a picture and its board as text, so that a
    failure becomes a test by moving two files. The oldest evidence goes. Where nothing
    can be written the note says so: whatever happens here never hides the error.
    """
    root = user_state_path("minebot") / "failures"
    try:
        root.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=time.strftime("%Y%m%d-%H%M%S-"), dir=root))
        recorder.write(folder)
        # The oldest go: their names begin with when they were made.
        ours = sorted(path for path in root.iterdir() if _OURS.match(path.name))
        for old in ours[:-_FAILURES]:
            shutil.rmtree(old, ignore_errors=True)
    except (OSError, UsageError) as problem:
        error.add_note(f"what it saw could not be kept: {problem}")
        return
    error.add_note(f"what it saw is kept in {folder}")
