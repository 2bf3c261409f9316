"""Looks one move ahead: what each number that a cell may show would lead to, compiled."""

from __future__ import annotations

from math import ldexp

import numpy as np

from bot.policy.guessing import memory as m
from bot.policy.guessing.compiler import (
    Bytes,
    Floats,
    Numbers,
    NumberTable,
    Outlooks,
    compiled,
    entry,
)
from bot.policy.guessing.memory import Memory
from bot.policy.guessing.weigh import weigh

NUMBERS = 9
"""What a cell may show: 0 to 8."""
CHANCE, CLEARS, BEST, SECOND = range(4)
"""What `look_ahead` finds for each number: its chance; then how many living cells are
certain to be safe, and the safety of the safest living cell and of the one after it."""
COLUMNS = 4
"""How many these are."""

_CERTAIN = 1e-9
"""A risk so close to 0 or 1 is that: far above what rounding makes of it, some 1e-14, and far
below the least that a layout in 1e-9 of all would be worth."""


@compiled
def _outlook(trial: Bytes, around: NumberTable, risk: Floats, result: Floats) -> None:
    best = second = 0.0
    clears = 0
    anything = False
    for square in range(trial.size):
        if trial[square] == m.HIDDEN:
            if risk[square] < _CERTAIN:
                trial[square] = m.SAFE
            elif risk[square] > 1.0 - _CERTAIN:
                trial[square] = m.MINED
    for square in range(trial.size):
        if trial[square] != m.HIDDEN and trial[square] != m.SAFE:
            continue
        safety = 1.0
        if trial[square] == m.HIDDEN:
            safety -= risk[square]
            anything = True
        living = False
        for at in range(around[square, m.COUNT]):
            if trial[around[square, at]] == m.HIDDEN:
                living = True
                break
        if not living:
            continue
        if safety == 1.0:
            clears += 1
        if safety > best:
            best, second = safety, best
        elif safety > second:
            second = safety
    if not anything:
        # All is decided: what is left is only to be opened.
        best = second = 1.0
    result[1] = clears
    result[2] = best
    result[3] = second


@entry
def look_ahead(
    state: Bytes,
    live: Numbers,
    clues: int,
    mines: int,
    candidates: Numbers,
    memory: Memory,
    out: Outlooks,
) -> tuple[float, int]:
    """Fill `out`, (candidates, NUMBERS, COLUMNS), with what each number would lead to.

    A cell is living while a neighbour is undecided: opening another one tells nothing.
    Returns what `weigh` does for the board itself; with no candidate it does nothing else.
    """
    around = memory.geometry.around
    whole, scale = weigh(state, live, clues, mines, memory)
    trial_live = np.empty(state.size + 1, np.int64)
    for at in range(clues):
        trial_live[at] = live[at]
    out[:] = 0.0
    for index in range(candidates.size):
        cell = candidates[index]
        known = hidden = 0
        for at in range(around[cell, m.COUNT]):
            known += state[around[cell, at]] == m.MINED
            hidden += state[around[cell, at]] == m.HIDDEN
        trial_live[clues] = cell
        for extra in range(hidden + 1):
            trial = state.copy()
            trial[cell] = known + extra
            total, exponent = weigh(trial, trial_live, clues + 1, mines, memory)
            if total <= 0.0:
                continue
            result = out[index, extra]
            result[0] = ldexp(total / whole, exponent - scale)
            _outlook(trial, around, memory.sums.risk, result)
    return whole, scale
