"""Why this guess: the cell that the player would open, and those it was compared with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from minebot.analysis.explanation import Why, why_certain
from minebot.board import Board, Cell
from minebot.errors import UsageError
from minebot.policy.guessing.prepare import prepare as prepare_guessing
from minebot.policy.guessing.recommend import Candidate, Choice, Reason
from minebot.policy.plan import first_move, guess
from minebot.puzzle.answer import unflagged
from minebot.puzzle.texts import percent
from minebot.solver import Solver, Verdict

_OTHERS = 3
"""Runners-up that a guess is compared with, besides a corner. Specified: a readable answer."""


@dataclass(frozen=True, slots=True)
class ComparedCell:
    """A cell that might be opened; chances are from 0 to 1, None if nobody looked."""

    square: int
    risk: float
    """That it is a mine."""
    progress: float | None = None
    """That it is none and makes another cell certain."""
    win: float | None = None
    """That the game is won when it is opened now and all goes on as well as can be."""
    score: float | None = None
    """What the player compares it by, the greater the better."""

    @property
    def text(self) -> str:
        """Its chances, in words."""
        said = f"mine risk {percent(self.risk)} %"
        if self.progress is not None:
            said += f", chance of progress {percent(self.progress)} %"
        if self.win is not None:
            said += f", chance to win {percent(self.win)} %"
        return said


@dataclass(frozen=True, slots=True)
class GuessExplanation:
    """What speaks for a guess, or against it."""

    board: Board
    safe: tuple[int, ...]
    """The cells that are certainly safe; with any of them, no guess is needed."""
    options: tuple[ComparedCell, ...]
    """The best guess, then its runners-up; empty if there are safe cells or all is known."""
    reason: str
    """What decided between them."""
    asked: ComparedCell | None = None
    """The cell that was asked about, which is not certain."""

    @property
    def best(self) -> ComparedCell | None:
        """The cell to guess, None if none has to be."""
        return self.options[0] if self.options else None

    @property
    def text(self) -> str:
        """In one sentence or two."""
        said = []
        if self.asked is not None and self.asked != self.best:
            said.append(f"{self._at(self.asked)} is not certain: {self.asked.text}")
        if self.safe:
            what = "is" if len(self.safe) == 1 else f"and {len(self.safe) - 1} more are"
            said.append(f"no guess is needed: {self.board.name_of(self.safe[0])} {what} safe")
        elif self.options:
            best, *others = self.options
            said.append(f"best is {self._at(best)}, {best.text}, by {self.reason}")
            others = [other for other in others if other != self.asked]
            if others:
                listed = "; ".join(f"{self._at(other)}, {other.text}" for other in others)
                said.append(f"compared with {listed}")
        return "; ".join(said)

    def _at(self, option: ComparedCell) -> str:
        return self.board.name_of(option.square)


def compare(
    board: Board,
    verdict: Verdict,
    asked: int | None = None,
    prepare: Callable[[], object] = prepare_guessing,
) -> GuessExplanation:
    """What to guess on `board`, given its verdict with all risks, and why.

    `asked` is a covered square to be compared too. Flags are not looked at. `prepare` is
    for the guess: see `minebot.policy.plan.guess`.
    """
    assert verdict.risk is not None, "the risks are what is compared"
    choice = None
    if not verdict.safe and board.begun:
        mines = set(verdict.mines)
        plan = guess(unflagged(board), verdict.risk, mines, prepare=prepare, every=True)
        choice = plan.guess.choice if plan.guess else None
    options = [] if choice is None else _options(board, verdict.risk, choice)
    reason = "" if choice is None else choice.reason.value
    if not board.begun:
        move = first_move(unflagged(board)).moves[0]
        square = board.square(move.x, move.y)
        options = [ComparedCell(square, verdict.risk[square] or 0.0)]
        reason = "what opens well as a first click"
    found = None
    if asked is not None:
        risk = verdict.risk[asked]
        assert risk is not None, "what is open is not asked about"
        found = next((one for one in options if one.square == asked), ComparedCell(asked, risk))
    shown = options[: _OTHERS + 1]
    corners = {board.square(x, y) for x in (0, board.width - 1) for y in (0, board.height - 1)}
    if not corners & {one.square for one in shown}:  # Everybody asks about a corner.
        shown += [one for one in options if one.square in corners][:1]
    return GuessExplanation(board, verdict.safe, tuple(shown), reason, found)


def _options(board: Board, risk: Sequence[float | None], choice: Choice) -> list[ComparedCell]:
    """The cells that the engine judged, best first, then the others, the least risky one first."""
    exact = choice.reason is Reason.ENDGAME

    def option(one: Candidate) -> ComparedCell:
        win = one.score if exact else None
        return ComparedCell(board.square(one.x, one.y), one.risk, one.progress, win, one.score)

    judged = [option(one) for one in choice.candidates]
    known = {one.square for one in judged}
    others = [
        ComparedCell(square, chance)
        for square, chance in enumerate(risk)
        if chance is not None and chance < 1 and square not in known
    ]
    return judged + sorted(others, key=lambda one: (one.risk, one.square))


def explain(
    board: Board,
    square: int,
    verdict: Verdict | None = None,
    prepare: Callable[[], object] = prepare_guessing,
) -> Why | GuessExplanation:
    """Why the covered `square` is certain; or what it is compared with, where it is not.

    `verdict` is that on `board`, with all risks, where it is there already. Raises
    Contradiction where no layout fits, UsageError if `square` is not covered.
    """
    if board.cells[square] not in (Cell.HIDDEN, Cell.FLAG):
        raise UsageError(f"the cell at {board.name_of(square)} is open")
    if verdict is None or verdict.risk is None:
        verdict = Solver().solve(board, risk=True)
    if square in verdict.safe or square in verdict.mines:
        return why_certain(board, square, mine=square in verdict.mines)
    return compare(board, verdict, square, prepare)
