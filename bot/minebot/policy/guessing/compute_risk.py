"""Computes every cell's mine probability and the number of layouts, compiled.

Components that were counted before are looked up: an opened cell changes only those next to it.
"""

from __future__ import annotations

from math import ldexp

import numpy as np

from minebot.policy.guessing.compiler import Bytes, Floats, Numbers, by_address, compiled, entry
from minebot.policy.guessing.components import (
    IMPOSSIBLE,
    TOO_LARGE,
    count_backward,
    count_forward,
    put_in_order,
)
from minebot.policy.guessing.workspace import (
    BASE,
    BOXES,
    COUNT,
    DEGREE,
    EXPONENT,
    FIRST_CELL,
    FIRST_FLOAT,
    FRONT,
    HIDDEN,
    MAX_BOXES,
    MAX_DEGREE,
    MAX_FRONTS,
    MEMBERS,
    MINED,
    NEED,
    SIZE,
    SQUARE,
    STAMP,
    STEPS,
    USED_CELLS,
    USED_ENTRIES,
    USED_FRONTS,
    USED_STAMP,
    USED_WORK,
    ComponentCache,
    Geometry,
    Workspace,
)

_ONE = np.uint64(0x9E3779B97F4A7C15)
"""Odd words without a pattern to mix others by; this and the next are those of splitmix64."""
_TWO = np.uint64(0xBF58476D1CE4E5B9)
_SHIFT = np.uint64(29)
"""Bits by which a word is folded onto itself between two multiplications."""
_FOLD = np.uint64(17)
"""Bits of a word that its place in the store does not depend on."""
_NEVER = -(1 << 60)
"""An exponent below all others. Specified."""


@compiled
def forget(store: ComponentCache) -> None:
    """Empty the store, so that results do not depend on earlier positions."""
    store.key[:] = 0
    store.used[USED_ENTRIES:] = 0


@compiled
def undecided(state: Bytes) -> int:
    """How many squares are undecided."""
    number = 0
    for square in range(state.size):
        number += state[square] == HIDDEN
    return number


@entry
def live_clues(state: Bytes, memory: Workspace) -> int:
    """Write the opened squares next to undecided ones to `memory.trial.live`; returns how many."""
    around, live = memory.geometry.around, memory.trial.live
    number = 0
    for square in range(state.size):
        if state[square] < HIDDEN:
            for at in range(around[square, COUNT]):
                if state[around[square, at]] == HIDDEN:
                    live[number] = square
                    number += 1
                    break
    return number


@compiled
def _read(state: Bytes, clues: int, memory: Workspace) -> int:
    """Write the rules of the live clues to the survey; returns how many, -1 for a clash."""
    around, live = memory.geometry.around, memory.trial.live
    table, of_cell = memory.survey.rules, memory.survey.cells
    memory.store.used[USED_STAMP] += 1
    stamp = memory.store.used[USED_STAMP]
    rules = 0
    for index in range(clues):
        clue = live[index]
        need = np.int64(state[clue])
        size = 0
        for at in range(around[clue, COUNT]):
            square = around[clue, at]
            if state[square] == HIDDEN:
                table[rules, size] = square
                size += 1
            elif state[square] == MINED:
                need -= 1
        if need < 0 or need > size:
            return -1
        if size == 0:
            continue
        table[rules, COUNT], table[rules, SQUARE] = size, clue
        table[rules, NEED], table[rules, FRONT] = need, -1
        for at in range(size):
            cell = table[rules, at]
            if of_cell[cell, STAMP] != stamp:
                of_cell[cell, STAMP] = stamp
                of_cell[cell, COUNT] = 0
            of_cell[cell, of_cell[cell, COUNT]] = rules
            of_cell[cell, COUNT] += 1
        rules += 1
    return rules


