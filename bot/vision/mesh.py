"""Boxes of one size that stand in rows and columns: the skeleton of a board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.vision.pieces import Boxes
from bot.vision.scattered import on_lines, slack

Ints = NDArray[np.intp]
Floats = NDArray[np.float64]

_NINE = np.divmod(np.arange(9), 3)
"""The rows and columns of three by three."""
_PAIRS = 3
"""So many tiles next to each other tell a step."""
_FEWEST = 30
"""So many tiles a board has, covered or not."""
_SIDES = (4, 132)
"""The least and the greatest side of a tile's flat piece, in pixels: tiles have 8 to 128."""
_ASPECT = 1.42
"""How much longer one side of a flat piece may be: bevels and shadows may be uneven. Guessed."""
_FILLED = 0.3
"""The least share of its box that a piece fills: a number takes the rest. Guessed."""
_WHOLE_AREA = 0.85
"""The least share of its box that a piece fills with nothing drawn on it; the box's first row and
column are an edge. Guessed."""
_UNEVEN = 2
"""By so many pixels a whole tile's sides may differ. Guessed."""
_SLACK = 0.06
"""By how much boxes of one size may differ, in sides, or by 1 pixel, as with steps that are no
whole pixels. Guessed."""
_CLASSES = 8
"""So many sizes are tried, those that cover the most. Guessed."""
_SAME_LINE = 0.75
"""Middles of boxes in one line are no further apart, in pixels, than this from the next."""
_LEAST_ALIKE = 6
"""So many pieces of a size there must be. Guessed."""
_HOLLOW = 1.6
"""The step is less than so many sides and 3 pixels: what is between tiles is no wider. Guessed."""
_OBLONG = 1.4
"""How much longer a step may be across than down, or the other way. Guessed; real ones: 1.38."""
_JOINT = 0.17
"""The lines of two parts of one board are no further apart, in steps. Guessed."""
_NEAR = 6
"""Nor are the parts themselves. Guessed."""
_DRIFT = 1.0
"""By more pixels from one end to the other the lines of both are off where tiles were seen: one
part's step was not well known. Guessed."""
_BETTER = 0.35
"""And with the step that fits they are off by no more than this share of it. Guessed."""
_WHOLE = 0.08
"""A step this close to whole pixels is so many, if lines with that step lie where they were seen.
Guessed."""
_ALMOST = 0.015
"""Steps across and down differ by no more, in steps, in games that stretch their tiles. Guessed."""
_EVEN = 1.5
"""Lines that are drawn on whole pixels drift by no more from even steps. Guessed."""
_ROUNDING = 0.6
"""So far off, in pixels, may lines be seen. Guessed."""


@dataclass(frozen=True, slots=True)
class Mesh:
    """Evenly spaced middles of tiles, as far as they were seen."""

    x: Floats
    """The middle of each column, in pixels."""
    y: Floats
    """The middle of each row."""
    step: tuple[float, float]
    """From one to the next, across and down."""
    side: tuple[float, float]
    """Of the flat piece that each tile has, across and down."""
    at: tuple[Floats, Floats]
    """The middles of tiles whose flat piece was seen, whole if some are, across and down."""
    seen: int
    """Of how many tiles the flat piece was seen."""
    is_whole: bool = False
    """Whether those pieces are full rectangles: then their middles are the tiles' own."""

    @property
    def covered(self) -> float:
        """How much of the picture the tiles that were seen cover, in pixels."""
        return self.seen * self.step[0] * self.step[1]

    @property
    def is_full(self) -> bool:
        """Whether each of its tiles was seen, and they are enough for a board."""
        return self.seen == self.x.size * self.y.size >= _FEWEST

    @property
    def is_square(self) -> bool:
        """Whether the steps are as long across as down, as well as they are known.

        Some games' tiles are oblong by a pixel.
        """
        few = min(self.x.size, self.y.size)
        return abs(self.step[0] - self.step[1]) <= max(1 / few, _ALMOST * self.step[0])

    @property
    def is_even(self) -> bool:
        """Whether the lines lie where even steps, rounded to whole pixels, have them."""
        for lines, step in ((self.x, self.step[0]), (self.y, self.step[1])):
            off = lines - step * np.arange(lines.size)
            if np.ptp(off) > _EVEN:
                return False
        return True


