"""The layouts of an endgame: the memory of its search, all layouts, and sets of rivals, compiled.

Two layouts are rivals if no cell that is safe in both shows different numbers: a strategy that wins
one of them loses the other, because only the loss of one distinguishes them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from minebot.policy.guessing.compiler import (
    Bytes,
    ByteTable,
    Floats,
    FloatTable,
    NumberCube,
    Numbers,
    NumberTable,
    Words,
    WordTable,
    compiled,
)
from minebot.policy.guessing.workspace import COUNT, HIDDEN, MINE, MINED, RiskTable, Workspace

MAX_CELLS = 96
"""Undecided cells of a board that is searched. Specified: room; so few layouts leave fewer."""
PLACES = 1 << 12
"""Places for known sets of layouts at least, a power of two. This and the next are specified as
room: a search rarely fills it, and then forgets some."""
SETS = 32
"""Room for sets of cells of each layout. Specified."""


class Endgame(NamedTuple):
    """Memory for one search."""

    cells: Numbers
    """The undecided cells, in the order of all that is kept by cell."""
    gains: Floats
    """(cells): the layouts that are won after each."""
    shown: ByteTable
    """(layouts, cells): what each undecided cell would show in each layout, or MINE."""
    words: WordTable
    """(layouts, words): the same with four cells a word, see `endgame`."""
    sign: Words
    """A random word for each layout: sets go by the sum of their members'."""
    rivals: Numbers
    """The set of rivals that each layout is in: see `endgame`."""
    head: Numbers
    """Of each set the member that came last, and of each layout the one that came before it."""
    next: Numbers
    telling: NumberTable
    """(2, 3): the cells that tell most layouts apart, and what one layout shows there."""
    alike: Floats
    """(cells): the pairs of layouts that each does not tell apart."""
    showing: Numbers
    """How many layouts show each number, or a mine, at one cell."""
    bucket: NumberCube
    """The last set of those that show the same at three cells, and of each the one before it."""
    following: Numbers
    sums: WordTable
    """(3, words): what is summed up over layouts, cell by cell."""
    work: Numbers
    """Cells looked at so far, how many may be, the last of the places for known sets, and whether
    the value of each cell is to be known."""
    arena: Numbers
    """The layouts of the sets under way, one list after the other."""
    keys: Words
    """The sets of layouts whose value is known, and the `values`."""
    values: Floats
    """Below zero: their value is not above the amount."""
    begin: NumberTable
    """Where in the arena the layouts of each number of a cell begin; by depth, like `worth`."""
    worth: FloatTable
    """By cell: what is won at most after it; 0.0 if it was tried, or is not to be."""


def make_endgame(layouts: int) -> Endgame:
    """Memory for a search among at most `layouts` layouts."""
    places = max(PLACES, 1 << (SETS * layouts).bit_length())
    signs = np.random.Generator(np.random.PCG64(21)).integers(0, 1 << 64, layouts, np.uint64)
    words = MAX_CELLS // 4
    return Endgame(
        cells=np.zeros(MAX_CELLS, np.int64),
        gains=np.zeros(MAX_CELLS),
        shown=np.zeros((layouts, MAX_CELLS), np.uint8),
        words=np.zeros((layouts, words), np.uint64),
        sign=signs,
        rivals=np.zeros(layouts, np.int64),
        head=np.zeros(layouts, np.int64),
        next=np.zeros(layouts, np.int64),
        telling=np.zeros((2, 3), np.int64),
        alike=np.zeros(MAX_CELLS),
        showing=np.zeros(10, np.int64),
        bucket=np.zeros((10, 10, 10), np.int64),
        following=np.zeros(layouts, np.int64),
        sums=np.zeros((3, words), np.uint64),
        work=np.zeros(4, np.int64),
        arena=np.zeros(64 * layouts + 64, np.int64),
        keys=np.zeros(places, np.uint64),
        values=np.zeros(places),
        begin=np.zeros((MAX_CELLS + 1, 11), np.int64),
        worth=np.zeros((MAX_CELLS + 1, MAX_CELLS)),
    )


