"""What another guess would have been worth: where the look-ahead loses games, and how many.

    python benchmarks/regret.py --games 500 --seed 1

Each guess of the look-ahead is followed by games played on from the cell that it chose,
from its second choice, and from another one that it scores nearly as well. The layouts
are drawn from all that fit what is seen. A game is not won or lost but worth something:
the product of the chances to survive its guesses, and at last the share of the layouts
that the search of the endgame wins; after a mine another layout is drawn in which the
cell is safe. That is the same on average and has a spread of 30 points instead of 50.

Every cell is played twice on layouts of their own, so that the product of both
differences to the chosen cell estimates the square of the true one, free of noise.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import pairwise
from math import log2, sqrt
from random import Random
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from bot.board import Board
from bot.layout import First, Layout
from bot.policy.guessing.choose import Candidate, Reason, Strategy
from bot.policy.guessing.compiler import address
from bot.policy.guessing.memory import HIDDEN, MINED, SAFE, USED_ENTRIES, Memory, make_memory
from bot.policy.guessing.prepare import prepare
from bot.policy.guessing.weigh import live_clues, weigh
from bot.policy.plan import guess
from bot.simulate import SimulationSettings
from bot.simulate.games import deal
from bot.solver import Solver

_STAGES = (0, 20, 80, 150, 500)
"""Bounds of the stages of a game, in bits of the layouts left."""
_NEAR = 0.93
"""Cells with less of the best score are not played."""
_RANKS = 16


class Decision(NamedTuple):
    """One guess of the look-ahead."""

    bits: float
    reached: float
    """The chance to survive so far."""
    values: tuple[tuple[float, float], ...]
    """What each of the cells is worth, the chosen one first, played twice."""


class Player:
    """Plays games of one size on from where they are."""

    def __init__(self, width: int, height: int, random: Random) -> None:
        self._memory: Memory = make_memory(width, height, address(weigh))
        self._random = random

    def game(self, layout: Layout, first: int) -> tuple[float, list[Decision]]:
        """What the game that begins at `first` is worth, and each guess of the look-ahead."""
        decisions: list[Decision] = []
        return self._on(layout, set(layout.opened_by(first)), decisions), decisions

    def _on(
        self, layout: Layout, opened: set[int], decisions: list[Decision] | None = None
    ) -> float:
        worth = 1.0
        solver = Solver()
        size = layout.width * layout.height
        while len(opened) < size - len(layout.mines):
            board = layout.seen(opened)
            verdict = solver.solve(board)
            if verdict.safe:
                for square in verdict.safe:
                    opened |= layout.opened_by(square)
                continue
            chosen = guess(board, verdict.risk or (), set(verdict.mines)).guess
            assert chosen is not None
            assert chosen.choice is not None
            best = chosen.choice.best
            if chosen.choice.reason is Reason.ENDGAME:
                return worth * (best.score or 0.0)
            if decisions is not None and chosen.choice.reason is Reason.LOOKAHEAD:
                cells = self._compared(chosen.choice.candidates)
                if len(cells) > 1:
                    values = self._twice(board, verdict.mines, opened, cells)
                    decisions.append(Decision(log2(verdict.layouts or 1), worth, values))
            worth *= 1 - best.risk
            square = board.square(best.x, best.y)
            if square in layout.mines:
                layout = self._drawn(board, verdict.mines, square)
            opened |= layout.opened_by(square)
        return worth

    def _compared(self, ranked: Sequence[Candidate]) -> list[Candidate]:
        """The first, the second, and one of those after them."""
        near = [
            candidate
            for candidate in ranked[:_RANKS]
            if (candidate.score or 0.0) >= _NEAR * (ranked[0].score or 0.0)
        ]
        return near[:2] + ([self._random.choice(near[2:])] if near[2:] else [])

    def _twice(
        self, board: Board, known: Sequence[int], opened: set[int], cells: Sequence[Candidate]
    ) -> tuple[tuple[float, float], ...]:
        both = []
        for _ in range(2):
            common = self._drawn(board, known)
            values = []
            for cell in cells:
                square = board.square(cell.x, cell.y)
                hit = square in common.mines
                layout = self._drawn(board, known, square) if hit else common
                after = opened | layout.opened_by(square)
                values.append((1 - cell.risk) * self._on(layout, after))
            both.append(values)
        return tuple(zip(*both, strict=True))

    def _drawn(self, board: Board, known: Sequence[int], safe: int | None = None) -> Layout:
        """A layout drawn from all that fit `board`, of those with no mine at `safe`.

        The mines that are `known` keep the fronts short.
        """
        memory, geometry = self._memory, self._memory.geometry
        memory.store.key[:] = 0
        memory.store.used[USED_ENTRIES:] = 0
        state = np.frombuffer(board.cells, np.uint8).copy()
        state[list(known)] = MINED
        live = np.zeros(state.size, np.int64)
        left = (board.mines or 0) - len(known)
        if safe is not None:
            state[safe] = SAFE
        while clues := live_clues(state, geometry.around, live):
            total, _ = weigh(state, live, clues, left, memory)
            assert total > 0, "a board that is played has layouts"
            near = geometry.around[live[0]]
            square = next(int(other) for other in near[: near[8]] if state[other] == HIDDEN)
            # Rounded, for what is certain must happen.
            mine = self._random.random() < round(memory.sums.risk[square], 9)
            state[square] = MINED if mine else SAFE
            left -= mine
        untouched = np.flatnonzero(state == HIDDEN).tolist()
        mines = np.flatnonzero(state == MINED).tolist() + self._random.sample(untouched, left)
        return Layout(board.width, board.height, frozenset(mines))


def main() -> None:
    """Play, and print what the other cells would have been worth."""
    parser = argparse.ArgumentParser(description="What another guess would have been worth.")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    prepare()
    settings = SimulationSettings(30, 16, 99, First.OPENING, arguments.seed, Strategy.FULL)
    player = Player(settings.width, settings.height, Random(arguments.seed))
    worth, decisions = [], []
    for number in range(arguments.games):
        dealt = deal(settings, number)
        value, found = player.game(dealt.layout, dealt.first)
        worth.append(value)
        decisions += found
    title = f"{arguments.games} games, worth {_interval(worth, [1.0] * len(worth))} %"
    Console(width=100).print(_table(title, decisions))


def _table(title: str, decisions: Sequence[Decision]) -> Table:
    table = Table(title=title)
    for heading in ("instead", "bits", "guesses", "difference", "its true square"):
        table.add_column(heading, justify="left" if heading == "instead" else "right")
    for index, name in ((1, "the second"), (2, "another")):
        for low, high in pairwise(_STAGES):
            some = [
                decision
                for decision in decisions
                if low <= decision.bits < high and len(decision.values) > index
            ]
            if len(some) < 2:
                continue
            weights = [decision.reached for decision in some]
            pairs = [
                [other - chosen for other, chosen in zip(d.values[index], d.values[0], strict=True)]
                for d in some
            ]
            table.add_row(
                name,
                f"{low} to {high}",
                str(len(some)),
                _interval([(one + two) / 2 for one, two in pairs], weights),
                _interval([100 * one * two for one, two in pairs], weights),
            )
    return table


def _interval(values: Sequence[float], weights: Sequence[float]) -> str:
    """The weighted mean in points of a per cent, with its 95 % interval."""
    whole = sum(weights)
    mean = sum(v * w for v, w in zip(values, weights, strict=True)) / whole
    spread = sqrt(sum((w * (v - mean)) ** 2 for v, w in zip(values, weights, strict=True)))
    return f"{100 * mean:+.2f} ± {196 * spread / whole:.2f}"


if __name__ == "__main__":
    main()
