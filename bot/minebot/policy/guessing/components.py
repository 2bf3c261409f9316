"""Counts the layouts of one component by their mines, in compiled floating point.

The boxes (groups of equivalent cells) are visited one after another. A state says how many mines
each rule that has been started still needs; its value is the number of ways to reach it, by mines
so far. The forward pass gives the number of layouts, both passes together the mines in each box.
"""

from __future__ import annotations

from math import frexp, ldexp

import numpy as np

from minebot.policy.guessing.compiler import Numbers, compiled
from minebot.policy.guessing.workspace import (
    BASE,
    BINOMIAL,
    BOXES,
    COUNT,
    DEGREE,
    EXPONENT,
    FIRST_FLOAT,
    MAX_DEGREE,
    ORDER,
    SIZE,
    STEPS,
    USED_FLOATS,
    ComponentCache,
    Layers,
)

TOO_LARGE, IMPOSSIBLE = -1, -2
"""Values in place of a count: the component is too large; no layout exists. Specified."""
_FIELDS = 16
"""Number of rules open at once. Specified: a state is a word of sixteen numbers up to 15."""
_LEAST_SLOTS = 16
"""Slots in the index of the smallest layer. Specified: a power of two."""
_MIX = np.uint64(0x9E3779B97F4A7C15)
"""2**64 divided by the golden ratio, as D. Knuth has it for multiplicative hashing."""


@compiled
def put_in_order(boxes: int, rules: int, layers: Layers) -> None:
    """Order the boxes so that few rules are under way at once: the cheapest next."""
    table = layers.boxes
    left, began, taken = layers.notes[0], layers.notes[1], layers.notes[2]
    left[:rules] = began[:rules] = taken[:boxes] = 0
    for box in range(boxes):
        for at in range(table[box, COUNT]):
            left[table[box, at]] += 1
    for step in range(boxes):
        best, cheapest = -1, 1 << 30
        for box in range(boxes):
            if taken[box]:
                continue
            cost, oldest = 0, step
            for at in range(table[box, COUNT]):
                rule = table[box, at]
                if not began[rule]:
                    cost += 1
                elif began[rule] - 1 < oldest:
                    oldest = began[rule] - 1
                if left[rule] == 1:
                    cost -= 1
            cost = cost * 1024 + oldest
            if cost < cheapest:
                best, cheapest = box, cost
        table[step, ORDER] = best
        taken[best] = 1
        for at in range(table[best, COUNT]):
            rule = table[best, at]
            left[rule] -= 1
            if not began[rule]:
                began[rule] = step + 1


@compiled
def count_forward(boxes: int, rules: int, layers: Layers) -> int:
    """Count the ways to get to each state; returns how many there are, the last one the end."""
    table, need, bounds, forward = layers.boxes, layers.need, layers.bounds, layers.forward
    keys, slots = layers.keys, layers.slots
    capacity, field_of, taken = layers.notes[0], layers.notes[1], layers.notes[2]
    capacity[:rules] = taken[:_FIELDS] = 0
    field_of[:rules] = -1
    width = 1
    for box in range(boxes):
        width += table[box, SIZE]
        for at in range(table[box, COUNT]):
            capacity[table[box, at]] += table[box, SIZE]
    keys[0] = 0
    bounds[0, 0] = bounds[0, 1] = 0
    forward[:width] = 0.0
    forward[0] = 1.0
    first, last, states, steps = 0, 0, 1, 0
    for step in range(boxes):
        box = table[step, ORDER]
        size, about = table[box, SIZE], table[box, COUNT]
        begin = unit = np.uint64(0)
        for at in range(about):
            rule = table[box, at]
            capacity[rule] -= size
            if field_of[rule] < 0:
                field = 0
                while field < _FIELDS and taken[field]:
                    field += 1
                if field == _FIELDS:
                    return TOO_LARGE
                taken[field] = 1
                field_of[rule] = field
                begin |= np.uint64(need[rule]) << np.uint64(4 * field)
            unit |= np.uint64(1) << np.uint64(4 * field_of[rule])
        slots[0, 1] += 1
        stamp = slots[0, 1]
        table[step, STEPS] = steps
        first, last = last, states
        # As much of the index as this layer may fill by half: the less, the faster.
        mask = _LEAST_SLOTS - 1
        while mask < slots.shape[0] - 1 and mask // 2 < (last - first) * (size + 1):
            mask = 2 * mask + 1
        for source in range(first, last):
            key = keys[source] + begin
            most, least = size, 0
            for at in range(about):
                rule = table[box, at]
                wants = np.int64((key >> np.uint64(4 * field_of[rule])) & np.uint64(15))
                most = min(most, wants)
                least = max(least, wants - capacity[rule])
            for mines in range(least, most + 1):
                after = key - np.uint64(mines) * unit
                at = int(np.int64((after * _MIX) >> np.uint64(40))) & mask
                while True:
                    at = (at + 1) & mask
                    if at == 0:
                        continue
                    if slots[at, 1] != stamp:
                        if (
                            states - last > mask // 2
                            or states + 1 >= keys.size
                            or (states + 1) * width > forward.size
                        ):
                            return TOO_LARGE
                        slots[at, 0], slots[at, 1] = states, stamp
                        keys[states] = after
                        bounds[states, 0], bounds[states, 1] = width, -1
                        forward[states * width : (states + 1) * width] = 0.0
                        states += 1
                        break
                    if keys[slots[at, 0]] == after:
                        break
                target = slots[at, 0]
                ways = BINOMIAL[size, mines]
                for power in range(bounds[source, 0], bounds[source, 1] + 1):
                    forward[target * width + power + mines] += (
                        ways * forward[source * width + power]
                    )
                bounds[target, 0] = min(bounds[target, 0], bounds[source, 0] + mines)
                bounds[target, 1] = max(bounds[target, 1], bounds[source, 1] + mines)
                if steps >= layers.steps.shape[0]:
                    return TOO_LARGE
                layers.steps[steps, 0] = source
                layers.steps[steps, 1] = target
                layers.steps[steps, 2] = mines
                steps += 1
        for at in range(about):
            if capacity[table[box, at]] == 0:
                taken[field_of[table[box, at]]] = 0
        table[boxes, STEPS] = steps
        if states == last:
            return IMPOSSIBLE
    return states