def meshes(boxes: Boxes, scattered: bool = False) -> Iterator[Mesh]:
    """The skeletons among the boxes; those of the sizes that cover the most come first.

    Scattered ones need not lie next to each other, as on a board with few covered tiles.
    """
    width, height = boxes.width, boxes.height
    short, long = np.minimum(width, height), np.maximum(width, height)
    fits = (short >= _SIDES[0]) & (long <= _SIDES[1]) & (long <= _ASPECT * short + 1)
    fits &= boxes.area >= _FILLED * width * height
    boxes = boxes.where(fits)
    for wide, high in _sizes(boxes):
        near = (np.abs(boxes.width - wide) <= max(1, _SLACK * wide)) & (
            np.abs(boxes.height - high) <= max(1, _SLACK * high)
        )
        yield from _of_size(boxes.where(near), scattered)


def joined(found: Sequence[Mesh]) -> list[Mesh]:
    """The skeletons, those made one that lie on the same lines near each other."""
    left = sorted(found, key=lambda mesh: -mesh.seen)
    whole = []
    while left:
        mesh, others = left[0], left[1:]
        left = []
        for other in others:
            # Each joined part may reach the next.
            if (one := _union(mesh, other)) is not None:
                mesh = one
            else:
                left.append(other)
        whole.append(mesh)
    return whole


def _union(one: Mesh, other: Mesh) -> Mesh | None:
    """Both as one, None where the other's lines are not the one's, or lie far off."""
    at = np.concatenate([one.at[0], other.at[0]]), np.concatenate([one.at[1], other.at[1]])
    lines = []
    for mine, theirs, step, their_step, seen in (
        (one.x, other.x, one.step[0], other.step[0], at[0]),
        (one.y, other.y, one.step[1], other.step[1], at[1]),
    ):
        if abs(step - their_step) > 0.03 * step:
            return None
        begin, end = (theirs[0] - mine[0]) / step, (theirs[-1] - mine[-1]) / step
        first, last = round(begin), round(end)
        if abs(begin - first) > _JOINT or abs(end - last) > _JOINT:
            return None
        if (theirs[0] - mine[-1]) / step > _NEAR or (mine[0] - theirs[-1]) / step > _NEAR:
            return None
        before = mine[0] + step * np.arange(min(0, first), 0)
        after = mine[-1] + step * np.arange(1, max(0, last) + 1)
        lines.append(_fitted(np.concatenate([before, mine, after]), step, seen))
    (x, wide), (y, high) = lines
    side = max(one.side[0], other.side[0]), max(one.side[1], other.side[1])
    return Mesh(x, y, (wide, high), side, at, one.seen + other.seen, one.is_whole)


def _fitted(lines: Floats, step: float, seen: Floats) -> tuple[Floats, float]:
    """The lines and their step, anew where they drift off what was seen of tiles."""
    number = np.round((seen - lines[0]) / step)
    away = number - number.mean()
    off = seen - lines[0] - step * number
    drift = float(away @ off / max(1.0, float(away @ away)))
    usual = float(off.mean())
    off -= usual
    left = off - drift * away
    if abs(drift) * lines.size <= _DRIFT or left.std() > _BETTER * off.std():
        return lines, step
    first = lines[0] + usual - drift * float(number.mean())
    return first + (step + drift) * np.arange(lines.size), step + drift


def _sizes(boxes: Boxes) -> Iterator[tuple[int, int]]:
    """The sizes that many boxes have."""
    if len(boxes) < _LEAST_ALIKE:
        return
    counts = np.zeros((_SIDES[1] + 2, _SIDES[1] + 2), np.int64)
    np.add.at(counts, (boxes.height, boxes.width), 1)
    covered = counts * np.outer(np.arange(counts.shape[0]), np.arange(counts.shape[1]))
    for _ in range(_CLASSES):
        best = int(covered.argmax())
        high, wide = divmod(best, counts.shape[1])
        if counts[high - 1 : high + 2, wide - 1 : wide + 2].sum() < _LEAST_ALIKE:
            covered[high, wide] = 0
            if not covered.any():
                return
            continue
        yield wide, high
        covered[high - 1 : high + 2, wide - 1 : wide + 2] = 0


