"""Plays all certain moves of a game without a screen up to the next guess, compiled.

Cells that a single clue decides are opened first; then all layouts are counted. A mine probability
below `CERTAIN` counts as zero; tests check, game by game, that the exact solver plays the same.
"""

from __future__ import annotations

from minebot.policy.guessing.compiler import Bytes, Floats, compiled, entry
from minebot.policy.guessing.compute_risk import forget, live_clues, undecided, weighed
from minebot.policy.guessing.workspace import COUNT, HIDDEN, MINE, MINED, SAFE, Workspace

CERTAIN = 1e-9
"""Distance from 0 or 1 up to which a risk is certain. Specified: far above rounding errors, some
1e-14, and far below the smallest risk that matters."""
STUCK, OVER, TOO_LARGE = range(3)
"""Results of `play_certain`: nothing is certain; all safe cells are open, or a mine is; the
components are too large to be counted."""


@compiled
def settle(state: Bytes, waiting: int, mines: int, memory: Workspace) -> int:
    """Decide what single clues decide, beginning with those in the queue.

    Returns how many of the `mines` in undecided cells are left, -1 for a clash.
    """
    around, queue, queued = memory.geometry.around, memory.trial.queue, memory.trial.queued
    while waiting:
        waiting -= 1
        clue = queue[waiting]
        queued[clue] = 0
        need, hidden = int(state[clue]), 0
        for at in range(around[clue, COUNT]):
            value = state[around[clue, at]]
            if value == MINED:
                need -= 1
            elif value == HIDDEN:
                hidden += 1
        if need < 0 or need > hidden:
            while waiting:
                waiting -= 1
                queued[queue[waiting]] = 0
            return -1
        if hidden == 0 or 0 < need < hidden:
            continue
        for at in range(around[clue, COUNT]):
            cell = around[clue, at]
            if state[cell] == HIDDEN:
                state[cell] = MINED if need else SAFE
                mines -= need > 0
                waiting = queue_clues(state, cell, waiting, memory)
    return mines


@compiled
def queue_clues(state: Bytes, cell: int, waiting: int, memory: Workspace) -> int:
    """Queue the clues around a cell, then itself if it is one; returns how many are queued."""
    around, queue, queued = memory.geometry.around, memory.trial.queue, memory.trial.queued
    near = around[cell, COUNT]
    for at in range(near + 1):
        clue = around[cell, at] if at < near else cell
        if state[clue] < HIDDEN and not queued[clue]:
            queued[clue] = 1
            queue[waiting] = clue
            waiting += 1
    return waiting


@compiled
def _open(state: Bytes, shows: Bytes, square: int, waiting: int, memory: Workspace) -> int:
    """Open a covered square, or its whole opening, and queue its clues; -1 on a mine."""
    around, flood = memory.geometry.around, memory.trial.flood
    if shows[square] == MINE:
        return -1
    state[square] = shows[square]
    flood[0] = square
    left = 1
    while left:
        left -= 1
        here = flood[left]
        waiting = queue_clues(state, here, waiting, memory)
        if shows[here]:
            continue
        for at in range(around[here, COUNT]):
            near = around[here, at]
            if state[near] >= HIDDEN:
                state[near] = shows[near]
                flood[left] = near
                left += 1
    return waiting


@compiled
def _open_safe(state: Bytes, shows: Bytes, memory: Workspace) -> int:
    """Open the cells that are marked safe; returns as `_open` does."""
    waiting = 0
    for square in range(state.size):
        if state[square] == SAFE and waiting >= 0:
            waiting = _open(state, shows, square, waiting, memory)
    return waiting


@compiled
def mark_certain(state: Bytes, risk: Floats) -> tuple[int, int]:
    """Mark the undecided cells that are certain; returns how many are safe, and mines."""
    safe = mined = 0
    for square in range(state.size):
        if state[square] == HIDDEN:
            if risk[square] < CERTAIN:
                state[square] = SAFE
                safe += 1
            elif risk[square] > 1.0 - CERTAIN:
                state[square] = MINED
                mined += 1
    return safe, mined


@entry
def play_certain(state: Bytes, shows: Bytes, square: int, mines: int, memory: Workspace) -> int:
    """Open `square`, which may be a mine, and then all that is certain, in `state`.

    `shows` is what each square shows once it is open, or MINE; `mines` are those of the
    whole board. Returns STUCK, OVER or TOO_LARGE.
    """
    for at in range(state.size):
        mines -= state[at] == MINED
    waiting = _open(state, shows, square, 0, memory)
    while waiting >= 0:
        mines = settle(state, waiting, mines, memory)
        waiting = _open_safe(state, shows, memory)
        if waiting:
            continue
        if undecided(state) == mines:
            break
        forget(memory.store)
        clues = live_clues(state, memory)
        total, _ = weighed(state, clues, mines, memory)
        if total <= 0.0:
            return TOO_LARGE
        safe, mined = mark_certain(state, memory.sums.risk)
        if not safe:
            return STUCK
        mines -= mined
    return OVER
