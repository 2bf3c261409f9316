"""Learns how an unknown game behaves: plays in its window, game after game."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass, field

from minebot.capture import Pixel, Window
from minebot.desktop.ports import Desktop, await_heir, others
from minebot.errors import (
    Contradiction,
    MinebotError,
    NotTurnedBack,
    UsageError,
    VisionError,
    WindowCovered,
    WindowError,
    WindowGone,
)
from minebot.learn.findings import Findings
from minebot.learn.learning_game import LearningGame
from minebot.learn.mine_counter import find_counter, find_number, find_status
from minebot.learn.new_game import NewGameProbe, said
from minebot.learn.window import CLOSES, GameWindow
from minebot.profile.schema import Behaviour, Profile, RelativePosition
from minebot.stop import Clock, Stop, SystemClock
from minebot.vision.first_sight_reader import FirstSightReader
from minebot.vision.text import Tesseract

_STALE = 2
"""Games in a row without news that end the learning once all that is needed is known. Specified."""
_NOT_UNDERSTOOD = 3
"""Games in a row that are not understood and so end the learning. Specified."""


@dataclass(frozen=True, slots=True)
class LearnOptions:
    """The user's options for learning."""

    key: str | None = None
    """The game's key for a new board of the same size; None if it is to be found out."""
    games: int = 12
    """The most games to play."""
    finds: bool = True
    """Whether keys and buttons may be tried for a new board; else the user is asked each time."""
    button: Pixel | None = None
    """Where a click in the window brings a new board, None if the user does not say it."""
    flag_way: str | None = None
    """What sets a flag, one of `FLAG_WAYS` or `none`; None if it is to be found out."""
    flag_button: Pixel | None = None
    """Where a click in the window has the next ones flag, None if the user does not say it."""


