"""All fronts and the untouched cells together: from counts to probabilities, compiled."""

from __future__ import annotations

import numpy as np

from bot.policy.guessing.compiled import (
    HIDDEN,
    MAX_BOXES,
    MAX_DEGREE,
    Bytes,
    Floats,
    Geometry,
    Store,
    Sums,
    Survey,
    compiled,
)

__all__ = ["combine"]


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
    stamp = store.used[0]
    for square in range(state.size):
        if state[square] == HIDDEN and survey.cell_stamp[square] != stamp:
            untouched += 1
    left, degree, scale = mines, 0, 0
    for front in range(fronts):
        entry = store.entry[survey.entries[front]]
        degree += entry[2]
        left -= entry[3]
        scale += entry[4]
    if degree > MAX_DEGREE:
        return -1.0, 0
    scale += _binomials(untouched, left, degree, geometry, weight)
    length = 0
    before[0, 0] = 1.0
    for front in range(fronts):
        entry = store.entry[survey.entries[front]]
        more = entry[2]
        before[front + 1, : length + more + 1] = 0.0
        for here in range(length + 1):
            for power in range(more + 1):
                before[front + 1, here + power] += (
                    before[front, here] * store.floats[entry[0] + power]
                )
        length += more
    for power in range(degree + 1):
        after[fronts, power] = weight[power]
    for front in range(fronts - 1, -1, -1):
        entry = store.entry[survey.entries[front]]
        length -= entry[2]
        for here in range(length + 1):
            total = 0.0
            for power in range(entry[2] + 1):
                total += store.floats[entry[0] + power] * after[front + 1, here + power]
            after[front, here] = total
    total = after[0, 0]
    if total <= 0.0:
        return 0.0, 0
    elsewhere = 0.0
    for power in range(degree + 1):
        elsewhere += before[fronts, power] * weight[power] * (left - power)
    chance = elsewhere / (untouched * total) if untouched else 0.0
    for square in range(state.size):
        if state[square] == HIDDEN and survey.cell_stamp[square] != stamp:
            risk[square] = chance
    length = 0
    around = np.empty(MAX_DEGREE + 1)
    box_risk = np.empty(MAX_BOXES)
    for front in range(fronts):
        entry = store.entry[survey.entries[front]]
        more = entry[2]
        for power in range(more + 1):
            value = 0.0
            for here in range(length + 1):
                value += before[front, here] * after[front + 1, here + power]
            around[power] = value
        for box in range(entry[1]):
            value = 0.0
            at = entry[0] + (box + 1) * (more + 1)
            for power in range(more + 1):
                value += store.floats[at + power] * around[power]
            box_risk[box] = value / total
        for at in range(entry[5], entry[5] + entry[6]):
            risk[store.cells[at, 0]] = box_risk[store.cells[at, 1]]
        length += more
    return total, scale


@compiled
def _binomials(untouched: int, left: int, degree: int, geometry: Geometry, weight: Floats) -> int:
    """The ways to lay `left` - power mines on the untouched cells, and their common exponent."""
    factorial, exponent = geometry.factorial, geometry.exponent
    most = -(1 << 60)
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
            while shift > 0:
                value *= 0.5
                shift -= 1
            weight[power] = value
    return most if most > -(1 << 60) else 0
