"""Boards of games as they go on, for tests that follow one from move to move."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fixtures import tatham
from minebot.board import Board
from minebot.layout import Layout
from minebot.solver import Solver, Verdict

DATA = Path(__file__).parent / "data"
SHARED = Path(__file__).parents[3] / "shared"
"""More of the same lies beside the checkout, where there is more."""


def play(
    layout: Layout, first: int, solver: Solver, *, known: bool = True
) -> Iterator[tuple[Board, Verdict]]:
    """Each board and its verdict, to the end; a guess takes the least risky of the safe squares.

    Opening a mine that was said to be safe raises UsageError.
    """
    opened = layout.opened_by(first)
    safe = layout.width * layout.height - len(layout.mines)
    while len(opened) < safe:
        board = layout.seen(opened)
        verdict = solver.solve(board if known else board.with_mines(None))
        yield board, verdict
        moves = verdict.safe
        if not moves:
            assert verdict.risk is not None
            risks = [
                (risk, square)
                for square, risk in enumerate(verdict.risk)
                if risk is not None and square not in layout.mines
            ]
            moves = (min(risks)[1],)
        for square in moves:
            opened |= layout.opened_by(square)


def guaranteed(lines: list[str]) -> Iterator[tuple[str, Layout, int]]:
    """Preset, layout and first square of boards that need no guess."""
    for line in lines:
        if not line.startswith("#"):
            preset, width, height, mines, x, y, bitmap = line.split("\t")
            layout, _ = tatham.decode(f"{width}x{height}n{mines}:{x},{y},u{bitmap}")
            yield preset, layout, layout.square(int(x), int(y))
