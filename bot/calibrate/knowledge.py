"""What is known of a game while it is calibrated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from bot.calibrate.meaning import Evidence, Findings, infer
from bot.calibrate.record import Shot
from bot.vision.alike import Lookbook

__all__ = ["Knowledge"]


@dataclass(slots=True)
class Knowledge:
    """All that was seen and found out while games were played on boards of one size."""

    random: Random
    total: int | None = None
    """The number of mines, where the person says it."""
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

    @property
    def met(self) -> int:
        """How many looks were met so far."""
        return len(self.book)

    def findings(self) -> Findings:
        """What follows from all games together. Raises Contradiction."""
        for game in self.games:
            game.opened = {s: self.book.same(look) for s, look in game.opened.items()}
            game.revealed = {s: self.book.same(look) for s, look in game.revealed.items()}
        return infer(self.games, self.numbers)
