"""From the counts of single fronts to the probabilities of the whole board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from bot.solver.counting import Count
from bot.solver.rules import Clash

__all__ = ["ODDS", "Weighed", "weigh"]

ODDS = 4
"""Safe cells to a mine where the total is unknown: one in five, as on common boards."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """`layouts` is None where the total is unknown; `risks` is one list a front."""

    layouts: int | None
    risks: list[list[float]]
    untouched: float


def weigh(
    counts: Sequence[Count], sizes: Sequence[Sequence[int]], mines: int | None, untouched: int
) -> Weighed:
    """Weigh the layouts of all fronts against each other by the mines left for the rest.

    Every layout of the whole board is as likely as any other. With the total
    unknown, every cell holds a mine with odds of one to `ODDS` before the clues
    are read. Raises Clash if the total fits no layout.
    """
    polynomials = [count.layouts for count in counts]
    degree = sum(len(layouts) - 1 for layouts in polynomials)
    if mines is None:
        weights = [ODDS ** (degree - extra) for extra in range(degree + 1)]
    else:
        left = mines - sum(count.base for count in counts)
        weights = [
            comb(untouched, left - extra) if left >= extra else 0 for extra in range(degree + 1)
        ]
    outside = _outside(polynomials, weights)
    whole = _product(polynomials)
    total = sum(map(int.__mul__, whole, weights))
    if not total:
        raise Clash
    risks = [
        [
            sum(map(int.__mul__, mined, around)) / (size * total)
            for mined, size in zip(count.mined, front_sizes, strict=True)
        ]
        for count, front_sizes, around in zip(counts, sizes, outside, strict=True)
    ]
    if mines is None:
        return Weighed(None, risks, 1 / (1 + ODDS))
    elsewhere = sum(
        layouts * weight * (left - extra)
        for extra, (layouts, weight) in enumerate(zip(whole, weights, strict=True))
    )
    return Weighed(total, risks, elsewhere / (untouched * total) if untouched else 0.0)


def _outside(polynomials: list[tuple[int, ...]], weights: list[int]) -> list[list[int]]:
    """For each polynomial the weights by its own power, all the others summed over."""
    if not polynomials:
        return []
    if len(polynomials) == 1:
        return [weights]
    half = len(polynomials) // 2
    left, right = polynomials[:half], polynomials[half:]
    first, second = _product(left), _product(right)
    return _outside(left, _correlate(weights, second, len(first))) + _outside(
        right, _correlate(weights, first, len(second))
    )


def _product(polynomials: Sequence[Sequence[int]]) -> list[int]:
    result = [1]
    for factor in polynomials:
        longer = [0] * (len(result) + len(factor) - 1)
        for i, a in enumerate(result):
            for j, b in enumerate(factor):
                longer[i + j] += a * b
        result = longer
    return result


def _correlate(weights: Sequence[int], factor: Sequence[int], length: int) -> list[int]:
    return [sum(map(int.__mul__, factor, weights[at : at + len(factor)])) for at in range(length)]
