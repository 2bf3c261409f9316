"""Estimates the chance to win from a position: draws layouts that fit it and plays them out."""

from __future__ import annotations

import time
from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np

from minebot.board import Board, Cell
from minebot.policy.confidence import interval
from minebot.policy.guessing.certain import CERTAIN, OVER, STUCK, play_certain
from minebot.policy.guessing.compiled_board import ONE_AT_A_TIME, shared_endgame, shared_memory
from minebot.policy.guessing.compiler import Bytes, Floats, NumberTable, compiled, entry
from minebot.policy.guessing.compute_risk import forget, live_clues, undecided, weighed
from minebot.policy.guessing.decide import ENDGAME, NOTHING, decide
from minebot.policy.guessing.lookahead import SCORE, SQUARE
from minebot.policy.guessing.settings import GuessingSettings
from minebot.policy.guessing.workspace import COUNT, HIDDEN, MINE, MINED, SAFE, Workspace

PLAYING_ON = GuessingSettings(
    progress=0.001, layouts=300, small=300, forced=True, fifty=True, deeper=1.0
)
"""How games are played out: quicker by half than `Strategy.FULL`, and nearly as good (measured by
benchmarks/regret.py)."""

_SEED = 1
"""Seed of the layouts that are drawn. Specified: a position always gets the same chance."""


@dataclass(frozen=True, slots=True)
class WinEstimate:
    """A chance to win, from 0 to 1, with its interval of 95 % (Wilson's)."""

    chance: float
    low: float
    high: float
    games: int


def estimate_wins(
    board: Board, mines: Set[int], cells: Sequence[int], seconds: float
) -> list[WinEstimate] | None:
    """The chance to win after opening each of `cells` next, all played on the same layouts.

    `mines` are the covered cells known to be mines; the board's total has to be known. None
    where a game is too large to be played out.
    """
    known = np.frombuffer(board.cells, np.uint8)
    state = np.where(known > Cell.EIGHT, np.uint8(HIDDEN), known)
    state[[*mines, *board.squares(Cell.MINE, Cell.EXPLODED)]] = MINED
    total = board.mines or 0
    memory = shared_memory(board.width, board.height)
    random = np.random.default_rng(_SEED)
    shows = np.zeros_like(state)
    worths: list[list[float]] = []
    until = time.monotonic() + seconds
    while not worths or time.monotonic() < until:
        with ONE_AT_A_TIME:
            layout = state.copy()
            draw(layout, total, random.random(state.size), memory)
            numbers_of(layout, memory.geometry.around, shows)
            row = [play_on(state.copy(), shows, total, cell, memory) for cell in cells]
        if None in row:
            return None
        worths.append([worth for worth in row if worth is not None])
    games, wins = len(worths), [sum(column) for column in zip(*worths, strict=True)]
    return [WinEstimate(won / games, *interval(won, games), games) for won in wins]


def play_on(state: Bytes, shows: Bytes, mines: int, cell: int, memory: Workspace) -> float | None:
    """Open `cell` of `state` and play to the end where the squares show `shows`.

    Returns 1.0 won, 0.0 lost, where the endgame is known the share of its layouts that are won;
    None where the game is too large. Hold `ONE_AT_A_TIME` if other threads may play.
    """
    game = shared_endgame(PLAYING_ON.room)
    while shows[cell] != MINE:
        end = play_certain(state, shows, cell, mines, memory)
        if end == OVER:
            return float(np.count_nonzero(state >= HIDDEN) == mines)
        if end != STUCK:
            return None
        what, _ = decide(state, mines, PLAYING_ON, memory, game)
        if what == NOTHING:
            return None
        if what == ENDGAME:
            return float(memory.trial.rows[0, SCORE])
        cell = int(memory.trial.rows[0, SQUARE])
    return 0.0


@compiled
def _put(state: Bytes, square: int, mine: bool) -> int:
    state[square] = MINED if mine else SAFE
    return int(mine)


@entry
def draw(state: Bytes, mines: int, chances: Floats, memory: Workspace) -> None:
    """Make every undecided cell of `state` SAFE or MINED: a layout drawn from all that fit.

    `chances` are random numbers from 0 to 1, one for each square at least.
    """
    around, live, risk = memory.geometry.around, memory.trial.live, memory.sums.risk
    forget(memory.store)
    left = mines
    for square in range(state.size):
        left -= state[square] == MINED
    drawn = 0
    while True:
        clues = live_clues(state, around, live)
        if not clues:
            break
        weighed(state, clues, left, memory)
        at = 0
        while state[around[live[0], at]] != HIDDEN:
            at += 1
        square = around[live[0], at]
        # What is certain must happen, whatever rounding makes of it.
        mine = risk[square] > 1.0 - CERTAIN or chances[drawn] < risk[square] > CERTAIN
        left -= _put(state, square, mine)
        drawn += 1
    rest = undecided(state)
    for square in range(state.size):
        if state[square] == HIDDEN:
            left -= _put(state, square, chances[drawn] * rest < left)
            drawn += 1
            rest -= 1


@entry
def numbers_of(drawn: Bytes, around: NumberTable, shows: Bytes) -> None:
    """Write what each square shows in a layout of MINED cells and others."""
    for square in range(drawn.size):
        shows[square] = 0
        for at in range(around[square, COUNT]):
            shows[square] += drawn[around[square, at]] == MINED
        if drawn[square] == MINED:
            shows[square] = MINE
