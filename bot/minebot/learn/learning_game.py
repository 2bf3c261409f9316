"""Plays one board of an unknown game to its end and records how the game behaves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import partial

from minebot.board import Cell
from minebot.capture import Pixel
from minebot.errors import UsageError, WindowCovered, WindowGone, WindowRestless
from minebot.layout import First
from minebot.learn.findings import PICTURES, Findings
from minebot.learn.flags import FlagProbe
from minebot.learn.window import CLOSES, LIT, GameWindow, View
from minebot.play.clicker import LONG_PRESS_SECONDS
from minebot.play.dialogs import OWN_SECONDS
from minebot.policy.plan import first_move
from minebot.solver import solve

_NOT_FRESH = "the board is not fresh: start a new game"
_SILENT = 3
"""Unanswered clicks in a row that end a game. Specified: the player tries as often."""
_BATCH = 8
"""Safe cells clicked before the next look. Specified: enough for a game to lose quick clicks."""
_FLAGS = 3
"""Flags that are set in a game to see the counter of mines change. Specified: two numbers tell a
counter from what stands still, one more from a slip."""

_LATE_SECONDS = 1.5
"""Time for which an end may stay unseen. Measured: one page shakes for a second first."""
_MESSAGE_SECONDS = 7.0
"""Longest time for which a message covers the board at the end. Measured: KMines' 5."""


def play_game(
    findings: Findings, window: GameWindow, *, lose: bool, button_at: Pixel | None
) -> str:
    """Play the board in the window to its end: `won`, `lost`, or `over` where that is not seen.

    With `lose` a mine is opened as soon as one is certain, to see what the game shows then. Raises
    UsageError if the board had ended, Contradiction if it cannot be, and what the window raises.
    """
    game = _LearningGame(findings, window, lose, button_at)
    try:
        outcome = game.play()
    except WindowRestless:
        # Some boards keep moving after the end.
        if not game.answers:
            raise
        if window.in_browser:
            window.press(CLOSES)
        outcome = "over"
    except WindowGone:
        # The next board may come in another window.
        if game.answers:
            findings.outcomes.add("over")
            findings.games += 1
        raise
    findings.outcomes.add(outcome)
    findings.games += 1
    return outcome


