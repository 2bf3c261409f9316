"""The ways to guess, and the settings of each, as numbers for the compiled parts."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class GuessingSettings(NamedTuple):
    """One way to guess; no number here is a time, for a guess is the same on every machine.

    Nor does one depend on the position, which `decide` measures itself: the settings are part of
    the key by which first guesses are remembered, and give the endgame its room.
    """

    worth: float = 0.90
    """Cells with this share of the best safety are considered, as in the best engine known
    (MineSweeperSolver, D. N. Hill)."""
    pseq: bool = False
    """Whether cells are compared as by PSEQ (Tu and others, "Exploring Efficient Strategies for
    Minesweeper", 2017): by PROGRESS, CLEARS and SURPRISE of `lookahead`, not by what may follow."""
    early: float = 0.1
    """Share of a score that the chance of progress adds in the first moves."""
    progress: float = 0.1
    """Share of a score that the chance of progress adds in later moves."""
    layouts: int = 0
    """Largest number of layouts that is searched for the best strategy."""
    small: int = 0
    """Largest such number with at most `decide.FEW_CELLS` undecided cells, if that is more."""
    work: int = 40_000_000
    """Number of cells visited before such a search is given up. Measured: about 0.15 s."""
    every: bool = False
    """Whether to compute the value of each cell, not only that others are no better, for an
    explanation. If that is too much work, only the best are compared."""
    weighing: int = 200_000_000
    """Work of weighing, see `workspace.USED_WORK`, after which no further cell is looked at.
    Measured: about 0.4 s for so much. The slowest of 46,000 guesses on expert boards took
    167,000,000."""
    forced: bool = False
    """Whether components that nothing else can tell more about are played at once."""
    fifty: bool = False
    """Whether cells that are a coin's toss, or else no matter, are played at once."""
    deeper: float = 1.0
    """Cells with at least this share of the best score are looked at one move deeper; 1: none."""

    @property
    def room(self) -> int:
        """Room for all layouts of a search, and one more, which shows that there are too many."""
        return max(self.layouts, self.small) + 1


class Strategy(Enum):
    """How to guess (`minebot simulate --policy`); each adds a step to the previous one."""

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


SETTINGS = {
    Strategy.PROGRESS: GuessingSettings(worth=1.0, pseq=True),
    Strategy.LOOKAHEAD: GuessingSettings(),
    Strategy.ENDGAME: GuessingSettings(layouts=1_000),
    Strategy.FULL: GuessingSettings(
        progress=0.001, layouts=1_000, small=6_000, forced=True, fifty=True, deeper=0.96
    ),
}
"""The strategies for which the compiled parts are needed: what each is to them."""
