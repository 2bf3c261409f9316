"""The exact best strategy while few layouts are left, compiled.

What a player knows is the set of layouts that still fit, and nothing else: cells that
are open show the same in all of them. So the search remembers sets of layouts. An
informative cell that is safe in all of them is opened for nothing. A cell that would
show the same number in all layouts in which it is safe is dead: whoever opens it first
learns no more than whoever opens it last, and so it is never tried.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bot.policy.guessing.all_layouts import MINE
from bot.policy.guessing.compiler import (
    ByteTable,
    Floats,
    FloatTable,
    Numbers,
    NumberTable,
    Words,
    compiled,
    entry,
)

__all__ = ["MAX_CELLS", "Endgame", "make_endgame", "search"]

MAX_CELLS = 96
"""Undecided cells of a board that is searched; guessed: so few layouts leave fewer."""
_PLACES = 1 << 18
"""Places for known sets of layouts. Guessed: a search is given up before it fills them."""
_FIRST, _LAST, _FREE, _PLACE, _CELL, _NUMBER, _BEGIN = range(7)
"""Columns of a branch: its layouts in the arena, where the arena is free, its place among
the known sets, the cell that is tried, the next number of it; then where the layouts of
each number begin."""


class Endgame(NamedTuple):
    """Memory for one search."""

    shown: ByteTable
    """(layouts, cells): what each undecided cell would show in each layout, or MINE."""
    weight: Floats
    """How much each layout counts."""
    sign: Words
    """A random word for each layout: sets go by the sum of their members'."""
    work: Numbers
    """Cells looked at so far, and how many may be."""
    arena: Numbers
    """The layouts of the branches under way, one list after the other."""
    keys: Words
    """The sets of layouts whose value is known, and the `values`."""
    values: Floats
    # One row a branch under way.
    branch: NumberTable
    key: Words
    best: Floats
    won: Floats
    left: Floats
    safe: FloatTable


def make_endgame(layouts: int) -> Endgame:
    """Memory for a search among at most `layouts` layouts."""
    signs = np.random.Generator(np.random.PCG64(21)).integers(0, 1 << 64, layouts, np.uint64)
    return Endgame(
        np.zeros((layouts, MAX_CELLS), np.uint8),
        np.ones(layouts),
        signs,
        np.zeros(2, np.int64),
        np.zeros(64 * layouts + 64, np.int64),
        np.zeros(_PLACES, np.uint64),
        np.zeros(_PLACES),
        np.zeros((MAX_CELLS + 2, _BEGIN + 10), np.int64),
        np.zeros(MAX_CELLS + 2, np.uint64),
        np.zeros(MAX_CELLS + 2),
        np.zeros(MAX_CELLS + 2),
        np.zeros(MAX_CELLS + 2),
        np.zeros((MAX_CELLS + 2, MAX_CELLS)),
    )


@compiled
def _deliver(value: float, depth: int, game: Endgame) -> None:
    """Add what is won after one number; give the cell up once it cannot be the best."""
    game.won[depth] += value
    if game.won[depth] + game.left[depth] <= game.best[depth]:
        game.branch[depth, _CELL] = -1


@compiled
def _enter(depth: int, first: int, last: int, free: int, size: int, game: Endgame) -> float:
    """The value of the layouts `arena[first:last]` if it is plain; else -1.0, and a branch.

    The arena is free from `free` on.
    """
    shown, weight, arena = game.shown, game.weight, game.arena
    number = last - first
    if number == 1:
        return float(weight[arena[first]])
    key = np.uint64(number)
    whole = heaviest = 0.0
    for at in range(first, last):
        key += game.sign[arena[at]]
        whole += weight[arena[at]]
        heaviest = max(heaviest, weight[arena[at]])
    place = np.int64(key >> np.uint64(20)) & (_PLACES - 1)
    for _ in range(8):
        if game.keys[place] == 0 or game.keys[place] == key:
            break
        place = (place + 1) & (_PLACES - 1)
    if game.keys[place] == key:
        return float(game.values[place])
    game.work[0] += number * size
    if number == 2 and depth:
        one, two = arena[first], arena[first + 1]
        for cell in range(size):
            here, there = shown[one, cell], shown[two, cell]
            if MINE != here != there != MINE:
                return whole
        return heaviest
    safe = game.safe[depth]
    seen = np.zeros(size, np.int64)
    safe[:size] = 0.0
    for at in range(first, last):
        row = arena[at]
        for cell in range(size):
            if shown[row, cell] != MINE:
                safe[cell] += weight[row]
                seen[cell] |= 1 << shown[row, cell]
    for cell in range(size):
        if seen[cell] & (seen[cell] - 1) == 0:
            safe[cell] = 0.0
        elif safe[cell] >= whole * (1.0 - 1e-12):
            # Safe in all of them, and tells something: open it, and nothing else.
            safe[:size] = 0.0
            safe[cell] = whole
            break
    game.best[depth] = heaviest
    game.key[depth] = key
    branch = game.branch[depth]
    branch[_FIRST], branch[_LAST], branch[_FREE] = first, last, free
    branch[_PLACE], branch[_CELL] = place, -1
    return -1.0


