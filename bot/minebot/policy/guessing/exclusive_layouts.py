"""Finds layouts of which any strategy wins at most one, compiled.

Two layouts are rivals if no cell that is safe in both shows different numbers: a strategy that wins
one of them loses the other, because only the loss of one distinguishes them.
"""

from __future__ import annotations

import numpy as np

from minebot.policy.guessing.compiler import Numbers, compiled
from minebot.policy.guessing.endgame_workspace import Endgame

_MINE = 9
"""A mine, in place of a number from 0 to 8. Specified."""
MINED, SHOWN = np.uint64(9), np.uint64(0x1FF)
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
            value = min(game.shown[layout, cell], _MINE)
            game.words[layout, cell >> 2] |= np.uint64(1 << value) << np.uint64(16 * (cell & 3))


@compiled
def _are_rivals(one: int, other: int, size: int, game: Endgame) -> bool:
    """Whether no cell that is safe in both layouts tells them apart."""
    words = game.words
    for word in range((size + 3) // 4):
        here, there = words[one, word], words[other, word]
        safe_in_both = ~((here | there) >> MINED) & FIRST_BITS
        if (here ^ there) & (safe_in_both * SHOWN):
            return False
    return True


@compiled
def _choose_telling(layouts: int, size: int, game: Endgame) -> None:
    """Choose the cells that tell most pairs of layouts apart."""
    cells, alike, number = game.telling[0], game.alike[:size], game.showing
    for cell in range(size):
        number[:] = 0
        for layout in range(layouts):
            number[min(game.shown[layout, cell], _MINE)] += 1
        # Two layouts differ here unless they show the same, or one has a mine.
        safe = layouts - number[_MINE]
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
    return one == other or _MINE in (one, other)


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
            here[at] = min(game.shown[layout, cells[at]], _MINE)
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
