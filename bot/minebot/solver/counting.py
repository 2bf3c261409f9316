"""Counts the layouts of each component exactly, and combines them to the probabilities of a board.

The rules of a component are eliminated one after another: all tables that touch a rule are merged
into one, sums that break the rule are dropped, and the rule is forgotten (bucket elimination, R.
Dechter 1999). A table maps the possible sums of its groups in the open rules to a polynomial: the
number of layouts with these sums, by their number of mines. Going back through the merges gives the
layouts around every group.

The cost depends on how many rules are open at a time, and hardly on the length of the component.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import comb, nextafter
from operator import mul

from minebot.board import Board
from minebot.solver.constraints import (
    ComponentSignature,
    Conflict,
    Constraint,
    ConstraintStore,
    apart,
    components,
    constraints_of,
    covered,
    mines_left,
    propagate,
)


@dataclass(frozen=True, slots=True)
class Count:
    """`layouts[k]` layouts of a component have `base + k` mines.

    In `mined[group][k]` of them a cell of that group is a mine, whichever: they are alike.
    """

    base: int
    layouts: tuple[int, ...]
    mined: tuple[tuple[int, ...], ...]


@dataclass(slots=True)
class _Table:
    """The sums of one group, or of all that two tables hold together.

    A key has a field for each rule, with what the table gives to it; a pair (i, j, at) says that
    key i of one part and key j of the other make key `at`. Values are the polynomials, `outside`
    those of everything else; a polynomial is an integer with a slot of bits for each coefficient.
    """

    keys: list[int]
    capacity: int
    """Each rule's cells in this table, as a key."""
    scope: int
    """The open rules that it touches, a bit for each."""
    parts: tuple[_Table, ...] = ()
    pairs: list[tuple[int, int, int]] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    outside: list[int] = field(default_factory=list)


def count(shape: ComponentSignature) -> Count:
    """Count the layouts of a component; raises Conflict if there are none."""
    leaves, merged, whole = _merge_all(shape)
    root = merged[-1] if merged else leaves[0]
    if whole not in root.keys:
        raise Conflict
    at = root.keys.index(whole)

    # Only the groups that are not in rules apart make the number of mines vary.
    chosen, between = apart(shape)
    varies = [group in between for group in range(len(leaves))]
    degree = sum([shape.sizes[group] for group in between])
    # All layouts together bound every coefficient, which gives the width of a slot.
    _evaluate(shape, leaves, merged, [0] * len(leaves))
    slot = root.values[at].bit_length()
    _evaluate(shape, leaves, merged, [slot * one for one in varies])
    layouts = _unpack(root.values[at], slot, degree)
    root.outside = [int(key == whole) for key in root.keys]
    for table in reversed(merged):
        _look_outside(table)

    powers = [power for power, number in enumerate(layouts) if number]
    low, high = powers[0], powers[-1] + 1
    mined = []
    for size, shift, leaf in zip(shape.sizes, varies, leaves, strict=True):
        # A given cell is a mine in C(size - 1, mines - 1) of the C(size, mines) ways.
        around = [
            comb(size - 1, mines - 1) * leaf.outside[mines] << slot * mines * shift
            for mines in range(1, size + 1)
        ]
        mined.append(_unpack(sum(around), slot, degree)[low:high])
    base = low + sum([shape.rules[rule][0] for rule in chosen])
    return Count(base, layouts[low:high], tuple(mined))