@compiled
def _split(cell: int, depth: int, game: Endgame) -> bool:
    """Sort the layouts of a branch by the number that `cell` shows; False if there is no room."""
    shown, arena, branch = game.shown, game.arena, game.branch[depth]
    branch[_BEGIN] = branch[_FREE]
    count = np.zeros(9, np.int64)
    for at in range(branch[_FIRST], branch[_LAST]):
        value = shown[arena[at], cell]
        if value != MINE:
            count[value] += 1
    for value in range(9):
        branch[_BEGIN + value + 1] = branch[_BEGIN + value] + count[value]
    if branch[_BEGIN + 9] > arena.size:
        return False
    place = branch[_BEGIN : _BEGIN + 9].copy()
    for at in range(branch[_FIRST], branch[_LAST]):
        value = shown[arena[at], cell]
        if value != MINE:
            arena[place[value]] = arena[at]
            place[value] += 1
    branch[_CELL] = cell
    branch[_NUMBER] = 0
    game.won[depth] = 0.0
    game.left[depth] = game.safe[depth, cell]
    game.safe[depth, cell] = 0.0
    return True


@entry
def search(layouts: int, size: int, game: Endgame, values: Floats) -> float:
    """The weight of the layouts that the best strategy wins, and of the best after each cell.

    `values` receives one for each cell: 0.0 for one that is dead or was seen to be
    no better than another. Returns -1.0 where the work allowed does not suffice.
    (The branches under way are kept in `game`, not on the machine's stack.)
    """
    game.work[0] = 0
    game.keys[:] = 0
    values[:] = 0.0
    for at in range(layouts):
        game.arena[at] = at
    value = _enter(0, 0, layouts, layouts, size, game)
    if value >= 0.0:
        return value
    # One layout can always be won: it is what is left where no cell tells anything.
    heaviest = game.best[0]
    game.best[0] = 0.0
    depth = 0
    while True:
        branch = game.branch[depth]
        if branch[_CELL] < 0:
            cell = 0
            for other in range(1, size):
                if game.safe[depth, other] > game.safe[depth, cell]:
                    cell = other
            if game.safe[depth, cell] > game.best[depth]:
                if not _split(cell, depth, game):
                    return -1.0
                continue
            value = float(game.best[depth])
            place = branch[_PLACE]
            game.keys[place] = game.key[depth]
            game.values[place] = value
            if depth == 0:
                return float(max(value, heaviest))
            depth -= 1
            _deliver(value, depth, game)
            continue
        number = branch[_NUMBER]
        while number < 9 and branch[_BEGIN + number] == branch[_BEGIN + number + 1]:
            number += 1
        if number == 9:
            game.best[depth] = max(game.best[depth], game.won[depth])
            if depth == 0:
                values[branch[_CELL]] = game.won[depth]
            branch[_CELL] = -1
            continue
        branch[_NUMBER] = number + 1
        first, last = branch[_BEGIN + number], branch[_BEGIN + number + 1]
        for at in range(first, last):
            game.left[depth] -= game.weight[game.arena[at]]
        value = _enter(depth + 1, first, last, branch[_BEGIN + 9], size, game)
        if game.work[0] > game.work[1]:
            return -1.0
        if value < 0.0:
            depth += 1
        else:
            _deliver(value, depth, game)
