"""Looks at one game while it is calibrated, and keeps what it shows."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Iterable, Sequence
from copy import deepcopy
from dataclasses import replace

import numpy as np

from bot.board import Cell
from bot.calibrate.changes import gone, is_veiled, is_written_over, lies_over
from bot.calibrate.evidence import Knowledge, Shot
from bot.calibrate.looks import CLOSELY_ALIKE, Lookbook
from bot.calibrate.meaning import Evidence, is_understood
from bot.calibrate.outlines import outline
from bot.calibrate.relook import leave_out, relook
from bot.calibrate.window import CLOSES, Table
from bot.capture import Frame
from bot.errors import WindowCovered
from bot.vision.changes import differ
from bot.vision.grid import Grid

_DISTURBED = 3
"""So many open squares at least have changed when something lies over them, or all of fewer.
Guessed."""
_AROUND = 8
"""A tile that is drawn larger below the pointer spills over so many others at most."""
_VEILED = 0.95
"""Such a share of all squares has, when a message dims all of a page. Guessed."""


Elsewhere = Callable[[], Iterable[tuple[Frame, Grid]]]
"""The board on the table in windows of other sizes, each with its grid there."""


def _packed(frame: Frame) -> Callable[[], Frame]:
    """What gives the frame again, which is kept small until then."""
    data, shape = zlib.compress(frame.pixels.tobytes(), 1), frame.pixels.shape
    return lambda: Frame(np.frombuffer(zlib.decompress(data), np.uint8).reshape(shape))


class Observer:
    """Looks at one game, and keeps what it shows."""

    def __init__(
        self, knowledge: Knowledge, table: Table, game: Evidence, elsewhere: Elsewhere
    ) -> None:
        self._all = knowledge
        self._table = table
        self._game = game
        self._elsewhere = elsewhere
        self._number = len(knowledge.games)
        self.squares = game.width * game.height
        """How many there are."""
        self.looks: list[int] = []
        """Of all squares, in row-major order, when it was looked at last."""
        self.flags: set[int] = set()
        """The squares that were flagged."""
        self.hidden = False
        """Whether something in the game's own window lay over the board then."""
        self.ended = False
        """Whether a message then told that the game has ended, or another board had come."""
        self.renewed = False
        """Whether that was the case."""
        self._plain: Frame | None = None
        """The last picture of the game going on."""
        self._plain_looks: list[int] = []
        self._pointed: int | None = None
        """The square below the pointer in it."""
        self._last: Frame | None = None
        """What was seen of the board last, if since."""

    def last_look(self) -> Frame:
        """The board, dialogs closed and messages gone.

        Raises WindowCovered where another window stays over it.
        """

        def look() -> Frame:
            self._table.close_dialogs("ended")
            frame = self.look()
            if not self._all.waited or self._all.message_seconds:
                looks, hidden, seconds = self.looks, self.hidden, self._table.timing.message
                self._table.step_aside()
                self._table.pause(seconds)
                frame = self.look()
                if not self.hidden and (hidden or looks != self.looks):
                    self._all.message_seconds = seconds
                self._all.waited = True
            elif self._all.covers and not self.hidden:
                # It comes a moment later than the end; whatever is done then would meet it.
                self._table.pause(self._table.timing.own)
                frame = self.look()
            return frame

        frame = self.uncovered(look)
        known = {each for shot in self._all.shots for each in shot.looks}
        covered = set(range(self.squares)) - self._game.opened.keys()
        if not self.hidden and is_written_over(self.looks, covered, known):
            # It came at once, and where nothing was open.
            self.hidden, self._table.message, self._last = True, frame, None
            self._all.covers = True
        if not self._game.opened and self._all.covered.issuperset(self.looks):
            # Its first click has ended it, and all is covered again.
            self.ended = self.renewed = self._table.renewed = self._all.first_lost = True
        return frame

    def uncovered(self, look: Callable[[], Frame]) -> Frame:
        """What `look` returns once it raises WindowCovered no longer; that, if it goes on."""
        timing = self._table.timing
        end = self._table.clock.now() + timing.covered
        while True:
            try:
                return look()
            except WindowCovered:
                if self._table.clock.now() > end:
                    raise
            self._table.pause(timing.pause)

    def look(self) -> Frame:
        """The board at rest; raises what the table does.

        Where something in the game's own window has come to lie over it, as messages at the end
        do, it is what was seen before that: `hidden` is set, and `unseen` if nothing was.
        """
        if self._all.spills:
            self._table.step_aside()
        frame = self._table.look(self._seems_hidden)
        seen = self._table.unhidden
        if self._all.spills is None and self._table.pointer is not None:
            frame = self._aside(frame, self._table.pointer)
        if self._table.in_browser and self._plain and self._table.is_veiled(self._plain):
            veiled = frame
            self._table.press(CLOSES)
            frame = self._table.look()
            # What was below it may show all that lies below the squares by now.
            if self._table.is_veiled(veiled):
                self._all.end_key, self._last, self.ended = CLOSES, None, True
        assert self._table.grid is not None
        self.hidden, self._table.message = False, None
        if self._is_renewed(frame):
            self.ended = self.renewed = self._table.renewed = True
            return frame
        is_odd = self._seems_hidden(frame)
        if not self._follow(frame, is_odd=is_odd) and is_odd and self._is_hidden(frame):
            self.hidden, self._table.message = True, frame
            self._all.covers = True
            if seen is not None and self._shows_more(seen):
                self._last = seen
            if self._last is None:
                return frame
            frame = self._last
        elif self._plain is not None:
            # Should something come over it later, this is what was seen of it.
            self._last = frame
        self.looks = self._all.book.looks(frame, self._table.grid)
        return frame

    def expect(self) -> None:
        """Open squares may come to look otherwise by what is done next, nothing lying over them."""
        self._plain = self._last = None

    def _aside(self, frame: Frame, pointed: int) -> Frame:
        """The board without the pointer on it; takes down whether others looked lit as well."""
        self._table.step_aside()
        after = self._table.look()
        assert self._table.grid is not None
        if after.pixels.shape == frame.pixels.shape:
            changed = differ(frame, after, self._table.grid)
            changed[pointed] = False
            self._all.spills = 0 < int(changed.sum()) <= _AROUND
        return after

    def _is_renewed(self, frame: Frame) -> bool:
        """Whether another board has come: what was open is covered again, and so is all else."""
        if self._plain is None or self._plain.pixels.shape != frame.pixels.shape:
            return False
        opened, pointer = self._game.opened.keys(), self._table.pointer
        assert self._table.grid is not None
        if not opened or not differ(self._plain, frame, self._table.grid)[list(opened)].all():
            return False
        looks = deepcopy(self._all.book).looks(frame, self._table.grid)
        # Below the pointer one may look lit, and have done so.
        lit = {pointer, self._pointed} - opened | ({pointer} if len(opened) > 1 else set())
        return all(look in self._all.covered or s in lit for s, look in enumerate(looks))

    @property
    def unseen(self) -> bool:
        """Whether the end was not seen: what lies over the board hid it, or another board came."""
        return self.renewed or (self.hidden and self._last is None)

    def _seems_hidden(self, frame: Frame) -> bool:
        """Whether open squares, which should stay as they are, have changed."""
        plain, grid = self._plain, self._table.grid
        if plain is None or grid is None or plain.pixels.shape != frame.pixels.shape:
            return False
        changed = differ(plain, frame, grid)
        # Below the pointer a square may look lit.
        still = [s for s in self._game.opened if s not in (self._table.pointer, self._pointed)]
        enough = min(_DISTURBED, max(1, len(still)))
        return int(changed[still].sum()) >= enough or changed.mean() >= _VEILED

    def _shows_more(self, frame: Frame) -> bool:
        """Whether a covered square looks as none did, as it does when a game has ended."""
        assert self._table.grid is not None
        looks = self._all.book.looks(frame, self._table.grid)
        rest = set(range(self.squares)) - self._game.opened.keys()
        return any(looks[square] not in self._all.covered for square in rest)

    def _follow(self, frame: Frame, *, is_odd: bool) -> bool:
        """Whether the board has only moved; `is_odd`: open squares have changed."""
        plain, grid = self._plain, self._table.grid
        if plain is None or grid is None or plain.pixels.shape != frame.pixels.shape:
            return False
        there = gone(plain, frame, grid, self._game.opened, is_odd=is_odd)
        if there is None:
            return False
        self._table.grid, self._plain = there, None
        return True

    def _is_hidden(self, frame: Frame) -> bool:
        """Whether something lies over the board, not only other colours."""
        assert self._table.grid is not None
        assert self._plain is not None
        if is_veiled(self._plain, frame, self._table.grid):
            return True
        met = len(self._all.book)
        after = deepcopy(self._all.book).looks(frame, self._table.grid)
        return lies_over(self._plain_looks, after, self._game.opened, met)

    def tour(self) -> None:
        """Keep what was shot last in windows of other sizes too, if there is something new."""
        if self.hidden:
            return
        shot = self._all.shots[-1]
        kinds = self._all.kinds(shot)
        if kinds <= self._all.toured:
            return
        self._all.toured |= kinds
        for frame, grid in self._elsewhere():
            self._all.shots.append(replace(shot, open=_packed(frame), grid=grid))
        # The pointer was over other squares meanwhile.
        self.look()

    def opened(self, before: Sequence[int], covered: Iterable[int]) -> set[int]:
        """Those of the squares covered till then, of these looks, that are open now."""
        self._all.unlight(before, self.looks, self._table.pointer)
        return {
            s
            for s in covered
            if self.looks[s] != before[s] and self.looks[s] not in self._all.covered
        }

    def within_lines(self, before: Sequence[int], clicks: Collection[int]) -> Sequence[int]:
        """What the squares looked like before these clicks, `before` as far as is known.

        Where the clicks have brought lines along what is open, these are no part of a look from
        here on, nor of any that was met.
        """
        if self._plain is None or self._last is None or self._all.outline:
            return before
        if self._plain.pixels.shape != self._last.pixels.shape:
            return before
        assert self._table.grid is not None
        known = self._all.covered
        news = [s for s, look in enumerate(self.looks) if look != before[s] and look not in known]
        depth = outline(self._plain, self._last, self._table.grid, clicks, news)
        if not depth:
            return before
        leave_out(self._all, depth)
        self._table.grid = self._table.grid.inset(depth)
        self._plain_looks = self._all.book.looks(self._plain, self._table.grid)
        self.looks = self._all.book.looks(self._last, self._table.grid)
        return self._plain_looks

    def look_closer(self, clicks: Iterable[int]) -> bool:
        """Whether numbers that seemed none are told apart by a closer look.

        What the clicks have opened then is what may be numbers; what is covered looks as before.
        """
        grid, book = self._table.grid, Lookbook(CLOSELY_ALIKE)
        if self._plain is None or self._last is None or grid is None:
            return False
        if self._all.book.alike <= CLOSELY_ALIKE:
            return False
        before, after = (book.looks(frame, grid) for frame in (self._plain, self._last))
        opened = {square: after[square] for square in self._game.opened}
        covered = [s for s in range(self.squares) if s not in opened]
        if {after[s] for s in covered} - {before[s] for s in covered}:
            return False
        closer = replace(self._game, opened=opened)
        if not is_understood(closer, clicks, opened.keys(), {}):
            return False
        relook(self._all, book)
        self._plain_looks, self.looks = (
            book.looks(frame, grid) for frame in (self._plain, self._last)
        )
        self.note_opened(opened)
        self._game.by_sides = closer.by_sides
        return True

    def redrawn(self, before: Sequence[int]) -> bool:
        """Whether most open squares look otherwise than before.

        A game that draws opened squares anew once it is lost draws them all; where they are
        see-through one may come to look a little different, and so may those that the pointer has
        left or reached.
        """
        pointed = (self._pointed, self._table.pointer)
        still = [square for square in self._game.opened if square not in pointed]
        return 2 * sum(self.looks[square] != before[square] for square in still) > len(still)

    def note_opened(self, squares: Iterable[int]) -> None:
        """Take down that these squares are open."""
        for square in squares:
            self._game.opened[square] = self.looks[square]

    def shot(self, frame: Frame) -> Shot:
        """The frame with what is open in it."""
        opened = frozenset(self._game.opened)
        assert self._table.grid is not None
        return Shot(_packed(frame), self._table.grid, self._number, list(self.looks), {}, opened)

    def shoot(self, frame: Frame, marks: Iterable[int] = ()) -> None:
        """Keep the frame; on the squares `marks` there is a mark that is no flag."""
        shot = self.shot(frame)
        shot.marks = frozenset(marks)
        hidden = set(range(self.squares)) - shot.opened
        shot.shown = {s: Cell.FLAG if s in self.flags else Cell.HIDDEN for s in hidden}
        self._all.shots.append(shot)
        self._plain, self._plain_looks, self._last = frame, list(self.looks), None
        self._pointed = self._table.pointer
