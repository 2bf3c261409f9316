"""Plays one board of an unknown game to its end and records how the game behaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from minebot.board import Cell
from minebot.errors import UsageError, WindowCovered, WindowGone, WindowRestless
from minebot.layout import First
from minebot.learn import flags
from minebot.learn.findings import PICTURES
from minebot.learn.window import (
    CLOSES,
    LIT,
    GameWindow,
    changed,
    disturbed,
    flagged,
    hidden,
    is_dimmed,
    is_new,
)
from minebot.play.clicker import LONG_PRESS_SECONDS
from minebot.play.dialogs import OWN_SECONDS
from minebot.play.observer import Observation
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
_ANSWER_ROOM = 1.5
"""A click counts as lost after the longest answer seen, times this. Specified: a click that is sent
twice opens no other cell, and one that is waited for longer slows the game down."""
_LATE_SECONDS = 1.5
"""Time for which an end may stay unseen. Measured: one page shakes for a second first."""
_MESSAGE_SECONDS = 7.0
"""Longest time for which a message covers the board at the end. Measured: KMines' 5."""


class LearningGame:
    """One board in the window, played to find out how its game behaves."""

    def __init__(self, window: GameWindow, *, lose: bool) -> None:
        """With `lose` a certain mine is opened, to see what the game shows then."""
        self._findings = window.findings
        self._window = window
        self._lose = lose
        self._answers = False
        """Whether a click has changed the board."""
        self._silent = 0
        """Clicks in a row that were not answered."""
        self._flagged: set[int] = set()
        """The cells that were flagged."""
        self._opened: set[int] = set()
        """The cells that were clicked to be opened."""

    def play(self) -> str:
        """Play it to its end: `won`, `lost`, or `over` where that is not seen.

        Raises UsageError if the board had ended, Contradiction if it cannot be, and what the window
        raises.
        """
        outcome = "over"
        try:
            outcome = self._play()
        except (WindowRestless, WindowGone) as error:
            # Some boards keep moving after the end; the next one may come in another window.
            if not self._answers:
                raise
            self._findings.outcomes.add(outcome)
            if isinstance(error, WindowGone):
                self._findings.games += 1
                raise
            if self._window.in_browser:
                self._window.press(CLOSES)
        self._findings.games += 1
        return outcome

    def _play(self) -> str:
        view = self._window.uncovered()
        if view is None or view.board.shown_mines or not hidden(view):
            raise UsageError(_NOT_FRESH)
        self._window.clicked.clear()
        # The last game may have ended while clicks flagged.
        flags.have_clicks_open(self._window)
        outcome = None
        while outcome is None:
            self._window.running = self._window.view
            outcome = self._turn()
        return outcome

    def _turn(self) -> str | None:
        """Make one action; return how the game has ended, None while it goes on."""
        window, findings, before = self._window, self._findings, self._window.running
        board = before.board.with_mines(findings.mines)
        if not (board.begun or before.reading.unread):
            move = first_move(board, First.OPENING).moves[0]
            return self._open([board.square(move.x, move.y)], sure=False)
        verdict = solve(board, risk=False, every=True)
        proven = {*verdict.mines}.difference(before.reading.unread)
        mines = sorted(proven.difference(board.squares(Cell.FLAG)))
        safe = sorted({*verdict.safe} & hidden(before))
        if not before.reading.unread:
            kept = findings.pictures.setdefault(before.board.count(Cell.FLAG), [])
            kept.append(before)
            del kept[:-PICTURES]
        if flags.is_due(window, safe, mines):
            return self._flag(partial(flags.try_next, window, safe, mines))
        wants_flag = findings.can_flag and not findings.is_counted and len(self._flagged) < _FLAGS
        if mines and wants_flag:
            self._flagged.add(mines[0])
            return self._flag(partial(flags.flag, window, mines[0]))
        if mines and self._lose:
            outcome = self._open(mines[:1], sure=False)
            # A certain mine is hit, also if it cannot be read how it is drawn.
            is_hit = outcome is None and mines[0] in window.view.reading.unread
            return self._ended("lost") if is_hit else outcome
        free = hidden(before) - proven
        if not free:
            return self._only_mines(mines)
        squares = safe[: 1 if findings.behaviour.wait_for_each_click else _BATCH]
        if not safe:
            risk = solve(board, risk=True).risk or ()
            squares = [min(free, key=lambda s: (risk[s] or 0.0, s))]
        return self._open(squares, sure=bool(safe))

    # -- flags

    def _flag(self, act: Callable[[], Observation | None]) -> str | None:
        after = None
        with suppress(WindowCovered):
            after = act()
        if after is not None:
            self._flagged |= flagged(after)
        return self._outcome(after)

    def _only_mines(self, mines: Sequence[int]) -> str:
        """The end of a game whose safe cells are all open, unless it needs flags, too."""
        findings, before = self._findings, self._window.running
        may_need = findings.behaviour.flags_to_win or not findings.last_flags_tried
        if not self._answers:
            raise UsageError(_NOT_FRESH)
        if findings.can_flag and may_need and len(mines) > 1:
            findings.last_flags_tried = True
            findings.note(flags_to_win=self._ends_by_flags(mines))
        # What cannot be read, or looks like a flag, may be the mine that was hit.
        may_be_lost = before.reading.unread or flagged(before) & self._opened
        return self._ended("over" if may_be_lost else "won")

    def _ends_by_flags(self, mines: Sequence[int]) -> bool:
        """Flag the mines that are left; whether the game may wait for the last of these flags.

        It does not if it ends before, or if it has ended already and takes no flag any more.
        """
        window, before = self._window, self._window.running
        for mine in mines:
            try:
                after = flags.flag(window, mine)
                if after is not None and after.board == before.board:
                    # Some draw a flag late.
                    window.pause(_LATE_SECONDS)
                    after = window.look()
            except WindowCovered:
                # A page whose game has ended leaves right clicks to the browser: a menu shows.
                if window.in_browser and not window.dialogs.shown():
                    window.press(CLOSES)
                    return False
                return mine == mines[-1]
            if after is None or disturbed(before, after) > LIT:
                return mine == mines[-1]
            if mine not in changed(before, after):
                return False
            before = after
        return True

    # -- opening

    def _open(self, squares: Sequence[int], *, sure: bool) -> str | None:
        """Click cells, of which it is `sure` that they are safe; return what `_turn` does."""
        window, before = self._window, self._window.running
        try:
            for square in squares:
                self._opened.add(square)
                window.click(square)
            after = window.look()
            if not sure and self._answers and after is not None and after.board == before.board:
                # A mine may be shown a while after it was hit.
                window.pause(_LATE_SECONDS)
                after = window.look()
        except WindowCovered:
            after = None if window.dialogs.shown() else window.uncovered()
        outcome = self._outcome(after, squares, sure=sure)
        if outcome is None:
            self._weigh(squares)
        elif not before.board.begun and (after is None or not after.board.opened):
            # It has ended the game, or began another.
            self._findings.note(first_click_may_lose=True)
        return outcome

    def _weigh(self, squares: Sequence[int]) -> None:
        """Record what clicks of these cells show in a game that goes on."""
        findings, before, after = self._findings, self._window.running, self._window.view
        if before.board.begun:
            longest = _ANSWER_ROOM * self._window.answer_seconds
            findings.note_longest("answer_milliseconds", longest)
        answered = len(changed(before, after).intersection(squares))
        if 0 < answered < len(squares):
            findings.note(wait_for_each_click=True)
        if not before.board.begun and after.board.begun and squares[0] in after.board.opened:
            findings.first_click(after.board, squares[0], findings.mines)
        if not after.reading.unread:
            findings.opening(after.board, before.board.opened | {*squares})
        strays = after.board != before.board and len(squares) == 1
        if not answered and (strays or not self._answers):
            # The game may ask only now and then whether a button is down, and where.
            findings.note_longest("press_milliseconds", LONG_PRESS_SECONDS)

    def _outcome(
        self, after: Observation | None, opened: Sequence[int] = (), *, sure: bool = False
    ) -> str | None:
        """How the game has ended by clicks, None while it goes on; `after` is what is seen then.

        `opened` are the cells that were to be opened, `sure` to be safe or not; none for a flag.
        """
        window, before = self._window, self._window.running
        is_lost = is_won = is_another = False
        if after is not None:
            # Some games flag their mines once they are won; others draw a lost one's like flags.
            new = flagged(after) - flagged(before) if opened else set()
            is_hit = len(new) > 1 and not new.isdisjoint(opened)
            is_lost = is_hit or after.board.lost
            is_won = bool(new) and after.board.opened.issuperset(opened)
            is_another = before.board.begun and is_new(after, before.board)
            is_over = disturbed(before, after) > LIT or bool(window.dialogs.shown())
            is_over |= window.in_browser and is_dimmed(before, after)
            is_over |= is_won or is_hit or bool(after.board.shown_mines)
            if not is_over and not (is_another and not after.board.begun):
                return self._goes_on(after)
        self._answers = True
        if is_another and not window.dialogs.shown():
            self._findings.note(auto_restart=True, end_overlay=True)
        if is_won or (sure and not is_lost):
            # It was not only the last flag that was missing.
            self._findings.note(flags_to_win=False)
            return self._ended("won")
        return self._ended("lost" if opened and not sure else "over")

    def _goes_on(self, after: Observation) -> str | None:
        """None, unless the game has not answered for some clicks."""
        before = self._window.running
        answers = after.board != before.board or after.reading.unread != before.reading.unread
        self._answers |= answers
        self._silent = 0 if answers else self._silent + 1
        if self._silent < _SILENT:
            return None
        if not self._answers:
            raise UsageError(_NOT_FRESH)
        return self._ended("over")

    # -- the end

    def _ended(self, outcome: str) -> str:
        """Look at the end, what came over the board and what goes away of it; the outcome."""
        window, findings = self._window, self._findings
        since = window.clock.now()
        wait = _MESSAGE_SECONDS if outcome not in findings.outcomes else 0.0
        if findings.behaviour.end_overlay and findings.outcomes:
            # It may come a moment later than the end; whatever is done then would meet it.
            wait = max(wait, OWN_SECONDS)
        findings.outcomes.add(outcome)
        came = False
        while True:
            window.close_dialogs("ended")
            self._look_at_end()
            elapsed = window.clock.now() - since
            if window.is_covered_within:
                came = True
            elif came:
                findings.note_longest("end_message_milliseconds", elapsed)
                break
            if elapsed >= wait:
                break
            window.step_aside()
            window.pause()
        behaviour = findings.behaviour
        if came:
            findings.note(end_overlay=True)
        elif {"won", "lost"} <= findings.outcomes and not behaviour.auto_restart:
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
        return window.is_covered_within or is_dimmed(window.running, window.view)
