"""What the study has to say, for programs and pages: plain values that JSON can hold.

Squares are [x, y] from 0, chances from 0 to 1, times in seconds from the first click.
"""

from __future__ import annotations

from minebot.analysis.explanation import Why
from minebot.analysis.move_rating import RatedMove, Rating
from minebot.analysis.recommendation import Recommendation
from minebot.analysis.review import Review
from minebot.board import Board
from minebot.policy.plan import Candidate


def reason_facts(reason: Why | Recommendation) -> dict[str, object]:
    """Why a cell is certain, or what it is compared with."""
    board = reason.board
    if isinstance(reason, Recommendation):
        return {
            "certain": None,
            "why": reason.text,
            "asked": None if reason.asked is None else option_facts(board, reason.asked),
            "options": [option_facts(board, one) for one in reason.options],
            "reason": reason.reason,
        }
    return {
        "certain": "mine" if reason.mine else "safe",
        "why": reason.text,
        **_place(board, reason.square),
        "clues": [*map(board.xy, reason.proof.clues)],
        "total": reason.proof.total,
        "smallest": reason.proof.smallest,
        "pattern": reason.pattern,
        "steps": [
            {
                "text": step.text,
                "depth": step.depth,
                "clues": [*map(board.xy, step.clues)],
                "cells": [*map(board.xy, sorted(step.cells))],
                "mine": step.mine,
            }
            for step in reason.steps
        ],
    }


def option_facts(board: Board, option: Candidate) -> dict[str, object]:
    """A cell that might be opened, and its chances."""
    chances = {"risk": option.risk, "progress": option.progress, "win": option.win}
    return _place(board, option.square) | chances


def _place(board: Board, square: int) -> dict[str, object]:
    x, y = board.xy(square)
    return {"x": x, "y": y}


def figures_of(review: Review) -> list[tuple[str, str]]:
    """The figures of a game, each with its name, for people."""
    game, final, figures = review.game, review.game.final, review.figures
    lost = sum(one.clicks for one in review.lost_clicks)
    unknown = "? (the end does not tell where all mines were)"
    return [
        ("board", f"{final.width}x{final.height}, {_number(final.mines, '')} mines"),
        ("seconds", f"{game.seconds:.2f}"),
        ("3BV", unknown if figures.bbbv is None else str(figures.bbbv)),
        ("3BV solved", _number(figures.solved, "")),
        ("3BV/s", _number(figures.speed, ".2f")),
        ("efficiency", _number(figures.efficiency, ".0%").replace("%", " %")),
        ("ZiNi", "?" if review.zini is None else "{} (human {})".format(*review.zini)),
        ("clicks", str(figures.clicks)),
        ("lost clicks", "?" if review.zini is None else str(lost)),
        ("guesses", str(sum(one.mark.guess for one in review.marks))),
        ("mistakes", str(sum(one.mark.mistake for one in review.marks))),
        ("luck", f"{review.luck:.2f}"),
        ("hesitated", f"{review.hesitated:.1f} s"),
        *([("not looked on", f"{game.unseen:.1f} s")] if game.unseen else []),
        *game.notes,
    ]


def _number(value: float | None, form: str) -> str:
    return "?" if value is None else format(value, form)


def review_facts(review: Review, *, boards: bool = False) -> dict[str, object]:
    """A review; with `boards` also what the player saw before each click, for a page.

    A board is its text without line breaks; `risk` are its covered cells' risks in per
    mille, in reading order: 0 and 1000 stand for certainty alone.
    """
    game, final, figures = review.game, review.game.final, review.figures
    began = game.acts[0].click.seconds if game.acts else 0.0
    return {
        "source": game.source,
        "outcome": game.outcome,
        "width": final.width,
        "height": final.height,
        "mines": final.mines,
        "seconds": round(game.seconds, 3),
        "clicks": figures.clicks,
        "3bv": figures.bbbv,
        "3bv_solved": figures.solved,
        "3bv_per_second": _rounded(figures.speed),
        "efficiency": _rounded(figures.efficiency),
        "zini": None if review.zini is None else review.zini[0],
        "human_zini": None if review.zini is None else review.zini[1],
        "luck": round(review.luck, 4),
        "hesitated": round(review.hesitated, 3),
        "unseen": round(game.unseen, 3),
        "notes": dict(game.notes),
        "marks": {mark.value: review.counts[mark] for mark in Rating if review.counts[mark]},
        "moments": [
            {
                "move": one.at,
                "kind": one.kind,
                "text": one.text,
                "cost": round(one.avoidable, 6),
                "paused": round(one.pause, 3),
                "why": None if one.why is None else reason_facts(one.why),
            }
            for one in review.costliest
        ],
        "lost_clicks": [
            {"move": one.at, "clicks": one.clicks, "text": one.text} for one in review.lost_clicks
        ],
        "moves": [_move(one, began, boards=boards) for one in review.marks],
    } | ({"final": _line(final), "figures": figures_of(review)} if boards else {})


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 4)


def _move(marked: RatedMove, began: float, *, boards: bool) -> dict[str, object]:
    risks = (permille(chance) for chance in marked.verdict.risk or () if chance is not None)
    seen = {"board": _line(marked.act.before), "risks": [*risks]} if boards else {}
    click = marked.act.click
    return {
        "seconds": round(click.seconds - began, 3),
        "action": click.action.value,
        **_place(marked.act.before, click.square),
        "mark": marked.mark.value,
        "mistake": marked.mark.mistake,
        "risk": round(marked.risk, 6) if marked.mark.guess else None,
        "avoidable": round(marked.avoidable, 6),
        "paused": round(marked.pause, 3),
        **seen,
    }


def _line(board: Board) -> str:
    return str(board).replace("\n", "")


def permille(chance: float) -> int:
    """A chance in per mille; 0 and 1000 stand for certainty alone."""
    return round(1000 * chance) if chance in (0.0, 1.0) else min(max(round(1000 * chance), 1), 999)
