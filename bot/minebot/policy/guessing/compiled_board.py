"""Boards and games in the form that the compiled parts use; boards of one size share memory."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from threading import Lock

import numpy as np

from minebot.board import Board, Cell
from minebot.layout import Layout
from minebot.policy.guessing.certain import OVER, STUCK, TOO_LARGE, play_certain
from minebot.policy.guessing.compiler import Bytes, FloatTable, address
from minebot.policy.guessing.compute_risk import compute_risk
from minebot.policy.guessing.decide import decide
from minebot.policy.guessing.endgame_workspace import make_endgame
from minebot.policy.guessing.lookahead import SQUARE
from minebot.policy.guessing.settings import GuessingSettings
from minebot.policy.guessing.workspace import HIDDEN, MINE, MINED, Workspace, make_memory

ONE_AT_A_TIME = Lock()
"""Games may be played in several threads, on a cluster too."""
shared_endgame = lru_cache(maxsize=2)(make_endgame)
_FEW = 8
"""Number of open cells below which guesses are kept. Specified: many games share these."""
_KEPT = 1 << 12
"""Guesses at such positions that are kept. Specified: 4 MB on an expert board."""


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
