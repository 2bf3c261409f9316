"""What the player would do on a board, and why; for a guess, what it was compared with; and what a
coach says: that there is something to see, and not where, unless asked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from minebot.analysis.explanation import Why, why_certain
from minebot.board import Action, Board, Cell, Move
from minebot.errors import Contradiction, UsageError
from minebot.policy.plan import Candidate, Choice, next_moves
from minebot.puzzle.texts import percent
from minebot.solver import Solver, Verdict, solve
from minebot.solver.counting import ODDS, weight

_OTHERS = 3
"""Runners-up that a guess is compared with, besides a corner. Specified: a readable answer."""
SAFE, GUESS, FLAG = KINDS = ("safe", "guess", "flag")
"""What a coach may be asked for: see `minebot watch --coach`."""


@dataclass(frozen=True, slots=True)
class Recommendation:
    """What to do on a board, and what speaks for it or against it."""

    board: Board
    move: Move | None
    """None when nothing is left to do."""
    safe: tuple[int, ...]
    """The cells that are certainly safe; with any of them, no guess is needed."""
    options: tuple[Candidate, ...]
    """The cell to open, then its runners-up; empty if there are safe cells or all is known."""
    reason: str
    """What decided between them."""
    asked: Candidate | None = None
    """The cell that was asked about, which is not certain."""

    @property
    def best(self) -> Candidate | None:
        """The cell to guess, None if none has to be."""
        return self.options[0] if self.options else None

    @property
    def risk(self) -> float:
        """The chance that the cell to click is a mine, from 0 to 1."""
        if self.best is not None:
            return self.best.risk
        return float(self.move is not None and self.move.action is Action.FLAG)

    @property
    def why(self) -> str:
        """Why to make the move, for people; empty for none."""
        if self.move is None:
            return ""
        where = self.board.name_of(self.board.square(self.move.x, self.move.y))
        if not self.options:
            return {
                Action.OPEN: f"open {where}: no layout that fits has a mine there",
                Action.FLAG: f"flag {where}: every layout that fits has a mine there",
                Action.UNFLAG: f"take the flag off {where}: it is not proven, and in the way",
            }[self.move.action]
        best, *others = self.options
        if not self.board.begun:
            return (
                f"open {where}: nothing is open yet, and a first click there opens well; "
                f"{_chances(best)}, unless the game keeps the first click safe"
            )
        compared = f" (compared with {self._listed(others)})" if others else ""
        decided = f"no cell is certain; what decided: {self.reason}; {_chances(best)}"
        return f"open {where}: {decided}{compared}"

    @property
    def text(self) -> str:
        """What to do, and how the cell that was asked about compares, in one sentence or two."""
        said = []
        if self.asked is not None and self.asked != self.best:
            where = self.board.name_of(self.asked.square)
            said.append(f"{where} is not certain: {_chances(self.asked)}")
        if self.safe:
            what = "is" if len(self.safe) == 1 else f"and {len(self.safe) - 1} more are"
            said.append(f"no guess is needed: {self.board.name_of(self.safe[0])} {what} safe")
        elif self.options:
            best, *others = self.options
            said.append(f"best is {self._listed([best])}, by {self.reason}")
            if others := [other for other in others if other != self.asked]:
                said.append(f"compared with {self._listed(others)}")
        return "; ".join(said)

    def _listed(self, options: Sequence[Candidate]) -> str:
        named = self.board.name_of
        return "; ".join(f"{named(option.square)}, {_chances(option)}" for option in options)


def _chances(option: Candidate) -> str:
    """The chances of a cell, in words."""
    said = f"mine risk {percent(option.risk)} %"
    if option.progress is not None:
        said += f", chance of progress {percent(option.progress)} %"
    if option.win is not None:
        said += f", chance to win {percent(option.win)} %"
    return said


def recommend(
    board: Board, verdict: Verdict, asked: int | None = None, *, progress: bool = False
) -> Recommendation:
    """Say what to do on `board`, given its verdict with all risks, and why.

    `asked` is a covered square to be compared too. For a guess flags are not looked at. With
    `progress` each option has its chance of progress.
    """
    assert verdict.risk is not None, "the risks are what is compared"
    is_known = bool(verdict.safe) or board.covered == len(verdict.mines)
    seen = board if is_known else board.unflagged()
    plan = next_moves(seen, verdict, flags=True, every=True)
    move = min(plan.moves, key=lambda move: move.action is not Action.OPEN, default=None)
    options, reason = [], ""
    if plan.choice is not None:
        options, reason = _options(verdict.risk, plan.choice), plan.choice.reason.value
    elif move is not None and not is_known:
        square = board.square(move.x, move.y)
        options = [Candidate(square, verdict.risk[square] or 0.0)]
        reason = "what opens well as a first click"
    found = None
    if asked is not None:
        risk = verdict.risk[asked]
        assert risk is not None, "what is open is not asked about"
        found = next((one for one in options if one.square == asked), Candidate(asked, risk))
    shown = options[: _OTHERS + 1]
    corners = {board.square(x, y) for x in (0, board.width - 1) for y in (0, board.height - 1)}
    if not corners & {one.square for one in shown}:  # Everybody asks about a corner.
        shown += [one for one in options if one.square in corners][:1]
    if progress and plan.guess is not None:
        shown = [with_progress(board, one) for one in shown]
    return Recommendation(board, move, verdict.safe, tuple(shown), reason, found)


def _options(risk: Sequence[float | None], choice: Choice) -> list[Candidate]:
    """The cells that the engine judged, best first, then the others, the least risky one first."""
    known = {one.square for one in choice.candidates}
    others = [
        Candidate(square, chance)
        for square, chance in enumerate(risk)
        if chance is not None and chance < 1 and square not in known
    ]
    return [*choice.candidates, *sorted(others, key=lambda one: (one.risk, one.square))]


def with_progress(board: Board, option: Candidate) -> Candidate:
    """Work out what each number that the cell may show would make certain, if nothing has yet."""
    if option.progress is not None:
        return option
    helping = whole = 0
    for number in range(9):
        shown = board.showing({option.square: number})
        try:
            verdict = solve(shown, risk=True)
        except Contradiction:
            continue
        part = weight(shown, ODDS)
        whole += part
        helping += part if verdict.safe else 0
    return replace(option, progress=(1 - option.risk) * (helping / whole))


def explain(board: Board, square: int, verdict: Verdict | None = None) -> Why | Recommendation:
    """Why the covered `square` is certain; or what it is compared with, where it is not.

    `verdict` is that on `board`, with all risks, where it is there already. Raises
    Contradiction where no layout fits, UsageError if `square` is not covered.
    """
    if board.cells[square] not in (Cell.HIDDEN, Cell.FLAG):
        raise UsageError(f"the cell at {board.name_of(square)} is open")
    verdict = verdict or solve(board, risk=True)
    if square in verdict.safe or square in verdict.mines:
        return why_certain(board, square, mine=square in verdict.mines)
    return recommend(board, verdict, square)


class Coach:
    """Looks at the boards of games, one after another, and says what has become true."""

    def __init__(self, kinds: Collection[str] = KINDS, *, show: bool = False) -> None:
        """`kinds` are some of `KINDS`; with `show` it names a cell, too."""
        self._kinds, self._show = {*kinds, ""}, show
        self._solver = Solver()
        self._board: Board | None = None
        self._said: tuple[str, ...] = ()

    def look(self, board: Board) -> str:
        """What is true of `board` and was not of the board before, in one line; else nothing."""
        if board == self._board:
            return ""
        before = self._said if self._board is not None and board.follows(self._board) else ()
        found = () if board.lost or not board.begun else self._judge(board)
        asked = ((text, where) for kind, text, where in found if kind in self._kinds)
        self._said = tuple(f"{text}: {where}" if self._show else text for text, where in asked)
        self._board = board
        return "; ".join(one for one in self._said if one not in before)

    def _judge(self, board: Board) -> Iterator[tuple[str, str, str]]:
        """All that is true of a board: what kind it is, what it is, and where."""
        try:
            verdict = self._solver.solve(board, risk=self._show, every=True)
        except Contradiction as error:
            yield "", "the position contradicts itself", str(error)
            return
        advised = recommend(board, verdict).move if self._show else None
        move = advised.said if advised else ""
        if verdict.safe:
            yield SAFE, "a safe move exists", move
        elif len(verdict.mines) < board.covered:
            yield GUESS, "you must guess now", move
        if wrong := set(board.squares(Cell.FLAG)).intersection(verdict.safe):
            text = f"{len(wrong)} flags are wrong" if len(wrong) > 1 else "a flag is wrong"
            yield FLAG, text, board.names_of(wrong)
            return
        trusted = board.showing(dict.fromkeys(board.squares(Cell.FLAG), Cell.MINE))
        try:
            solve(trusted, every=True)
        except Contradiction as error:  # Each flag may be right, but not all.
            yield FLAG, "a flag is wrong", str(error)