def _of_size(boxes: Boxes, scattered: bool) -> Iterator[Mesh]:
    """The skeletons of boxes that are all of one size."""
    x, y = boxes.middles
    side = float(np.median(boxes.width)), float(np.median(boxes.height))
    to_right, below = _apart(x, y, side[0]), _apart(y, x, side[1])
    if scattered and min(to_right.size, below.size) < _PAIRS:
        # Of few tiles most may lie next to others in one direction alone: they are square.
        to_right = below = np.concatenate([to_right, below])
    across, down = _step(to_right), _step(below)
    if not across or not down or max(across, down) > _OBLONG * min(across, down):
        return
    groups = _linked(x, y, (across, down))
    numbers, counts = np.unique(groups, return_counts=True)
    if scattered and counts.max() < _FEWEST:
        largest = numbers[counts.argmax()]
        groups[on_lines(boxes, (across, down), groups == largest)] = largest
        numbers, counts = np.unique(groups, return_counts=True)
    for number in numbers[np.argsort(-counts)][:4]:
        chosen = groups == number
        if np.count_nonzero(chosen) < _LEAST_ALIKE:
            return
        seen = int(np.count_nonzero(chosen))
        columns, one = _lines(x[chosen], across)
        rows, other = _lines(y[chosen], down)
        if min(columns.size, rows.size) > 1:
            inner = (boxes.width - 1) * (boxes.height - 1)
            whole = chosen & (boxes.area >= _WHOLE_AREA * inner)
            plain = whole if np.count_nonzero(whole) >= _LEAST_ALIKE else chosen
            longer, oblong = side[0] - side[1], one - other
            if abs(oblong) <= _UNEVEN:
                oblong = 0.0
            yield Mesh(
                columns,
                rows,
                (one, other),
                side,
                (x[plain], y[plain]),
                seen,
                bool(np.count_nonzero(whole) >= _LEAST_ALIKE) and abs(longer - oblong) <= _UNEVEN,
            )


def _apart(along: Floats, across: Floats, side: float) -> Floats:
    """The distances to the next box in the same line that may be a step."""
    # Tiles of one line may differ by a pixel, their middles by half of one.
    levels, level = np.unique(across, return_inverse=True)
    lines = np.concatenate([[0], np.cumsum(np.diff(levels) > _SAME_LINE)])
    order = np.lexsort((along, lines[level]))
    ahead, line = np.diff(along[order]), np.diff(across[order])
    return ahead[(np.abs(line) < 1) & (ahead >= side - 1) & (ahead < _HOLLOW * side + 3)]


def _step(apart: Floats) -> float:
    """The commonest of the distances; 0 where there is none."""
    if apart.size < _PAIRS:
        return 0.0
    counts = np.bincount(np.round(2 * apart).astype(np.intp), minlength=4)
    near = np.convolve(counts, np.ones(5), "same")
    best = int(near.argmax()) / 2
    return float(apart[np.abs(apart - best) <= 1.25].mean())


def _linked(x: Floats, y: Floats, step: tuple[float, float]) -> Ints:
    """A number for each box, the same for those that are joined by steps to the next."""
    most = slack(step)
    cell = max(1.0, min(step) / 4)
    column, row = np.floor(x / cell).astype(np.intp), np.floor(y / cell).astype(np.intp)
    places = np.full((row.max() + 12, column.max() + 12), -1, np.int32)
    places[row + 1, column + 1] = np.arange(x.size)
    # Where the next box would be, to the right of each and below it, and what is near that.
    to_x, to_y = np.concatenate([x + step[0], x]), np.concatenate([y, y + step[1]])
    near = np.floor(to_y / cell).astype(np.intp), np.floor(to_x / cell).astype(np.intp)
    others = places[near[0] + _NINE[0][:, None], near[1] + _NINE[1][:, None]]
    close = (others >= 0) & (np.abs(x[others] - to_x) <= most)
    close &= np.abs(y[others] - to_y) <= most
    one, other = np.nonzero(close)[1] % x.size, others[close]
    groups = np.arange(x.size)
    while True:
        least = groups.copy()
        np.minimum.at(least, one, groups[other])
        np.minimum.at(least, other, groups[one])
        least = least[least]
        if np.array_equal(least, groups):
            return groups
        groups = least


def _lines(middles: Floats, step: float) -> tuple[Floats, float]:
    """The middle of each line, and the step; lines in between that no box lies on are filled in."""
    ordered = np.sort(middles)
    # Drawn to whole pixels, lines may drift from an even spacing by more than the rounding.
    begins = np.concatenate([[0], np.flatnonzero(np.diff(ordered) > step / 2) + 1])
    seen = medians(ordered, begins)
    number = np.concatenate([[0], np.cumsum(np.maximum(1, np.round(np.diff(seen) / step)))])
    if number.size > 1:
        away = number - number.mean()
        step = float(away @ seen / (away @ away))
    every = np.arange(number[-1] + 1)
    if abs(step - round(step)) < _WHOLE:
        whole = float(round(step))
        even = every * whole + np.median(seen - number * whole)
        if np.abs(seen - even[number.astype(np.intp)]).max() <= _ROUNDING:
            return even, whole
    return np.interp(every, number, seen), step


def medians(ordered: Floats, begins: Ints) -> Floats:
    """The median of each run of values, each run in rising order; they begin at `begins`."""
    ends = np.append(begins[1:], ordered.size)
    return np.asarray((ordered[(begins + ends - 1) // 2] + ordered[(begins + ends) // 2]) / 2)
