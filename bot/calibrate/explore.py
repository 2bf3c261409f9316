"""Plays a game of which nothing is known, and finds out what its looks mean."""

from __future__ import annotations

from collections.abc import Sequence

from bot.actuator import Button
from bot.board import neighbourhood
from bot.calibrate.beginning import hidden_squares
from bot.calibrate.ends import Ends
from bot.calibrate.evidence import Ending, Knowledge
from bot.calibrate.last_flags import ends_by_flags
from bot.calibrate.marking import LONG, Marking
from bot.calibrate.meaning import Evidence, Findings, Mind, infer, is_understood, spread
from bot.calibrate.observer import Elsewhere, Observer
from bot.calibrate.window import Table
from bot.capture import Frame
from bot.errors import Contradiction, UsageError, WindowCovered, WindowGone, WindowRestless

_SILENT = 3
"""After so many clicks without an answer the game is over."""
_SHOWN_LATE = 0.6
"""The share of the safe squares that is open when a game is lost on purpose."""
_LATE_GAMES = 3
"""From that game on a share of `_SHOWN_SOON` is enough: small boards may never come that far."""
_SHOWN_SOON = 0.2
"""That share."""
_MANY = 4
"""So many squares that hang together with a click are no mines that a lost game shows. Guessed."""
_TELLING = 2
"""So many flags at least are set to see whether the last of them ends a game."""
_FULLEST = 0.5
"""No board has mines on more than this share of its squares."""


def explore(knowledge: Knowledge, table: Table, elsewhere: Elsewhere = tuple) -> str:
    """Play the fresh board on the table to its end; `won` or `lost`, or `over` if untold.

    It assumes of the game that a left click opens a hidden square, and that a square opened
    without a mine around it opens those around it.

    Where nothing flags it plays without flags. Raises Contradiction when what
    is seen fits no meaning, UsageError when the board is not fresh, VisionError when a right
    click does more than to flag, and whatever the table raises.
    """
    assert table.grid is not None
    evidence = Evidence(table.grid.width, table.grid.height, by_sides=knowledge.by_sides)
    game = _Game(knowledge, table, evidence, elsewhere)
    knowledge.games.append(game.evidence)
    outcome = game.play()
    knowledge.learn()
    return outcome


