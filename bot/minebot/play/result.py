"""A game as it is being played: how to play it, and what is known of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache

from minebot.board import Board, Cell
from minebot.errors import Contradiction
from minebot.layout import Layout
from minebot.policy.plan import Candidate
from minebot.policy.style import Style
from minebot.solver import solve


class Outcome(Enum):
    """How a game ended."""

    WON = "won"
    LOST = "lost"
    STUCK = "stuck"


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """How to play."""

    style: Style = Style.FAST
    guesses: bool = True
    """Whether to guess where nothing is certain; else it is stuck there."""
    mines: int | None = None
    """The mine total, where the user says it; else it is read from the status line."""
    say: Callable[[str], object] = lambda _: None
    """Tells the user, in one line, what there is to wait for."""


@lru_cache(maxsize=64)
def layout_of(final: Board) -> Layout | None:
    """Where the mines were, if the end of a game shows it or leaves no other way."""
    shown = Layout.below(final)
    if shown is not None:
        return shown
    try:
        verdict = solve(final, risk=False, every=True)
    except Contradiction:
        return None
    if len(verdict.safe) + len(verdict.mines) < final.covered:
        return None
    mines = (*verdict.mines, *final.squares(Cell.MINE, Cell.EXPLODED))
    return Layout(final.width, final.height, frozenset(mines))


@dataclass(frozen=True, slots=True)
class Figures:
    """What a game is measured by; None where the end does not tell where all mines were."""

    layout: Layout | None
    final: Board | None
    """The board that was seen last."""
    seconds: float
    clicks: int

    @property
    def bbbv(self) -> int | None:
        """The board's 3BV."""
        return None if self.layout is None else self.layout.bbbv

    @property
    def solved(self) -> int | None:
        """How much of the 3BV was solved."""
        if self.layout is None or self.final is None:
            return None
        return self.layout.bbbv_of(self.final.opened)

    @property
    def speed(self) -> float | None:
        """3BV/s: what was solved of it a second."""
        return None if self.solved is None or not self.seconds else self.solved / self.seconds

    @property
    def efficiency(self) -> float | None:
        """What was solved of the 3BV a click; above 1 only with chords."""
        return None if self.solved is None or not self.clicks else self.solved / self.clicks


@dataclass(slots=True)
class GameResult:
    """What is known of a game that is being played, or was."""

    outcome: Outcome | None = None
    reason: str = ""
    """Why it is stuck, empty otherwise."""
    warning: str = ""
    """What the user should know of how it was played, empty mostly."""
    seconds: float = 0.0
    """From the first click to the frame that showed the end."""
    clicks: int = 0
    """All clicks sent, those that set and take off flags included."""
    flags: int = 0
    rounds: int = 0
    """Frames on which something was clicked."""
    guesses: list[Candidate] = field(default_factory=list)
    board: Board | None = None
    """As it was seen last."""

    @property
    def guessed(self) -> set[int]:
        """The squares of the guesses."""
        return {guess.square for guess in self.guesses}

    @property
    def figures(self) -> Figures:
        """What it is measured by."""
        layout = None if self.board is None else layout_of(self.board)
        return Figures(layout, self.board, self.seconds, self.clicks)

    @property
    def hit_a_guess(self) -> bool | None:
        """Whether the mine that was hit lay under a guess; None if none was hit.

        Some games draw all mines as the one that was hit: a guess that was safe is open.
        """
        board = self.board
        if board is None or not board.lost:
            return None
        return any(board.cells[square] == Cell.EXPLODED for square in self.guessed)
