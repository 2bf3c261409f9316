"""The layouts of one component are counted by their mines, as by trying all of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import comb, prod
from random import Random
from typing import Any, cast

import numpy as np
import pytest

from minebot.policy.guessing import components
from minebot.policy.guessing.components import IMPOSSIBLE, TOO_LARGE
from minebot.policy.guessing.workspace import (
    BASE,
    BOXES,
    COUNT,
    DEGREE,
    EXPONENT,
    FIRST_FLOAT,
    ORDER,
    SIZE,
    STEPS,
    make_memory,
)

Box = tuple[int, tuple[int, ...]]
"""Cells, and the rules that they are in."""


def _plain(name: str) -> Any:
    """A compiled function as it is written, which Python runs without compiling it."""
    return cast(Any, getattr(components, name)).py_func


def _counted(
    boxes: Sequence[Box], needs: Sequence[int]
) -> int | tuple[dict[int, float], list[dict[int, float]]]:
    """Layouts by mines, then those with a mine in one cell of each box; or why there are none."""
    memory = make_memory(9, 9, 0)
    layers, store = memory.layers, memory.store
    for number, (size, rules) in enumerate(boxes):
        layers.boxes[number, : len(rules)] = rules
        layers.boxes[number, COUNT], layers.boxes[number, SIZE] = len(rules), size
    layers.need[: len(needs)] = needs
    with np.errstate(over="ignore"):
        _plain("put_in_order")(len(boxes), len(needs), layers)
        assert sorted(layers.boxes[: len(boxes), ORDER].tolist()) == list(range(len(boxes)))
        layers.boxes[len(boxes), STEPS] = 0
        states = _plain("count_forward")(len(boxes), len(needs), layers)
        if states < 0:
            return int(states)
        entry = store.entry[0]
        _plain("count_backward")(len(boxes), states, layers, store, entry)
    assert entry[BOXES] == len(boxes)
    rows = []
    for row in range(len(boxes) + 1):
        first = entry[FIRST_FLOAT] + row * (entry[DEGREE] + 1)
        counts = store.floats[first : first + entry[DEGREE] + 1] * 2.0 ** entry[EXPONENT]
        rows.append({int(entry[BASE]) + at: value for at, value in enumerate(counts.tolist())})
    return rows[0], rows[1:]


def _tried(
    boxes: Sequence[Box], needs: Sequence[int]
) -> tuple[dict[int, float], list[dict[int, float]]]:
    """The same by trying how many mines each box may have."""
    layouts: dict[int, float] = {}
    mined: list[dict[int, float]] = [{} for _ in boxes]
    for mines in product(*(range(size + 1) for size, _ in boxes)):
        held = [0] * len(needs)
        for count, (_, rules) in zip(mines, boxes, strict=True):
            for rule in rules:
                held[rule] += count
        if held != list(needs):
            continue
        ways = prod(comb(size, count) for count, (size, _) in zip(mines, boxes, strict=True))
        total = sum(mines)
        layouts[total] = layouts.get(total, 0) + ways
        for number, (count, (size, _)) in enumerate(zip(mines, boxes, strict=True)):
            mined[number][total] = mined[number].get(total, 0) + ways * count / size
    return layouts, mined


def _some(counts: dict[int, float]) -> dict[int, float]:
    return {mines: count for mines, count in counts.items() if count}


@pytest.mark.parametrize(
    ("boxes", "needs"),
    [
        ([(8, (0,))], [3]),
        ([(1, (0,)), (2, (0, 1)), (1, (1,))], [1, 1]),
        ([(2, (0,)), (1, (0, 1)), (3, (1, 2)), (1, (2,))], [1, 2, 2]),
        ([(3, (0,)), (3, (0, 1)), (3, (1,))], [3, 3]),
    ],
)
def test_counts_are_those_of_trying_all(boxes: list[Box], needs: list[int]) -> None:
    found = _counted(boxes, needs)
    assert not isinstance(found, int)
    for counted, tried in zip((found[0], *found[1]), _flat(_tried(boxes, needs)), strict=True):
        assert _some(counted) == pytest.approx(_some(tried))


def _flat(
    tried: tuple[dict[int, float], list[dict[int, float]]],
) -> list[dict[int, float]]:
    return [tried[0], *tried[1]]


@pytest.mark.parametrize("seed", range(20))
def test_any_component_is_counted_or_has_no_layout(seed: int) -> None:
    random = Random(seed)
    rules = random.randint(1, 4)
    boxes: list[Box] = [(random.randint(1, 3), (rule,)) for rule in range(rules)]
    for _ in range(random.randint(0, 3)):
        about = tuple(sorted(random.sample(range(rules), random.randint(1, rules))))
        boxes.append((random.randint(1, 3), about))
    needs = [random.randint(0, 3) for _ in range(rules)]
    found, tried = _counted(boxes, needs), _tried(boxes, needs)
    if isinstance(found, int):
        assert (found, tried[0]) == (IMPOSSIBLE, {})
        return
    for counted, exact in zip((found[0], *found[1]), _flat(tried), strict=True):
        assert _some(counted) == pytest.approx(_some(exact))


def test_rules_that_contradict_each_other_have_no_layout() -> None:
    assert _counted([(1, (0, 1)), (1, (0, 1))], [0, 2]) == IMPOSSIBLE
    assert _counted([(2, (0,))], [3]) == IMPOSSIBLE


def test_more_rules_at_once_than_a_state_holds_are_too_many() -> None:
    def crossed(rules: int) -> list[Box]:
        """Each rule shares a cell with each other one."""
        pairs = [(one, two) for one in range(rules) for two in range(one)]
        return [(1, pair) for pair in pairs]

    assert _counted(crossed(18), [0] * 18) == TOO_LARGE
    assert not isinstance(_counted(crossed(4), [0] * 4), int)