class _Game:
    """One game."""

    def __init__(
        self, knowledge: Knowledge, table: Table, evidence: Evidence, elsewhere: Elsewhere
    ) -> None:
        self._all = knowledge
        self._table = table
        self.evidence = evidence
        self._seen = Observer(knowledge, table, evidence, elsewhere)
        self._marking = Marking(knowledge, table, evidence, self._seen)
        self._ends = Ends(knowledge, evidence, self._seen)
        self._number = len(knowledge.games)
        self._toured = False
        """Whether it has been looked at in the middle of the game."""
        self._silent = 0
        self._is_running = False
        """Whether most was open when it was looked at first."""
        self._answers = False  # Whether a click has opened something.
        self._doubt: tuple[int, frozenset[int]] | None = None
        """A square that may be a mine that was hit, and the squares covered before it was
        clicked: of its look alone, and no later click has shown that the game goes on."""
        self._findings = Findings({}, [{}])

    def play(self) -> str:
        try:
            return self._play()
        except WindowRestless:
            # Some boards go on moving once they have ended: of such an end nothing is read.
            if not self._answers:
                raise
            if self._table.in_browser:
                # A page's alert may keep all else from it.
                self._table.press("Escape")
            return "over"
        except WindowGone:
            # It may go on in another window.
            if not self._answers:
                raise
            self._table.gone = True
            return "over"

    def _play(self) -> str:
        self._begin()
        while True:
            self._findings = self._inferred()
            if self._seen.hidden:
                told, left = self._findings.mines[0], self.evidence.covered
                return self._quiet_end("won" if all(told.get(s) for s in left) else "over")
            mind = Mind(self.evidence, self._findings, self._all.total, self._all.random)
            safe, mines = mind.certain()
            if self._doubt is None:
                self._marking.find_out(mines)
            flags = self._seen.flags  # Not all games open what is flagged.
            safe, left = ([s for s in those if s not in flags] for those in (safe, mines))
            if self._is_time_to_lose(safe, left):
                return self._lose(safe, left)
            if len(safe) > 1 and self._marking.is_to_be_tried():
                ended = self._try_way(safe)
                if ended is not None:
                    return ended
                continue
            guess = None if safe else mind.guess([*mines, *flags])
            if not safe and guess is None:
                return self._only_mines(mines)
            clicks = safe[: self._all.batch] if guess is None else [guess]
            ended = self._open(clicks, sure=guess is None)
            if ended is not None:
                return ended

    # -- the beginning

    def _begin(self) -> None:
        """Look at the board, and tell what is hidden from what is open already."""
        frame = self._seen.look()
        hidden = hidden_squares(self._all, self.evidence, self._seen.looks, self._table.pointer)
        self._is_running = 2 * len(hidden) < self._seen.squares
        self._all.covered |= {self._seen.looks[s] for s in hidden}
        self._seen.note_opened(set(range(self._seen.squares)) - hidden)
        self._seen.shoot(frame)

    # -- thinking

    def _inferred(self) -> Findings:
        """What follows from this game and what was known before it."""
        return infer([self.evidence], self._all.numbers)

    # -- acting

    def _try_way(self, safe: Sequence[int]) -> str | None:
        """See whether a click of a safe square flags it in the next way; as `_open`."""
        before, covered, clicks = list(self._seen.looks), self._covered(), [safe[0]]
        try:
            frame = self._marking.try_way(safe, clicks)
        except WindowCovered:
            return self._ended(clicks, covered, sure=True)
        if frame is None:
            return None
        return self._took(clicks, before, covered, frame, sure=True)

    def _covered(self) -> frozenset[int]:
        return frozenset(range(self._seen.squares)) - set(self.evidence.opened)

    def _open(self, clicks: Sequence[int], *, sure: bool) -> str | None:
        """Click squares; how the game ended, None while it goes on."""
        before, covered = list(self._seen.looks), self._covered()
        all_sent = False
        try:
            for square in clicks:
                self._table.click(square, Button.LEFT)
            all_sent = True
            frame = self._seen.look()
            if not sure and self._answers and self._seen.looks == before:
                # A mine may be shown a while after it was hit.
                self._table.pause(self._table.timing.late)
                frame = self._seen.look()
        except WindowCovered:
            if self._table.covered:
                return self._ended(clicks, covered, sure=sure)
            # Another program's window tells nothing of the game.
            frame = self._seen.uncovered(self._seen.look)
        ended = self._took(clicks, before, covered, frame, sure=sure)
        if all_sent and ended is None:
            answered = len(self.evidence.opened.keys() & set(clicks))
            self._all.one_at_a_time |= 0 < answered < len(clicks)
        return ended

    def _took(
        self,
        clicks: Sequence[int],
        before: Sequence[int],
        covered: frozenset[int],
        frame: Frame,
        *,
        sure: bool,
    ) -> str | None:
        """Take down what came of clicks, as `frame` shows it; as `_open`."""
        if self._seen.unseen or self._seen.ended:
            return self._ended(clicks, covered, sure=sure)
        before = self._seen.within_lines(before, clicks)
        opened = self._seen.opened(before, covered)
        left = [s for s in covered - opened if s not in self._seen.flags]
        around = neighbourhood(self.evidence.width, self.evidence.height)
        legal = (
            not self._seen.redrawn(before)
            and left
            and not self._ends.flags_came(covered)
            and spread(clicks, opened, around) == opened
        )
        if not legal or self._table.covered:
            return self._ended(clicks, covered, sure=sure)
        self._answers |= bool(opened)
        self._silent = 0 if opened else self._silent + 1
        if not (opened or self._answers or self._is_running or self._table.press_seconds):
            # The game may ask only now and then whether a button is down.
            self._all.press_seconds = self._table.press_seconds = LONG
        if self._silent >= _SILENT or (self._is_running and not self._answers):
            return self._quiet_end("over")
        self._seen.note_opened(opened)
        understood = is_understood(
            self.evidence, clicks, opened, self._all.numbers
        ) or self._seen.look_closer(clicks)
        self._all.by_sides |= self.evidence.by_sides
        if not understood:
            for square in opened:
                del self.evidence.opened[square]
            if len(opened - set(clicks)) >= _MANY:
                raise Contradiction("what a click opened fits no rule that is known")
            return self._ended(clicks, covered, sure=sure)
        self._seen.shoot(frame)
        if opened:
            alone = not sure and opened == {clicks[0]} and self._ends.is_new(clicks[0])
            self._doubt = (clicks[0], covered) if alone else None
        if not self._toured and 2 * len(self.evidence.opened) > self._seen.squares:
            self._toured = True
            self._seen.tour()
        return None

    def _only_mines(self, mines: Sequence[int]) -> str:
        """How a game ends of which all that is safe is open, unless it has to be flagged, too.

        Whether all mines have to be is tried once.
        """
        flags = self._seen.flags
        left = [square for square in mines if square not in flags]
        if not flags <= {*mines}:
            return self._quiet_end("over")
        can_be_tried = self._all.flags and self._all.marked and len(left) >= _TELLING
        is_open = self._all.flags_to_win is None and can_be_tried and self._doubt is None
        if not (self._all.flags_to_win or is_open) or not self._answers:
            return self._quiet_end("won")
        covered = self._covered()
        ended = ends_by_flags(self._all, self._table, self._seen, self._marking, left)
        self._all.flags_to_win = ended or bool(self._all.flags_to_win)
        if not ended:
            return self._quiet_end("won")
        return self._ended(left[-1:], covered, sure=True)

    def _is_time_to_lose(self, safe: Sequence[int], mines: Sequence[int]) -> bool:
        """Whether to lose on purpose: for the looks of flags after a loss, right and wrong."""
        late = _SHOWN_LATE if self._number < _LATE_GAMES else _SHOWN_SOON
        return (
            self._all.marked
            and self._doubt is None
            and not self._all.lost_with_flags
            and self._number > 0
            and bool(safe)
            and len(mines) >= 2  # one for a flag, one to click
            and len(self.evidence.opened) >= late * (self._seen.squares - len(mines))
        )

    def _lose(self, safe: Sequence[int], mines: Sequence[int]) -> str:
        """Flag a mine and a safe square, if that can be, then click another mine."""
        self._all.lost_with_flags = True
        for square in (safe[0], mines[0]) if self._all.flags else ():
            if not self._marking.flag(square):
                break
            self._seen.flags.add(square)
            frame = self._seen.look()
            self._seen.shoot(frame)
        self._seen.tour()
        covered = self._covered()
        try:
            self._table.click(mines[1], Button.LEFT)
            self._seen.look()
        except WindowCovered:
            pass
        return self._ended([mines[1]], covered, sure=False, mine=True)

    # -- the end

    def _quiet_end(self, otherwise: str) -> str:
        """How a game ended that answers no more, or leaves nothing to open.

        Some games show a mine that is hit as if it were a number, and nothing else. One in which
        no click was answered teaches nothing.
        """
        if not self._answers:
            # It had ended, or never was one: what was taken for numbers may be anything.
            raise UsageError("the board is not fresh: start a new game")
        if self._doubt is None:
            return otherwise
        hit, covered = self._doubt
        del self.evidence.opened[hit]
        self._findings = self._inferred()
        return self._ended([hit], covered, sure=False)

    def _ended(
        self, clicks: Sequence[int], covered: frozenset[int], *, sure: bool, mine: bool = False
    ) -> str:
        """Look at the board once nothing lies over it any more, and take what it tells.

        `sure` says that what was clicked is certainly safe, `mine` that it is none but a mine.
        """
        certain = dict(self._findings.mines[0])
        frame = self._seen.last_look()
        if self._seen.renewed:
            if sure and any(s not in clicks and certain.get(s) is False for s in covered):
                raise Contradiction("another board came while one was played")
            self._all.begins_anew = self._all.covers = True
        if self._seen.unseen:
            # It ended, for what lies over the board has hidden it before it was seen.
            return "won" if sure else "lost" if mine else "over"
        strange = frozenset(s for s in covered if self._seen.looks[s] not in self._all.covered)
        if sure or not (mine or self._ends.may_be_lost(clicks[0], covered)):
            return self._ends.won(frame, covered, strange, set(clicks), certain)
        hit = clicks[0]
        safe = {s for s in covered if certain.get(s) is False}
        left = covered - safe - {hit}
        if not mine and len(left) <= _FULLEST * self._seen.squares and self._ends.fits(mines=left):
            return "over"  # All that is left may be mines as well: this end teaches nothing.
        revealed = {s: self._seen.looks[s] for s in covered - self._seen.flags - {hit}}
        # Some games show all mines once they are lost, some only one.
        changed = {s: look for s, look in revealed.items() if s in strange}
        for shown in (revealed, changed, {}) if changed else ({},):
            if self._ends.fits(mines={hit}, revealed=shown):
                self.evidence.mines.add(hit)
                self.evidence.revealed = shown
                self._all.first_lost |= not self.evidence.opened
                self._ends.finish(frame, Ending("lost", hit, covered, strange))
                return "lost"
        if mine:
            return "over"  # It fits nothing: somebody else has clicked as well.
        return self._ends.won(frame, covered, strange, {hit}, certain)