_TRIES = 400
"""Cells that may be tried for each layout that fits the room. Specified: four for each cell."""


@compiled
def _take(clue: int, state: Bytes, size: int, cells: Numbers, memory: Workspace) -> int:
    """Append the undecided cells around a clue; returns how many cells there are then."""
    around, taken = memory.geometry.around, memory.trial.notes[0]
    for at in range(around[clue, COUNT]):
        cell = around[clue, at]
        if state[cell] == HIDDEN and not taken[cell]:
            taken[cell] = 1
            cells[size] = cell
            size += 1
    return size


@compiled
def _order(state: Bytes, clues: int, cells: Numbers, memory: Workspace) -> int:
    """Write the undecided cells, near ones near each other; returns how many."""
    around, taken = memory.geometry.around, memory.trial.notes[0]
    taken[:] = 0
    size = reached = 0
    for start in range(clues):
        size = _take(memory.trial.live[start], state, size, cells, memory)
        while reached < size:
            cell = cells[reached]
            reached += 1
            for at in range(around[cell, COUNT]):
                if state[around[cell, at]] < HIDDEN:
                    size = _take(around[cell, at], state, size, cells, memory)
    for cell in range(state.size):
        if state[cell] == HIDDEN and not taken[cell]:
            cells[size] = cell
            size += 1
    return size


@compiled
def _show(
    chosen: Numbers, cells: Numbers, size: int, column: Numbers, around: NumberTable, row: Bytes
) -> None:
    for at in range(size):
        if chosen[at]:
            row[at] = MINE
            continue
        number = 0
        cell = cells[at]
        for other in range(around[cell, COUNT]):
            place = column[around[cell, other]]
            if place >= 0:
                number += chosen[place]
        row[at] = number


@compiled
def lay_out(position: RiskTable, memory: Workspace, game: Endgame) -> tuple[int, int]:
    """Write the undecided cells of a board to `game.cells`, and all its layouts to `game.shown`.

    Returns how many layouts and cells there are; -1 layouts where there is no room for them.
    """
    state, clues, cells, shown = position.state, position.clues, game.cells, game.shown
    around, live, notes = memory.geometry.around, memory.trial.live, memory.trial.notes
    need, room, chosen, column = notes[0], notes[1], notes[2], notes[3]
    size = _order(state, clues, cells, memory)
    need[:] = chosen[:] = column[:] = -1
    room[:] = 0
    for at in range(clues):
        clue = live[at]
        need[clue] = state[clue]
        for other in range(around[clue, COUNT]):
            need[clue] -= state[around[clue, other]] == MINED
            room[clue] += state[around[clue, other]] == HIDDEN
    for at in range(size):
        column[cells[at]] = at
    layouts = tries = 0
    left = position.mines
    depth = 0
    while depth >= 0:
        if depth == size:
            if left == 0:
                if layouts == shown.shape[0]:
                    return -1, size
                _show(chosen, cells, size, column, around, shown[layouts])
                layouts += 1
            depth -= 1
            continue
        cell = cells[depth]
        if chosen[depth] >= 0:
            # Take back what was tried here before.
            left += chosen[depth]
            for at in range(around[cell, COUNT]):
                room[around[cell, at]] += 1
                need[around[cell, at]] += chosen[depth]
        chosen[depth] += 1
        if chosen[depth] == 2:
            chosen[depth] = -1
            depth -= 1
            continue
        tries += 1
        if tries > _TRIES * shown.shape[0]:
            return -1, size
        mine = chosen[depth]
        left -= mine
        fits = 0 <= left <= size - depth - 1
        for at in range(around[cell, COUNT]):
            clue = around[cell, at]
            room[clue] -= 1
            need[clue] -= mine
            if state[clue] < HIDDEN and not 0 <= need[clue] <= room[clue]:
                fits = False
        if fits:
            depth += 1
    return layouts, size