@dataclass(slots=True)
class LearningRun:
    """One run in one window: `findings` tells what was found as it is found."""

    desktop: Desktop
    window: Window
    wishes: LearnOptions
    tell: Callable[[str], None]
    """Tells the user something, in a line."""
    stop: Callable[[], AbstractContextManager[Stop]]
    """A new stop, for as long as the program plays; between games the user has the mouse."""
    ask: Callable[[str], bool]
    """Asks the user to do something at the window, in a line; whether it was done."""
    profile: Profile
    """That of a game at first sight."""
    findings: Findings
    clock: Callable[[Stop], Clock] = SystemClock
    """For the time between two windows, when none is open."""
    _older: frozenset[str] | None = field(default=None, init=False)
    """The other windows at the start, which are no new games; None if unknown."""
    _games: int = field(default=0, init=False)
    """Played in this run, those that were not understood too."""
    _stale: int = field(default=0, init=False)
    """Games in a row that showed nothing new."""
    _failed: int = field(default=0, init=False)
    """Games in a row that were not understood."""
    _behaviour: Behaviour = field(default_factory=Behaviour, init=False)
    """How the game was known to behave before a new board was asked for last."""
    _gave_up: bool = field(default=False, init=False)
    """Whether a game was given up to see what the game asks then."""

    def go(self) -> None:
        """Play until there is nothing more to find out, or no more boards.

        Raises Stopped, WindowError, CaptureError, VisionError, Contradiction, UsageError: what was
        found until then stands.
        """
        way = self.wishes.flag_way if self.wishes.flag_button is None else "button"
        self.findings.flag_at = self.wishes.flag_button
        if way is not None:
            self.findings.settle_flags(way)
        if self.wishes.key is not None:
            self.findings.note(new_game_key=self.wishes.key, new_game_button=None)
        while True:
            with ExitStack() as ends:
                window, probe = self._open(ends)
                came = True
                while came:
                    error = self._play(window, probe)
                    if self._is_enough(error):
                        self._leave_fresh(probe, error)
                        return
                    came, error = self._renewed(window, probe, error)
            # The user has the mouse now.
            if isinstance(error, WindowGone):
                self._follow(error)
            elif not self.ask(_request(error)):
                if error is not None:
                    raise error
                return

    def _open(self, ends: ExitStack) -> tuple[GameWindow, NewGameProbe]:
        """The window, its board found; raises GridNotFound if there is none."""
        stop = ends.enter_context(self.stop())
        window_session = ends.enter_context(self.desktop.open(self.window, stop))
        window_session.control.show()
        self._older = others(self.desktop, self.window)
        window = GameWindow.opened(window_session, FirstSightReader(self.profile), self.findings)
        view = window.view
        probe = NewGameProbe(window, view, finds=self.wishes.finds)
        if not self._games:
            self.tell(f"a board of {view.board.width}x{view.board.height}")
            if self.wishes.button is not None:
                spot = RelativePosition.of(self.wishes.button, view.grid.bounds, view.grid.tile)
                self.findings.note(new_game_key=None, new_game_button=spot)
            if view.board.begun and self.findings.knows_new_board:
                # An earlier run may have left this board.
                probe.renew()
        return window, probe

    def _play(self, window: GameWindow, probe: NewGameProbe) -> MinebotError | None:
        """Play one board; what was not understood of it, None if all was."""
        findings = self.findings
        before = _told(findings)
        self._games += 1
        if not window.view.board.begun:
            probe.began = window.view
        lose = findings.flags_known and bool(findings.outcomes) and "lost" not in findings.outcomes
        try:
            outcome = LearningGame(window, lose=lose).play()
        except NotTurnedBack:
            raise
        except (Contradiction, VisionError, UsageError, WindowError) as error:
            self._failed += 1
            self.tell(f"game {self._games}: not understood: {error}")
            if self._failed == _NOT_UNDERSTOOD:
                raise
            return error
        self._failed = 0
        self._find_counter()
        self._stale = 0 if _told(findings) != before else self._stale + 1
        self.tell(f"game {self._games}: {outcome}")
        return None

    def _find_counter(self) -> None:
        """Find where the game tells its mines, if that is not known, in the pictures so far."""
        findings = self.findings
        if findings.is_counted:
            return
        findings.counter = find_counter(findings.pictures)
        with suppress(VisionError):  # Tesseract is not installed
            if findings.counter is None:
                ocr = Tesseract()
                findings.status = find_status(findings.pictures, ocr)
                if findings.status is None:
                    findings.counter = find_number(findings.pictures, ocr)
        if findings.is_counted:
            findings.on_news(findings)

    def _renewed(
        self, window: GameWindow, probe: NewGameProbe, error: MinebotError | None
    ) -> tuple[bool, MinebotError | None]:
        """Whether a new board came after a game that ended by `error`; what is wrong, if not."""
        may_come = self.wishes.finds or self.findings.knows_new_board
        if isinstance(error, WindowGone) or not may_come:
            return False, error
        is_covered = isinstance(error, WindowCovered)
        if is_covered and not window.dialogs.shown():
            return False, error
        self._behaviour = self.findings.behaviour
        was_known = self.findings.knows_new_board
        try:
            if is_covered:
                # What lies over the board is the game's own, and has come late.
                window.close_dialogs("new_game", (CLOSES,))
                window.look()
            if not probe.renew():
                return False, error
            if self.findings.knows_new_board and not was_known:
                self.tell(said(self.findings.behaviour))
            self._give_one_up(window, probe)
        except WindowError as problem:
            return False, problem
        return True, None

    def _give_one_up(self, window: GameWindow, probe: NewGameProbe) -> None:
        """Begin one game and have another board, to see what the game asks then; once a run."""
        behaviour = self.findings.behaviour
        key, button = behaviour.new_game_key, behaviour.new_game_button
        is_any_time = key is not None or (button is not None and button.away >= 0)
        if self._gave_up or not is_any_time or window.in_browser or not self.findings.games:
            return
        self._gave_up = True
        grid = window.grid
        with suppress(VisionError):
            window.click(grid.height // 2 * grid.width + grid.width // 2)
            window.running = window.look() or window.view
            probe.renew()

    def _leave_fresh(self, probe: NewGameProbe, error: MinebotError | None) -> None:
        """Leave a board to be played; one that has ended may not even be read."""
        if self.findings.knows_new_board and not isinstance(error, WindowError):
            with suppress(WindowError):
                probe.renew()

    def _follow(self, gone: WindowGone) -> None:
        """Go on in the window that has come in the place of the one that is gone; raises `gone`."""
        with self.stop() as stop:
            found = await_heir(self.desktop, self.window, self._older, self.clock(stop))
        if found is None:
            # What was tried last has closed it for good.
            key, button = self._behaviour.new_game_key, self._behaviour.new_game_button
            self.findings.note(new_game_key=key, new_game_button=button)
            raise gone
        self.window = found
        self.tell("it goes on in another window")

    def _is_enough(self, error: MinebotError | None) -> bool:
        """Whether to stop after this game; raises the game's error if nothing is known."""
        if self._games >= self.wishes.games:
            if error is not None and not self.findings.games:
                raise error
            return True
        return error is None and self._stale >= _STALE and self.findings.is_whole


def _told(findings: Findings) -> object:
    ended = frozenset(findings.outcomes)
    return findings.behaviour, findings.is_counted, findings.flags_known, ended


def _request(error: MinebotError | None) -> str:
    board = "open a new board of the same size in the game"
    if isinstance(error, WindowError):
        return f"{error}: put away what is in front of the game, and {board}"
    return f"{board} (--new-game-at X,Y tells where to click for one)"
