"""The mine probability of every cell and the number of layouts, compiled.

Fronts that were counted before are looked up: a cell that is opened changes the
fronts next to it and leaves the others as they were.
"""

from __future__ import annotations

import numpy as np

from bot.policy.guessing.combine import combine
from bot.policy.guessing.compiled import (
    HIDDEN,
    MAX_BOXES,
    MAX_FRONTS,
    MINED,
    SAFE,
    Bytes,
    Geometry,
    Layers,
    Memory,
    Numbers,
    Store,
    Survey,
    compiled,
)
from bot.policy.guessing.fronts import count_front

__all__ = ["live_clues", "settle", "weigh"]

_ONE = np.uint64(0x9E3779B97F4A7C15)
_TWO = np.uint64(0xBF58476D1CE4E5B9)
_SHIFT = np.uint64(29)
_FOLD = np.uint64(17)


@compiled
def live_clues(state: Bytes, geometry: Geometry, live: Numbers) -> int:
    """Write the opened squares next to undecided ones to `live`; returns how many."""
    around = geometry.around
    number = 0
    for square in range(state.size):
        if state[square] < HIDDEN:
            for at in range(around[square, 8]):
                if state[around[square, at]] == HIDDEN:
                    live[number] = square
                    number += 1
                    break
    return number


@compiled
def settle(state: Bytes, geometry: Geometry, queue: Numbers, waiting: int, mines: int) -> int:
    """Decide what single clues decide, from the `waiting` clues in `queue` on.

    Changes `state`; returns the mines left among the undecided cells, -1 for a clash.
    """
    around = geometry.around
    while waiting:
        waiting -= 1
        clue = queue[waiting]
        need = np.int64(state[clue])
        hidden = 0
        for at in range(around[clue, 8]):
            cell = state[around[clue, at]]
            if cell == MINED:
                need -= 1
            elif cell == HIDDEN:
                hidden += 1
        if need < 0 or need > hidden:
            return -1
        if hidden == 0 or 0 < need < hidden:
            continue
        for at in range(around[clue, 8]):
            square = around[clue, at]
            if state[square] != HIDDEN:
                continue
            state[square] = MINED if need else SAFE
            if need:
                mines -= 1
            for other in range(around[square, 8]):
                near = around[square, other]
                if state[near] < HIDDEN and near != clue:
                    known = False
                    for place in range(waiting):
                        if queue[place] == near:
                            known = True
                            break
                    if not known:
                        queue[waiting] = near
                        waiting += 1
    return mines


@compiled
def weigh(state: Bytes, live: Numbers, clues: int, mines: int, memory: Memory) -> tuple[float, int]:
    """Weigh all layouts of a board: `clues` clues in `live`, `mines` in undecided cells.

    Returns their number as (float, power of two), 0.0 where there is none and -1.0
    where there are too many to be counted here; leaves each undecided cell's mine
    probability in `memory.sums.risk`.
    """
    geometry, survey, store, sums = memory.geometry, memory.survey, memory.store, memory.sums
    rules = _read(state, live, clues, geometry, survey, store)
    if rules < 0:
        return 0.0, 0
    fronts = 0
    for rule in range(rules):
        if survey.rule_front[rule] >= 0:
            continue
        if fronts == MAX_FRONTS:
            return -1.0, 0
        entry = _front(rule, geometry, survey, memory.layers, store)
        if entry < 0:
            return (-1.0, 0) if entry == -1 else (0.0, 0)
        survey.entries[fronts] = entry
        fronts += 1
    store.used[4] = fronts
    return combine(state, fronts, mines, geometry, survey, store, sums)


@compiled
def _read(
    state: Bytes, live: Numbers, clues: int, geometry: Geometry, survey: Survey, store: Store
) -> int:
    """Write the rules of the live clues to the survey; returns how many, -1 for a clash."""
    around = geometry.around
    store.used[0] += 1
    stamp = store.used[0]
    rules = 0
    for index in range(clues):
        clue = live[index]
        need = np.int64(state[clue])
        size = 0
        for at in range(around[clue, 8]):
            square = around[clue, at]
            if state[square] == HIDDEN:
                survey.rule_cells[rules, size] = square
                size += 1
            elif state[square] == MINED:
                need -= 1
        if need < 0 or need > size:
            return -1
        if size == 0:
            continue
        survey.rule_square[rules] = clue
        survey.rule_need[rules] = need
        survey.rule_cells[rules, 8] = size
        survey.rule_front[rules] = -1
        for at in range(size):
            cell = survey.rule_cells[rules, at]
            if survey.cell_stamp[cell] != stamp:
                survey.cell_stamp[cell] = stamp
                survey.cell_rules[cell, 8] = 0
            survey.cell_rules[cell, survey.cell_rules[cell, 8]] = rules
            survey.cell_rules[cell, 8] += 1
        rules += 1
    return rules


