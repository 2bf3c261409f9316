"""Calibrates on a live window: finds the grid, plays game after game, and keeps each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import partial

from bot.calibrate.course import Course
from bot.calibrate.evidence import Knowledge
from bot.calibrate.explore import explore
from bot.calibrate.fresh import shows_more
from bot.calibrate.grid import discover
from bot.calibrate.marking import settle_flags
from bot.calibrate.relook import leave_out
from bot.calibrate.renewal import Renewal
from bot.calibrate.sizes import SHARES, Sizes
from bot.calibrate.window import Table, Timing
from bot.capture import Frame, Pixel, Window
from bot.desktop.heir import await_heir, others
from bot.desktop.ports import Desktop
from bot.errors import (
    Contradiction,
    MinebotError,
    NotTurnedBack,
    UsageError,
    VisionError,
    WindowCovered,
    WindowError,
    WindowGone,
)
from bot.profile.behaviour import Conduct
from bot.stop import Clock, Stop, SystemClock
from bot.vision.grid import Grid
from bot.vision.locate import locate

_STALE = 2
"""So many games that show nothing new end the calibration, once all looks are told, what most
boards show among them, and one was lost."""
_NOT_UNDERSTOOD = 3
"""So many games in a row of which nothing can be kept end it too. Guessed."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the user asks for."""

    key: str | None = None
    """The game's key for a new board of the same size; None where it is to be found out."""
    games: int = 12
    """The most games to play."""
    finds: bool = True
    """Whether keys and buttons may be tried for a new board; else the user is asked each time."""
    button: Pixel | None = None
    """Where a click in the window brings a new board, None where the user does not say it."""
    flag_way: str | None = None
    """What sets a flag, one of `SAID_WAYS`; None where it is to be found out."""
    flag_button: Pixel | None = None
    """Where a click in the window has the next ones flag, None where the user does not say it."""


@dataclass(frozen=True, slots=True)
class User:
    """The user at the window, as far as the program needs them."""

    tell: Callable[[str], None]
    stop: Callable[[], AbstractContextManager[Stop]]
    """A new stop, for as long as the program plays; between games the user has the mouse."""
    ask: Callable[[str], bool]
    """Asks the user to do something, in a line; whether it was done."""
    keep: Callable[[Course], None] = lambda _: None
    """Is given what is known after each game."""


def calibrate_window(
    desktop: Desktop,
    window: Window,
    wishes: Wishes,
    user: User,
    course: Course,
    *,
    clock: Callable[[Stop], Clock] = SystemClock,
    timing: Timing = Timing(),  # noqa: B008  # frozen
    shares: Sequence[float] = SHARES,
) -> None:
    """Play in the window until nothing new shows; `course` goes on from what it knows.

    A game that is not understood leaves it as it was. `shares` are the other sizes of the
    window, as shares of its own. Raises Stopped, WindowError, CaptureError, VisionError,
    Contradiction, UsageError: whatever was known after the last game stands.
    """
    way = wishes.flag_way if wishes.flag_button is None else "button"
    if way is not None:
        settle_flags(course.knowledge, way)
    course.knowledge.flag_button_at = wishes.flag_button
    _Run(desktop, window, wishes, user, course, clock, timing, Sizes(shares)).go()


