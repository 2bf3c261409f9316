"""Answers the page's questions about a board; runs in a worker process."""

from __future__ import annotations

from functools import lru_cache

from minebot.analysis.guess_explanation import GuessExplanation, explain
from minebot.board import Board, Cell
from minebot.errors import Contradiction, UsageError
from minebot.policy.guessing import recommend
from minebot.puzzle.advice import Advice, advise
from minebot.puzzle.answer import with_risks
from minebot.puzzle.texts import Puzzle, percent, said
from minebot.solver import Solver, Verdict
from minebot.study.messages import (
    ConflictMessage,
    JudgementMessage,
    OptionMessage,
    PositionMessage,
    Question,
    ReasonMessage,
    StepMessage,
    SuggestionMessage,
    position,
)

_SHOWN = 6
"""Cells that are compared on the page, the one that is chosen included."""


def placed(asked: Question) -> PositionMessage:
    """The board that a text holds, to be shown. Raises UsageError."""
    return shown(asked.puzzle())


def shown(puzzle: Puzzle) -> PositionMessage:
    """A board that was typed, for the page."""
    name = f": {puzzle.name}" if puzzle.name else ""
    return position(puzzle.board, puzzle.form.value + name)


def judged(asked: Question) -> JudgementMessage | ConflictMessage:
    """Every cell's risk. Raises UsageError."""
    board = asked.puzzle().board
    try:
        verdict = _verdict(board)
    except Contradiction as error:
        return ConflictMessage(said(error), error.clues)
    assert verdict.risk is not None
    return JudgementMessage(
        verdict.risk,
        tuple(None if chance is None else percent(chance) for chance in verdict.risk),
        verdict.safe,
        verdict.mines,
        str(verdict.layouts),
        weighed=board.mines is None and verdict.layouts != 1,
    )


def suggested(asked: Question) -> SuggestionMessage | None:
    """The move to make, None where nothing is left to do or no layout fits. Raises UsageError."""
    board = asked.puzzle().board
    if board.lost:
        return None
    try:
        advice = advise(board, _verdict(board))
    except Contradiction:
        return None
    return None if advice is None else _suggestion(board, advice)


def explained(asked: Question) -> ReasonMessage | None:
    """Why the cell that is asked about is certain, or how it compares with the best guess.

    None for an open cell, and where no layout fits. Raises UsageError.
    """
    board = asked.puzzle().board
    if asked.square is None or asked.square >= len(board.cells):
        raise UsageError("not a cell of this board")
    if board.cells[asked.square] not in (Cell.HIDDEN, Cell.FLAG):
        return None
    try:
        found = explain(board, asked.square, _verdict(board))
    except Contradiction:
        return None
    if isinstance(found, GuessExplanation):
        return ReasonMessage(found.text)
    steps = tuple(
        StepMessage(step.text, step.depth, step.clues, step.cells) for step in found.steps
    )
    return ReasonMessage(found.text, found.proof.clues, found.proof.total, steps)


@lru_cache(maxsize=256)
def _verdict(board: Board) -> Verdict:
    verdict = _solver().solve(board, risk=False, every=True)
    return with_risks(board, verdict)


@lru_cache(maxsize=1)
def _solver() -> Solver:
    return Solver()


def _suggestion(board: Board, advice: Advice) -> SuggestionMessage:
    move, choice = advice.move, advice.choice
    square = board.square(move.x, move.y)
    if choice is None:
        certain = advice.risk in (0.0, 1.0)
        return SuggestionMessage(move.action.value, square, advice.why, certain)
    options = _options(board, advice, choice)
    return SuggestionMessage(
        move.action.value, square, advice.why, False, choice.reason.value, options
    )


def _options(board: Board, advice: Advice, choice: recommend.Choice) -> tuple[OptionMessage, ...]:
    """The choice, its runners-up, and the cells that people would ask about."""
    exact = choice.reason is recommend.Reason.ENDGAME
    worked_out = {other.square: other.progress for other in advice.compared}
    worked_out[board.square(choice.best.x, choice.best.y)] = advice.progress or 0.0
    found = {}
    for one in choice.candidates[:_SHOWN]:
        square = board.square(one.x, one.y)
        progress = worked_out.get(square, one.progress)
        found[square] = OptionMessage(
            square,
            percent(one.risk),
            None if progress is None else percent(progress),
            percent(one.score) if exact and one.score is not None else None,
        )
    for other in advice.compared:
        found.setdefault(
            other.square,
            OptionMessage(other.square, percent(other.risk), percent(other.progress), None),
        )
    return tuple(found.values())
