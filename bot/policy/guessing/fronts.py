"""Counts the layouts of one front, by their mines, in floating point.

The boxes (groups of alike cells) are gone through one after another. A state says
how many mines each rule that has been begun still needs; the value of a state is the
number of ways to get there, by mines so far. Forward over all layers gives the
number of layouts, forward and backward together the mines in each box.
"""

from __future__ import annotations

import numpy as np

from bot.policy.guessing.compiled import BINOMIAL, MAX_DEGREE, Floats, Layers, Numbers, compiled

__all__ = ["count_front"]

_SLOTS = 16
"""Rules that may be under way at once: a state is a word of sixteen numbers up to 15."""
_MIX = np.uint64(0x9E3779B97F4A7C15)


@compiled
def count_front(boxes: int, need: Numbers, layers: Layers, out: Floats) -> tuple[int, int]:
    """Count the front of `boxes` boxes that lies in `layers`, whose rules need `need` mines.

    Returns the degree and the base: layouts have base to base + degree mines.
    `out` receives how many there are of each, then for every box how many mines they
    have in it. A degree of -1: too large for this; -2: there is no layout.
    """
    size_of, rules_of = layers.box_size, layers.box_rules
    capacity = np.zeros(need.size, np.int64)
    for box in range(boxes):
        for at in range(rules_of[box, 8]):
            capacity[rules_of[box, at]] += size_of[box]
    free = np.ones(boxes, np.int64)
    base = _apart(boxes, need, capacity, layers, free)
    degree = 0
    for box in range(boxes):
        if free[box]:
            degree += size_of[box]
    if degree > MAX_DEGREE:
        return -1, 0
    _arrange(boxes, need.size, layers)
    width = degree + 1
    if boxes * width + width > out.size:
        return -1, 0
    return _sweep(boxes, need, capacity, free, width, layers, out), base


@compiled
def _apart(boxes: int, need: Numbers, capacity: Numbers, layers: Layers, free: Numbers) -> int:
    """Choose rules that share no box, large ones first; returns the mines they need.

    Only the mines of the other boxes, left `free`, make the number vary.
    """
    rules_of = layers.box_rules
    done = np.zeros(need.size, np.int64)
    base = 0
    while True:
        best = -1
        for rule in range(need.size):
            if not done[rule] and (best < 0 or capacity[rule] > capacity[best]):
                best = rule
        if best < 0:
            return base
        done[best] = 1
        base += need[best]
        for box in range(boxes):
            count = rules_of[box, 8]
            mine = False
            for at in range(count):
                if rules_of[box, at] == best:
                    mine = True
            if mine:
                free[box] = 0
                for at in range(count):
                    done[rules_of[box, at]] = 1


@compiled
def _arrange(boxes: int, rules: int, layers: Layers) -> None:
    """Order the boxes so that few rules are under way at once: the cheapest next."""
    rules_of, order = layers.box_rules, layers.order
    left = np.zeros(rules, np.int64)
    began = np.zeros(rules, np.int64)
    taken = np.zeros(boxes, np.int64)
    for box in range(boxes):
        for at in range(rules_of[box, 8]):
            left[rules_of[box, at]] += 1
    for step in range(boxes):
        best, cheapest = -1, 1 << 30
        for box in range(boxes):
            if taken[box]:
                continue
            cost, oldest = 0, step
            for at in range(rules_of[box, 8]):
                rule = rules_of[box, at]
                if not began[rule]:
                    cost += 1
                elif began[rule] - 1 < oldest:
                    oldest = began[rule] - 1
                if left[rule] == 1:
                    cost -= 1
            cost = cost * 1024 + oldest
            if cost < cheapest:
                best, cheapest = box, cost
        order[step] = best
        taken[best] = 1
        for at in range(rules_of[best, 8]):
            rule = rules_of[best, at]
            left[rule] -= 1
            if not began[rule]:
                began[rule] = step + 1


