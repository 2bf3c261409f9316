"""The mine probability of every cell and the number of layouts, compiled.

Fronts that were counted before are looked up: a cell that is opened changes the
fronts next to it and leaves the others as they were.
"""

from __future__ import annotations

import numpy as np

from bot.policy.guessing import memory as m
from bot.policy.guessing.combine import combine
from bot.policy.guessing.compiler import Bytes, Numbers, NumberTable, Words, compiled, entry
from bot.policy.guessing.fronts import (
    IMPOSSIBLE,
    TOO_LARGE,
    count_backward,
    count_forward,
    put_in_order,
)
from bot.policy.guessing.memory import Layers, Memory, Store, Survey

__all__ = ["live_clues", "settle", "weigh"]

_ONE = np.uint64(0x9E3779B97F4A7C15)
"""Odd words without a pattern to mix others by; this and the next are those of splitmix64."""
_TWO = np.uint64(0xBF58476D1CE4E5B9)
_SHIFT = np.uint64(29)
"""Bits by which a word is folded onto itself between two multiplications."""
_FOLD = np.uint64(17)
"""Bits of a word that its place in the store does not depend on."""


@entry
def live_clues(state: Bytes, around: NumberTable, live: Numbers) -> int:
    """Write the opened squares next to undecided ones to `live`; returns how many."""
    number = 0
    for square in range(state.size):
        if state[square] < m.HIDDEN:
            for at in range(around[square, m.COUNT]):
                if state[around[square, at]] == m.HIDDEN:
                    live[number] = square
                    number += 1
                    break
    return number


@compiled
def settle(state: Bytes, around: NumberTable, queue: Numbers, waiting: int, mines: int) -> int:
    """Decide what single clues decide, from the `waiting` clues in `queue` on.

    Changes `state`; returns the mines left among the undecided cells, -1 for a clash.
    """
    while waiting:
        waiting -= 1
        clue = queue[waiting]
        need = np.int64(state[clue])
        hidden = 0
        for at in range(around[clue, m.COUNT]):
            cell = state[around[clue, at]]
            if cell == m.MINED:
                need -= 1
            elif cell == m.HIDDEN:
                hidden += 1
        if need < 0 or need > hidden:
            return -1
        if hidden == 0 or 0 < need < hidden:
            continue
        for at in range(around[clue, m.COUNT]):
            square = around[clue, at]
            if state[square] != m.HIDDEN:
                continue
            state[square] = m.MINED if need else m.SAFE
            if need:
                mines -= 1
            for other in range(around[square, m.COUNT]):
                near = around[square, other]
                if state[near] < m.HIDDEN and near != clue:
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
def _read(
    state: Bytes, live: Numbers, clues: int, around: NumberTable, stamp: int, survey: Survey
) -> int:
    """Write the rules of the live clues to the survey; returns how many, -1 for a clash."""
    table, of_cell = survey.rules, survey.cells
    rules = 0
    for index in range(clues):
        clue = live[index]
        need = np.int64(state[clue])
        size = 0
        for at in range(around[clue, m.COUNT]):
            square = around[clue, at]
            if state[square] == m.HIDDEN:
                table[rules, size] = square
                size += 1
            elif state[square] == m.MINED:
                need -= 1
        if need < 0 or need > size:
            return -1
        if size == 0:
            continue
        table[rules, m.COUNT], table[rules, m.SQUARE] = size, clue
        table[rules, m.NEED], table[rules, m.FRONT] = need, -1
        for at in range(size):
            cell = table[rules, at]
            if of_cell[cell, m.STAMP] != stamp:
                of_cell[cell, m.STAMP] = stamp
                of_cell[cell, m.COUNT] = 0
            of_cell[cell, of_cell[cell, m.COUNT]] = rules
            of_cell[cell, m.COUNT] += 1
        rules += 1
    return rules


@compiled
def _gather(start: int, signs: Words, survey: Survey) -> tuple[int, np.uint64]:
    """Put the front of the rule `start` into the queue; returns its rules, and a word for them."""
    table, of_cell, queue = survey.rules, survey.cells, survey.queue
    queue[0] = start
    table[start, m.FRONT] = start
    number = 1
    key = np.uint64(0)
    reached = 0
    while reached < number:
        rule = queue[reached]
        sign = signs[table[rule, m.SQUARE]] + np.uint64(table[rule, m.NEED] + 1) * _ONE
        for at in range(table[rule, m.COUNT]):
            cell = table[rule, at]
            sign += signs[cell] * _TWO
            for other in range(of_cell[cell, m.COUNT]):
                near = of_cell[cell, other]
                if table[near, m.FRONT] < 0:
                    table[near, m.FRONT] = start
                    queue[number] = near
                    number += 1
        sign = (sign ^ (sign >> _SHIFT)) * _TWO
        key += sign ^ (sign >> _SHIFT)
        reached += 1
    return number, key


