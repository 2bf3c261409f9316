"""A game as it is being played: how to play it, and what is known of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from minebot.board import Board, Cell
from minebot.layout import Layout
from minebot.policy.plan import Guess
from minebot.policy.style import Style


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
    guesses: list[Guess] = field(default_factory=list)
    board: Board | None = None
    """As it was seen last."""
    stages: dict[str, float] = field(default_factory=dict)
    """Seconds spent in each of `minebot.play.timing.STAGES`."""

    def guessed(self, board: Board) -> set[int]:
        """The squares of the guesses."""
        return {board.square(guess.x, guess.y) for guess in self.guesses}

    @property
    def layout(self) -> Layout | None:
        """Where the mines were, where the board that was seen last shows it."""
        return None if self.board is None else Layout.below(self.board)

    @property
    def bbbv_solved(self) -> int | None:
        """How much of the board's 3BV was solved; None if its mines are not known."""
        layout = self.layout
        if layout is None or self.board is None:
            return None
        return layout.bbbv_of(self.board.squares(*map(Cell, range(9))))

    @property
    def hit_a_guess(self) -> bool | None:
        """Whether the mine that was hit lay under a guess; None if none was hit.

        Some games draw all mines as the one that was hit: a guess that was safe is open.
        """
        board = self.board
        if board is None or not board.lost:
            return None
        guesses = (board.square(guess.x, guess.y) for guess in self.guesses)
        return any(board.cells[square] == Cell.EXPLODED for square in guesses)