@compiled
def _front(start: int, geometry: Geometry, survey: Survey, layers: Layers, store: Store) -> int:
    """The store's entry for the front of the rule `start`; -1 too large, -2 no layout."""
    queue, signs = survey.queue, geometry.signs
    queue[0] = start
    survey.rule_front[start] = start
    number = 1
    key = np.uint64(0)
    reached = 0
    while reached < number:
        rule = queue[reached]
        sign = signs[survey.rule_square[rule]] + np.uint64(survey.rule_need[rule] + 1) * _ONE
        for at in range(survey.rule_cells[rule, 8]):
            cell = survey.rule_cells[rule, at]
            sign += signs[cell] * _TWO
            for other in range(survey.cell_rules[cell, 8]):
                near = survey.cell_rules[cell, other]
                if survey.rule_front[near] < 0:
                    survey.rule_front[near] = reached
                    queue[number] = near
                    number += 1
        sign = (sign ^ (sign >> _SHIFT)) * _TWO
        key += sign ^ (sign >> _SHIFT)
        reached += 1
    entries = store.key.size
    if store.used[1] > entries // 2:
        return -1
    place = int(np.int64(key >> _FOLD)) % entries
    while store.key[place] != 0:
        if store.key[place] == key:
            degree = store.entry[place, 2]
            return place if degree >= 0 else int(degree)
        place = (place + 1) % entries
    store.key[place] = key
    store.used[1] += 1
    _count(place, number, geometry, survey, layers, store)
    degree = store.entry[place, 2]
    return place if degree >= 0 else int(degree)


@compiled
def _count(
    place: int, number: int, geometry: Geometry, survey: Survey, layers: Layers, store: Store
) -> None:
    """Group the cells of the rules in the queue into boxes, count, and keep the result."""
    queue = survey.queue
    first_cell = store.used[3]
    cells = boxes = 0
    local = np.zeros(survey.rule_square.size, np.int64)
    need = np.empty(number, np.int64)
    entry = store.entry[place]
    entry[2] = -1
    for index in range(number):
        local[queue[index]] = index
        need[index] = survey.rule_need[queue[index]]
    for index in range(number):
        rule = queue[index]
        for at in range(survey.rule_cells[rule, 8]):
            cell = survey.rule_cells[rule, at]
            sign = np.uint64(0)
            met = False
            for other in range(survey.cell_rules[cell, 8]):
                if local[survey.cell_rules[cell, other]] < index:
                    met = True
                sign += geometry.signs[survey.rule_square[survey.cell_rules[cell, other]]]
            if met:
                continue
            box = boxes - 1
            while box >= 0 and layers.box_sign[box] != sign:
                box -= 1
            if box < 0:
                if boxes == MAX_BOXES:
                    return
                box = boxes
                boxes += 1
                layers.box_sign[box] = sign
                layers.box_size[box] = 0
                layers.box_rules[box, 8] = survey.cell_rules[cell, 8]
                for other in range(survey.cell_rules[cell, 8]):
                    layers.box_rules[box, other] = local[survey.cell_rules[cell, other]]
            layers.box_size[box] += 1
            if first_cell + cells >= store.cells.shape[0]:
                return
            store.cells[first_cell + cells, 0] = cell
            store.cells[first_cell + cells, 1] = box
            cells += 1
    first_float = store.used[2]
    out = store.floats[first_float:]
    degree, base = count_front(boxes, need, layers, out)
    entry[2] = degree
    if degree < 0:
        return
    # Scaled by a power of two, which changes no digit, so that the largest is below one.
    largest = 0.0
    for power in range(degree + 1):
        largest = max(largest, out[power])
    if largest == 0.0:
        entry[2] = -2
        return
    exponent = 0
    scale = 1.0
    while largest * scale >= 1.0:
        scale *= 0.5
        exponent += 1
    length = (degree + 1) * (boxes + 1)
    for at in range(length):
        out[at] *= scale
    for box in range(boxes):
        for power in range(degree + 1):
            out[(box + 1) * (degree + 1) + power] /= layers.box_size[box]
    entry[0] = first_float
    entry[1] = boxes
    entry[3] = base
    entry[4] = exponent
    entry[5] = first_cell
    entry[6] = cells
    store.used[2] += length
    store.used[3] += cells
