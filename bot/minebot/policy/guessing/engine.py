"""What Python asks of the compiled parts: cells ranked, games without a screen, chances to win.

Boards of one size share memory.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

import numpy as np

from minebot.board import Board, Cell, within_one
from minebot.layout import Layout
from minebot.policy.confidence import interval
from minebot.policy.guessing.certain import CERTAIN, OVER, STUCK, TOO_LARGE, play_certain
from minebot.policy.guessing.compiler import Bytes, Floats, FloatTable, address, entry
from minebot.policy.guessing.compute_risk import (
    compute_risk,
    forget,
    live_clues,
    undecided,
    weighed,
)
from minebot.policy.guessing.decide import ENDGAME, NOTHING, decide
from minebot.policy.guessing.layouts import make_endgame
from minebot.policy.guessing.lookahead import SCORE, SQUARE
from minebot.policy.guessing.settings import GuessingSettings
from minebot.policy.guessing.workspace import HIDDEN, MINE, MINED, SAFE, Workspace, make_memory

ONE_AT_A_TIME = Lock()
"""Games may be played in several threads, on a cluster too."""
shared_endgame = lru_cache(maxsize=2)(make_endgame)
_FEW = 8
"""Number of open cells below which guesses are kept. Specified: many games share these."""
_KEPT = 1 << 12
"""Guesses at such positions that are kept. Specified: 4 MB on an expert board."""
PLAYING_ON = GuessingSettings(
    progress=0.001, layouts=300, small=300, forced=True, fifty=True, deeper=1.0
)
"""How games are played out: quicker by half than `Strategy.FULL`, and nearly as good (measured by
benchmarks/regret.py)."""
_SEED = 1
"""Seed of the layouts that are drawn. Specified: a position always gets the same chance."""


@lru_cache(maxsize=2)
def shared_memory(width: int, height: int) -> Workspace:
    """The memory for boards of one size; one board uses it at a time."""
    return make_memory(width, height, address(compute_risk))


def ranked(
    board: Board, undecided: Iterable[int], settings: GuessingSettings
) -> tuple[int, FloatTable]:
    """What decides on `board`, see `decide`, and the candidates, the best first.

    All covered cells but the `undecided` ones are mines.
    """
    cells = np.frombuffer(board.cells, np.uint8)
    state = np.where(cells > Cell.EIGHT, np.uint8(MINED), cells)
    state[list(undecided)] = HIDDEN
    memory = shared_memory(board.width, board.height)
    with ONE_AT_A_TIME:
        game = shared_endgame(settings.room)
        reason, number = decide(state, board.mines or 0, settings, memory, game)
        return reason, memory.trial.rows[:number].copy()


def _guess(
    known: bytes, width: int, height: int, mines: int, settings: GuessingSettings
) -> tuple[int, float]:
    """The cell to guess where `known` is what a guess depends on, and its mine probability."""
    state = np.frombuffer(known, np.uint8).copy()
    memory = shared_memory(width, height)
    with ONE_AT_A_TIME:
        decide(state, mines, settings, memory, shared_endgame(settings.room))
        square = int(memory.trial.rows[0, SQUARE])
        return square, float(memory.trial.risks[0, square])


_first_guess = lru_cache(maxsize=_KEPT)(_guess)
"""For the first guesses of a game, which many games have in common."""


class CompiledGame:
    """A game without a screen: what is certain is opened at once."""

    def __init__(self, layout: Layout) -> None:
        self._size = layout.width, layout.height
        self._mines = len(layout.mines)
        self._memory = shared_memory(layout.width, layout.height)
        self._shows: Bytes = np.frombuffer(layout.numbers, np.uint8).copy()
        self._shows[list(layout.mines)] = MINE
        self._state: Bytes = np.full(self._shows.size, HIDDEN, np.uint8)
        self._end = STUCK

    @property
    def over(self) -> bool:
        """Whether it is won or lost."""
        return self._end == OVER

    @property
    def is_too_large(self) -> bool:
        """Whether the game cannot be played here because its components are too large."""
        return self._end == TOO_LARGE

    @property
    def known(self) -> bytes:
        """What a guess depends on: for each square its number, or whether it is a mine."""
        return self._state.tobytes()

    @property
    def opened(self) -> set[int]:
        """The squares that are open."""
        return set(np.flatnonzero(self._state < HIDDEN).tolist())

    def open(self, square: int) -> None:
        """Open `square`, then all that is certain after it."""
        with ONE_AT_A_TIME:
            self._end = play_certain(self._state, self._shows, square, self._mines, self._memory)

    def guess(self, settings: GuessingSettings) -> tuple[int, float]:
        """The cell to guess when nothing is certain, and its mine probability."""
        is_first = np.count_nonzero(self._state < HIDDEN) < _FEW
        guess = _first_guess if is_first else _guess
        return guess(self.known, *self._size, self._mines, settings)


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
    state[[*mines, *board.shown_mines]] = MINED
    total = board.mines or 0
    memory = shared_memory(board.width, board.height)
    random = np.random.default_rng(_SEED)
    games, wins = 0, np.zeros(len(cells))
    until = time.monotonic() + seconds
    while not games or time.monotonic() < until:
        with ONE_AT_A_TIME:
            layout = state.copy()
            draw(layout, total, random.random(state.size), memory)
            shows = numbers_of(layout, board.width)
            row = [play_on(state.copy(), shows, total, cell, memory) for cell in cells]
        if None in row:
            return None
        games, wins = games + 1, wins + np.array(row, np.float64)
    return [WinEstimate(won / games, *interval(won, games), games) for won in wins.tolist()]


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
        clues = live_clues(state, memory)
        if not clues:
            break
        weighed(state, clues, left, memory)
        at = 0
        while state[around[live[0], at]] != HIDDEN:
            at += 1
        square = around[live[0], at]
        # What is certain must happen, whatever rounding makes of it.
        mine = risk[square] > 1.0 - CERTAIN or chances[drawn] < risk[square] > CERTAIN
        state[square] = MINED if mine else SAFE
        left -= mine
        drawn += 1
    rest = undecided(state)
    for square in range(state.size):
        if state[square] == HIDDEN:
            mine = chances[drawn] * rest < left
            state[square] = MINED if mine else SAFE
            left -= mine
            drawn += 1
            rest -= 1


def numbers_of(drawn: Bytes, width: int) -> Bytes:
    """What each square shows in a layout of MINED cells and others: its number, or MINE."""
    mined = drawn.reshape(-1, width) == MINED
    return np.where(mined, np.uint8(MINE), within_one(mined)).ravel()
