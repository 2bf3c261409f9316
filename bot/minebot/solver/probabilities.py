"""Combines the counts of the components to the probabilities of the whole board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import comb, nextafter
from operator import mul

from minebot.solver.constraint_store import Conflict
from minebot.solver.counting import Count

ODDS = 4
"""Safe cells per mine if the total is unknown. Specified: as on common boards."""


_ALMOST_NEVER, _ALMOST_SURELY = nextafter(0.0, 1.0), nextafter(1.0, 0.0)
"""Bounds for a risk that rounds to 0 or 1 without being exactly that."""


@dataclass(frozen=True, slots=True)
class Probabilities:
    """The layouts of a whole board, and the mine probabilities that follow.

    `risks` holds a list for each component, with a probability for each of its groups; `untouched`
    is that of a cell outside all components. `layouts` is None while the total is unknown.
    """

    layouts: int | None
    risks: list[list[float]]
    untouched: float


def compute_probabilities(
    counts: Sequence[Count], mines: int | None, untouched: int
) -> Probabilities:
    """Combine the layouts of all components, weighted by the mines that they leave to the rest.

    `mines` are in the components and in `untouched` other cells together. All layouts of the whole
    board are equally likely; if `mines` is None, the prior odds of a mine are one to `ODDS`. Sums
    are integers, each probability is divided once at the end. Raises Conflict without a layout.
    """
    levels = _products([count.layouts for count in counts] or [(1,)])
    whole = levels[-1][0]
    degree = len(whole) - 1
    if mines is None:
        weights = [ODDS ** (degree - extra) for extra in range(degree + 1)]
    else:
        mines -= sum([count.base for count in counts])
        weights = _weights(mines, untouched, degree)
    total = sum(map(mul, whole, weights))
    if not total:
        raise Conflict
    outside = _outside(levels, weights)
    risks = [
        [_chance(sum(map(mul, mined, around)), total) for mined in count.mined]
        for count, around in zip(counts, outside, strict=False)
    ]
    if mines is None:
        return Probabilities(None, risks, 1 / (1 + ODDS))
    elsewhere = sum(
        [
            layouts * weight * (mines - extra)
            for extra, (layouts, weight) in enumerate(zip(whole, weights, strict=True))
        ]
    )
    first = max(0, mines - untouched)
    return Probabilities(
        total * comb(untouched, mines - first) // weights[first],
        risks,
        _chance(elsewhere, untouched * total) if untouched else 0.0,
    )


def _weights(mines: int, untouched: int, degree: int) -> list[int]:
    """How many ways the untouched cells can take the mines that 0 to `degree` leave.

    These are the binomials C(untouched, mines - extra), divided by a common number: only the ratio
    of neighbours matters, (mines - extra) / (untouched - mines + extra + 1), and it is small even
    if the binomials have thousands of bits.
    """
    first, last = max(0, mines - untouched), min(degree, mines)
    rising = accumulate((mines - extra for extra in range(first, last)), mul, initial=1)
    falling = accumulate(
        (untouched - mines + extra for extra in range(last, first, -1)), mul, initial=1
    )
    weights = [0] * (degree + 1)
    if first <= last:
        weights[first : last + 1] = map(mul, rising, [*falling][::-1])
    return weights


def _chance(part: int, whole: int) -> float:
    """The quotient, rounded; 0.0 and 1.0 only if it is exactly that."""
    if part in (0, whole):
        return float(part > 0)
    return min(max(part / whole, _ALMOST_NEVER), _ALMOST_SURELY)


def _products(polynomials: list[Sequence[int]]) -> list[list[Sequence[int]]]:
    """The polynomials, their products by twos, by fours, and so on up to that of all."""
    levels = [polynomials]
    while len(levels[-1]) > 1:
        below = levels[-1]
        levels.append([_product(below[at : at + 2]) for at in range(0, len(below), 2)])
    return levels


def _outside(levels: list[list[Sequence[int]]], weights: Sequence[int]) -> list[Sequence[int]]:
    """For each polynomial its weights by powers, all that lies outside it summed up."""
    outside = [weights]
    for level in levels[-2::-1]:
        outside = [
            _correlate(outside[at // 2], level[at ^ 1], len(one))
            if at ^ 1 < len(level)
            else outside[at // 2]
            for at, one in enumerate(level)
        ]
    return outside


def _product(factors: Sequence[Sequence[int]]) -> Sequence[int]:
    """The product of one or two polynomials, lowest power first."""
    if len(factors) == 1:
        return factors[0]
    one, other = factors
    product = [0] * (len(one) + len(other) - 1)
    for power, a in enumerate(one):
        for at, b in enumerate(other, power):
            product[at] += a * b
    return product


def _correlate(weights: Sequence[int], factor: Sequence[int], length: int) -> list[int]:
    """Weights by the powers that are left when `factor` has been summed over."""
    size = len(factor)
    return [sum(map(mul, factor, weights[at : at + size])) for at in range(length)]
