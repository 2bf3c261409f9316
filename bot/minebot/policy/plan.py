"""Plans the moves of a turn: the certain ones, or else a guess."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from enum import Enum

from minebot.board import Action, Board, Cell, Move
from minebot.layout import First
from minebot.policy.guessing.prepare import prepare
from minebot.policy.guessing.settings import SETTINGS, GuessingSettings, Strategy
from minebot.policy.style import USUAL_DENSITY, most_efficient
from minebot.solver import Verdict

_FIRST = {First.OPENING: (3, 3), First.SAFE: (0, 0)}
"""Column and row that win most often. Measured: docs/measurements.md, First clicks."""
_DIGITS = 9
"""Digits to which risks must agree to be ties. Specified: rounding affects the fifteenth."""


class Reason(Enum):
    """What decided for a guess."""

    LEAST_RISK = "least risk"
    PROGRESS = "least risk, then the best chance of progress"
    LOOKAHEAD = "the best prospects after the number it shows"
    DEEPER = "the best prospects after the next two numbers"
    FIFTY = "a coin's toss now, or else it need not be made"
    FORCED = "no later move can tell more about this front"
    ENDGAME = "the best strategy over all layouts left"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cell that might be opened; chances are from 0 to 1, None if nobody looked."""

    square: int
    risk: float
    """The chance that there is a mine."""
    progress: float | None = None
    """The chance that it is opened and makes another cell certain."""
    win: float | None = None
    """The chance to win if it is opened now and all goes on as well as can be."""
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


@dataclass(frozen=True, slots=True)
class Plan:
    """The moves to make now, in the order in which to make them."""

    moves: tuple[Move, ...]
    guess: Candidate | None = None
    """The cell that the last of the moves opens, if that may hit a mine."""
    choice: Choice | None = None
    """Why that cell, and what it was compared with."""


def first_move(board: Board, promise: First = First.OPENING, *, may_lose: bool = False) -> Plan:
    """Choose the first click on a fresh board.

    If the game guarantees an opening, (3, 3): far enough from the edges to be surrounded, near
    enough that one of its sides is soon explored. Otherwise a corner, the cell most likely to be an
    opening. If the first click `may_lose`, it is a guess.
    """
    x, y = _FIRST[promise]
    wanted = board.square(min(x, (board.width - 1) // 2), min(y, (board.height - 1) // 2))
    free = [*board.squares(Cell.HIDDEN)]
    if not free:
        return Plan(())
    square = wanted if board.cells[wanted] == Cell.HIDDEN else free[0]
    density = USUAL_DENSITY if board.mines is None else board.mines / len(board.cells)
    risk = Candidate(square, density) if may_lose else None
    return Plan((_move(board, Action.OPEN, square),), risk)


def certain_moves(
    board: Board, safe: Sequence[int], mines: Set[int], *, flags: bool, chords: bool = False
) -> tuple[Move, ...]:
    """Return the moves for cells known to be safe and, with `flags`, for known mines.

    With `chords` these are only those of the click that saves most: to open a cell, or to flag what
    a chord needs; the chord itself comes once the board shows these flags.

    `mines` are all mines that were ever proven in this game. A flag on a safe cell is removed
    first. So is an unproven flag next to a cell to be opened: if that cell is open by the time the
    click lands, the click is a chord, and a chord trusts every flag.
    """
    hidden = [square for square in safe if board.cells[square] == Cell.HIDDEN]
    if chords and hidden:
        square, missing = most_efficient(board, hidden, mines)
        if board.cells[square] <= Cell.EIGHT:
            needed = tuple(_move(board, Action.FLAG, mine) for mine in missing)
            return needed or (_move(board, Action.CHORD, square),)
        safe = [square]
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


def guess(
    board: Board,
    risk: Sequence[float | None],
    mines: Set[int],
    strategy: Strategy = Strategy.FULL,
    *,
    prepare: Callable[[], object] = prepare,
    every: bool = False,
    unread: Set[int] = frozenset(),
) -> Plan:
    """Choose a cell to guess if nothing is certain: see `minebot.policy.guessing`.

    `risk` is each covered cell's mine probability, `mines` are all mines that were ever proven in
    this game. If the total is unknown, or the position is too large for the compiled parts, the
    least risk decides. `prepare` is called before these parts: it waits until they exist, and
    raises whatever ends the wait. With `every` the chances of all cells are computed as far as
    possible, not only which one is best. Squares that are `unread` may be open though the board has
    them as covered: none is chosen, and of the others the least risk decides, since what a guess
    leads to cannot be told.
    """
    risks = {
        square: chance
        for square, chance in enumerate(risk)
        if chance is not None and chance < 1.0 and square not in mines and square not in unread
    }
    if not risks:
        return Plan(())
    choice = None
    if strategy in SETTINGS and board.mines is not None and not unread:
        prepare()
        choice = _compiled_choice(board, risks, SETTINGS[strategy]._replace(every=every))
    choice = choice or _least_risk(board, risks)
    moves = certain_moves(board, [choice.best.square], mines, flags=False)
    opens = any(move.action is Action.OPEN for move in moves)
    return Plan(moves, choice.best, choice) if opens else Plan(moves)


def _compiled_choice(
    board: Board, risks: dict[int, float], settings: GuessingSettings
) -> Choice | None:
    """What the compiled parts choose; None if there is more than they can weigh."""
    # They load for seconds.
    from minebot.policy.guessing import decide, lookahead  # noqa: PLC0415
    from minebot.policy.guessing.engine import ranked  # noqa: PLC0415

    what, rows = ranked(board, risks, settings)
    if what == decide.NOTHING:
        return None
    searched = what in (decide.ENDGAME, decide.FORCED)
    reason = {
        decide.ENDGAME: Reason.ENDGAME,
        decide.FORCED: Reason.FORCED,
        decide.FIFTY: Reason.FIFTY,
        decide.DEEPER: Reason.DEEPER,
        decide.LOOKAHEAD: Reason.PROGRESS if settings.pseq else Reason.LOOKAHEAD,
    }[what]
    candidates = []
    for row in rows.tolist():
        square = int(row[lookahead.SQUARE])
        candidates.append(
            Candidate(
                square,
                risks[square],
                None if searched else row[lookahead.PROGRESS],
                row[lookahead.SCORE] if what == decide.ENDGAME else None,
                None if settings.pseq else row[lookahead.SCORE],
            )
        )
    return Choice(reason, tuple(candidates))


def _least_risk(board: Board, risks: dict[int, float]) -> Choice:
    """The least risky cells; among equals the ones that touch most opened cells."""

    def key(square: int) -> tuple[float, int, int]:
        touched = sum(board.cells[other] <= 8 for other in board.neighbours(square))
        return round(risks[square], _DIGITS), -touched, square

    ranked = tuple(Candidate(square, risks[square]) for square in sorted(risks, key=key)[:8])
    return Choice(Reason.LEAST_RISK, ranked)


def next_moves(board: Board, verdict: Verdict, *, flags: bool = False, every: bool = False) -> Plan:
    """Return all moves that are certain or, if none is, the first click or the best guess.

    `verdict` has every risk if no cell is certainly safe. With `flags` known mines are flagged if
    some cell is safe or nothing but mines is left. `every` is as for `guess`.
    """
    mines = set(verdict.mines)
    if verdict.safe or board.covered == len(mines):
        return Plan(certain_moves(board, verdict.safe, mines, flags=flags))
    if not board.begun:
        return first_move(board)
    return guess(board, verdict.risk or (), mines, every=every)


def _move(board: Board, action: Action, square: int) -> Move:
    return Move(action, *board.xy(square))
