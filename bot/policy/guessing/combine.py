"""All fronts and the untouched cells together: from counts to probabilities, compiled."""

from __future__ import annotations

from math import ldexp

import numpy as np

from bot.policy.guessing import memory as m
from bot.policy.guessing.compiler import Bytes, Floats, compiled
from bot.policy.guessing.memory import Geometry, Store, Sums, Survey

__all__ = ["combine"]


_NEVER = -(1 << 60)
"""Less than any exponent."""


@compiled
def _binomials(untouched: int, left: int, degree: int, geometry: Geometry, weight: Floats) -> int:
    """The ways to lay `left` - power mines on the untouched cells, and their common exponent."""
    factorial, exponent = geometry.factorial, geometry.exponent
    most = _NEVER
    for power in range(degree + 1):
        mines = left - power
        if 0 <= mines <= untouched:
            most = max(most, exponent[untouched] - exponent[mines] - exponent[untouched - mines])
    for power in range(degree + 1):
        mines = left - power
        weight[power] = 0.0
        if 0 <= mines <= untouched:
            shift = most - (exponent[untouched] - exponent[mines] - exponent[untouched - mines])
            value = factorial[untouched] / (factorial[mines] * factorial[untouched - mines])
            weight[power] = ldexp(value, -shift)
    return most if most > _NEVER else 0


@compiled
def combine(
    state: Bytes,
    fronts: int,
    mines: int,
    geometry: Geometry,
    survey: Survey,
    store: Store,
    sums: Sums,
) -> tuple[float, int]:
    """Weigh the fronts against each other by what they leave to the untouched cells."""
    before, after, weight, risk = sums.before, sums.after, sums.weight, sums.risk
    untouched = 0
    stamp = store.used[m.USED_STAMP]
    for square in range(state.size):
        if state[square] == m.HIDDEN and survey.cells[square, m.STAMP] != stamp:
            untouched += 1
    left, degree, scale = mines, 0, 0
    for front in range(fronts):
        entry = store.entry[survey.entries[front]]
        degree += entry[m.DEGREE]
        left -= entry[m.BASE]
        scale += entry[m.EXPONENT]
    if degree > m.MAX_DEGREE:
        return -1.0, 0
    scale += _binomials(untouched, left, degree, geometry, weight)
    length = 0
    before[0, 0] = 1.0
    for front in range(fronts):
        entry = store.entry[survey.entries[front]]
        more = entry[m.DEGREE]
        before[front + 1, : length + more + 1] = 0.0
        for here in range(length + 1):
            for power in range(more + 1):
                before[front + 1, here + power] += (
                    before[front, here] * store.floats[entry[m.FIRST_FLOAT] + power]
                )
        length += more
    for power in range(degree + 1):
        after[fronts, power] = weight[power]
    for front in range(fronts - 1, -1, -1):
        entry = store.entry[survey.entries[front]]
        length -= entry[m.DEGREE]
        for here in range(length + 1):
            total = 0.0
            for power in range(entry[m.DEGREE] + 1):
                total += store.floats[entry[m.FIRST_FLOAT] + power] * after[front + 1, here + power]
            after[front, here] = total
    total = after[0, 0]
    if total <= 0.0:
        return 0.0, 0
    elsewhere = 0.0
    for power in range(degree + 1):
        elsewhere += before[fronts, power] * weight[power] * (left - power)
    chance = elsewhere / (untouched * total) if untouched else 0.0
    for square in range(state.size):
        if state[square] == m.HIDDEN and survey.cells[square, m.STAMP] != stamp:
            risk[square] = chance
    length = 0
    around = np.empty(m.MAX_DEGREE + 1)
    box_risk = np.empty(m.MAX_BOXES)
    for front in range(fronts):
        entry = store.entry[survey.entries[front]]
        more = entry[m.DEGREE]
        for power in range(more + 1):
            value = 0.0
            for here in range(length + 1):
                value += before[front, here] * after[front + 1, here + power]
            around[power] = value
        for box in range(entry[m.BOXES]):
            value = 0.0
            at = entry[m.FIRST_FLOAT] + (box + 1) * (more + 1)
            for power in range(more + 1):
                value += store.floats[at + power] * around[power]
            box_risk[box] = value / total
        for at in range(entry[m.FIRST_CELL], entry[m.FIRST_CELL] + entry[m.MEMBERS]):
            risk[store.cells[at, 0]] = box_risk[store.cells[at, 1]]
        length += more
    return total, scale
