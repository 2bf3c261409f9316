"""What the loop needs of those who help it to play: the status line's reader and such."""

from __future__ import annotations

from typing import Protocol

from bot.board import Board, Move
from bot.capture import Frame
from bot.errors import Contradiction, VisionError
from bot.policy.plan import Plan
from bot.solver import Verdict
from bot.vision.grid import Grid
from bot.vision.status import Status

__all__ = ["Front", "Journal", "StatusLine"]


class StatusLine(Protocol):
    """What the loop needs of the status line's reader."""

    latest: Status
    problem: str | None
    """Why no status line can be read, None while there is no such reason."""

    @property
    def busy(self) -> bool:
        """Whether a frame handed in is still to be read."""
        ...

    def submit(self, frame: Frame, grid: Grid, flags: int) -> None:
        """Hand in a frame, on whose board there are `flags` flags; returns at once."""
        ...

    def reset(self) -> None:
        """Forget what was read."""
        ...


class Front(Protocol):
    """What the loop needs to have the board in front of the game's other windows."""

    def clear(self) -> bool:
        """Close what the game has put there at its end; whether there was anything."""
        ...

    def regain(self) -> None:
        """The same, and have what is typed go to the board's window."""
        ...


class Journal(Protocol):
    """Told of every frame that was read and what followed from it."""

    def looked(self, frame: Frame, board: Board) -> None:
        """A frame was read."""
        ...

    def thought(self, verdict: Verdict, plan: Plan) -> None:
        """The verdict on the last board, and what is to be done."""
        ...

    def clicked(self, move: Move) -> None:
        """A click was sent."""
        ...

    def failed(self, frame: Frame, grid: Grid | None, error: VisionError | Contradiction) -> None:
        """A frame could not be read or made no sense; it is read again."""
        ...