class _LearningGame:
    def __init__(
        self, findings: Findings, window: GameWindow, lose: bool, button_at: Pixel | None
    ) -> None:
        self._findings = findings
        self._window = window
        self._lose = lose
        self._flags = FlagProbe(findings, window, button_at)
        self.answers = False
        """Whether a click has changed the board."""
        self._silent = 0
        self._flagged: set[int] = set()
        """The cells that were flagged."""
        self._opened: set[int] = set()
        """The cells that were clicked to be opened."""
        self._proven: set[int] = set()
        """The cells that certainly hold mines."""

    def play(self) -> str:
        """Play it; as `play_game`."""
        view = self._window.uncovered()
        if view is None or view.shows_mines or not view.hidden():
            raise UsageError(_NOT_FRESH)
        self._window.clicked.clear()
        # The last game may have ended while clicks flagged.
        self._flags.have_clicks_open()
        while True:
            self._window.running = view
            after = self._turn(view)
            if isinstance(after, str):
                return after
            view = after

    def _turn(self, view: View) -> View | str:
        """Make one action; return what the board shows then, or how the game has ended."""
        board = view.board.with_mines(self._findings.mines)
        if not (board.begun or view.unread):
            move = first_move(board, First.OPENING).moves[0]
            return self._open(view, [board.square(move.x, move.y)], sure=False)
        verdict = solve(board, risk=False, every=True)
        self._proven = {*verdict.mines} - view.unread
        mines = sorted(self._proven - {*view.board.squares(Cell.FLAG)})
        safe = sorted({*verdict.safe} & view.hidden())
        self._note(view)
        if self._flags.is_due(view, safe, mines):
            return self._flag(view, partial(self._flags.try_next, view, safe, mines))
        if mines and self._wants_flag():
            self._flagged.add(mines[0])
            return self._flag(view, partial(self._flags.flag, mines[0]))
        if safe and not (mines and self._lose):
            batch = 1 if self._findings.behaviour.wait_for_each_click else _BATCH
            return self._open(view, safe[:batch], sure=True)
        return self._without_safe(view, mines)

    def _without_safe(self, view: View, mines: Sequence[int]) -> View | str:
        """Lose on purpose, guess, or see how the game ends where only mines are left."""
        free = view.hidden() - self._proven
        if mines and self._lose:
            after = self._open(view, mines[:1], sure=False)
            # A certain mine is hit, also if it cannot be read how it is drawn.
            is_hit = isinstance(after, View) and mines[0] in after.unread
            return self._ended("lost") if is_hit else after
        if not free:
            return self._only_mines(view, mines)
        risk = solve(view.board.with_mines(self._findings.mines), risk=True).risk or ()
        return self._open(view, [min(free, key=lambda s: (risk[s] or 0.0, s))], sure=False)

    def _note(self, view: View) -> None:
        """Keep a picture, to find the counter of mines in."""
        if not view.unread:
            kept = self._findings.pictures.setdefault(len(view.flags()), [])
            kept.append(view)
            del kept[:-PICTURES]

    # -- flags

    def _wants_flag(self) -> bool:
        findings = self._findings
        return findings.can_flag and not findings.is_counted and len(self._flagged) < _FLAGS

    def _flag(self, view: View, act: Callable[[], View | None]) -> View | str:
        after = None
        with suppress(WindowCovered):
            after = act()
        if after is not None:
            self._flagged |= after.flags()
        return self._seen(view, after, "flag")

    def _only_mines(self, view: View, mines: Sequence[int]) -> str:
        """The end of a game whose safe cells are all open, unless it needs flags, too."""
        findings = self._findings
        may_need = findings.behaviour.flags_to_win or not findings.last_flags_tried
        if not self.answers:
            raise UsageError(_NOT_FRESH)
        if findings.can_flag and may_need and len(mines) > 1:
            findings.last_flags_tried = True
            findings.note(flags_to_win=self._ends_by_flags(view, mines))
        # What cannot be read, or looks like a flag, may be the mine that was hit.
        may_be_lost = view.unread or view.flags() & self._opened
        return self._ended("over" if may_be_lost else "won")

    def _ends_by_flags(self, view: View, mines: Sequence[int]) -> bool:
        """Flag the mines that are left; whether the game may wait for the last of these flags.

        It does not if it ends before, or if it has ended already and takes no flag any more.
        """
        for mine in mines:
            try:
                after = self._flags.flag(mine)
                if after is not None and after.board == view.board:
                    # Some draw a flag late.
                    self._window.pause(_LATE_SECONDS)
                    after = self._window.look()
            except WindowCovered:
                # A page whose game has ended leaves right clicks to the browser: a menu shows.
                if self._window.in_browser and not self._window.covered:
                    self._window.press(CLOSES)
                    return False
                return mine == mines[-1]
            if after is None or view.disturbed(after) > LIT:
                return mine == mines[-1]
            if not after.differs(view, mine):
                return False
            view = after
        return True

    # -- opening

    def _open(self, view: View, squares: Sequence[int], *, sure: bool) -> View | str:
        """Click cells; return what the board shows then, or how the game has ended."""
        try:
            for square in squares:
                self._opened.add(square)
                self._window.click(square)
            after = self._window.look()
            if not sure and self.answers and after is not None and after.board == view.board:
                # A mine may be shown a while after it was hit.
                self._window.pause(_LATE_SECONDS)
                after = self._window.look()
        except WindowCovered:
            after = None if self._window.covered else self._window.uncovered()
        was_fresh = not view.board.begun
        result = self._seen(view, after, "safe" if sure else "guess", squares)
        if isinstance(result, View):
            self._weigh(view, result, squares)
        elif was_fresh and len(squares) == 1 and (after is None or not after.board.opened):
            # It has ended the game, or began another.
            self._findings.note(first_click_may_lose=True)
        return result

    def _weigh(self, view: View, after: View, squares: Sequence[int]) -> None:
        if view.board.begun:
            self._window.note_answer()
        answered = sum(after.differs(view, square) for square in squares)
        if 0 < answered < len(squares):
            self._findings.note(wait_for_each_click=True)
        if not view.board.begun and after.board.begun and squares[0] in after.board.opened:
            self._findings.first_click(after.board, squares[0], self._findings.mines)
        if not after.unread:
            self._findings.opening(after.board, view.board.opened | {*squares})
        strays = after.board != view.board and len(squares) == 1
        if not answered and (strays or not self.answers) and not self._window.press_seconds:
            # The game may ask only now and then whether a button is down, and where.
            self._window.press_seconds = LONG_PRESS_SECONDS

    def _seen(
        self, view: View, after: View | None, how: str, opened: Collection[int] = ()
    ) -> View | str:
        """What came of clicks: the board, or how the game has ended.

        `how` says what was clicked: cells that are `safe`, a `guess`, or one to `flag`; `opened`
        are those that were to be opened.
        """
        is_new = after is not None and view.board.begun and after.is_new(view.board)
        is_fresh = after is not None and is_new and not after.board.begun
        is_over = after is None or self._window.covered or view.disturbed(after) > LIT
        # Some games flag their mines once they are won; others draw those of a lost one like flags.
        flagged = after.flags() - view.flags() if after is not None and how != "flag" else set()
        is_hit = len(flagged) > 1 and not flagged.isdisjoint(opened)
        is_won = bool(flagged) and after is not None and after.board.opened.issuperset(opened)
        if after is not None and self._window.in_browser:
            is_over |= view.is_dimmed(after)
        if after is None or is_over or is_fresh or is_won or is_hit or after.shows_mines:
            self.answers = True
            if is_new and not self._window.covered:
                self._findings.note(auto_restart=True, end_overlay=True)
            is_lost = is_hit or (after is not None and after.board.lost)
            if is_won or (how == "safe" and not is_lost):
                # It was not only the last flag that was missing.
                self._findings.note(flags_to_win=False)
                return self._ended("won")
            return self._ended("lost" if how == "guess" else "over")
        changed = after.board != view.board or after.unread != view.unread
        self.answers |= changed
        self._silent = 0 if changed else self._silent + 1
        if self._silent >= _SILENT:
            if not self.answers:
                raise UsageError(_NOT_FRESH)
            return self._ended("over")
        return after

    # -- the end

    def _ended(self, outcome: str) -> str:
        """Look at the end, what came over the board and what goes away of it; the outcome."""
        window, findings = self._window, self._findings
        since = window.clock.now()
        wait = _MESSAGE_SECONDS if outcome not in findings.watched else 0.0
        if findings.behaviour.end_overlay and findings.watched:
            # It may come a moment later than the end; whatever is done then would meet it.
            wait = max(wait, OWN_SECONDS)
        findings.watched.add(outcome)
        came = False
        while True:
            window.close_dialogs("ended")
            self._look_at_end()
            is_over = window.is_covered_within
            came |= is_over
            elapsed = window.clock.now() - since
            if came and not is_over:
                milliseconds = round(1000 * elapsed)
                before = findings.behaviour.end_message_milliseconds
                findings.note(end_message_milliseconds=max(before, milliseconds))
                break
            if elapsed >= wait:
                break
            window.step_aside()
            window.pause()
        behaviour = findings.behaviour
        if came:
            findings.note(end_overlay=True)
        elif {"won", "lost"} <= findings.watched and not behaviour.auto_restart:
            findings.note(end_overlay=bool(behaviour.end_buttons or behaviour.end_message_key))
        return outcome

    def _look_at_end(self) -> None:
        """Look at the board; a message that lies over it in a page is closed by a key."""
        window = self._window
        window.uncovered()
        if window.in_browser and self._is_hidden():
            window.press(CLOSES)
            window.uncovered()
            if not self._is_hidden():
                self._findings.note(end_message_key=CLOSES, end_overlay=True)

    def _is_hidden(self) -> bool:
        """Whether a message lies over the board, or dims it."""
        window = self._window
        before, now = window.running, window.view
        is_dimmed = before is not None and now is not None and before.is_dimmed(now)
        return window.is_covered_within or is_dimmed
