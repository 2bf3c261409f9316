"""Answers the page's questions about a board, a drill's too; runs in a worker process."""

from __future__ import annotations

from functools import lru_cache

from minebot.analysis.drill_store import DrillStore, opened
from minebot.analysis.recommendation import Recommendation, explain, recommend
from minebot.analysis.serialize import reason_facts
from minebot.board import Action, Board
from minebot.errors import Contradiction, UsageError
from minebot.puzzle.drawings import chart
from minebot.puzzle.texts import Puzzle, percent
from minebot.recording.pictures import png
from minebot.solver import Solver, Verdict
from minebot.solver.pipeline import with_risks
from minebot.study.messages import (
    JudgementMessage,
    OptionMessage,
    PositionMessage,
    Question,
    SuggestionMessage,
    WinMessage,
    check_size,
    position,
)

_ESTIMATED = 3
"""Candidates whose chance to win is estimated. Specified: those numbered on the board."""
_SECONDS = 1.0
"""What an estimate takes. Specified: 100 games and more, an interval of 10 % on both sides, while
the other worker answers."""
_SOLVER = Solver()


def shown(puzzle: Puzzle) -> PositionMessage:
    """A board that was typed, for the page."""
    name = f": {puzzle.name}" if puzzle.name else ""
    return position(puzzle.board, puzzle.form.value + name)


def judged(asked: Question) -> JudgementMessage | dict[str, object]:
    """Every cell's risk, or why no layout fits and the clues that clash. Raises UsageError."""
    board = asked.puzzle().board
    try:
        verdict = _verdict(board)
    except Contradiction as error:
        return {"reason": str(error), "clues": error.clues}
    assert verdict.risk is not None
    return JudgementMessage(
        verdict.risk,
        tuple(map(_percent, verdict.risk)),
        verdict.safe,
        verdict.mines,
        str(verdict.layouts),
        weighed=board.mines is None and verdict.layouts != 1,
    )


def suggested(asked: Question) -> SuggestionMessage | None:
    """The move to make, None if nothing is left to do or no layout fits. Raises UsageError."""
    board = asked.puzzle().board
    if board.lost:
        return None
    try:
        return _suggestion(recommend(board, _verdict(board), progress=True))
    except Contradiction:
        return None


def estimated(asked: Question) -> dict[str, object] | None:
    """The chance to win by the recommended cell, unless known or unknowable, and by each candidate.

    Raises UsageError.
    """
    board = asked.puzzle().board
    suggestion = suggested(asked)
    if board.mines is None or suggestion is None or suggestion.win is not None:
        return None
    if suggestion.action != Action.OPEN.value:
        return None
    from minebot.policy.guessing.engine import estimate_wins  # noqa: PLC0415  # loads long

    cells = [option.square for option in suggestion.options[:_ESTIMATED]] or [suggestion.square]
    found = estimate_wins(board.unflagged(), set(_verdict(board).mines), cells, _SECONDS)
    if found is None:
        return None
    best = found[0]
    win = WinMessage(percent(best.chance), percent(best.low), percent(best.high), best.games)
    wins = {square: percent(one.chance) for square, one in zip(cells, found, strict=True)}
    return {"win": win, "wins": wins}


def explained(asked: Question) -> dict[str, object] | None:
    """Why a cell is certain, or how it compares; None if it is open. Raises UsageError."""
    return _reason(*asked.cell())


def drawn(asked: Question) -> dict[str, bytes]:
    """A picture of the risks, with the cell that is asked about as the recommended one, a PNG file.

    Cells that were not read have no risk there. Raises UsageError, Contradiction.
    """
    board = asked.puzzle().board
    unread = set(asked.unread)
    risks = enumerate(_verdict(board).risk or ())
    known = [None if square in unread else risk for square, risk in risks]
    return {"png": png(chart(board, known, asked.square))}


def packed(asked: Question) -> dict[str, object]:
    """All that can be asked about the board, for a page without a server. Raises UsageError.

    `reasons` are those of the certain cells and of the candidates, by square.
    """
    puzzle = asked.puzzle()
    board = puzzle.board
    judgement, suggestion = judged(asked), suggested(asked)
    squares: set[int] = set()
    if isinstance(judgement, JudgementMessage):
        squares = {*judgement.safe, *judgement.mines}
    if suggestion is not None:
        squares |= {option.square for option in suggestion.options}
    return {
        "opened": shown(puzzle),
        "judgement": judgement,
        "suggestion": suggestion,
        "outlook": estimated(asked),
        "reasons": {at: why for at in sorted(squares) if (why := _reason(board, at)) is not None},
    }


def _reason(board: Board, square: int) -> dict[str, object] | None:
    try:
        return reason_facts(explain(board, square, _verdict(board)))
    except (Contradiction, UsageError):
        return None


@lru_cache(maxsize=256)
def _verdict(board: Board) -> Verdict:
    verdict = _SOLVER.solve(board, risk=False, every=True)
    return with_risks(board, verdict)


def _percent(chance: float | None) -> str | None:
    return None if chance is None else percent(chance)


def _suggestion(advice: Recommendation) -> SuggestionMessage | None:
    board, move = advice.board, advice.move
    if move is None:
        return None
    square = board.square(move.x, move.y)
    if not (advice.options and board.begun):
        certain = advice.risk in (0.0, 1.0)
        won = WinMessage("100") if _verdict(board).layouts == 1 else None
        return SuggestionMessage(move.action.value, square, advice.why, certain, win=won)
    options = tuple(
        OptionMessage(one.square, percent(one.risk), _percent(one.progress), _percent(one.win))
        for one in advice.options
    )
    wins = options[0].wins
    win = None if wins is None else WinMessage(wins)
    act = move.action.value
    return SuggestionMessage(act, square, advice.why, False, advice.reason, options, win)


def asked_drill() -> dict[str, object]:
    """The question and its board; if nothing is due, when it is. Raises UsageError."""
    with opened() as store:
        drill, text = store.ask()
        if drill is not None:
            check_size(drill.board)
        board = None if drill is None else position(drill.board, "a drill")
        return {"text": text, "asked": board, "missed": _missed(store)}


def answered_drill(question: Question) -> dict[str, object]:
    """What an answer to the drill with that board is worth; it is kept. Raises UsageError."""
    board, square = question.cell()
    with opened() as store:
        drill = next((one for one in store.drills() if one.board == board), None)
        if drill is None:
            raise UsageError("there is no such drill")
        found, again = store.answer(drill, square)
        return {
            "right": found.right,
            "text": found.said,
            "again": again,
            "answers": sorted(found.answers),
            "reasons": [reason_facts(one) for one in found.reasons()],
            "judgement": judged(question),
            "missed": _missed(store),
        }


def _missed(store: DrillStore) -> list[str]:
    return [one.text for one in store.tallies() if one.missed]
