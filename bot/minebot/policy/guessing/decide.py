"""Decides which cell to guess by one method after another, compiled.

One method finds cells that are a 50/50 guess sooner or later, or else do not matter. If one of two
adjacent cells is a mine and all cells around them are mines or beyond the edge, no clue ever says
which. The same holds for a box of 2x2 cells with mines in two opposite corners. One of the mines
around may be uncertain: if a cell can only be a mine together with it, the guess is either lost now
or not needed. It is made at once, as in the best engine known (MineSweeperSolver, D. N. Hill),
which calls it a pseudo-50/50.
"""

from __future__ import annotations

from math import ldexp

import numpy as np

from minebot.policy.guessing.certain import CERTAIN
from minebot.policy.guessing.compiler import Bytes, Numbers, compiled, entry
from minebot.policy.guessing.compute_risk import forget, live_clues, undecided, weighed
from minebot.policy.guessing.endgame import best_strategy, forced
from minebot.policy.guessing.layouts import Endgame
from minebot.policy.guessing.lookahead import SQUARE, compare, deepen, safe_enough
from minebot.policy.guessing.settings import GuessingSettings
from minebot.policy.guessing.workspace import HIDDEN, MINED, SAFE, Geometry, RiskTable, Workspace

LOOKAHEAD, DEEPER, FIFTY, FORCED, ENDGAME = range(5)
"""What decided."""
NOTHING = -1
"""No decision: the components are too large to be counted, or no layout fits. Specified."""
_BEGUN = 8
"""Number of open cells after which the first moves, best made in corners, are over and looking
deeper pays. Measured: docs/strength.md."""
FEW_CELLS = 24
"""Undecided cells up to which `GuessingSettings.small` holds. Measured: docs/strength.md."""
_SHAPES = np.array(
    [
        [(0, 0), (1, 0), (-1, -1), (-1, 0), (-1, 1), (2, -1), (2, 0), (2, 1)],
        [(0, 0), (0, 1), (-1, -1), (0, -1), (1, -1), (-1, 2), (0, 2), (1, 2)],
        [(0, 0), (1, 0), (0, 1), (1, 1), (-1, -1), (2, -1), (-1, 2), (2, 2)],
    ]
)
"""Columns and rows from the first cell of a row of two, a column of two and a box: to its cells, in
a box the first opposite to the last, then to the rim, which touches some of them but not all."""
_BOX = 2
"""Index of the box, which has four cells; the others have two. Specified."""


@compiled
def _missing(state: Bytes, kind: int, square: int, geometry: Geometry, cells: Numbers) -> int:
    """The one square of the rim of a shape that is not known to be a mine; -1 for none.

    Writes its `cells`, the first of them `square`. Returns -2 for no shape: a cell is decided or
    beyond the edge, or more of the rim is not a mine.
    """
    width, height = geometry.width, geometry.height
    missing = -1
    for at in range(_SHAPES.shape[1]):
        x = square % width + _SHAPES[kind, at, 0]
        y = square // width + _SHAPES[kind, at, 1]
        inside = 0 <= x < width and 0 <= y < height
        near = y * width + x
        if at < cells.size:
            if not inside or state[near] != HIDDEN:
                return -2
            cells[at] = near
        elif inside and state[near] != MINED:
            if state[near] != HIDDEN or missing >= 0:
                return -2
            missing = near
    return missing


@compiled
def _chance(position: RiskTable, cells: Numbers, missing: int, memory: Workspace) -> float:
    """The chance of the missing mine and one side of the toss: the first cell, and in a box the
    one opposite, are mines, the others are not."""
    trial, state = memory.trial.boards[0], position.state
    for square in range(state.size):
        trial[square] = state[square]
    for at in range(cells.size):
        trial[cells[at]] = SAFE if at % 3 else MINED
    if missing >= 0:
        trial[missing] = MINED
    left = position.mines - cells.size // 2 - (missing >= 0)
    total, exponent = weighed(trial, position.clues, left, memory)
    return ldexp(total / position.total, exponent - position.exponent) if total > 0.0 else 0.0


@compiled
def tosses(position: RiskTable, memory: Workspace) -> int:
    """Write such cells, boxes if there are no pairs, to `memory.trial.rows`; returns how many."""
    risk, state = memory.trial.risks[0], position.state
    notes, found = memory.trial.notes[0], memory.trial.notes[1]
    found[:] = 0
    number = 0
    for kind in range(_BOX + 1):
        if kind == _BOX and number:
            break
        cells = notes[: 4 if kind == _BOX else 2]
        for square in range(state.size):
            missing = _missing(state, kind, square, memory.geometry, cells)
            if missing == -2:
                continue
            # The toss is no likelier than any of the mines that it takes.
            least = 1.0
            for cell in cells:
                least = min(least, risk[cell])
            if missing >= 0 and risk[missing] < least - CERTAIN:
                continue
            chance = _chance(position, cells, missing, memory)
            for cell in cells:
                if abs(chance - risk[cell]) < CERTAIN and not found[cell]:
                    found[cell] = 1
                    memory.trial.rows[number, SQUARE] = cell
                    number += 1
    return number


@entry
def decide(
    state: Bytes, mines: int, settings: GuessingSettings, memory: Workspace, game: Endgame
) -> tuple[int, int]:
    """Rank the cells to guess in `memory.trial.rows`, the best first.

    `state` has MINED for all cells that are mines, `mines` are those of the whole board.
    Returns what decided and how many cells were compared, or NOTHING and 0; leaves the
    mine probabilities in `memory.trial.risks[0]`.
    """
    opened = 0
    for square in range(state.size):
        mines -= state[square] == MINED
        opened += state[square] < HIDDEN
    forget(memory.store)
    clues = live_clues(state, memory)
    total, exponent = weighed(state, clues, mines, memory)
    if total <= 0.0:
        return NOTHING, 0
    position = RiskTable(state, clues, mines, total, exponent)
    for square in range(state.size):
        memory.trial.risks[0, square] = memory.sums.risk[square]
    searched = settings.layouts
    if undecided(state) <= FEW_CELLS:
        searched = max(searched, settings.small)
    if ldexp(total, min(exponent, 900)) <= searched:
        number = best_strategy(position, settings, memory, game)
        if number:
            return ENDGAME, number
    if settings.forced:
        number = forced(position, settings, memory, game)
        if number:
            return FORCED, number
    number = tosses(position, memory) if settings.fifty else 0
    reason = FIFTY if number else LOOKAHEAD
    if not number:
        number = safe_enough(position, settings, memory)
    bonus = settings.progress if opened >= _BEGUN else settings.early
    number = compare(position, settings, bonus, memory, number)
    if settings.deeper < 1.0 and opened >= _BEGUN:
        near = deepen(position, settings, bonus, memory, number)
        if near:
            return (FIFTY if reason == FIFTY else DEEPER), near
    return reason, number