@dataclass(slots=True)
class _Run:
    """One run in one window."""

    desktop: Desktop
    window: Window
    wishes: Wishes
    user: User
    course: Course
    clock: Callable[[Stop], Clock]
    timing: Timing
    sizes: Sizes
    older: frozenset[str] | None = None
    """The other windows that were there when it sat down: none of them is the game's next. None
    where nobody tells."""
    games: int = 0
    """Played in this run, those that were not understood too."""
    stale: int = 0
    """So many of them in a row showed nothing new."""
    gave_up: bool = False
    """Whether a game was given up to see what comes of that."""
    conduct: Conduct = field(default_factory=Conduct)
    """How the game was known to behave before a new board was asked for last."""
    failed_at: Knowledge | None = None
    """What was known when a game was not understood."""
    failed: int = 0
    """So many of them in a row were not understood."""

    def go(self) -> None:
        """Play until there is nothing more to learn, or no more boards."""
        renewal = Renewal(self.wishes.key, self.course.conduct, finds=self.wishes.finds)
        with ExitStack() as ends:
            table: Table | None = None
            while True:
                if table is None:
                    table = self._sit_down(ends)
                    if not self.games:
                        self._go_on(table, renewal)
                error = self._play(table)
                if self._is_enough(error):
                    # A board that has ended may not even be found again.
                    with suppress(WindowError):
                        if renewal.is_known and not isinstance(error, WindowError):
                            renewal.renew(table, self.course)
                    return
                came, error = self._renewed(table, renewal, error)
                if came:
                    continue
                # The user has the mouse now.
                ends.close()
                table = None
                if isinstance(error, WindowGone):
                    self._follow(error)
                    continue
                if not self.user.ask(_request(error)):
                    if error is not None:
                        raise error
                    return

    def _renewed(
        self, table: Table, renewal: Renewal, error: MinebotError | None
    ) -> tuple[bool, MinebotError | None]:
        """Whether a new board came after a game that ended by `error`; what is wrong, if not."""
        self.conduct = self.course.conduct
        if table.gone or isinstance(error, WindowGone):
            return False, error or WindowGone(f"{self.window} has been closed")
        is_free = not isinstance(error, WindowCovered) or _uncovered(table)
        if not renewal.may_find or not is_free:
            return False, error
        conduct, known = self.course.conduct, self._known(table)
        try:
            if not renewal.renew(table, known):
                return False, error
        except WindowError as problem:
            return False, problem
        finally:
            self.course.conduct = known.conduct
        self.course.note(table)
        if renewal.found:
            self.user.tell(renewal.found)
        if self.course.conduct != conduct and self.course.games:
            self.user.keep(self.course)
        self._give_one_up(table, renewal)
        return True, None

    def _sit_down(self, ends: ExitStack) -> Table:
        """A table at the window, the board found on it."""
        stop = ends.enter_context(self.user.stop())
        seat = ends.enter_context(self.desktop.open(self.window, stop))
        seat.control.show()
        table = Table(seat, stop, self.clock(stop), self.timing)
        self.older = others(self.desktop, self.window)
        first = self.course.grid is None
        frame = table.look()
        if self.course.grid is not None:
            # The middle of a game may not tell how a grid is drawn that is known already.
            with suppress(VisionError):
                table.grid = locate(frame, self.course.look)
            # An earlier run may have left a board on which hardly a tile is covered.
            table.grid = table.grid or self._known_place(frame)
        if table.grid is None:
            self.course.grid, table.grid = discover(frame)
        if first:
            size = f"{table.grid.width}x{table.grid.height}"
            self.user.tell(f"a board of {size} tiles of {table.grid.tile} pixels")
        return table

    def _follow(self, gone: WindowGone) -> None:
        """Go on in the window that has come in the place of the one that is gone; raises `gone`."""
        with self.user.stop() as stop:
            found = await_heir(self.desktop, self.window, self.older, self.clock(stop))
        if found is None:
            # What was tried last has closed it for good.
            self.course.conduct = self.conduct
            raise gone
        self.window = found
        self.user.tell("it goes on in another window")

    def _give_one_up(self, table: Table, renewal: Renewal) -> None:
        """Begin one game and have another board, to learn what the game asks then; once a run."""
        if self.gave_up or not renewal.is_any_time or not self.course.games or table.in_browser:
            return
        self.gave_up = True
        assert table.grid is not None
        with suppress(WindowError, VisionError):
            table.click(table.grid.height // 2 * table.grid.width + table.grid.width // 2)
            table.look()
            found = renewal.found
            try:
                renewal.renew(table, self.course)
            finally:
                renewal.found = found
                self.course.note(table)
                # Should the board stay, what was opened is not lit, but open.
                table.step_aside()

    def _go_on(self, table: Table, renewal: Renewal) -> None:
        """Have a fresh board after an earlier run, if it left another that can be renewed."""
        assert table.grid is not None
        if self.wishes.button is not None:
            renewal.point(self.wishes.button, table.grid)
        if self.course.games and renewal.is_known and shows_more(table, self.course):
            renewal.renew(table, self.course)

    def _known(self, table: Table) -> Course:
        """What tells a new board; after a first game that was not understood, what that showed.

        A board that has shown nothing but covered squares need be none.
        """
        failed = self.failed_at
        if self.course.knowledge.covered or failed is None or not failed.covered:
            return self.course
        tried = replace(self.course, knowledge=failed)
        changed = failed.games[-1].opened or failed.flags_stay or shows_more(table, tried)
        return tried if changed else self.course

    def _known_place(self, frame: Frame) -> Grid | None:
        """Where the board was last in a window of that size."""
        for shot in reversed(self.course.knowledge.shots):
            if shot.open().pixels.shape == frame.pixels.shape:
                return shot.grid
        return None

    def _play(self, table: Table) -> MinebotError | None:
        """Play one board; what was not understood of it, None where all was."""
        before = deepcopy(self.course.knowledge)
        met = len(before.met)
        self.games += 1
        table.press_seconds = before.press_seconds
        try:
            outcome = explore(self.course.knowledge, table, partial(self._elsewhere, table))
            self.course.learnt()  # is what it shows one with what was known?
        except NotTurnedBack:
            self.course.knowledge = before
            raise
        except WindowGone as gone:
            self.course.knowledge = before
            self.failed += 1
            if self.failed == _NOT_UNDERSTOOD:
                raise
            return gone
        except (Contradiction, VisionError, UsageError, WindowError) as error:
            # One look taken for two things would spoil all that is learnt after it.
            failed = self.failed_at = self.course.knowledge
            # How it takes clicks is known all the same.
            before.press_seconds = max(before.press_seconds, failed.press_seconds)
            before.flags_stay |= failed.flags_stay
            if "button" in set(before.flag_ways) - set(failed.flag_ways):
                before.give_up("button")
            if failed.outline > before.outline:
                leave_out(before, failed.outline)
            self.course.knowledge = before
            self.failed += 1
            self.user.tell(f"game {self.games}: not understood, nothing of it is kept: {error}")
            if self.failed == _NOT_UNDERSTOOD:
                raise
            return error
        self.failed = 0
        self.course.games += 1
        self.stale = 0 if len(self.course.knowledge.met) > met else self.stale + 1
        self.course.note(table)
        # What was told is kept, whatever happens next.
        self.user.keep(self.course)
        self.user.tell(_progress(self.games, outcome, self.course.knowledge))
        return None

    def _elsewhere(self, table: Table) -> list[tuple[Frame, Grid]]:
        """The board in windows of other sizes, its tiles cut out as is known by then."""
        return self.sizes.pictures(table, self.course.look)

    def _is_enough(self, error: MinebotError | None) -> bool:
        """Whether to stop after this game; raises what it failed by if nothing is known."""
        if self.games >= self.wishes.games:
            if error is not None and not self.course.games:
                raise error
            return True
        known = self.course.knowledge.numbers.values()
        told = {value for values in known if len(values) == 1 for value in values}
        whole = all(len(values) == 1 for values in known) and told >= self.course.usual_numbers
        lost = self.course.knowledge.lost
        return error is None and self.stale >= _STALE and lost and whole


def _uncovered(table: Table) -> bool:
    """Whether what lies over the board was the game's own, come late, and could be closed."""
    if not table.covered:
        return False
    with suppress(WindowError):
        table.close_dialogs("new_game")
        table.look()
        return True
    return False


def _request(error: MinebotError | None) -> str:
    """What the user is to do."""
    board = "open a new board of the same size in the game"
    if isinstance(error, WindowError):
        return f"{error}: put away what is in front of the game, and {board}"
    return f"{board} (--new-game-at X,Y tells where to click for one)"


def _progress(number: int, outcome: str, knowledge: Knowledge) -> str:
    told = {values for values in knowledge.numbers.values() if len(values) == 1}
    known = " ".join(str(value) for value in sorted(min(values) for values in told))
    unsure = sum(len(values) > 1 for values in knowledge.numbers.values())
    return f"game {number}: {outcome}; numbers told: {known or 'none'}; looks untold: {unsure}"
