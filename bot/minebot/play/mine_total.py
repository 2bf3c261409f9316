"""How many mines there are: as the user says, or as the status line comes to be read."""

from __future__ import annotations

from dataclasses import dataclass

from minebot.board import Cell
from minebot.play.observer import Observation
from minebot.play.result import Outcome
from minebot.play.timing import Timing
from minebot.stop import Clock
from minebot.vision.status import StatusReader


@dataclass(slots=True)
class MineTotal:
    """The mine total of one game after the other, and what else the status line says."""

    status: StatusReader
    said: int | None
    """The total by the user's word, None to have it read."""
    clock: Clock
    timing: Timing
    mines: int | None = None
    """None while it is not known."""
    before: int | None = None
    """That of the game before, None if that is not known: as a rule it is the same."""
    _wanted_since: float | None = None
    """When a guess first wanted it, in seconds of the clock."""

    def __post_init__(self) -> None:
        self.mines = self.said

    def restart(self) -> None:
        """Another game begins."""
        self._wanted_since = None
        self.before = self.mines or self.before
        self.doubt()

    def doubt(self) -> None:
        """Have it read again: it may have been misread."""
        self.mines = self.said
        self.status.reset()

    def note(self, observation: Observation) -> None:
        """Take over the total once it has been read, and have it read until then."""
        if self.mines is not None:
            return
        mines = self.status.latest.mines
        if mines is not None and 0 < mines < len(observation.board.cells):
            self.mines = mines
        elif not self.status.busy:
            self.status.submit(
                observation.frame, observation.grid, observation.board.count(Cell.FLAG)
            )

    def is_awaited(self, observation: Observation) -> bool:
        """Whether it is being read for the risk of a first click, no game before having had one."""
        if (self.mines or self.before) is not None:
            return False
        self.note(observation)
        if self.status.busy:
            return self.may_come()
        self.note(observation)  # some are read at once
        return False

    def may_come(self) -> bool:
        """Whether it is worth waiting for it: it is being read, or was since the last frame."""
        now = self.clock.now()
        if self._wanted_since is None:
            self._wanted_since = now
        is_coming = self.status.busy or self.status.latest.mines is not None
        return is_coming and now - self._wanted_since < self.timing.total_seconds

    def end(self) -> tuple[Outcome, str] | None:
        """How the game ended, and the reason if it is stuck, where the status line says so."""
        ended = self.status.latest.ended
        if ended == "solved":
            return Outcome.STUCK, "the game has solved itself"
        return None if ended is None else (Outcome(ended), "")

    @property
    def warning(self) -> str:
        """What the user should know when a guess is made without it."""
        reason = self.status.problem or "the mine total could not be read"
        return f"{reason}; guessed without it (--mines N says it)"
