"""What another guess would have been worth: where the look-ahead loses games, and how many.

    python -m benchmarks.regret --games 500 --seed 1 --first safe

Of each guess of the look-ahead the cells that it scores nearly as well are played on from,
each on the same layouts, drawn from all that fit what is seen. A game is worth 1 if it is
won, 0 if it is lost, and where the endgame is searched the share of the layouts that are
won; where the guessed cell is a mine another layout is drawn in which it is not, and what
that is worth is multiplied by the chance that it is safe.

Every cell is played on two samples of layouts, so that the product of both differences to
the chosen cell estimates the square of the true one, free of noise.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import pairwise
from math import log2, sqrt
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from minebot.board import Board
from minebot.layout import First
from minebot.policy.guessing import workspace as m
from minebot.policy.guessing.certain import STUCK, play_certain
from minebot.policy.guessing.compiler import Bytes, Floats, address
from minebot.policy.guessing.compute_risk import compute_risk, live_clues
from minebot.policy.guessing.decide import DEEPER, ENDGAME, LOOKAHEAD, NOTHING, decide
from minebot.policy.guessing.engine import draw, numbers_of, play_on
from minebot.policy.guessing.layouts import make_endgame
from minebot.policy.guessing.lookahead import SCORE, SQUARE
from minebot.policy.guessing.prepare import prepare
from minebot.policy.guessing.settings import SETTINGS, Strategy
from minebot.policy.guessing.workspace import make_memory
from minebot.simulate.games import Deal, SimulationSettings, deal

_STAGES = (0, 80, 150, 230, 500)
"""Bounds of the stages of a game, in bits of the layouts left."""
_NEAR = 0.93
"""Cells with less of the best score are not played."""
_CELLS = 5
_PLAYING = SETTINGS[Strategy.FULL]


class Decision(NamedTuple):
    """One guess of the look-ahead."""

    bits: float
    values: tuple[tuple[float, float], ...]
    """What each of the cells is worth, the chosen one first, by either sample."""


class Player:
    """Plays games of one size on from where they are."""

    def __init__(self, width: int, height: int, samples: int, seed: int) -> None:
        self._memory = make_memory(width, height, address(compute_risk))
        self._game = make_endgame(_PLAYING.room)
        self._random = np.random.default_rng(seed)
        self._samples = samples
        self.given_up = 0

    def decisions(self, dealt: Deal) -> list[Decision]:
        """Each guess of the look-ahead in one game, after the first moves."""
        memory, layout = self._memory, dealt.layout
        shows: Bytes = np.frombuffer(layout.numbers, np.uint8).copy()
        shows[list(layout.mines)] = m.MINE
        state: Bytes = np.full(shows.size, m.HIDDEN, np.uint8)
        mines, cell, found = len(layout.mines), dealt.first, []
        while play_certain(state, shows, cell, mines, memory) == STUCK:
            what, number = decide(state, mines, _PLAYING, memory, self._game)
            if what in (NOTHING, ENDGAME):
                break
            cell = int(memory.trial.rows[0, SQUARE])
            if what in (LOOKAHEAD, DEEPER):
                ranked = memory.trial.rows[:number, [SQUARE, SCORE]].tolist()
                near = [int(square) for square, score in ranked if score >= _NEAR * ranked[0][1]]
                if len(near) > 1:
                    found.append(self._judge(state, mines, near[:_CELLS]))
        return found

    def _judge(self, state: Bytes, mines: int, cells: Sequence[int]) -> Decision:
        memory = self._memory
        clues = live_clues(state, memory)
        left = mines - int(np.count_nonzero(state == m.MINED))
        total, exponent = compute_risk(state, clues, left, memory)
        safety = 1 - memory.sums.risk[list(cells)]
        halves = [self._sample(state, mines, cells) * safety for _ in range(2)]
        return Decision(log2(total) + exponent, tuple(zip(*np.array(halves).tolist(), strict=True)))

    def _sample(self, state: Bytes, mines: int, cells: Sequence[int]) -> Floats:
        """The mean worth of the games that go on with each of the cells, where it is safe."""
        sums, memory = np.zeros(len(cells)), self._memory
        for _ in range(self._samples):
            common = self._drawn(state, mines)
            for at, cell in enumerate(cells):
                here = common
                if common[cell] == m.MINED:
                    safe = state.copy()
                    safe[cell] = m.SAFE
                    here = self._drawn(safe, mines)
                shows = numbers_of(here, memory.geometry.width)
                worth = play_on(state.copy(), shows, mines, cell, memory)
                self.given_up += worth is None
                sums[at] += worth or 0.0
        return sums / self._samples

    def _drawn(self, state: Bytes, mines: int) -> Bytes:
        layout = state.copy()
        draw(layout, mines, self._random.random(state.size), self._memory)
        return layout


def main() -> None:
    """Play, and print what the other cells would have been worth."""
    parser = argparse.ArgumentParser(description="What another guess would have been worth.")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=First, default=First.OPENING, choices=list(First))
    parser.add_argument("--samples", type=int, default=40, help="layouts of either sample")
    arguments = parser.parse_args()
    prepare()
    settings = SimulationSettings(30, 16, 99, arguments.first, arguments.seed, Strategy.FULL)
    board = Board.hidden(settings.width, settings.height, settings.mines)
    player = Player(board.width, board.height, arguments.samples, arguments.seed)
    decisions = []
    for number in track(range(arguments.games), "playing", console=Console(stderr=True)):
        decisions += player.decisions(deal(settings, number))
    title = f"{arguments.games} games: {arguments.first.value}, given up: {player.given_up}"
    Console(width=100).print(_table(title, decisions))


def _table(title: str, decisions: Sequence[Decision]) -> Table:
    table = Table(title=title)
    for heading in ("bits", "guesses", "other cells", "difference", "its true square"):
        table.add_column(heading, justify="right")
    stages = list(pairwise(_STAGES))
    for low, high in [*stages, (_STAGES[0], _STAGES[-1])]:
        some = [one for one in decisions if low <= one.bits < high]
        pairs = [
            [100 * (other - chosen) for other, chosen in zip(value, one.values[0], strict=True)]
            for one in some
            for value in one.values[1:]
        ]
        if len(pairs) > 1:
            table.add_row(
                f"{low} to {high}",
                str(len(some)),
                str(len(pairs)),
                _interval([(one + two) / 2 for one, two in pairs]),
                _interval([one * two for one, two in pairs]),
            )
    return table


def _interval(values: Sequence[float]) -> str:
    """The mean in points of a per cent, with its 95 % interval."""
    mean = sum(values) / len(values)
    spread = sqrt(sum((value - mean) ** 2 for value in values) / len(values))
    return f"{mean:+.2f} ± {1.96 * spread / sqrt(len(values)):.2f}"


if __name__ == "__main__":
    main()