@compiled
def _sweep(
    boxes: int,
    need: Numbers,
    capacity: Numbers,
    free: Numbers,
    width: int,
    layers: Layers,
    out: Floats,
) -> int:
    size_of, rules_of, order = layers.box_size, layers.box_rules, layers.order
    keys, low, high, forward = layers.keys, layers.low, layers.high, layers.forward
    slot_of = np.zeros(need.size, np.int64) - 1
    slots = np.zeros(_SLOTS, np.int64)
    first = np.zeros(boxes + 2, np.int64)
    first_step = np.zeros(boxes + 1, np.int64)
    keys[0] = 0
    low[0] = high[0] = 0
    forward[:width] = 0.0
    forward[0] = 1.0
    states = first[1] = 1
    steps = 0
    mask = layers.slot.size - 1
    for step in range(boxes):
        box = order[step]
        about = rules_of[box, 8]
        begin = np.uint64(0)
        unit = np.uint64(0)
        for at in range(about):
            rule = rules_of[box, at]
            capacity[rule] -= size_of[box]
            if slot_of[rule] < 0:
                slot = 0
                while slot < _SLOTS and slots[slot]:
                    slot += 1
                if slot == _SLOTS:
                    return -1
                slots[slot] = 1
                slot_of[rule] = slot
                begin |= np.uint64(need[rule]) << np.uint64(4 * slot)
            unit |= np.uint64(1) << np.uint64(4 * slot_of[rule])
        layers.slot_stamp[0] += 1
        stamp = layers.slot_stamp[0]
        first_step[step] = steps
        for source in range(first[step], first[step + 1]):
            key = keys[source] + begin
            most = size_of[box]
            least = 0
            for at in range(about):
                rule = rules_of[box, at]
                wants = np.int64((key >> np.uint64(4 * slot_of[rule])) & np.uint64(15))
                most = min(most, wants)
                least = max(least, wants - capacity[rule])
            for mines in range(least, most + 1):
                after = key - np.uint64(mines) * unit
                at = int(np.int64((after * _MIX) >> np.uint64(40))) & mask
                while True:
                    at = (at + 1) & mask
                    if at == 0:
                        continue
                    if layers.slot_stamp[at] != stamp:
                        if (
                            states - first[step + 1] > mask // 2
                            or states + 1 >= keys.size
                            or (states + 1) * width > forward.size
                        ):
                            return -1
                        layers.slot_stamp[at] = stamp
                        layers.slot[at] = states
                        keys[states] = after
                        low[states] = width
                        high[states] = -1
                        forward[states * width : (states + 1) * width] = 0.0
                        states += 1
                        break
                    if keys[layers.slot[at]] == after:
                        break
                target = layers.slot[at]
                ways = BINOMIAL[size_of[box], mines]
                shift = mines if free[box] else 0
                for power in range(low[source], high[source] + 1):
                    forward[target * width + power + shift] += (
                        ways * forward[source * width + power]
                    )
                low[target] = min(low[target], low[source] + shift)
                high[target] = max(high[target], high[source] + shift)
                if steps >= layers.step_to.size:
                    return -1
                layers.step_from[steps] = source
                layers.step_to[steps] = target
                layers.step_mines[steps] = mines
                steps += 1
        first[step + 2] = states
        for at in range(about):
            rule = rules_of[box, at]
            if capacity[rule] == 0:
                slots[slot_of[rule]] = 0
    first_step[boxes] = steps
    last = first[boxes]
    if first[boxes + 1] == last:
        return -2
    for power in range(width):
        out[power] = forward[last * width + power]
    _back(boxes, states, first_step, free, width, layers, out)
    return width - 1


@compiled
def _back(
    boxes: int,
    states: int,
    first_step: Numbers,
    free: Numbers,
    width: int,
    layers: Layers,
    out: Floats,
) -> None:
    """Go back through the layers, and add up the mines in each box."""
    low, high, forward, backward = layers.low, layers.high, layers.forward, layers.backward
    # From here on `low` and `high` bound the powers of `forward`, `bottom` and `top` those
    # of `backward`.
    bottom = np.zeros(states, np.int64) + width
    top = np.zeros(states, np.int64) - 1
    backward[: states * width] = 0.0
    backward[(states - 1) * width] = 1.0
    bottom[states - 1] = top[states - 1] = 0
    out[width : (boxes + 1) * width] = 0.0
    for step in range(boxes - 1, -1, -1):
        box = layers.order[step]
        size = layers.box_size[box]
        for at in range(first_step[step], first_step[step + 1]):
            source, target, mines = (
                layers.step_from[at],
                layers.step_to[at],
                layers.step_mines[at],
            )
            if top[target] < 0:
                continue
            ways = BINOMIAL[size, mines]
            shift = mines if free[box] else 0
            for power in range(bottom[target], top[target] + 1):
                value = ways * backward[target * width + power]
                backward[source * width + power + shift] += value
                if mines:
                    for other in range(low[source], high[source] + 1):
                        out[(box + 1) * width + power + shift + other] += (
                            mines * value * forward[source * width + other]
                        )
            bottom[source] = min(bottom[source], bottom[target] + shift)
            top[source] = max(top[source], top[target] + shift)
