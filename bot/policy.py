"""From what is certain to what is clicked: the moves of a round, and which guess to make."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from bot.board import Action, Board, Cell, Move

__all__ = ["Guess", "Plan", "certain_moves", "first_move", "guess"]


@dataclass(frozen=True, slots=True)
class Guess:
    """A move that may hit a mine."""

    x: int
    y: int
    risk: float
    """The chance, from 0 to 1, that there is a mine."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The moves to make now, in the order in which to make them."""

    moves: tuple[Move, ...]
    guess: Guess | None = None
    """Set when the last of the moves is a guess."""


def first_move(board: Board) -> Plan:
    """Where to open a board on which nothing is open yet.

    The game puts no mine next to the first cell. (3, 3) opens well: far enough from
    the edges to be surrounded, near enough that one of its sides is soon explored.
    """
    middle = board.square(min(3, (board.width - 1) // 2), min(3, (board.height - 1) // 2))
    free = [square for square in range(len(board.cells)) if board.cells[square] == Cell.HIDDEN]
    if not free:
        return Plan(())
    square = middle if board.cells[middle] == Cell.HIDDEN else free[0]
    return Plan((_move(board, Action.OPEN, square),))


def certain_moves(
    board: Board, safe: Sequence[int], mines: Set[int], *, flags: bool
) -> tuple[Move, ...]:
    """What to click for cells known to be safe, and (with `flags`) known to be mines.

    `mines` are all mines that were ever proven in this game. A flag on a safe cell is
    taken off first. So is one that is not proven next to a cell to be opened: should
    that cell be open by the time the click lands, the click is a chord, and a chord
    trusts every flag.
    """
    away = dict.fromkeys(square for square in safe if board.cells[square] == Cell.FLAG)
    doubtful = {
        square for square in board.squares(Cell.FLAG) if square not in mines and square not in away
    }
    opened = []
    for square in safe:
        if square in away:
            continue
        near = [other for other in board.neighbours(square) if other in doubtful]
        away.update(dict.fromkeys(near))
        if not near and not any(other in away for other in board.neighbours(square)):
            opened.append(square)
    moves = [_move(board, Action.UNFLAG, square) for square in away]
    moves += [_move(board, Action.OPEN, square) for square in opened]
    if flags:
        moves += [
            _move(board, Action.FLAG, square)
            for square in sorted(mines)
            if board.cells[square] == Cell.HIDDEN
        ]
    return tuple(moves)


def guess(board: Board, risk: Sequence[float | None], mines: Set[int]) -> Plan:
    """The least risky cell; among equals the one that touches most opened cells."""
    candidates = [
        (chance, -_opened_around(board, square), square)
        for square, chance in enumerate(risk)
        if chance is not None and square not in mines
    ]
    if not candidates:
        return Plan(())
    chance, _, square = min(candidates)
    x, y = board.xy(square)
    moves = certain_moves(board, [square], mines, flags=False)
    opens = any(move.action is Action.OPEN for move in moves)
    return Plan(moves, Guess(x, y, chance) if opens else None)


def _opened_around(board: Board, square: int) -> int:
    return sum(board.cells[other] <= Cell.EIGHT for other in board.neighbours(square))


def _move(board: Board, action: Action, square: int) -> Move:
    return Move(action, *board.xy(square))
