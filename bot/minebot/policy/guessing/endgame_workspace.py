"""The memory of the endgame search: the layouts that still fit, and the branches under way."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from minebot.policy.guessing.compiler import (
    ByteTable,
    Floats,
    FloatTable,
    NumberCube,
    Numbers,
    NumberTable,
    Words,
    WordTable,
)

MAX_CELLS = 96
"""Undecided cells of a board that is searched. Specified: room; so few layouts leave fewer."""
PLACES = 1 << 12
"""Places for known sets of layouts at least, a power of two. This and the next are specified as
room: a search rarely fills it, and then forgets some."""
SETS = 32
"""Room for sets of cells of each layout. Specified."""
FIRST, LAST, FREE, PLACE, CELL, NUMBER, BEGIN = range(7)
"""Columns of a branch: its layouts in the arena, where the arena is free, its place among
the known sets, the cell that is tried, the next number of it; then where the layouts of
each number begin and end."""


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
    """Cells looked at so far, how many may be, and the last of the places for known sets."""
    arena: Numbers
    """The layouts of the branches under way, one list after the other."""
    keys: Words
    """The sets of layouts whose value is known, and the `values`."""
    values: Floats
    """Below zero: their value is not above the amount."""
    # One row a branch under way.
    branch: NumberTable
    key: Words
    need: Floats
    """Each branch: what its value must exceed to be of use, then the best so far, what is won
    with the numbers of the cell that is tried, and of those to come at most."""
    best: Floats
    won: Floats
    left: Floats
    worth: FloatTable
    """By cell: what is won at most after it; 0.0 if it was tried, or is not to be."""


def make_endgame(layouts: int) -> Endgame:
    """Memory for a search among at most `layouts` layouts."""
    places = max(PLACES, 1 << (SETS * layouts).bit_length())
    signs = np.random.Generator(np.random.PCG64(21)).integers(0, 1 << 64, layouts, np.uint64)
    words = MAX_CELLS // 4
    branches = MAX_CELLS + 2
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
        work=np.zeros(3, np.int64),
        arena=np.zeros(64 * layouts + 64, np.int64),
        keys=np.zeros(places, np.uint64),
        values=np.zeros(places),
        branch=np.zeros((branches, BEGIN + 11), np.int64),
        key=np.zeros(branches, np.uint64),
        need=np.zeros(branches),
        best=np.zeros(branches),
        won=np.zeros(branches),
        left=np.zeros(branches),
        worth=np.zeros((branches, MAX_CELLS)),
    )