def _merge_all(shape: ComponentSignature) -> tuple[list[_Table], list[_Table], int]:
    """Tables of the single groups, the merges in their order, and the key of kept rules."""
    sizes = shape.sizes
    order = _elimination_order(shape)
    cells = [sum([sizes[group] for group in groups]) for _, groups in shape.rules]
    # A field is one bit wider than its sum: that guard bit of (limit + guard - sum)
    # stays set just where the sum is within its limit, for all rules at once.
    width = max(cells).bit_length() + 1
    units, scopes = [0] * len(sizes), [0] * len(sizes)
    need = spare = guard = 0
    for place, rule in enumerate(reversed(order)):
        mines, groups = shape.rules[rule]
        one = 1 << place * width
        need += mines * one
        spare += (cells[rule] - mines) * one
        guard += one << width - 1
        for group in groups:
            units[group] += one
            scopes[group] |= 1 << rule
    leaves = [
        _Table([mines * unit for mines in range(size + 1)], size * unit, scope)
        for size, unit, scope in zip(sizes, units, scopes, strict=True)
    ]
    tables = leaves
    merged = []
    for rule in order:
        bit = 1 << rule
        touching = [table for table in tables if table.scope & bit]
        touching.sort(key=lambda table: -len(table.keys))
        tables = [table for table in tables if not table.scope & bit]
        table = touching.pop()
        while touching:  # small ones first: what they rule out need not be multiplied
            table = _merge(touching.pop(), table, need, spare, guard)
            merged.append(table)
        table.scope &= ~bit
        tables.append(table)
    return leaves, merged, need


def _merge(one: _Table, other: _Table, need: int, spare: int, guard: int) -> _Table:
    """Add up all keys of two tables, leaving out sums that no layout can complete."""
    capacity = one.capacity + other.capacity
    most = guard + need
    least = guard + spare - capacity
    index: dict[int, int] = {}
    pairs = []
    for i, key in enumerate(one.keys):
        for j, more in enumerate(other.keys):
            both = key + more
            if (most - both) & (least + both) & guard == guard:
                pairs.append((i, j, index.setdefault(both, len(index))))
    return _Table(list(index), capacity, one.scope | other.scope, (one, other), pairs)


def _evaluate(
    shape: ComponentSignature, leaves: list[_Table], merged: list[_Table], shifts: list[int]
) -> None:
    """Work out all values; a mine of a group counts `shifts[group]` bits further up."""
    for size, shift, leaf in zip(shape.sizes, shifts, leaves, strict=True):
        leaf.values = [comb(size, mines) << shift * mines for mines in range(size + 1)]
    for table in merged:
        one, other = (part.values for part in table.parts)
        table.values = values = [0] * len(table.keys)
        for i, j, at in table.pairs:
            values[at] += one[i] * other[j]


def _look_outside(table: _Table) -> None:
    """What lies outside a part is the other part, times what lies outside both."""
    one, other = table.parts
    here, there = one.values, other.values
    one.outside = beside_one = [0] * len(here)
    other.outside = beside_other = [0] * len(there)
    for i, j, at in table.pairs:
        around = table.outside[at]
        if around:
            beside_one[i] += around * there[j]
            beside_other[j] += around * here[i]


def _elimination_order(shape: ComponentSignature) -> list[int]:
    """The rules in the order to eliminate them: next the one that meets the fewest others.

    Minimum degree is as good here as minimum fill and weights by table size, and cheaper.
    """
    of_group = [0] * len(shape.sizes)
    for rule, (_, groups) in enumerate(shape.rules):
        for group in groups:
            of_group[group] |= 1 << rule
    meets = []
    for rule, (_, groups) in enumerate(shape.rules):
        met = 0
        for group in groups:
            met |= of_group[group]
        meets.append(met & ~(1 << rule))
    left = set(range(len(meets)))
    order = []
    while left:
        rule = min(left, key=lambda rule: meets[rule].bit_count())
        left.remove(rule)
        order.append(rule)
        rest = met = meets[rule]
        while rest:
            bit = rest & -rest
            rest ^= bit
            meets[bit.bit_length() - 1] |= met
            meets[bit.bit_length() - 1] &= ~(bit | 1 << rule)
    return order


