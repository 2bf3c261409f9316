"""Games in one window, one after the other: from a window to a list of finished games."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from platformdirs import user_state_path

from bot.desktop import Desktop, Seat
from bot.errors import Contradiction, MinebotError, VisionError, WindowError
from bot.game import Game, Settings
from bot.journal import Recorder
from bot.loop import Player
from bot.profile import Profile, load, names
from bot.stop import Stop
from bot.vision.reader import Reader
from bot.vision.status import StatusReader
from bot.windows import Window, find

__all__ = ["Session", "choose", "game_of", "open_session", "sit_down"]

_FRESH = 2.0
"""Seconds that a new board may take to show before its key is pressed again."""
_FRESH_TRIES = 5
_KEPT = 4
"""Looks kept when nobody asked for a recording: enough for a report of a failure."""
_KEPT_ALL = 5000
_LOOK = 0.05


def game_of(window: Window) -> Profile | None:
    """The profile of the game whose window this is, told by its WM_CLASS or program."""
    for name in names():
        profile = load(name)
        called = {window.instance.casefold(), window.wm_class.casefold()} - {""}
        if called & {wm_class.casefold() for wm_class in profile.wm_class}:
            return profile
    return None


def choose(windows: list[Window], query: str | None) -> Window:
    """The window that `query` means, or with None the only window of a known game.

    Raises WindowError, saying what there is and what to type.
    """
    if query is not None:
        return find(query, windows)
    games = [window for window in windows if game_of(window)]
    if len(games) == 1:
        return games[0]
    if not games:
        known = ", ".join(load(name).title for name in names())
        listed = ", ".join(map(str, windows)) or "none"
        raise WindowError(
            f"no window of a known game ({known}) is open; windows: {listed}; "
            "--window NAME says which one to play"
        )
    listed = ", ".join(map(str, games))
    raise WindowError(
        f"several games are open: {listed}; --window {games[0].id:#x} plays the first"
    )


@dataclass(slots=True)
class Session:
    """A window that is ready to be played in."""

    window: Window
    profile: Profile
    seat: Seat
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
        for _ in range(_FRESH_TRIES):
            self.seat.keyboard.press(self.profile.new_game_key)
            end = time.monotonic() + _FRESH
            while time.monotonic() < end:
                if self._is_fresh():
                    return
                self.seat.screen.wait(_LOOK)
        raise WindowError(
            f"no new board comes when {self.profile.new_game_key!r} is pressed in {self.window}"
        )

    def _is_fresh(self) -> bool:
        self.stop.check()
        try:
            board = self.reader.read(self.seat.screen.grab())
        except VisionError:
            return False
        return board.covered == len(board.cells)

    def _keep_evidence(self, error: MinebotError) -> None:
        """Keep the last looks for a report, and note on the error where they are."""
        folder = user_state_path("minebot") / "failures" / time.strftime("%Y%m%d-%H%M%S")
        self.recorder.write(folder)
        error.add_note(f"what it saw is kept in {folder}")


@contextmanager
def open_session(
    desktop: Desktop,
    window: Window,
    profile: Profile,
    stop: Stop,
    settings: Settings,
    *,
    keep: bool,
) -> Iterator[Session]:
    """Bring the window forward and sit down in front of it; see `sit_down`."""
    desktop.front(window)
    with sit_down(desktop, window, profile, stop, settings, keep=keep) as session:
        yield session


@contextmanager
def sit_down(
    desktop: Desktop,
    window: Window,
    profile: Profile,
    stop: Stop,
    settings: Settings,
    *,
    keep: bool,
) -> Iterator[Session]:
    """Be ready to play in the window, as it stands, for a `with` block.

    With `keep` the recorder keeps every look. Raises WindowError, CaptureError.
    """
    with ExitStack() as ends:
        seat = ends.enter_context(desktop.open(window, stop))
        status = ends.enter_context(StatusReader(profile.status))
        recorder = Recorder(time.perf_counter, _KEPT_ALL if keep else _KEPT)
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
        )
        yield Session(window, profile, seat, reader, player, recorder, stop)
