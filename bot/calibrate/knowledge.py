"""What is known of a game while it is calibrated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random

from bot.calibrate.alike import Lookbook
from bot.calibrate.meaning import Evidence, Findings, infer
from bot.calibrate.record import Shot

__all__ = ["Kind", "Knowledge"]

Kind = tuple[str, str, int]
"""A phase, how the game ended if it did, and a cell, or -1 - its look for one untold."""


@dataclass(slots=True)
class Knowledge:
    """All that was seen and found out while games were played on boards of one size."""

    random: Random
    total: int | None = None
    """The number of mines, where the user says it."""
    book: Lookbook = field(default_factory=Lookbook)
    games: list[Evidence] = field(default_factory=list)
    shots: list[Shot] = field(default_factory=list)
    message_seconds: float = 0.0
    """For how long a message lay over the board when a game had ended."""
    numbers: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """What the looks of opened squares may stand for."""
    covered: set[int] = field(default_factory=set)
    """Looks of squares that are not open, flags and marks among them."""
    flagged: set[int] = field(default_factory=set)
    """Those of flags."""
    marked: bool = False
    """Whether it is known what a right click does."""
    lost_with_flags: bool = False
    """Whether a game was lost with a right and a wrong flag set."""
    waited: bool = False
    """Whether the message at the end has been waited for once."""
    met: set[Kind] = field(default_factory=set)
    """All that was shown so far."""
    toured: set[Kind] = field(default_factory=set)
    """What was shown in windows of other sizes too."""

    def kinds(self, shot: Shot) -> set[Kind]:
        """What the shot shows, numbers as far as they are told."""
        opened = self.games[shot.game].opened
        ending = shot.ending.outcome if shot.ending is not None else ""
        shown = {-1 - opened[square] for square in shot.opened & opened.keys()}
        return self._told((shot.phase, ending, each) for each in {*shown, *shot.shown.values()})

    def learn(self) -> None:
        """Draw the conclusions from a game that has ended. Raises Contradiction."""
        self.numbers = self.findings().numbers
        self.toured = self._told(self.toured)
        last = len(self.games) - 1
        self.met = self._told(self.met).union(
            *(self.kinds(shot) for shot in self.shots if shot.game == last)
        )

    def _told(self, kinds: Iterable[Kind]) -> set[Kind]:
        """The same, with numbers instead of looks where it is known which they are."""
        found = set()
        for phase, ending, shown in kinds:
            values = self.numbers.get(self.book.same(-1 - shown), ()) if shown < 0 else ()
            found.add((phase, ending, next(iter(values)) if len(values) == 1 else shown))
        return found

    def findings(self) -> Findings:
        """What follows from all games together. Raises Contradiction."""
        for game in self.games:
            game.opened = {s: self.book.same(look) for s, look in game.opened.items()}
            game.revealed = {s: self.book.same(look) for s, look in game.revealed.items()}
        return infer(self.games, self.numbers)
