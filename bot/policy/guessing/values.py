"""What is said of a guess: which cells were considered, and why one was taken."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

__all__ = ["Candidate", "Choice", "Reason", "Strategy"]


class Strategy(Enum):
    """How to guess; each is the one before it with one step more."""

    LEAST_RISK = "least-risk"
    """The cell that is least likely a mine."""
    PROGRESS = "progress"
    """Among those, the one most likely to make another cell certain."""
    LOOKAHEAD = "lookahead"
    """The one after which the game is most likely to go on, whatever number it shows."""
    ENDGAME = "endgame"
    """Few layouts left: the exact best strategy."""
    FULL = "full"
    """All that is known to help."""


class Reason(Enum):
    """What decided for a guess."""

    LEAST_RISK = "least risk"
    PROGRESS = "least risk, then the best chance of progress"
    LOOKAHEAD = "the best prospects after the number it shows"
    FORCED = "no later move can tell more about this front"
    ENDGAME = "the best strategy over all layouts left"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cell that might have been guessed; chances are from 0 to 1."""

    x: int
    y: int
    risk: float
    """The chance that there is a mine."""
    progress: float | None = None
    """The chance that it is opened and makes another cell certain; None: not looked at."""
    opening: float | None = None
    """The chance that it opens an area, that is shows no number; None: not looked at."""
    score: float | None = None
    """What the candidates were compared by, the greater the better; None: by their risk."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The cell to guess and what it was compared with."""

    reason: Reason
    candidates: tuple[Candidate, ...]
    """Best first: the first one is the choice."""

    @property
    def best(self) -> Candidate:
        """The cell to guess."""
        return self.candidates[0]
