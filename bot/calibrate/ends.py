"""Judges what the end of a game that is being learnt tells, and keeps it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from bot.board import Cell
from bot.calibrate.evidence import Ending, Knowledge
from bot.calibrate.meaning import Evidence, infer
from bot.calibrate.observer import Observer
from bot.capture import Frame
from bot.errors import Contradiction


class Ends:
    """What may have ended one game, and what that end shows."""

    def __init__(self, knowledge: Knowledge, game: Evidence, seen: Observer) -> None:
        self._all = knowledge
        self._game = game
        self._seen = seen

    def may_be_lost(self, hit: int, covered: frozenset[int]) -> bool:
        """Whether the square clicked last may show a mine: no number, and no flags came by it."""
        new = self.is_new(hit) and self._seen.looks[hit] not in self._all.covered
        return new and not self.flags_came(covered)

    def is_new(self, square: int) -> bool:
        """Whether no other square shows its look as a number."""
        others = (look for other, look in self._game.opened.items() if other != square)
        return self._seen.looks[square] not in {*self._all.numbers, *others}

    def flags_came(self, covered: frozenset[int]) -> bool:
        """Whether the game has set flags by itself, as some do when it is won."""
        return any(
            self._seen.looks[square] in self._all.flagged for square in covered - self._seen.flags
        )

    def fits(self, mines: Iterable[int], revealed: Mapping[int, int] | None = None) -> bool:
        """Whether the game could have these mines, and have revealed this."""
        game = replace(self._game, mines=self._game.mines | {*mines})
        game.revealed = dict(revealed or {})
        try:
            infer([game], self._all.numbers)
        except Contradiction:
            return False
        return True

    def won(
        self,
        frame: Frame,
        covered: frozenset[int],
        strange: frozenset[int],
        clicked: set[int],
        certain: dict[int, bool],
    ) -> str:
        """Keep that it was won: all that is still covered is a mine.

        What was opened last is not told apart here.
        """
        safe = clicked | {s for s in covered if certain.get(s) is False}
        self._game.mines |= {s for s in covered if certain.get(s) is True}
        looks = self._seen.looks
        if self._all.flagged:
            # Where flags are known nothing else is one: a greyed window, say, tells nothing.
            safe |= {s for s in strange - self._seen.flags if looks[s] not in self._all.flagged}
        ending = Ending("won", None, covered - safe, strange - safe)
        self.finish(frame, ending)
        return "won"

    def finish(self, frame: Frame, ending: Ending) -> None:
        """Keep the frame as that of the end."""
        shot = self._seen.shot(frame)
        shot.ending = ending
        flags = {s for s in ending.covered if self._seen.looks[s] in self._all.flagged}
        # Some games take all flags off, and show what is below as everywhere else.
        below = {self._seen.looks[s] for s in ending.strange - self._seen.flags} - self._all.flagged
        below |= {*self._all.numbers} | (self._all.covered - self._all.flagged)
        flags |= {s for s in self._seen.flags if self._seen.looks[s] not in below}
        shot.shown = dict.fromkeys(flags, Cell.FLAG)
        self._all.shots.append(shot)
        self._seen.tour()
