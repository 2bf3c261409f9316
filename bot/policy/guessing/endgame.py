"""Finds the exact best strategy where the layouts that still fit are few, compiled.

What a player knows is the set of layouts that still fit, and nothing else: cells that
are open show the same in all of them. So the search remembers sets of layouts. An
informative cell that is safe in all of them is opened for nothing. A cell that would
show the same number in all layouts in which it is safe is dead: whoever opens it first
learns no more than whoever opens it last, and so it is never tried.
"""

from __future__ import annotations

import numpy as np

from bot.policy.guessing import memory as m
from bot.policy.guessing.compiler import Floats, compiled
from bot.policy.guessing.memory import Endgame

_PLACES = 1 << 10
"""The least of the places for known sets, a power of two; guessed, as is the next."""
_SETS = 256
"""Places for each layout, as far as there are so many."""


@compiled
def _deliver(value: float, depth: int, game: Endgame) -> None:
    """Add what is won after one number; give the cell up once it cannot be the best."""
    game.won[depth] += value
    if game.won[depth] + game.left[depth] <= game.best[depth]:
        game.branch[depth, m.CELL] = -1


@compiled
def _enter(
    depth: int, first: int, last: int, free: int, size: int, need: float, game: Endgame
) -> float:
    """The value of the layouts `arena[first:last]` if it is plain; else -1.0, and a branch.

    A value that is not above `need` is of no use: then that it is not may be all that is
    found. The arena is free from `free` on.
    """
    shown, arena = game.shown, game.arena
    number = last - first
    if number == 1:
        return 1.0
    key = np.uint64(number)
    for at in range(first, last):
        key += game.sign[arena[at]]
    last_place = game.work[2]
    place = np.int64(key >> np.uint64(20)) & last_place
    for _ in range(8):
        if game.keys[place] == 0 or game.keys[place] == key:
            break
        place = (place + 1) & last_place
    if game.keys[place] == key:
        known = float(game.values[place])
        # Below zero: no more than that.
        if known >= 0.0 or -known <= need:
            return abs(known)
    game.work[0] += number * size
    if number == 2 and depth:
        one, two = arena[first], arena[first + 1]
        for cell in range(size):
            here, there = shown[one, cell], shown[two, cell]
            if m.MINE != here != there != m.MINE:
                return 2.0
        return 1.0
    safe = game.safe[depth]
    seen = np.zeros(size, np.int64)
    alike = np.zeros(size, np.uint64)
    safe[:size] = 0.0
    for at in range(first, last):
        row = arena[at]
        for cell in range(size):
            if shown[row, cell] == m.MINE:
                alike[cell] += game.sign[row]
            else:
                safe[cell] += 1.0
                seen[cell] |= 1 << shown[row, cell]
    for cell in range(size):
        if seen[cell] & (seen[cell] - 1) == 0:
            safe[cell] = 0.0
        elif safe[cell] == number:
            # Safe in all of them, and tells something: open it, and nothing else.
            safe[:size] = 0.0
            safe[cell] = number
            break
        else:
            for other in range(cell):
                # Mines in the same layouts: whichever is opened first, the other one follows.
                if alike[other] == alike[cell] and safe[other] > 0.0:
                    safe[cell] = 0.0
                    break
    game.best[depth] = max(need, 1.0)
    game.need[depth] = need
    game.key[depth] = key
    branch = game.branch[depth]
    branch[m.FIRST], branch[m.LAST], branch[m.FREE] = first, last, free
    branch[m.PLACE], branch[m.CELL] = place, -1
    return -1.0


@compiled
def _split(cell: int, depth: int, game: Endgame) -> bool:
    """Sort the layouts of a branch by the number that `cell` shows; False if there is no room."""
    shown, arena, branch = game.shown, game.arena, game.branch[depth]
    branch[m.BEGIN] = branch[m.FREE]
    count = np.zeros(9, np.int64)
    for at in range(branch[m.FIRST], branch[m.LAST]):
        value = shown[arena[at], cell]
        if value != m.MINE:
            count[value] += 1
    for value in range(9):
        branch[m.BEGIN + value + 1] = branch[m.BEGIN + value] + count[value]
    if branch[m.BEGIN + 9] > arena.size:
        return False
    place = branch[m.BEGIN : m.BEGIN + 9].copy()
    for at in range(branch[m.FIRST], branch[m.LAST]):
        value = shown[arena[at], cell]
        if value != m.MINE:
            arena[place[value]] = arena[at]
            place[value] += 1
    branch[m.CELL] = cell
    branch[m.NUMBER] = 0
    game.won[depth] = 0.0
    game.left[depth] = game.safe[depth, cell]
    game.safe[depth, cell] = 0.0
    return True


@compiled
def search(layouts: int, size: int, game: Endgame, values: Floats) -> float:
    """How many layouts the best strategy wins, and how many after each cell.

    `values` receives one for each cell: 0.0 for one that is dead or was seen to be
    no better than another. Returns -1.0 where the work allowed does not suffice.
    (The branches under way are kept in `game`, not on the machine's stack.)
    """
    game.work[0] = 0
    # Few layouts make few sets: what is not used needs not be cleared.
    places = _PLACES
    while places < game.keys.size and places < _SETS * layouts:
        places *= 2
    game.work[2] = places - 1
    game.keys[:places] = 0
    values[:] = 0.0
    for at in range(layouts):
        game.arena[at] = at
    value = _enter(0, 0, layouts, layouts, size, 0.0, game)
    if value >= 0.0:
        return value
    # One layout can always be won: it is what is left where no cell tells anything.
    game.best[0] = 0.0
    depth = 0
    while True:
        branch = game.branch[depth]
        if branch[m.CELL] < 0:
            cell = 0
            for other in range(1, size):
                if game.safe[depth, other] > game.safe[depth, cell]:
                    cell = other
            if game.safe[depth, cell] > game.best[depth]:
                if not _split(cell, depth, game):
                    return -1.0
                continue
            value = float(game.best[depth])
            place = branch[m.PLACE]
            game.keys[place] = game.key[depth]
            # One layout is always won: a need of no more is exceeded or met exactly.
            exact = game.need[depth] <= max(1.0, value - 1.0)
            game.values[place] = value if exact else -value
            if depth == 0:
                return max(value, 1.0)
            depth -= 1
            _deliver(value, depth, game)
            continue
        number = branch[m.NUMBER]
        while number < 9 and branch[m.BEGIN + number] == branch[m.BEGIN + number + 1]:
            number += 1
        if number == 9:
            game.best[depth] = max(game.best[depth], game.won[depth])
            if depth == 0:
                values[branch[m.CELL]] = game.won[depth]
            branch[m.CELL] = -1
            continue
        branch[m.NUMBER] = number + 1
        first, last = branch[m.BEGIN + number], branch[m.BEGIN + number + 1]
        game.left[depth] -= last - first
        need = game.best[depth] - game.won[depth] - game.left[depth]
        value = _enter(depth + 1, first, last, branch[m.BEGIN + 9], size, need, game)
        if game.work[0] > game.work[1]:
            return -1.0
        if value < 0.0:
            depth += 1
        else:
            _deliver(value, depth, game)
