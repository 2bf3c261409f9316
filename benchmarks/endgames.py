"""What endgames with more layouts would gain, with no chance in it but which games are dealt.

    python -m benchmarks.endgames --games 1000 --seed 1 --layouts 6000

Where a game first comes down to so many layouts and the policy still looks ahead, all of them
are written out: the best strategy is searched for, and the policy plays each of them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from minebot.layout import First, Layout
from minebot.policy.guessing import workspace as m
from minebot.policy.guessing.certain import STUCK, play_certain
from minebot.policy.guessing.compiler import Bytes, Numbers, address, compile_all, entry
from minebot.policy.guessing.compute_risk import compute_risk, live_clues
from minebot.policy.guessing.decide import ENDGAME, NOTHING, decide
from minebot.policy.guessing.endgame import search
from minebot.policy.guessing.layouts import MAX_CELLS, Endgame, lay_out, make_endgame
from minebot.policy.guessing.lookahead import SQUARE
from minebot.policy.guessing.prepare import prepare
from minebot.policy.guessing.settings import SETTINGS, Strategy
from minebot.policy.guessing.workspace import Workspace, make_memory
from minebot.simulate.games import Deal, SimulationSettings, deal

_POLICY = SETTINGS[Strategy.FULL]
_WORK = 2_000_000_000
"""Cells looked at in one search: half a minute."""


class Found(NamedTuple):
    """One such position: how many layouts it has, and of these the share won in either way."""

    layouts: int
    best: float
    policy: float


@entry
def searched(state: Bytes, mines: int, memory: Workspace, game: Endgame) -> tuple[int, int, float]:
    """Lay out a board, its undecided cells in `game.cells`, and search it.

    Returns how many layouts and cells there are, and how many layouts are won: -1 where
    there is no room for all, -1.0 where it is too much work.
    """
    for square in range(state.size):
        mines -= state[square] == m.MINED
    clues = live_clues(state, memory)
    layouts, size = lay_out(m.RiskTable(state, clues, mines, 0.0, 0), memory, game)
    if layouts <= 0:
        return layouts, size, -1.0
    game.work[1] = _WORK
    return layouts, size, search(layouts, size, game, False)


class Player:
    """Plays games of one size down to positions of so many layouts."""

    def __init__(self, width: int, height: int, layouts: int) -> None:
        self._size = width, height
        self._memory = make_memory(width, height, address(compute_risk))
        self._large = make_endgame(layouts + 1)
        self._small = make_endgame(_POLICY.room)

    def game(self, dealt: Deal) -> Found | None:
        """The position that one game comes down to, if any."""
        layout = dealt.layout
        state: Bytes = np.full(layout.width * layout.height, m.HIDDEN, np.uint8)
        shows = _shown(layout)
        mines, cell = len(layout.mines), dealt.first
        while play_certain(state, shows, cell, mines, self._memory) == STUCK:
            what, _ = decide(state, mines, _POLICY, self._memory, self._small)
            if what in (NOTHING, ENDGAME):
                return None
            cell = int(self._memory.trial.rows[0, SQUARE])
            if np.count_nonzero(state == m.HIDDEN) <= MAX_CELLS:
                layouts, size, won = searched(state, mines, self._memory, self._large)
                if layouts > 0 and won >= 0:
                    mined = self._large.shown[:layouts, :size] == m.MINE
                    all_of_them = self._layouts(state, self._large.cells[:size], mined)
                    wins = self._won(state, cell, all_of_them)
                    return Found(layouts, won / layouts, wins / layouts)
        return None

    def _layouts(
        self, state: Bytes, cells: Numbers, mined: np.ndarray[tuple[int, int], np.dtype[np.bool]]
    ) -> Iterator[Layout]:
        known = np.flatnonzero(state == m.MINED).tolist()
        for row in mined:
            yield Layout(*self._size, frozenset([*known, *cells[row].tolist()]))

    def _won(self, state: Bytes, first: int, layouts: Iterator[Layout]) -> int:
        """How many of them the policy wins; on a board seen before it guesses the same again."""
        guesses: dict[bytes, int] = {}
        won = 0
        for layout in layouts:
            after, cell, mines = state.copy(), first, len(layout.mines)
            shows = _shown(layout)
            while play_certain(after, shows, cell, mines, self._memory) == STUCK:
                known = after.tobytes()
                if known not in guesses:
                    decide(after, mines, _POLICY, self._memory, self._small)
                    guesses[known] = int(self._memory.trial.rows[0, SQUARE])
                cell = guesses[known]
            won += np.count_nonzero(after >= m.HIDDEN) == mines
        return won


def _shown(layout: Layout) -> Bytes:
    shows = np.frombuffer(layout.numbers, np.uint8).copy()
    shows[list(layout.mines)] = m.MINE
    return shows


def main() -> None:
    """Play, and print what is lost."""
    parser = argparse.ArgumentParser(description="What larger endgames would gain.")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=First, default=First.OPENING, choices=list(First))
    parser.add_argument("--layouts", type=int, default=6_000)
    arguments = parser.parse_args()
    prepare()
    compile_all()
    settings = SimulationSettings(30, 16, 99, arguments.first, arguments.seed, Strategy.FULL)
    player = Player(settings.width, settings.height, arguments.layouts)
    numbers = track(range(arguments.games), "playing", console=Console(stderr=True))
    found = [one for number in numbers if (one := player.game(deal(settings, number)))]
    title = f"{arguments.games} games: expert, {arguments.first.value}"
    Console(width=100).print(_table(title, found, arguments.games, arguments.layouts))


def _table(title: str, found: Sequence[Found], games: int, layouts: int) -> Table:
    table = Table(title=title)
    for heading in ("layouts", "positions", "won %", "by the policy", "points a game"):
        table.add_column(heading, justify="right")
    bounds = [0, _POLICY.layouts]
    while bounds[-1] < layouts:
        bounds.append(2 * bounds[-1])
    for low, high in [*pairwise(bounds), (bounds[0], bounds[-1])]:
        some = [one for one in found if low < one.layouts <= high]
        if not some:
            continue
        gains = [one.best - one.policy for one in some]
        # Games without such a position gain nothing.
        mean = sum(gains) / games
        spread = sqrt(sum(gain * gain for gain in gains) / games - mean * mean)
        table.add_row(
            f"{low} to {high}",
            str(len(some)),
            f"{100 * sum(one.best for one in some) / len(some):.2f}",
            f"{100 * sum(one.policy for one in some) / len(some):.2f}",
            f"{100 * mean:+.3f} ± {196 * spread / sqrt(games):.3f}",
        )
    return table


if __name__ == "__main__":
    main()
