"""The memory that the compiled parts share: a board's state, and counts.

Short lists of squares or rules are rows of tables: up to eight of them, then their number. Counts
are kept as a float and a power of two, because they outgrow a float.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from minebot.board import Cell, neighbourhood
from minebot.policy.guessing.compiler import (
    Bytes,
    ByteTable,
    Floats,
    FloatTable,
    Numbers,
    NumberTable,
    Words,
)

HIDDEN = int(Cell.HIDDEN)
"""In the states that the compiled parts work on: covered and not decided."""
MINED = HIDDEN + 1
"""Covered, certainly a mine."""
SAFE = HIDDEN + 2
"""Covered, certainly safe."""

MAX_BOXES = 192
"""Boxes (groups of alike cells) in one component; a longer one is not counted here. Specified as
room: the longest components of expert boards have some sixty."""
MAX_FRONTS = 256
"""Components on one board. Specified as room: expert boards have a dozen."""
MAX_DEGREE = 400
"""Mines by which the layouts of one component may differ, and those of all together. Specified as
room: four times the mines of an expert board."""
_SLOTS = 1 << 14
"""Slots in the index of one layer's states, half of which are used. Specified: room for 8192
states, where components of expert boards have some hundreds."""
_STATES = 1 << 17
"""States of all layers of one component. Specified: room of at most 32 MB, like that for their
coefficients and for the steps between them; memory that is not used is never touched."""
_COEFFICIENTS = 1 << 22
"""Room for the coefficients of all states. Specified."""
_STEPS = 1 << 19
"""Room for the steps from state to state. Specified."""
_ENTRIES = 1 << 14
"""Places in the cache of components, of which half are used; a guess on an expert board counts
some hundreds. Specified as room, like that for what is kept of them."""
_POOL = 1 << 21
"""Room for the coefficients and the cells of all components in the store. Specified."""

_NOTES = 16
"""Smallest number of notes, on the smallest boards. Specified: above the largest number that is not
taken by square."""
BINOMIAL = np.array([[float(comb(n, k)) for k in range(9)] for n in range(9)])
"""`BINOMIAL[n, k]`: the ways to choose k of n, both up to 8."""

COUNT = 8
"""Column, in every table of lists, of the number of used columns before it. Specified."""
SQUARE, NEED, FRONT = 9, 10, 11
"""More columns of `Survey.rules`: the clue, its mines, and its component or -1. Specified."""
STAMP = 9
"""One more column of `Survey.cells`: the survey that the row belongs to. Specified."""
SIZE, ORDER, STEPS = 9, 10, 11
"""More columns of `Layers.boxes`: cells; and, by place in the order and not by box, the next box to
count and its first step. Specified."""
FIRST_FLOAT, BOXES, DEGREE, BASE, EXPONENT, FIRST_CELL, MEMBERS = range(7)
"""Columns of `ComponentCache.entry`. Layouts have BASE to BASE + DEGREE mines; coefficients are to
be multiplied by 2**EXPONENT. A DEGREE below zero says why there is nothing: see `components`."""
USED_STAMP, USED_ENTRIES, USED_FLOATS, USED_CELLS, USED_FRONTS, USED_WORK = range(6)
"""Places in `ComponentCache.used`: the number of the last survey, what is in use of the store, the
components of the board weighed last, and the work since the store was empty: for each component
counted its steps times its cells."""
CANDIDATE_COLUMNS = 6
"""Columns of `Trial.rows`, which `lookahead` names. Specified."""
MINE = 255
"""A mine in a layout; other entries are the number to be seen. Specified."""


class Geometry(NamedTuple):
    """What stays the same for one size of board."""

    around: NumberTable
    """(squares, 9): the neighbours of each square."""
    signs: Words
    """A random word for each square, to tell sets of squares apart."""
    factorial: Floats
    """n! up to the number of squares is `factorial[n] * 2**exponent[n]`."""
    exponent: Numbers
    width: int
    height: int


class Survey(NamedTuple):
    """The rules of one board, and which component each belongs to."""

    rules: NumberTable
    """(squares, 12): the undecided cells of each rule; SQUARE, NEED, FRONT."""
    cells: NumberTable
    """(squares, 10): the rules of each undecided cell; STAMP."""
    queue: Numbers
    """The rules of one component."""
    entries: Numbers
    """The entry of the store that holds each component."""


class Layers(NamedTuple):
    """One component while it is counted: its boxes of alike cells, layers of states, steps."""

    boxes: NumberTable
    """(boxes + 1, 12): the rules that each box is in; SIZE, ORDER, STEPS."""
    signs: Words
    """A word that stands for the rules of each box."""
    need: Numbers
    """The mines that each rule needs."""
    keys: Words
    """Each state: the mines that rules under way still need, four bits each."""
    bounds: NumberTable
    """(states, 2): the least and the most mines so far of each state."""
    reach: NumberTable
    """(states, 2): the same from each state to the end."""
    forward: Floats
    """The number of ways to get to each state, by mines so far, and from it to the end."""
    backward: Floats
    steps: NumberTable
    """(steps, 3): from which state to which, by how many mines."""
    slots: NumberTable
    """(slots, 2): an index of one layer's states: the state, and the layer's stamp."""
    notes: NumberTable
    """(3, squares or boxes): what a single function notes by rule or box while it runs."""


class ComponentCache(NamedTuple):
    """Fronts counted before, by a word that stands for their rules."""

    key: Words
    entry: NumberTable
    """(entries, 7): FIRST_FLOAT to MEMBERS."""
    floats: Floats
    """For each component the layouts by mines, then those with a mine in a cell of each box."""
    cells: NumberTable
    """(pool, 2): a cell and its box, by component."""
    used: Numbers
    """USED_STAMP to USED_WORK."""


class Sums(NamedTuple):
    """All components and the untouched cells together."""

    before: FloatTable
    """(fronts + 1, degrees): the layouts of the components before each, by what their mines have
    above the least, and of those after it with the untouched cells, by that of those before."""
    after: FloatTable
    risk: Floats
    """The mine probability of each undecided square of the board weighed last."""
    others: Floats
    """The ways of all components but one, by the mines of that one."""
    boxes: Floats
    """The mine probability of the cells in each box of one component."""


class Trial(NamedTuple):
    """Boards on which cells are opened to see what would follow."""

    boards: ByteTable
    """(2, squares): the board with one cell more open, and with two more."""
    live: Numbers
    """(squares + 2): the live clues of the board, then the cells that are opened in turn."""
    risks: FloatTable
    """(2, squares): the mine probabilities of the board, and of that with one cell more."""
    queue: Numbers
    """The clues that may decide their neighbours; `queued`, by square, says which these are."""
    queued: Bytes
    flood: Numbers
    """The opened cells of an opening whose neighbours are still to be opened."""
    rows: FloatTable
    """(squares, CANDIDATE_COLUMNS): the candidates; see `lookahead`."""
    notes: NumberTable
    """(4, squares): what a single function notes by square, or of a few cells, while it runs."""
    weights: FloatTable
    """(2, squares): the same, in floats."""


class RiskTable(NamedTuple):
    """A board that is weighed."""

    state: Bytes
    clues: int
    """How many live clues there are."""
    mines: int
    """Those in undecided cells."""
    total: float
    """The layouts are `total * 2**exponent`; 0.0 if there is none, -1.0: too many."""
    exponent: int


class Workspace(NamedTuple):
    """Working memory for one size of board; the compiled parts overwrite it freely."""

    geometry: Geometry
    survey: Survey
    layers: Layers
    store: ComponentCache
    sums: Sums
    trial: Trial
    weigh: int
    """Where `compute_risk` is, which is too large to be built into all that call it."""


def make_memory(width: int, height: int, weigh: int) -> Workspace:
    """Working memory for boards of `width` x `height` squares; only what is used is touched.

    `weigh` is the address of `compute_risk`.
    """
    size = width * height

    def numbers(*shape: int) -> Numbers:
        return np.zeros(shape, np.int64)

    return Workspace(
        _geometry(width, height),
        Survey(numbers(size, 12), numbers(size, 10), numbers(size), numbers(MAX_FRONTS)),
        Layers(
            boxes=numbers(MAX_BOXES + 1, 12),
            signs=np.zeros(MAX_BOXES, np.uint64),
            need=numbers(size),
            keys=np.zeros(_STATES, np.uint64),
            bounds=numbers(_STATES, 2),
            reach=numbers(_STATES, 2),
            forward=np.zeros(_COEFFICIENTS),
            backward=np.zeros(_COEFFICIENTS),
            steps=numbers(_STEPS, 3),
            slots=numbers(_SLOTS, 2),
            notes=numbers(3, max(size, MAX_BOXES)),
        ),
        ComponentCache(
            key=np.zeros(_ENTRIES, np.uint64),
            entry=numbers(_ENTRIES, 7),
            floats=np.zeros(_POOL),
            cells=numbers(_POOL, 2),
            used=numbers(6),
        ),
        Sums(
            before=np.zeros((MAX_FRONTS + 1, MAX_DEGREE + 1)),
            after=np.zeros((MAX_FRONTS + 1, MAX_DEGREE + 1)),
            risk=np.zeros(size),
            others=np.zeros(MAX_DEGREE + 1),
            boxes=np.zeros(MAX_BOXES),
        ),
        Trial(
            boards=np.zeros((2, size), np.uint8),
            live=numbers(size + 2),
            risks=np.zeros((2, size)),
            queue=numbers(size),
            queued=np.zeros(size, np.uint8),
            flood=numbers(size),
            rows=np.zeros((size, CANDIDATE_COLUMNS)),
            notes=numbers(4, max(size, _NOTES)),
            weights=np.zeros((2, max(size, _NOTES))),
        ),
        weigh,
    )


def _geometry(width: int, height: int) -> Geometry:
    size = width * height
    around = np.zeros((size, 9), np.int64)
    for square, near in enumerate(neighbourhood(width, height)):
        around[square, : len(near)] = near
        around[square, COUNT] = len(near)
    factorial, exponent = np.ones(size + 1), np.zeros(size + 1, np.int64)
    for n in range(1, size + 1):
        mantissa, shift = np.frexp(factorial[n - 1] * n)
        factorial[n], exponent[n] = mantissa, exponent[n - 1] + shift
    signs = np.random.Generator(np.random.PCG64(20)).integers(0, 1 << 64, size, np.uint64)
    return Geometry(around, signs, factorial, exponent, width, height)