_MINE_NUMBER = 9
"""A mine, in place of a number from 0 to 8. Specified."""
MINE_BIT, SHOWN_BITS = np.uint64(9), np.uint64(0x1FF)
"""Four cells share a word of `Endgame.words`, with 16 bits each: one for each number that may
be shown, and this one for a mine; a mask for those of the numbers."""
FIRST_BITS, ALL_BITS = np.uint64(0x0001_0001_0001_0001), np.uint64(0xFFFF)
"""The first bit of all four cells, and all bits of the first one."""


@compiled
def pack(layouts: int, size: int, game: Endgame) -> None:
    """Write what the layouts show to `game.words`."""
    for layout in range(layouts):
        game.words[layout, : (size + 3) // 4] = 0
        for cell in range(size):
            value = min(game.shown[layout, cell], _MINE_NUMBER)
            game.words[layout, cell >> 2] |= np.uint64(1 << value) << np.uint64(16 * (cell & 3))


@compiled
def _are_rivals(one: int, other: int, size: int, game: Endgame) -> bool:
    """Whether no cell that is safe in both layouts tells them apart."""
    words = game.words
    for word in range((size + 3) // 4):
        here, there = words[one, word], words[other, word]
        safe_in_both = ~((here | there) >> MINE_BIT) & FIRST_BITS
        if (here ^ there) & (safe_in_both * SHOWN_BITS):
            return False
    return True


@compiled
def _choose_telling(layouts: int, size: int, game: Endgame) -> None:
    """Choose the cells that tell most pairs of layouts apart."""
    cells, alike, number = game.telling[0], game.alike[:size], game.showing
    for cell in range(size):
        number[:] = 0
        for layout in range(layouts):
            number[min(game.shown[layout, cell], _MINE_NUMBER)] += 1
        # Two layouts differ here unless they show the same, or one has a mine.
        safe = layouts - number[_MINE_NUMBER]
        alike[cell] = layouts * layouts - safe * safe
        for value in range(9):
            alike[cell] += number[value] * number[value]
    for at in range(cells.size):
        cells[at] = np.argmin(alike)
        if at + 1 < size:
            alike[cells[at]] = np.inf


@compiled
def _may_be_rivals(one: int, other: int) -> bool:
    """Whether two layouts of which these are shown at some cell may be rivals."""
    return one == other or _MINE_NUMBER in (one, other)


@compiled
def _rivals_of(layout: int, here: Numbers, size: int, game: Endgame) -> int:
    """A set all of whose members are rivals of `layout`, which shows `here`; -1: there is none."""
    for first in range(10):
        if not _may_be_rivals(first, here[0]):
            continue
        for second in range(10):
            if not _may_be_rivals(second, here[1]):
                continue
            for third in range(10):
                if not _may_be_rivals(third, here[2]):
                    continue
                one = game.bucket[first, second, third]
                while one >= 0:
                    game.work[0] += 1
                    member = game.head[one]
                    while member >= 0 and _are_rivals(layout, member, size, game):
                        member = game.next[member]
                    if member < 0:
                        return int(one)
                    one = game.following[one]
    return -1


@compiled
def sort_rivals(layouts: int, size: int, game: Endgame) -> None:
    """Part the layouts into sets of rivals, each as large as it comes.

    Writes the set of each to `game.rivals`, and them all to the arena, set by set. Sets are
    looked for by what their first member shows at three cells.
    """
    _choose_telling(layouts, size, game)
    cells, here = game.telling[0], game.telling[1]
    game.bucket[:, :, :] = -1
    sets = 0
    for layout in range(layouts):
        for at in range(3):
            here[at] = min(game.shown[layout, cells[at]], _MINE_NUMBER)
        joins = _rivals_of(layout, here, size, game)
        if joins < 0:
            joins = sets
            game.head[joins] = -1
            game.following[joins] = game.bucket[here[0], here[1], here[2]]
            game.bucket[here[0], here[1], here[2]] = joins
            sets += 1
        game.next[layout], game.head[joins] = game.head[joins], layout
        game.rivals[layout] = joins
    at = 0
    for one in range(sets):
        member = game.head[one]
        while member >= 0:
            game.arena[at] = member
            at += 1
            member = game.next[member]
