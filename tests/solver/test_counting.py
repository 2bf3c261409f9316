"""Exact counts of fronts: against every layout tried, and where fronts are long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import comb

import pytest
from hypothesis import given

from minebot.solver.constraint_store import ComponentSignature, Conflict
from minebot.solver.counting import count
from tests.support.brute import layouts_of, shapes, steady


@steady(200)
@given(shapes())
def test_counts_are_those_of_all_layouts_tried(shape: ComponentSignature) -> None:
    found = layouts_of(shape)
    by_mines = Counter(map(sum, found))
    counted = count(shape)
    assert counted.base == min(by_mines)
    assert counted.base + len(counted.layouts) - 1 == max(by_mines)
    for extra, number in enumerate(counted.layouts):
        assert number == by_mines[counted.base + extra]
    for group, size in enumerate(shape.sizes):
        for extra, number in enumerate(counted.mined[group]):
            mines = [one[group] for one in found if sum(one) == counted.base + extra]
            assert number * size == sum(mines)


def test_one_rule_is_a_binomial() -> None:
    counted = count(ComponentSignature((8,), ((3, (0,)),)))
    assert (counted.base, counted.layouts, counted.mined) == (3, (comb(8, 3),), ((comb(7, 2),),))


def test_a_front_may_have_more_layouts_than_64_bits_can_count() -> None:
    """Clues of 1 that share a cell with the next: no two mines in shared cells side by side."""
    clues = 200
    counted = count(ComponentSignature((1,) * (2 * clues + 1), tuple(_ones(clues))))
    before, layouts = 1, 1  # the numbers of Fibonacci
    for _ in range(clues + 1):
        before, layouts = layouts, before + layouts
    assert layouts > 1 << 64
    assert sum(counted.layouts) == layouts
    # Of the layouts with a mine in the first cell the second shared one has none.
    assert sum(counted.mined[0]) == layouts - before


def _ones(clues: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Each of one mine in two shared cells, of even number, and the one between them."""
    for clue in range(clues):
        yield 1, (2 * clue, 2 * clue + 1, 2 * clue + 2)


@pytest.mark.parametrize(
    "shape",
    [
        ComponentSignature((1, 1, 1), ((1, (0, 1)), (1, (1, 2)), (1, (0, 2)))),
        ComponentSignature((2,), ((1, (0,)), (2, (0,)))),
        ComponentSignature((2,), ((3, (0,)),)),
    ],
)
def test_a_front_without_a_layout_clashes(shape: ComponentSignature) -> None:
    with pytest.raises(Conflict):
        count(shape)


def test_the_counts_do_not_depend_on_the_order_of_groups_and_rules() -> None:
    shape = ComponentSignature(
        (1, 2, 1, 3, 1), ((1, (0, 1)), (2, (1, 2, 3)), (2, (3, 4)), (1, (0, 4)))
    )
    turned = ComponentSignature(
        shape.sizes[::-1],
        tuple((mines, tuple(4 - group for group in about)) for mines, about in shape.rules[::-1]),
    )
    one, other = count(shape), count(turned)
    assert (one.base, one.layouts, one.mined) == (other.base, other.layouts, other.mined[::-1])


def alternating(rows: int, width: int, clues: list[int]) -> ComponentSignature:
    """`rows` covered rows, between two of them a row of clues, all the same along the row."""
    groups = {(x, y): x * rows + y for x in range(width) for y in range(rows)}
    rules: list[tuple[int, tuple[int, ...]]] = [
        (clue, tuple(groups[x + beside, y + below] for beside in (-1, 0, 1) for below in (0, 1)))
        for y, clue in enumerate(clues)
        for x in range(1, width - 1)
    ]
    return ComponentSignature((1,) * len(groups), tuple(rules))


def swept(rows: int, width: int, clues: list[int]) -> Counter[int]:
    """The layouts of the same front by their mines, one column after the other."""
    ways: dict[tuple[int, int], Counter[int]] = {
        (one, other): Counter({one.bit_count() + other.bit_count(): 1})
        for one, other in product(range(1 << rows), repeat=2)
    }
    for _ in range(width - 2):
        following: dict[tuple[int, int], Counter[int]] = {}
        for ((before, last), by_mines), here in product(ways.items(), range(1 << rows)):
            columns = (before, last, here)
            if all(
                sum((column >> y & 3).bit_count() for column in columns) == clue
                for y, clue in enumerate(clues)
            ):
                grown = following.setdefault((last, here), Counter())
                for mines, number in by_mines.items():
                    grown[mines + here.bit_count()] += number
        ways = following
    return sum(ways.values(), Counter())


@pytest.mark.parametrize(
    ("width", "clues"),
    [
        (81, [2]),
        *((82, [clue]) for clue in range(1, 6)),
        (301, [2]),
        (81, [2, 2]),
        (81, [2, 3]),
        (40, [1, 2, 3]),
    ],
)
def test_long_fronts_of_alternating_rows_are_counted(width: int, clues: list[int]) -> None:
    rows = len(clues) + 1
    counted = count(alternating(rows, width, clues))
    expected = swept(rows, width, clues)
    assert counted.base == min(expected)
    assert list(counted.layouts) == [expected[mines] for mines in sorted(expected)]
    # The mines of all cells together are those of the layouts.
    for extra, number in enumerate(counted.layouts):
        mined = sum(column[extra] for column in counted.mined)
        assert mined == number * (counted.base + extra)
