"""Finds out, with one flag, whether a click flags a cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from minebot.board import Action, Board, Cell, Move
from minebot.play.pending_clicks import PendingClicks


@dataclass(slots=True)
class FlagTrial:
    """Sets one flag and waits for it before any other.

    In an unknown game a later flag may fail, too: the game may have ended.
    """

    is_unknown: bool
    """Whether nothing is known of the game's flags."""
    has_passed: bool = False
    """Whether a click was seen to flag a cell."""
    _sent: Move | None = None
    """The flag that was set last, until it shows or is lost."""

    @property
    def is_due(self) -> bool:
        """Whether it is still to be seen that a click flags a cell."""
        return self.is_unknown and not self.has_passed

    def allowed(self, moves: Sequence[Move]) -> Sequence[Move]:
        """The moves that may be made now: of those that flag the first one alone, and that once."""
        if not self.is_due:
            return moves
        opening = [move for move in moves if move.action.opens]
        flagging = [move for move in moves if move.action is Action.FLAG]
        return opening if self._sent is not None else [*opening, *flagging[:1]]

    def sent(self, move: Move) -> None:
        """Note a move that was made."""
        if self.is_unknown and move.action is Action.FLAG:
            self._sent = move

    def has_failed(self, board: Board, pending: PendingClicks) -> bool:
        """Whether the flag does not show, on a board on which it would; it passes if it does."""
        move = self._sent
        if move is None or move in pending:
            return False
        self._sent = None
        if board.cells[board.square(move.x, move.y)] == Cell.FLAG:
            self.has_passed = True
            return False
        return not board.lost
