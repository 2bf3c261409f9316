"""The clicks that were sent and have not shown yet: which to wait for, which to send again.

Clicks arrive in the order in which they were sent. So when a later click has shown
its effect and an earlier one has not, the earlier one is lost, unless the game paints
it a moment later; else it is late, and only much later counted as lost.
"""

from __future__ import annotations

from dataclasses import dataclass

from minebot.board import Action, Board, Cell, Move
from minebot.play.timing import Timing

_TRIES = 5
"""Times that a move is sent before clicks count as not landing. Specified: a limit."""


@dataclass(slots=True)
class _Sent:
    at: float
    """When, in seconds."""
    opens: set[int]
    """The squares that it has still to open."""


class PendingClicks:
    """What is under way on one board."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._sent: dict[Move, _Sent] = {}
        self._tries: dict[Move, int] = {}
        self.opened: set[int] = set()
        """The squares that were clicked to open them, or opened by a chord."""
        self.flagged: set[int] = set()
        """The squares on which a flag was to be set."""
        self._shown = self._marked = 0.0
        """When the last clicks of both kinds that have shown were sent, as in `_Sent.at`."""

    def __contains__(self, move: Move) -> bool:
        return move in self._sent

    def __bool__(self) -> bool:
        """Whether anything is under way: it will show, or in time count as lost."""
        return bool(self._sent)

    @property
    def opening(self) -> set[int]:
        """The squares that the moves under way open."""
        return {square for sent in self._sent.values() for square in sent.opens}

    def sent(self, move: Move, now: float, board: Board) -> None:
        """Note that the click for `move` was sent at `now` seconds, on what `board` showed."""
        opens = set(_covered(board, move) if move.action.opens else ())
        self._sent[move] = _Sent(now, opens)
        self._tries[move] = self._tries.get(move, 0) + 1
        self.opened |= opens
        if move.action is Action.FLAG:
            self.flagged.add(board.square(move.x, move.y))

    def seen(self, board: Board, now: float) -> None:
        """Compare with what the board showed at `now` seconds.

        What shows is done with; what is lost is no longer under way, and can be sent again.
        """
        shown = [move for move in self._sent if _shows(board, move)]
        # A cell may have been opened by another's opening; a flag is set only by its click.
        for move in shown:
            at = self._sent.pop(move).at
            if not _may_be_flooded(board, move):
                self._shown = max(self._shown, at)
            if not move.action.opens:
                self._marked = max(self._marked, at)
        if shown:
            # A game that answers some clicks is slow, not deaf to the others.
            self._tries = dict.fromkeys(self._sent, 1)
        for move, sent in list(self._sent.items()):
            sent.opens.intersection_update(board.squares(Cell.HIDDEN, Cell.FLAG))
            if now - sent.at > self._lost_seconds(move, sent, board):
                del self._sent[move]

    def given_up(self, move: Move) -> bool:
        """Whether the move was sent again and again, and the game did not answer any click."""
        return move not in self._sent and self._tries.get(move, 0) >= _TRIES

    def _lost_seconds(self, move: Move, sent: _Sent, board: Board) -> float:
        """After how long the click counts as lost."""
        toggles = not move.action.opens
        if sent.at < (self._marked if toggles else self._shown):
            return self._timing.answer_seconds / 4  # games paint in bursts
        once = self._timing.lost_seconds(begun=board.begun, toggles=toggles)
        # A game that is busy is not helped by more clicks: each is waited for longer.
        patient = max(once, self._timing.busy_seconds)
        return float(min(once * 2 ** (self._tries[move] - 1), patient))


def _shows(board: Board, move: Move) -> bool:
    cell = board.cells[board.square(move.x, move.y)]
    if move.action is Action.FLAG:
        return cell == Cell.FLAG
    if move.action is Action.UNFLAG:
        return cell != Cell.FLAG
    if move.action is Action.CHORD:
        return not _covered(board, move)
    return cell not in (Cell.HIDDEN, Cell.FLAG)


def _covered(board: Board, move: Move) -> list[int]:
    """The squares that a move has still to open."""
    square = board.square(move.x, move.y)
    if move.action is Action.OPEN:
        return [square]
    return [other for other in board.neighbours(square) if board.cells[other] == Cell.HIDDEN]


def _may_be_flooded(board: Board, move: Move) -> bool:
    """Whether the cell may have been opened by a click on another."""
    square = board.square(move.x, move.y)
    return move.action.opens and any(
        board.cells[other] == Cell.EMPTY for other in (square, *board.neighbours(square))
    )