@compiled
def _gather(start: int, memory: Workspace) -> tuple[int, np.uint64]:
    """Queue the component of the rule `start`; returns its rules, and a word for them."""
    signs, survey = memory.geometry.signs, memory.survey
    table, of_cell, queue = survey.rules, survey.cells, survey.queue
    queue[0] = start
    table[start, FRONT] = start
    number = 1
    key = np.uint64(0)
    reached = 0
    while reached < number:
        rule = queue[reached]
        sign = signs[table[rule, SQUARE]] + np.uint64(table[rule, NEED] + 1) * _ONE
        for at in range(table[rule, COUNT]):
            cell = table[rule, at]
            sign += signs[cell] * _TWO
            for other in range(of_cell[cell, COUNT]):
                near = of_cell[cell, other]
                if table[near, FRONT] < 0:
                    table[near, FRONT] = start
                    queue[number] = near
                    number += 1
        sign = (sign ^ (sign >> _SHIFT)) * _TWO
        key += sign ^ (sign >> _SHIFT)
        reached += 1
    return number, key


@compiled
def _find(key: np.uint64, store: ComponentCache) -> int:
    """The place of a component in the store, or a free one for it."""
    entries = store.key.size
    place = int(np.int64(key >> _FOLD)) % entries
    while store.key[place] != 0 and store.key[place] != key:
        place = (place + 1) % entries
    return place


@compiled
def _group(number: int, component: Numbers, memory: Workspace) -> int:
    """Group the cells of the `number` rules in the queue into boxes; how many, or TOO_LARGE."""
    signs, survey = memory.geometry.signs, memory.survey
    layers, store = memory.layers, memory.store
    rules, of_cell, queue, table = survey.rules, survey.cells, survey.queue, layers.boxes
    local = layers.notes[0]
    first_cell = store.used[USED_CELLS]
    cells = boxes = 0
    for index in range(number):
        local[queue[index]] = index
        layers.need[index] = rules[queue[index], NEED]
    for index in range(number):
        rule = queue[index]
        for at in range(rules[rule, COUNT]):
            cell = rules[rule, at]
            sign = np.uint64(0)
            met = False
            for other in range(of_cell[cell, COUNT]):
                if local[of_cell[cell, other]] < index:
                    met = True
                sign += signs[rules[of_cell[cell, other], SQUARE]]
            if met:
                continue
            box = boxes - 1
            while box >= 0 and layers.signs[box] != sign:
                box -= 1
            if box < 0:
                if boxes == MAX_BOXES:
                    return TOO_LARGE
                box = boxes
                boxes += 1
                layers.signs[box] = sign
                table[box, SIZE] = 0
                table[box, COUNT] = of_cell[cell, COUNT]
                for other in range(of_cell[cell, COUNT]):
                    table[box, other] = local[of_cell[cell, other]]
            table[box, SIZE] += 1
            if first_cell + cells >= store.cells.shape[0]:
                return TOO_LARGE
            store.cells[first_cell + cells, 0] = cell
            store.cells[first_cell + cells, 1] = box
            cells += 1
    component[FIRST_CELL], component[MEMBERS] = first_cell, cells
    store.used[USED_CELLS] += cells
    return boxes


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
def _combine(state: Bytes, fronts: int, mines: int, memory: Workspace) -> tuple[float, int]:
    """Combine the components by the mines that they leave to the untouched cells."""
    survey, store, sums = memory.survey, memory.store, memory.sums
    before, after, weight, risk = sums.before, sums.after, sums.after[fronts], sums.risk
    untouched = undecided(state)
    left, degree, scale = mines, 0, 0
    for component in range(fronts):
        entry = store.entry[survey.entries[component]]
        untouched -= entry[MEMBERS]
        degree += entry[DEGREE]
        left -= entry[BASE]
        scale += entry[EXPONENT]
    if degree > MAX_DEGREE:
        return -1.0, 0
    scale += _binomials(untouched, left, degree, memory.geometry, weight)
    length = 0
    before[0, 0] = 1.0
    for component in range(fronts):
        entry = store.entry[survey.entries[component]]
        more = entry[DEGREE]
        before[component + 1, : length + more + 1] = 0.0
        for here in range(length + 1):
            for power in range(more + 1):
                before[component + 1, here + power] += (
                    before[component, here] * store.floats[entry[FIRST_FLOAT] + power]
                )
        length += more
    for component in range(fronts - 1, -1, -1):
        entry = store.entry[survey.entries[component]]
        length -= entry[DEGREE]
        for here in range(length + 1):
            total = 0.0
            for power in range(entry[DEGREE] + 1):
                total += (
                    store.floats[entry[FIRST_FLOAT] + power] * after[component + 1, here + power]
                )
            after[component, here] = total
    total = after[0, 0]
    if total <= 0.0:
        return 0.0, 0
    elsewhere = 0.0
    for power in range(degree + 1):
        elsewhere += before[fronts, power] * weight[power] * (left - power)
    chance = elsewhere / (untouched * total) if untouched else 0.0
    for square in range(state.size):
        if state[square] == HIDDEN:
            risk[square] = chance
    length = 0
    others, box_risk = sums.others, sums.boxes
    for component in range(fronts):
        entry = store.entry[survey.entries[component]]
        more = entry[DEGREE]
        for power in range(more + 1):
            value = 0.0
            for here in range(length + 1):
                value += before[component, here] * after[component + 1, here + power]
            others[power] = value
        for box in range(entry[BOXES]):
            value = 0.0
            at = entry[FIRST_FLOAT] + (box + 1) * (more + 1)
            for power in range(more + 1):
                value += store.floats[at + power] * others[power]
            box_risk[box] = value / total
        for at in range(entry[FIRST_CELL], entry[FIRST_CELL] + entry[MEMBERS]):
            risk[store.cells[at, 0]] = box_risk[store.cells[at, 1]]
        length += more
    return total, scale