@compiled
def count_backward(
    boxes: int, states: int, layers: Layers, store: ComponentCache, entry: Numbers
) -> None:
    """Go back through the layers, add up the mines in each box, and keep all in the store."""
    table, bounds, forward, backward = layers.boxes, layers.bounds, layers.forward, layers.backward
    width = 1
    for box in range(boxes):
        width += table[box, SIZE]
    last = states - 1
    base = bounds[last, 0]
    degree = bounds[last, 1] - base
    begin = store.used[USED_FLOATS]
    length = (degree + 1) * (boxes + 1)
    if degree > MAX_DEGREE or begin + length > store.floats.size:
        entry[DEGREE] = TOO_LARGE
        return
    out = store.floats[begin : begin + length]
    out[:] = 0.0
    largest = 0.0
    for power in range(degree + 1):
        out[power] = forward[last * width + base + power]
        largest = max(largest, out[power])
    # From here on `bounds` are those of the powers of `forward`, `reach` has those of
    # `backward`, which counts the mines to come.
    reach = layers.reach
    reach[:states, 0], reach[:states, 1] = width, -1
    backward[: states * width] = 0.0
    backward[last * width] = 1.0
    reach[last, 0] = reach[last, 1] = 0
    for step in range(boxes - 1, -1, -1):
        box = table[step, ORDER]
        size = table[box, SIZE]
        row = (box + 1) * (degree + 1) - base
        for at in range(table[step, STEPS], table[step + 1, STEPS]):
            source, target, mines = layers.steps[at, 0], layers.steps[at, 1], layers.steps[at, 2]
            if reach[target, 1] < 0:
                continue
            ways = BINOMIAL[size, mines]
            for power in range(reach[target, 0], reach[target, 1] + 1):
                value = ways * backward[target * width + power]
                backward[source * width + power + mines] += value
                if mines:
                    for other in range(bounds[source, 0], bounds[source, 1] + 1):
                        out[row + power + mines + other] += (
                            mines * value * forward[source * width + other]
                        )
            reach[source, 0] = min(reach[source, 0], reach[target, 0] + mines)
            reach[source, 1] = max(reach[source, 1], reach[target, 1] + mines)
    # Scaled by a power of two, which changes no digit, so that the largest is below one.
    _, exponent = frexp(largest)
    scale = ldexp(1.0, -exponent)
    for at in range(degree + 1):
        out[at] *= scale
    for box in range(boxes):
        for power in range((box + 1) * (degree + 1), (box + 2) * (degree + 1)):
            out[power] = out[power] * scale / table[box, SIZE]
    entry[FIRST_FLOAT], entry[BOXES], entry[EXPONENT] = begin, boxes, exponent
    entry[DEGREE], entry[BASE] = degree, base
    store.used[USED_FLOATS] += length
