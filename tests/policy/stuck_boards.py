"""Boards on which nothing is certain, and what is best on them by brute force."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import combinations
from random import Random

from minebot.board import Board, Cell, neighbourhood
from minebot.layout import Layout
from minebot.policy.guessing.settings import Strategy
from minebot.policy.plan import Choice, guess
from minebot.solver import Verdict, solve


def stuck_boards(
    width: int, height: int, mines: int, *, count: int, seed: int, first: int
) -> Iterator[tuple[Board, Verdict]]:
    """Boards on which nothing is certain, from games that guess right by peeping."""
    random = Random(seed)
    while count:
        layout = Layout.scattered(width, height, mines, random, {first})
        opened = set(layout.opened_by(first))
        while len(opened) < width * height - mines:
            board = layout.seen(opened)
            verdict = solve(board, risk=True)
            if not verdict.safe:
                yield board, verdict
                count -= 1
                if not count:
                    return
                free = [s for s in board.squares(Cell.HIDDEN) if s not in layout.mines]
                opened |= layout.opened_by(random.choice(free))
            for square in verdict.safe:
                opened |= layout.opened_by(square)


def choose(
    board: Board,
    risk: Sequence[float | None],
    mines: Set[int],
    strategy: Strategy,
    *,
    every: bool = False,
) -> Choice:
    choice = guess(board, risk, mines, strategy, every=every).choice
    assert choice is not None
    return choice


def risks(verdict: Verdict) -> dict[int, float]:
    assert verdict.risk is not None
    return {
        square: risk for square, risk in enumerate(verdict.risk) if risk is not None and risk < 1
    }


def layouts_of(board: Board) -> list[frozenset[int]]:
    """Every mine layout that fits, by trying all."""
    covered = [square for square, cell in enumerate(board.cells) if cell >= Cell.HIDDEN]
    clues = [(square, board.cells[square]) for square in range(len(board.cells))]
    around = neighbourhood(board.width, board.height)
    return [
        frozenset(mines)
        for mines in combinations(covered, board.mines or 0)
        if all(
            len(set(around[square]) & set(mines)) == number
            for square, number in clues
            if number <= Cell.EIGHT
        )
    ]
