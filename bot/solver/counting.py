"""Exact counts of mine layouts, front by front.

A front is counted by eliminating its rules one after another: everything that
touches a rule is merged into one table, layouts that break the rule are left
out, and the rule is forgotten. A table maps how many mines its cells give to each
of the rules still open to a polynomial: the number of such layouts by their
number of mines. (This is bucket elimination, R. Dechter 1999, over partial sums.)
Going back through the merges gives, for every group, the layouts weighted by
their mines in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, prod

from bot.solver.rules import Clash, Shape, apart

__all__ = ["Count", "count"]


@dataclass(frozen=True, slots=True)
class Count:
    """`layouts[k]` layouts of a front have `base + k` mines.

    `mined[group][k]` is the number of mines in that group, added up over them.
    """

    base: int
    layouts: tuple[int, ...]
    mined: tuple[tuple[int, ...], ...]


class _Table:
    """Partial layouts: the sums they give to the rules, and how many there are."""

    __slots__ = ("capacity", "keys", "outside", "pairs", "parts", "scope", "values")

    def __init__(self, scope: int, capacity: int, keys: list[int], values: list[int]) -> None:
        self.scope = scope
        self.capacity = capacity
        self.keys = keys
        self.values = values
        self.outside: list[int] = []
        self.parts: tuple[_Table, _Table] | None = None
        self.pairs: list[tuple[int, int, int]] = []


def count(shape: Shape) -> Count:
    """Count the layouts of a front; raises Clash if there are none."""
    sizes = shape.sizes
    size_of_rule = [sum(sizes[group] for group in groups) for _, groups in shape.rules]
    # A rule's sum is a field of the key, one bit wider than it can get: the guard
    # bit of (limit + guard - sum) is set just where the sum is within its limit.
    width = max(size_of_rule).bit_length() + 1
    order = _elimination_order(shape)
    field = [0] * len(order)
    for position, rule in enumerate(reversed(order)):
        field[rule] = position * width
    unit = [0] * len(sizes)
    scope = [0] * len(sizes)
    most = least = guard = 0
    for rule, (mines, groups) in enumerate(shape.rules):
        one = 1 << field[rule]
        guard |= one << (width - 1)
        most += mines << field[rule]
        least += (size_of_rule[rule] - mines) << field[rule]
        for group in groups:
            unit[group] += one
            scope[group] |= 1 << rule
    most |= guard
    least += guard
    # The mines of rules without a common cell are known beforehand: only the
    # other cells make the number of mines vary, which keeps polynomials short.
    chosen, varying = apart(shape)
    degree = sum(sizes[group] for group in varying)
    bound = prod(comb(size_of_rule[rule], shape.rules[rule][0]) for rule in chosen) << degree
    slot = bound.bit_length() + max(sizes).bit_length()
    leaves = [
        _Table(
            scope[group],
            size * unit[group],
            [mines * unit[group] for mines in range(size + 1)],
            [
                comb(size, mines) << (slot * mines if group in varying else 0)
                for mines in range(size + 1)
            ],
        )
        for group, size in enumerate(sizes)
    ]
    tables = list(leaves)
    merged: list[_Table] = []
    for rule in order:
        bit = 1 << rule
        touching = sorted(
            (table for table in tables if table.scope & bit), key=lambda table: len(table.keys)
        )
        tables = [table for table in tables if not table.scope & bit]
        table = touching[-1]
        for other in touching[-2::-1]:
            table = _merge(table, other, most, least, guard)
            merged.append(table)
        table.scope &= ~bit
        tables.append(table)
    (root,) = tables
    total = 0
    for key, value in zip(root.keys, root.values, strict=True):
        if (most - key) & (least - root.capacity + key) & guard == guard:
            total += value
    if not total:
        raise Clash
    root.outside = [
        int((most - key) & (least - root.capacity + key) & guard == guard) for key in root.keys
    ]
    for table in reversed(merged):
        _spread(table)
    mined = []
    for leaf in leaves:
        weighted = sum(
            mines * value * outside
            for mines, (value, outside) in enumerate(zip(leaf.values, leaf.outside, strict=True))
        )
        mined.append(_unpack(weighted, slot, degree))
    return Count(
        sum(shape.rules[rule][0] for rule in chosen), _unpack(total, slot, degree), tuple(mined)
    )


def _merge(one: _Table, other: _Table, most: int, least: int, guard: int) -> _Table:
    """All compatible pairs of partial layouts of two tables."""
    capacity = one.capacity + other.capacity
    least -= capacity
    index: dict[int, int] = {}
    values: list[int] = []
    pairs: list[tuple[int, int, int]] = []
    for i, (key, value) in enumerate(zip(one.keys, one.values, strict=True)):
        for j, add in enumerate(other.keys):
            both = key + add
            if (most - both) & (least + both) & guard == guard:
                at = index.get(both)
                if at is None:
                    at = index[both] = len(values)
                    values.append(value * other.values[j])
                else:
                    values[at] += value * other.values[j]
                pairs.append((i, j, at))
    table = _Table(one.scope | other.scope, capacity, list(index), values)
    table.parts = (one, other)
    table.pairs = pairs
    return table


def _spread(table: _Table) -> None:
    """Hand what lies outside a table on to the two it was merged from."""
    assert table.parts is not None
    one, other = table.parts
    outside = table.outside or [0] * len(table.keys)
    to_one = [0] * len(one.keys)
    to_other = [0] * len(other.keys)
    for i, j, at in table.pairs:
        around = outside[at]
        if around:
            to_one[i] += around * other.values[j]
            to_other[j] += around * one.values[i]
    one.outside = to_one
    other.outside = to_other


def _elimination_order(shape: Shape) -> list[int]:
    """Rules in the order to eliminate them: the one that meets the fewest others next."""
    meets = [0] * len(shape.rules)
    of_group = [0] * len(shape.sizes)
    for rule, (_, groups) in enumerate(shape.rules):
        for group in groups:
            of_group[group] |= 1 << rule
    for rule, (_, groups) in enumerate(shape.rules):
        for group in groups:
            meets[rule] |= of_group[group]
        meets[rule] &= ~(1 << rule)
    left = set(range(len(shape.rules)))
    order = []
    while left:
        rule = min(left, key=lambda rule: meets[rule].bit_count())
        left.remove(rule)
        order.append(rule)
        met = meets[rule]
        rest = met
        while rest:
            bit = rest & -rest
            rest ^= bit
            other = bit.bit_length() - 1
            meets[other] = (meets[other] | met) & ~bit & ~(1 << rule)
    return order


def _unpack(packed: int, slot: int, degree: int) -> tuple[int, ...]:
    mask = (1 << slot) - 1
    return tuple([packed >> (slot * power) & mask for power in range(degree + 1)])
