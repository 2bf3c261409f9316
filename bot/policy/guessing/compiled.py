"""The one place that knows the compiler, and the memory that the compiled parts share.

The compiled functions add, subtract, multiply and divide, which IEEE 754 defines to
the last bit, and call no mathematical library: so a guess is the same on every
machine. Counts are kept as a float and a power of two, for they outgrow a float.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from bot.board import Cell, neighbourhood
from bot.policy.guessing.folder import folder

__all__ = [
    "BINOMIAL",
    "HIDDEN",
    "MAX_BOXES",
    "MAX_DEGREE",
    "MAX_FRONTS",
    "MINED",
    "SAFE",
    "Bytes",
    "Floats",
    "Geometry",
    "Layers",
    "Memory",
    "Numbers",
    "Store",
    "Sums",
    "Survey",
    "Words",
    "compiled",
    "make_memory",
]

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
Words = NDArray[np.uint64]
Function = TypeVar("Function", bound=Callable[..., Any])

HIDDEN = int(Cell.HIDDEN)
"""In the states that the compiled parts work on: covered and not decided."""
MINED = HIDDEN + 1
"""Covered, certainly a mine."""
SAFE = HIDDEN + 2
"""Covered, certainly safe."""

MAX_BOXES = 192
"""Groups of alike cells in one front; a longer front is not counted here."""
MAX_FRONTS = 256
MAX_DEGREE = 400
"""By how many mines the layouts of one front may differ, and those of all together."""
_LAYER = 1 << 13
_STATES = 1 << 17
_VALUES = 1 << 20
_STEPS = 1 << 19
_ENTRIES = 1 << 14
_POOL = 1 << 21

BINOMIAL = np.array([[float(comb(n, k)) for k in range(9)] for n in range(9)])
"""`BINOMIAL[n, k]`: the ways to choose k of n, both up to 8."""


_FOLDER = folder()


def compiled(function: Function) -> Function:
    """Compile at the first call, and keep the result on disk for later processes."""
    if _FOLDER is not None:
        numba.config.CACHE_DIR = str(_FOLDER)  # type: ignore[attr-defined]  # set at run time
    kept = _FOLDER is not None
    return cast(Function, numba.njit(cache=kept, error_model="numpy")(function))


class Geometry(NamedTuple):
    """What stays the same for one size of board."""

    around: Numbers
    """(squares, 9): the neighbours of each square, then how many there are."""
    signs: Words
    """A random word for each square, to tell sets of squares apart."""
    factorial: Floats
    """n! up to the number of squares is `factorial[n] * 2**exponent[n]`."""
    exponent: Numbers


class Survey(NamedTuple):
    """The rules of one board, and which front each belongs to."""

    rule_square: Numbers
    rule_need: Numbers
    rule_cells: Numbers
    """(rules, 9): the undecided cells of each rule, then how many there are."""
    rule_front: Numbers
    cell_rules: Numbers
    """(squares, 9): the rules of each undecided cell, then how many there are."""
    cell_stamp: Numbers
    queue: Numbers
    entries: Numbers
    """The entry of the store that holds each front."""


class Layers(NamedTuple):
    """One front while it is counted: its boxes of alike cells, layers of states, steps."""

    box_size: Numbers
    box_rules: Numbers
    box_sign: Words
    order: Numbers
    keys: Words
    low: Numbers
    high: Numbers
    forward: Floats
    backward: Floats
    step_from: Numbers
    step_to: Numbers
    step_mines: Numbers
    slot: Numbers
    slot_stamp: Numbers


class Store(NamedTuple):
    """Fronts counted before, by a word that stands for their rules."""

    key: Words
    entry: Numbers
    """(entries, 8): first float, boxes, degree, base, exponent, first cell, cells, good."""
    floats: Floats
    cells: Numbers
    """(pool, 2): a cell and its box, front by front."""
    used: Numbers
    """Stamp; entries, floats and cells in use; fronts of the board weighed last."""


class Sums(NamedTuple):
    """All fronts and the untouched cells together."""

    before: Floats
    after: Floats
    weight: Floats
    risk: Floats
    """The mine probability of each undecided square of the board weighed last."""


class Memory(NamedTuple):
    """Working memory for one size of board; the compiled parts overwrite it freely."""

    geometry: Geometry
    survey: Survey
    layers: Layers
    store: Store
    sums: Sums


def make_memory(width: int, height: int) -> Memory:
    """Working memory for boards of `width` x `height` squares; only what is used is touched."""
    size = width * height

    def numbers(*shape: int) -> Numbers:
        return np.zeros(shape, np.int64)

    def floats(*shape: int) -> Floats:
        return np.zeros(shape, np.float64)

    def words(*shape: int) -> Words:
        return np.zeros(shape, np.uint64)

    return Memory(
        _geometry(width, height),
        Survey(
            numbers(size), numbers(size), numbers(size, 9), numbers(size),
            numbers(size, 9), numbers(size), numbers(size), numbers(MAX_FRONTS),
        ),
        Layers(
            numbers(MAX_BOXES), numbers(MAX_BOXES, 9), words(MAX_BOXES), numbers(MAX_BOXES),
            words(_STATES), numbers(_STATES), numbers(_STATES), floats(_VALUES), floats(_VALUES),
            numbers(_STEPS), numbers(_STEPS), numbers(_STEPS), numbers(2 * _LAYER),
            numbers(2 * _LAYER),
        ),
        Store(
            words(_ENTRIES), numbers(_ENTRIES, 8), floats(_POOL), numbers(_POOL, 2), numbers(8)
        ),
        Sums(
            floats(MAX_FRONTS + 1, MAX_DEGREE + 1), floats(MAX_FRONTS + 1, MAX_DEGREE + 1),
            floats(MAX_DEGREE + 1), floats(size),
        ),
    )  # fmt: skip


def _geometry(width: int, height: int) -> Geometry:
    size = width * height
    around = np.zeros((size, 9), np.int64)
    for square, near in enumerate(neighbourhood(width, height)):
        around[square, : len(near)] = near
        around[square, 8] = len(near)
    factorial, exponent = np.ones(size + 1), np.zeros(size + 1, np.int64)
    for n in range(1, size + 1):
        mantissa, shift = np.frexp(factorial[n - 1] * n)
        factorial[n], exponent[n] = mantissa, exponent[n - 1] + shift
    signs = np.random.Generator(np.random.PCG64(20)).integers(0, 1 << 64, size, np.uint64)
    return Geometry(around, signs, factorial, exponent)
