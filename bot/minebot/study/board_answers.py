"""What the page asks about a board, a drill's too, and the answers; runs in a worker process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, TypeVar

import msgspec

from minebot.analysis.drill_store import DrillStore, opened
from minebot.analysis.recommendation import Recommendation, explain, recommend
from minebot.analysis.serialize import reason_facts
from minebot.board import Action, Board
from minebot.errors import Contradiction, UsageError
from minebot.policy.plan import Candidate
from minebot.puzzle.drawings import chart
from minebot.puzzle.texts import Puzzle, percent
from minebot.recording.pictures import png
from minebot.solver import Verdict, solve
from minebot.solver.pipeline import with_risks

SIDE, CELLS = 200, 10_000
"""Columns, rows and cells of a board at most. Specified: what a page draws without delay."""
TEXT = 64 * 1024
"""Characters of a text that may be a board. Specified: the largest one, with comments."""

_ESTIMATED = 3
"""Candidates whose chance to win is estimated. Specified: those numbered on the board."""
_SECONDS = 1.0
"""What an estimate takes. Specified: 100 games and more, an interval of 10 % on both sides, while
the other worker answers."""

_Asked = TypeVar("_Asked")
_Square = Annotated[int, msgspec.Meta(ge=0, lt=CELLS)]


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board as text, in any form that `minebot solve` reads, and its mine total if known."""

    text: Annotated[str, msgspec.Meta(max_length=TEXT)]
    mines: Annotated[int, msgspec.Meta(ge=0, le=CELLS)] | None = None
    square: _Square | None = None
    """The cell that is asked about, row-major; None: about the board."""
    unread: tuple[_Square, ...] = ()
    """The cells of a picture that were not read: they count as covered."""

    def puzzle(self) -> Puzzle:
        """The board and where it is from; raises UsageError."""
        puzzle = Puzzle.parse(self.text, self.mines)
        check_size(puzzle.board)
        return puzzle

    def cell(self) -> tuple[Board, int]:
        """The board and the square that is asked about; raises UsageError."""
        board = self.puzzle().board
        if self.square is None or self.square >= len(board.cells):
            raise UsageError("not a cell of this board")
        return board, self.square


