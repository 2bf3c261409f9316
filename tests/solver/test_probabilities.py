"""From the counts of fronts to probabilities: every layout of the board weighs the same."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minebot.solver.constraint_store import Conflict
from minebot.solver.counting import Count
from minebot.solver.probabilities import ODDS, compute_probabilities
from tests.support.brute import steady

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
