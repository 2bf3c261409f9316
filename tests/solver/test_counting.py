"""Layouts of components, and the probabilities of the whole board, against brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minebot.solver.constraints import ComponentSignature, Conflict
from minebot.solver.counting import ODDS, Count, compute_probabilities, count
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


numbers = st.integers(0, 5)


@st.composite
def counts(draw: st.DrawFn) -> Count:
    """A front of one group, made up: in no more layouts a mine than there are."""
    layouts = (draw(st.integers(1, 5)), *draw(st.lists(numbers, max_size=3)))
    mined = tuple(draw(st.integers(0, number)) for number in layouts)
    return Count(draw(st.integers(0, 3)), layouts, (mined,))


def directly(
    fronts: list[Count], mines: int | None, untouched: int
) -> tuple[int, list[Fraction], Fraction]:
    """The same by going through all numbers of mines of all fronts."""
    total, mined, elsewhere = 0, [0] * len(fronts), 0
    for extras in product(*(range(len(component.layouts)) for component in fronts)):
        placed = sum(
            component.base + extra for component, extra in zip(fronts, extras, strict=True)
        )
        if mines is None:
            weight = ODDS ** (100 - placed)
        elif 0 <= mines - placed <= untouched:
            weight = comb(untouched, mines - placed)
            elsewhere += (
                comb(untouched - 1, mines - placed - 1) if untouched and mines > placed else 0
            ) * prod(
                component.layouts[extra] for component, extra in zip(fronts, extras, strict=True)
            )
        else:
            continue
        layouts = [
            component.layouts[extra] for component, extra in zip(fronts, extras, strict=True)
        ]
        total += weight * prod(layouts)
        for at, (component, extra) in enumerate(zip(fronts, extras, strict=True)):
            others = prod(layouts[:at]) * prod(layouts[at + 1 :])
            mined[at] += weight * others * component.mined[0][extra]
    if not total:
        return 0, [], Fraction()
    return total, [Fraction(part, total) for part in mined], Fraction(elsewhere, total)


@steady(250)
@given(st.lists(counts(), max_size=5), st.integers(0, 16), st.integers(0, 12))
def test_the_layouts_of_all_fronts_and_the_rest_are_weighed(
    fronts: list[Count], mines: int, untouched: int
) -> None:
    total, risks, elsewhere = directly(fronts, mines, untouched)
    if not total:
        with pytest.raises(Conflict):
            compute_probabilities(fronts, mines, untouched)
        return
    weighed = compute_probabilities(fronts, mines, untouched)
    assert weighed.layouts == total
    assert weighed.risks == [[float(risk)] for risk in risks]
    assert weighed.untouched == float(elsewhere)


@steady(100)
@given(st.lists(counts(), max_size=4))
def test_without_the_total_each_cell_starts_from_the_odds(fronts: list[Count]) -> None:
    _, risks, _ = directly(fronts, None, 7)
    weighed = compute_probabilities(fronts, None, 7)
    assert weighed.layouts is None
    assert weighed.risks == [[float(risk)] for risk in risks]
    assert weighed.untouched == 1 / (1 + ODDS)


def test_large_boards_are_counted_exactly() -> None:
    component = Count(1, (2, 1), ((1, 1),))
    weighed = compute_probabilities([component], 2000, 9000)
    assert weighed.layouts == 2 * comb(9000, 1999) + comb(9000, 1998)


@pytest.mark.parametrize(("mined", "risk"), [(0, 0.0), (10**400, 1.0)])
def test_what_is_certain_is_exactly_so(mined: int, risk: float) -> None:
    assert compute_probabilities([Count(0, (10**400,), ((mined,),))], 0, 0).risks == [[risk]]


@pytest.mark.parametrize("mined", [1, 10**400 - 1])
def test_what_is_nearly_certain_is_never_rounded_to_certain(mined: int) -> None:
    ((risk,),) = compute_probabilities([Count(0, (10**400,), ((mined,),))], 0, 0).risks
    assert 0.0 < risk < 1.0
