"""A game as it is being played: how to play it, and what is known of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from bot.board import Board
from bot.policy.plan import Guess

__all__ = ["Game", "Outcome", "Settings"]


class Outcome(Enum):
    """How a game ended."""

    WON = "won"
    LOST = "lost"
    STUCK = "stuck"


def _say_nothing(_: str) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Settings:
    """How to play."""

    flags: bool = True
    mines: int | None = None
    """The mine total, where the person says it; else it is read from the status line."""
    say: Callable[[str], object] = _say_nothing
    """Tells the user, in one line, what there is to wait for."""


@dataclass(slots=True)
class Game:
    """What is known of a game that is being played, or was."""

    outcome: Outcome | None = None
    reason: str = ""
    """Why it is stuck, empty otherwise."""
    warning: str = ""
    """What the person should know of how it was played, empty mostly."""
    seconds: float = 0.0
    """From the first click to the frame that showed the end."""
    clicks: int = 0
    """All clicks sent, those that set and take off flags included."""
    flags: int = 0
    rounds: int = 0
    """Looks after which something was clicked."""
    guesses: list[Guess] = field(default_factory=list)
    board: Board | None = None
    """As it was seen last."""
    stages: dict[str, float] = field(default_factory=dict)
    """Seconds spent in each of grab, read, solve, click, wait."""
