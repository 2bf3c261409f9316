"""Finds the exact best strategy while few layouts fit, compiled.

A player knows exactly the set of layouts that still fit: open cells show the same in all of them.
So the search remembers sets of layouts. An informative cell that is safe in all of them is opened
at no risk. A cell that shows the same number in all layouts where it is safe is dead: opening it
first teaches no more than opening it last, so it is never tried.

At most one layout of a set of rivals is won, see `layouts`. This bounds the value of a
set of layouts (measured: a tenth of the work).
"""

from __future__ import annotations

import numpy as np

from minebot.policy.guessing.compiler import Floats, FloatTable, Numbers, compiled
from minebot.policy.guessing.compute_risk import live_clues, undecided
from minebot.policy.guessing.layouts import (
    ALL_BITS,
    FIRST_BITS,
    MAX_CELLS,
    MINE_BIT,
    PLACES,
    SETS,
    SHOWN_BITS,
    Endgame,
    lay_out,
    pack,
    sort_rivals,
)
from minebot.policy.guessing.lookahead import SCORE, SQUARE, rank, swap
from minebot.policy.guessing.settings import GuessingSettings
from minebot.policy.guessing.workspace import (
    BASE,
    COUNT,
    DEGREE,
    FIRST_CELL,
    HIDDEN,
    MEMBERS,
    MINE,
    SAFE,
    USED_FRONTS,
    RiskTable,
    Workspace,
)


@compiled
def _bound(first: int, last: int, game: Endgame) -> int:
    """How many of the layouts `arena[first:last]` are won at most: one of each set of rivals."""
    sets = 0
    before = -1
    for at in range(first, last):
        rivals = game.rivals[game.arena[at]]
        sets += rivals != before
        before = rivals
    return sets


@compiled
def _find(first: int, last: int, game: Endgame) -> tuple[np.uint64, int]:
    """The word for the layouts `arena[first:last]`, and its place among the known sets."""
    key = np.uint64(last - first)
    for at in range(first, last):
        key += game.sign[game.arena[at]]
    last_place = game.work[2]
    place = np.int64(key >> np.uint64(20)) & last_place
    for _ in range(8):
        if game.keys[place] == 0 or game.keys[place] == key:
            break
        place = (place + 1) & last_place
    return key, place


@compiled
def _are_alike(first: int, last: int, one: int, other: int, game: Endgame) -> bool:
    """Whether two cells are mines in the same ones of the layouts `arena[first:last]`."""
    words = game.words
    here, there = np.uint64(16 * (one & 3)) + MINE_BIT, np.uint64(16 * (other & 3)) + MINE_BIT
    for at in range(first, last):
        layout = game.arena[at]
        if ((words[layout, one >> 2] >> here) ^ (words[layout, other >> 2] >> there)) & np.uint64(
            1
        ):
            return False
    return True


@compiled
def _survey(first: int, last: int, most: int, size: int, worth: Floats, game: Endgame) -> None:
    """Bound what is won of the layouts `arena[first:last]`, of `most` sets, after each cell.

    `worth` receives 0.0 for cells that are not to be tried.
    """
    game.work[0] += (last - first) * size
    words = game.words
    width = (size + 3) // 4
    # By cell: what it shows; in how many of the sets it is always a mine; whether in this one.
    seen, lost, mined = game.sums[0], game.sums[1], game.sums[2]
    for word in range(width):
        seen[word] = lost[word] = np.uint64(0)
        mined[word] = FIRST_BITS
    for at in range(first, last):
        layout = game.arena[at]
        for word in range(width):
            seen[word] |= words[layout, word]
            mined[word] &= words[layout, word] >> MINE_BIT
        if at + 1 == last or game.rivals[layout] != game.rivals[game.arena[at + 1]]:
            for word in range(width):
                lost[word] += mined[word]
                mined[word] = FIRST_BITS
    for cell in range(size):
        shift = np.uint64(16 * (cell & 3))
        shown = np.int64((seen[cell >> 2] >> shift) & SHOWN_BITS)
        worth[cell] = most - np.int64((lost[cell >> 2] >> shift) & ALL_BITS)
        if shown & (shown - 1) == 0:
            worth[cell] = 0.0
        elif not (seen[cell >> 2] >> (shift + MINE_BIT)) & np.uint64(1):
            # Safe in all of them, and tells something: open it, and nothing else.
            worth[:size] = 0.0
            worth[cell] = most
            return
        else:
            for other in range(cell):
                # Mines in the same layouts: whichever is opened first, the other one follows.
                if worth[other] == worth[cell] and _are_alike(first, last, other, cell, game):
                    worth[cell] = 0.0
                    break


@compiled
def _split(cell: int, first: int, last: int, free: int, begin: Numbers, game: Endgame) -> bool:
    """Sort layouts by the number that `cell` shows, from `arena[free]` on; False: no room there.

    The layouts of each number are `arena[begin[number]:begin[number + 1]]` then.
    """
    shown, arena = game.shown, game.arena
    begin[:] = 0
    for at in range(first, last):
        value = shown[arena[at], cell]
        if value != MINE:
            begin[value + 2] += 1
    begin[0] = begin[1] = free
    for value in range(9):
        begin[value + 2] += begin[value + 1]
    if begin[10] > arena.size:
        return False
    for at in range(first, last):
        value = shown[arena[at], cell]
        if value != MINE:
            # Where the number's next layout goes, and in the end where the next number begins.
            arena[begin[value + 1]] = arena[at]
            begin[value + 1] += 1
    return True


