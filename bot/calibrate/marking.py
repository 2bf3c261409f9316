"""Finds out what sets a flag in a game, and how flags and other marks look."""

from __future__ import annotations

from bot.actuator import Button
from bot.calibrate.evidence import Knowledge, Observer
from bot.calibrate.meaning import Evidence
from bot.calibrate.window import Table
from bot.capture import Frame
from bot.errors import VisionError, WindowCovered

_TURNS = 3
"""The most clicks until a hidden square is hidden again: flag, question mark, nothing."""


class Marking:
    """What a right click does in one game."""

    def __init__(
        self, knowledge: Knowledge, table: Table, evidence: Evidence, seen: Observer
    ) -> None:
        self._all = knowledge
        self._table = table
        self._evidence = evidence
        self._seen = seen

    def find(self) -> None:
        """Find out what a right click makes of a hidden square, and take it off again."""
        hidden = [s for s in range(self._seen.squares) if s not in self._evidence.opened]
        pair = self._all.random.sample(hidden, 2)
        before = [self._seen.looks[square] for square in pair]
        shots, flagged = len(self._all.shots), set(self._all.flagged)
        for turn in range(1, _TURNS + 1):
            for index, square in enumerate(pair):
                was = list(self._seen.looks)
                frame = self._right_click(square)
                if frame is None:
                    return
                if turn == 1 and index == 1 and self._seen.looks[pair[0]] == before[0]:
                    # Some games take no flag before the first square is open, some take none;
                    # the pointer may have lit the first of the two.
                    del self._all.shots[shots:]
                    self._all.flagged, self._seen.flags = flagged, set()
                    if self._evidence.opened:
                        self._do_without_flags()
                    elif self._seen.looks[square] not in self._all.covered:
                        self._right_click(square)
                    return
                changed = {
                    s for s in range(self._seen.squares) if self._seen.looks[s] != was[s]
                } - {*pair}
                # Where the pointer was before the first click the square may have looked lit.
                if any(self._seen.looks[s] not in self._all.covered for s in changed):
                    raise VisionError("a right click changes more than the square clicked")
                for lit in changed & self._evidence.opened.keys():
                    del self._evidence.opened[lit]
                self._all.covered |= {self._seen.looks[s] for s in pair}
                turns = {pair[0]: turn, pair[1]: turn - (index == 0)}
                self._seen.flags = {s for s, count in turns.items() if count == 1}
                self._all.flagged |= {self._seen.looks[s] for s in self._seen.flags}
                self._seen.shoot(frame, {s for s, count in turns.items() if count == 2})
            # The pointer has left the first of them, so that it shows its plain look.
            if self._seen.looks[pair[0]] == before[0]:
                self._seen.flags = set()
                self._all.marked = True
                return
        raise VisionError("a flag is not taken off by right clicks")

    def _right_click(self, square: int) -> Frame | None:
        """The board after a right click; None where that brings a menu, which is closed."""
        self._table.click(square, Button.RIGHT)
        try:
            return self._seen.look()
        except WindowCovered:
            self._table.press("Escape")
            self._seen.uncovered(self._seen.look)
            self._do_without_flags()
            return None

    def _do_without_flags(self) -> None:
        """Right clicks flag nothing."""
        self._all.marked, self._all.flags = True, False
        self._seen.flags = set()