def parsed(body: bytes, kind: type[_Asked], what: str) -> _Asked:
    """What the page sent; raises UsageError, which says that it is not `what`."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"not {what}: {error}") from error


def check_size(board: Board) -> None:
    """Raise UsageError if the board is too large for the page."""
    if max(board.width, board.height) > SIDE or len(board.cells) > CELLS:
        raise UsageError(
            f"a board of {board.width}x{board.height} is too large for the page: it may have "
            f"{SIDE} columns, {SIDE} rows and {CELLS:,} cells at most"
        )


def position(
    board: Board,
    source: str,
    unsure: Sequence[Mapping[str, object]] = (),
    notes: Sequence[str] = (),
    tiles: Sequence[tuple[Sequence[int], bytes]] = (),
) -> dict[str, Any]:
    """A board for the page to show, and for people what it was taken from; raises UsageError.

    `unsure` is what could not be read in a picture, shown as covered, for the user to name: the
    `squares` that are drawn alike, with a `png` of the first one. `notes` is what else there is to
    say, a line each; `tiles` are, in a picture with unsure ones, the squares that are drawn alike
    and their tile to keep.
    """
    check_size(board)
    return {
        "width": board.width,
        "height": board.height,
        "rows": str(board),
        "mines": board.mines,
        "source": source,
        "unsure": unsure,
        "notes": notes,
        "tiles": tiles,
    }


def shown(puzzle: Puzzle) -> dict[str, object]:
    """A board that was typed, for the page. Raises UsageError."""
    name = f": {puzzle.name}" if puzzle.name else ""
    return position(puzzle.board, puzzle.form.value + name)


def judged(board: Board) -> dict[str, object]:
    """Each covered cell's risk, also in per cent for people, the squares that are certain, and the
    exact number of layouts; or why none fits, and the clues that clash.

    It is `weighed` if the total is unknown: then risks rest on how many mines common boards have.
    """
    try:
        verdict = _verdict(board)
    except Contradiction as error:
        return {"reason": str(error), "clues": error.clues}
    return {
        "risk": verdict.risk,
        "percent": [*map(_percent, verdict.risk or ())],
        "safe": verdict.safe,
        "mines": verdict.mines,
        "layouts": str(verdict.layouts),
        "weighed": board.mines is None and verdict.layouts != 1,
    }


def suggested(board: Board) -> dict[str, object] | None:
    """The move to make, None if nothing is left to do or no layout fits.

    For a guess with what decided, and with the chances of itself and its runners-up in per cent,
    None where nobody looked. `win` is the chance to win where it is known exactly.
    """
    advice = _advice(board)
    if advice is None or advice.move is None:
        return None
    options, win = _options(advice), _win(advice)
    return {
        "action": advice.move.action.value,
        "square": board.square(advice.move.x, advice.move.y),
        "why": advice.why,
        "certain": not options and advice.risk in (0.0, 1.0),
        "decided": advice.reason if options else "",
        "options": [
            {
                "square": one.square,
                "risk": percent(one.risk),
                "progress": _percent(one.progress),
                "wins": _percent(one.win),
            }
            for one in options
        ],
        "win": None if win is None else {"chance": percent(win), "games": None},
    }


def estimated(board: Board) -> dict[str, object] | None:
    """The chance to win by the recommended cell, unless known or unknowable, and by each candidate:
    in per cent, with the interval of 95 % and how many games were played for it."""
    advice = _advice(board)
    if board.mines is None or advice is None or _win(advice) is not None:
        return None
    if advice.move is None or advice.move.action is not Action.OPEN:
        return None
    from minebot.policy.guessing.engine import estimate_wins  # noqa: PLC0415  # loads long

    cells = [one.square for one in _options(advice)[:_ESTIMATED]]
    cells = cells or [board.square(advice.move.x, advice.move.y)]
    found = estimate_wins(board.unflagged(), set(_verdict(board).mines), cells, _SECONDS)
    if found is None:
        return None
    best = found[0]
    return {
        "win": {
            "chance": percent(best.chance),
            "low": percent(best.low),
            "high": percent(best.high),
            "games": best.games,
        },
        "wins": {square: percent(one.chance) for square, one in zip(cells, found, strict=True)},
    }


def explained(board: Board, square: int) -> dict[str, object] | None:
    """Why a cell is certain, or how it compares; None if it is open or no layout fits."""
    try:
        return reason_facts(explain(board, square, _verdict(board)))
    except (Contradiction, UsageError):
        return None


def drawn(asked: Question) -> dict[str, bytes]:
    """A picture of the risks, with the cell that is asked about as the recommended one, a PNG file.

    Cells that were not read have no risk there. Raises UsageError, Contradiction.
    """
    board, unread = asked.puzzle().board, set(asked.unread)
    risks = enumerate(_verdict(board).risk or ())
    known = [None if square in unread else risk for square, risk in risks]
    return {"png": png(chart(board, known, asked.square))}


def packed(puzzle: Puzzle) -> dict[str, object]:
    """All that can be asked about the board, for a page without a server. Raises UsageError.

    `reasons` are those of the certain cells and of the candidates, by square.
    """
    asked, board, squares = shown(puzzle), puzzle.board, set[int]()
    judgement, advice = judged(board), _advice(board)
    if "reason" not in judgement:
        squares = {*_verdict(board).safe, *_verdict(board).mines}
    squares |= {one.square for one in _options(advice)}
    return {
        "opened": asked,
        "judgement": judgement,
        "suggestion": suggested(board),
        "outlook": estimated(board),
        "reasons": {at: why for at in sorted(squares) if (why := explained(board, at)) is not None},
    }


@lru_cache(maxsize=256)
def _verdict(board: Board) -> Verdict:
    return with_risks(board, solve(board, risk=False, every=True))


@lru_cache(maxsize=16)
def _advice(board: Board) -> Recommendation | None:
    """What to do on a board; None if a mine was hit or no layout fits."""
    try:
        return None if board.lost else recommend(board, _verdict(board), progress=True)
    except Contradiction:
        return None


def _options(advice: Recommendation | None) -> Sequence[Candidate]:
    """A guess and its runners-up; none for a first click."""
    return advice.options if advice is not None and advice.board.begun else ()


def _win(advice: Recommendation) -> float | None:
    """The chance to win, where it is known exactly."""
    if options := _options(advice):
        return options[0].win
    return 1.0 if _verdict(advice.board).layouts == 1 else None


def _percent(chance: float | None) -> str | None:
    return None if chance is None else percent(chance)


def asked_drill() -> dict[str, object]:
    """The question and its board; if nothing is due, when it is. Raises UsageError."""
    with opened() as store:
        drill, text = store.ask()
        asked = None if drill is None else position(drill.board, "a drill")
        return {"text": text, "asked": asked, "missed": _missed(store)}


def answered_drill(board: Board, square: int) -> dict[str, object]:
    """What an answer to the drill with that board is worth; it is kept. Raises UsageError."""
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
            "judgement": judged(board),
            "missed": _missed(store),
        }


def _missed(store: DrillStore) -> list[str]:
    return [one.text for one in store.tallies() if one.missed]
