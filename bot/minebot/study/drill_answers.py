"""Asks drills on the page, judges the answers and keeps them; runs in a worker process."""

from __future__ import annotations

from minebot.analysis.drill_store import DrillStore, opened
from minebot.analysis.serialize import reason_facts
from minebot.errors import UsageError
from minebot.study.board_answers import judged
from minebot.study.messages import Question, check_size, position


def asked() -> dict[str, object]:
    """The question and its board; if nothing is due, when it is. Raises UsageError."""
    with opened() as store:
        drill, text = store.ask()
        if drill is not None:
            check_size(drill.board)
        board = None if drill is None else position(drill.board, "a drill")
        return {"text": text, "asked": board, "missed": _missed(store)}


def answered(question: Question) -> dict[str, object]:
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