@compiled
def _find(key: np.uint64, store: Store) -> int:
    """The place of a front in the store, or a free one for it."""
    entries = store.key.size
    place = int(np.int64(key >> _FOLD)) % entries
    while store.key[place] != 0 and store.key[place] != key:
        place = (place + 1) % entries
    return place


@compiled
def _group(
    number: int, signs: Words, survey: Survey, layers: Layers, store: Store, front: Numbers
) -> int:
    """Group the cells of the `number` rules in the queue into boxes; how many, or TOO_LARGE."""
    rules, of_cell, queue, table = survey.rules, survey.cells, survey.queue, layers.boxes
    local = np.zeros(rules.shape[0], np.int64)
    first_cell = store.used[m.USED_CELLS]
    cells = boxes = 0
    for index in range(number):
        local[queue[index]] = index
        layers.need[index] = rules[queue[index], m.NEED]
    for index in range(number):
        rule = queue[index]
        for at in range(rules[rule, m.COUNT]):
            cell = rules[rule, at]
            sign = np.uint64(0)
            met = False
            for other in range(of_cell[cell, m.COUNT]):
                if local[of_cell[cell, other]] < index:
                    met = True
                sign += signs[rules[of_cell[cell, other], m.SQUARE]]
            if met:
                continue
            box = boxes - 1
            while box >= 0 and layers.signs[box] != sign:
                box -= 1
            if box < 0:
                if boxes == m.MAX_BOXES:
                    return TOO_LARGE
                box = boxes
                boxes += 1
                layers.signs[box] = sign
                table[box, m.SIZE] = 0
                table[box, m.COUNT] = of_cell[cell, m.COUNT]
                for other in range(of_cell[cell, m.COUNT]):
                    table[box, other] = local[of_cell[cell, other]]
            table[box, m.SIZE] += 1
            if first_cell + cells >= store.cells.shape[0]:
                return TOO_LARGE
            store.cells[first_cell + cells, 0] = cell
            store.cells[first_cell + cells, 1] = box
            cells += 1
    front[m.FIRST_CELL], front[m.MEMBERS] = first_cell, cells
    store.used[m.USED_CELLS] += cells
    return boxes


@compiled
def weigh(state: Bytes, live: Numbers, clues: int, mines: int, memory: Memory) -> tuple[float, int]:
    """Weigh all layouts of a board: `clues` clues in `live`, `mines` in undecided cells.

    Returns their number as (float, power of two), 0.0 where there is none and -1.0
    where there are too many to be counted here; leaves each undecided cell's mine
    probability in `memory.sums.risk`.
    """
    geometry, survey, layers, store = memory.geometry, memory.survey, memory.layers, memory.store
    store.used[m.USED_STAMP] += 1
    rules = _read(state, live, clues, geometry.around, store.used[m.USED_STAMP], survey)
    if rules < 0:
        return 0.0, 0
    fronts = 0
    for rule in range(rules):
        if survey.rules[rule, m.FRONT] >= 0:
            continue
        if fronts == m.MAX_FRONTS or store.used[m.USED_ENTRIES] > store.key.size // 2:
            return -1.0, 0
        number, key = _gather(rule, geometry.signs, survey)
        place = _find(key, store)
        front = store.entry[place]
        if store.key[place] == 0:
            store.key[place] = key
            store.used[m.USED_ENTRIES] += 1
            states = boxes = _group(number, geometry.signs, survey, layers, store, front)
            if boxes > 0:
                put_in_order(boxes, number, layers)
                states = count_forward(boxes, number, layers)
            if states > 0:
                count_backward(boxes, states, layers, store, front)
            else:
                front[m.DEGREE] = states
        if front[m.DEGREE] < 0:
            return (0.0, 0) if front[m.DEGREE] == IMPOSSIBLE else (-1.0, 0)
        survey.entries[fronts] = place
        fronts += 1
    store.used[m.USED_FRONTS] = fronts
    return combine(state, fronts, mines, geometry, survey, store, memory.sums)