@compiled
def _won(
    first: int, last: int, free: int, most: int, need: float, depth: int, size: int, game: Endgame
) -> float:
    """How many of the layouts `arena[first:last]` the best strategy wins, which is at most `most`.

    A number that is not above `need` is of no use: then that it is not may be all that is found.
    The arena is free from `free` on. At depth 0 `game.gains` receives what each cell wins.
    Returns -1.0 if the work allowed does not suffice.
    """
    if most == 1 or most <= need:
        return float(most)
    key, place = _find(first, last, game)
    if game.keys[place] == key:
        known = float(game.values[place])
        # Below zero: no more than that.
        if known >= 0.0 or -known <= need:
            return abs(known)
    worth, begin = game.worth[depth, :size], game.begin[depth]
    _survey(first, last, most, size, worth, game)
    if game.work[0] > game.work[1]:
        return -1.0
    # One layout can always be won: it is what is left where no cell tells anything. At depth 0
    # the cells that win it are wanted too.
    best = max(need, 1.0) if depth else 0.0
    cell = int(np.argmax(worth))
    while worth[cell] > best:
        if not _split(cell, first, last, free, begin, game):
            return -1.0
        won, left = 0.0, worth[cell]
        worth[cell] = 0.0
        for number in range(9):
            start, end = begin[number], begin[number + 1]
            if start == end:
                continue
            some = _bound(start, end, game)
            left -= some
            lacks = best - won - left
            value = _won(start, end, begin[9], some, lacks, depth + 1, size, game)
            if value < 0.0:
                return -1.0
            won += value
            if won + left <= best:
                break
        else:
            best = max(best, won)
            if depth == 0:
                game.gains[cell] = won
                if game.work[3]:
                    best = 0.0
        cell = int(np.argmax(worth))
    # One layout is always won: a need of no more is exceeded or met exactly.
    exact = need <= max(1.0, best - 1.0)
    game.keys[place], game.values[place] = key, best if exact else -best
    return best


@compiled
def search(layouts: int, size: int, game: Endgame, every: bool) -> float:
    """How many layouts the best strategy wins, and how many after each cell.

    `game.gains` receives these by cell: 0.0 for one that is dead or, unless `every` cell is to be
    known, was seen to be no better than another. Returns -1.0 if the work allowed does not suffice.
    """
    game.work[0] = 0
    # Few layouts make few sets: what is not used needs not be cleared.
    places = PLACES
    while places < SETS * layouts:
        places *= 2
    game.work[2] = places - 1
    game.work[3] = every
    game.keys[:places] = 0
    game.gains[:] = 0.0
    if layouts == 1:
        return 1.0
    pack(layouts, size, game)
    sort_rivals(layouts, size, game)
    won = _won(0, layouts, layouts, _bound(0, layouts, game), 0.0, 0, size, game)
    return won if won < 0.0 else max(won, 1.0, game.gains[np.argmax(game.gains)])


@compiled
def best_strategy(
    position: RiskTable, settings: GuessingSettings, memory: Workspace, game: Endgame
) -> int:
    """Write candidates by the fraction of layouts that the best strategy wins; return how many."""
    if undecided(position.state) > MAX_CELLS:
        return 0
    rows = memory.trial.rows
    layouts, size = lay_out(position, memory, game)
    if layouts <= 0:
        return 0
    game.work[1] = settings.work
    won = search(layouts, size, game, False)
    if won < 0.0:
        return 0
    number = _by_gains(layouts, size, game, rows)
    if not number:
        # No cell tells anything, so one layout is won, whichever is played for: the first.
        for at in range(size):
            if game.shown[0, at] != MINE:
                rows[0, SQUARE], rows[0, SCORE] = game.cells[at], won / layouts
                number = 1
                break
    elif settings.every:
        chosen = rows[0, SQUARE]
        if search(layouts, size, game, True) >= 0.0:
            number = _by_gains(layouts, size, game, rows)
            # Of cells that are equally good it stays the one that is played.
            for place in range(number - 1, 0, -1):
                if rows[place, SQUARE] == chosen:
                    swap(rows, place, place - 1)
    return number


@compiled
def _by_gains(layouts: int, size: int, game: Endgame, rows: FloatTable) -> int:
    """Write what a search has found as candidates, the best first; return how many."""
    number = 0
    for at in range(size):
        if game.gains[at] > 0.0:
            rows[number, SQUARE], rows[number, SCORE] = game.cells[at], game.gains[at] / layouts
            number += 1
    rank(rows, number, pseq=False)
    return number


@compiled
def forced(
    position: RiskTable, settings: GuessingSettings, memory: Workspace, game: Endgame
) -> int:
    """Search a component that touches no other cell and holds a fixed number of mines.

    Nothing that happens elsewhere says more about it.
    """
    store, around, state = memory.store, memory.geometry.around, position.state
    trial = memory.trial.boards[0]
    for at in range(store.used[USED_FRONTS]):
        component = store.entry[memory.survey.entries[at]]
        if component[DEGREE]:
            continue
        for square in range(state.size):
            # Nothing else is undecided for the search.
            trial[square] = SAFE if state[square] == HIDDEN else state[square]
        members = store.cells[component[FIRST_CELL] : component[FIRST_CELL] + component[MEMBERS], 0]
        for cell in members:
            trial[cell] = HIDDEN
        is_closed = True
        for cell in members:
            for near in range(around[cell, COUNT]):
                other = around[cell, near]
                is_closed &= state[other] != HIDDEN or trial[other] == HIDDEN
        if not is_closed:
            continue
        clues = live_clues(trial, memory)
        alone = RiskTable(trial, clues, component[BASE], 1.0, 0)
        number = best_strategy(alone, settings, memory, game)
        live_clues(state, memory)
        if number:
            return number
    return 0