@entry
def compute_risk(state: Bytes, clues: int, mines: int, memory: Workspace) -> tuple[float, int]:
    """Weigh all layouts of a board with `clues` live clues and `mines` in undecided cells.

    Returns their number as (float, power of two), 0.0 if there is none and -1.0 if there are too
    many to be counted here; leaves each undecided cell's mine probability in `memory.sums.risk`.
    """
    survey, layers, store = memory.survey, memory.layers, memory.store
    rules = _read(state, clues, memory)
    if rules < 0:
        return 0.0, 0
    fronts = 0
    for rule in range(rules):
        if survey.rules[rule, FRONT] >= 0:
            continue
        if fronts == MAX_FRONTS or store.used[USED_ENTRIES] > store.key.size // 2:
            return -1.0, 0
        number, key = _gather(rule, memory)
        place = _find(key, store)
        component = store.entry[place]
        if store.key[place] == 0:
            store.key[place] = key
            store.used[USED_ENTRIES] += 1
            states = boxes = _group(number, component, memory)
            if boxes > 0:
                put_in_order(boxes, number, layers)
                layers.boxes[boxes, STEPS] = 0
                states = count_forward(boxes, number, layers)
                store.used[USED_WORK] += layers.boxes[boxes, STEPS] * component[MEMBERS]
            if states > 0:
                count_backward(boxes, states, layers, store, component)
            else:
                component[DEGREE] = states
        if component[DEGREE] < 0:
            return (0.0, 0) if component[DEGREE] == IMPOSSIBLE else (-1.0, 0)
        survey.entries[fronts] = place
        fronts += 1
    store.used[USED_FRONTS] = fronts
    return _combine(state, fronts, mines, memory)


_weigh = by_address(compute_risk)


@compiled
def weighed(state: Bytes, clues: int, mines: int, memory: Workspace) -> tuple[float, int]:
    """`compute_risk` for compiled functions."""
    return _weigh(memory.weigh, (state, clues, mines, memory))  # type: ignore[no-any-return]