def _unpack(packed: int, slot: int, degree: int) -> tuple[int, ...]:
    """The coefficients of a polynomial, lowest power first."""
    mask = (1 << slot) - 1
    return tuple([packed >> slot * power & mask for power in range(degree + 1)])


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
    layouts = [count.layouts for count in counts]
    whole = _product(layouts)
    degree = len(whole) - 1
    if mines is None:
        weights = [ODDS ** (degree - extra) for extra in range(degree + 1)]
    else:
        mines -= sum([count.base for count in counts])
        weights = _weights(mines, untouched, degree)
    total = sum(map(mul, whole, weights))
    if not total:
        raise Conflict
    risks = [
        [_chance(sum(map(mul, mined, around)), total) for mined in count.mined]
        for count, around in zip(counts, _outside(layouts, weights), strict=True)
    ]
    if mines is None:
        return Probabilities(None, risks, 1 / (1 + ODDS))
    elsewhere = sum(
        [
            number * weight * (mines - extra)
            for extra, (number, weight) in enumerate(zip(whole, weights, strict=True))
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


def _product(polynomials: Sequence[Sequence[int]]) -> Sequence[int]:
    """The product of polynomials, lowest power first."""
    whole: Sequence[int] = (1,)
    for one in polynomials:
        product = [0] * (len(whole) + len(one) - 1)
        for power, a in enumerate(one):
            for at, b in enumerate(whole, power):
                product[at] += a * b
        whole = product
    return whole


def _outside(
    polynomials: Sequence[Sequence[int]], weights: Sequence[int]
) -> Iterator[Sequence[int]]:
    """For each polynomial its weights by powers, all that lies outside it summed up."""
    half = len(polynomials) // 2
    if not half:
        yield from [weights] * len(polynomials)
        return
    one, other = polynomials[:half], polynomials[half:]
    for part, beside in ((one, other), (other, one)):
        factor = _product(beside)
        size, left = len(factor), len(weights) - len(factor) + 1
        summed = [sum(map(mul, factor, weights[at : at + size])) for at in range(left)]
        yield from _outside(part, summed)


def count_all(
    squares: Iterable[int], clues: Iterable[Constraint], known: Mapping[int, bool]
) -> tuple[ConstraintStore, list[Count]]:
    """Count the layouts of the components that `clues` make of `squares`; also what they decide.

    `known` are squares held to be mines or safe. Raises Conflict if nothing fits.
    """
    rules = ConstraintStore(squares)
    for square, mine in known.items():
        rules.decide([square], mine=mine)
    for one in clues:
        rules.add(one.clue, one.mines, one.squares)
    propagate(rules)
    return rules, [count(component.shape) for component in components(rules)]


def room(
    board: Board, clues: Collection[int] | None = None, known: Mapping[int, bool] | None = None
) -> tuple[int, int] | None:
    """The fewest and the most mines, in all, that `clues` leave room for; None if nothing fits.

    All clues by default. `known` are covered squares held to be mines or safe. No total counts.
    """
    kept = [one for one in constraints_of(board) if clues is None or one.clue in clues]
    try:
        rules, counts = count_all(covered(board), kept, known or {})
    except Conflict:
        return None
    least = len(board.shown_mines) + len(rules.mined) + sum(counted.base for counted in counts)
    more = sum(len(counted.layouts) - 1 for counted in counts)
    return least, least + more + len(rules.untouched())


def weight(board: Board, odds: int = 1, safe: Collection[int] = ()) -> int:
    """The layouts that fit a board and have no mine on the `safe` squares, as an exact number.

    While the total is unknown each counts `odds` times over for every covered cell without a mine:
    with 1 this is the plain number of layouts, with `ODDS` the weight by which the solver judges
    such boards. Raises Conflict if there is no layout.
    """
    known = dict.fromkeys(safe, False)
    rules, counts = count_all(covered(board), constraints_of(board), known)
    left, untouched = mines_left(board), len(rules.untouched())
    if left is not None:
        return compute_probabilities(counts, left - len(rules.mined), untouched).layouts or 0
    # At most so many mines lie in the components; each that is missing leaves one more cell free.
    whole = _product([counted.layouts for counted in counts])
    most = sum(counted.base for counted in counts) + len(whole) - 1
    free = len(rules.safe) + len(rules.undecided) - untouched - most
    parts = sum(number * odds**missing for missing, number in enumerate(reversed(whole)))
    return int((1 + odds) ** untouched * odds**free * parts)
