"""Fits a grid of evenly spaced cells to the maps of the detecting network.

For every fourth pixel the maps give the probability of a lattice and the pixel's position in its
cell: a complex number that turns once from one cell to the next. Their sum over the rows is a wave
along the columns; its frequency gives the pitch, its angle the origin.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Box = tuple[int, int, int, int]
"""Left, top, right and bottom, in pixels of the maps."""

STRIDE = 4
"""Pixels of the picture for one of the maps. Specified: the network was trained with it."""
FEWEST = 4
"""Columns and rows of the smallest board: the network was trained on no smaller ones."""
MASK = 0.5
"""Probability from which a pixel belongs to a lattice. Specified: more likely than not."""
_PARTS = 4
"""Largest number of lattices searched for in one picture. Specified: a limit of time."""
_PART_AREA = 0.1
"""Area of the smallest part that is searched, as a fraction of the largest. Specified: smaller ones
are not the board that a user means."""
_SPAN = 0.5
"""Fraction of the usual mask from which a column is in the lattice. Specified: more in than out."""
_LONGEST_PERIOD = 100.0
"""Pixels of the largest cell; the network is trained on cells up to 64."""
_SHORTEST_PERIOD = 6.5
"""Pixels of the smallest cell; the network is trained on cells from 7."""
_PART_CELL = (0.2, 1.0)
"""Fraction of a cell that makes a board look cut off. Specified: less is a margin."""
_TURN = 2 * np.pi
"""Radians."""


@dataclass(frozen=True, slots=True)
class GridCandidate:
    """A lattice that may be a board, in pixels of a picture (0 is the edge of its first pixel)."""

    x: Floats
    """The middle of each column."""
    y: Floats
    """The middle of each row."""
    pitch: tuple[float, float]
    """The distance of columns and of rows."""
    confidence: float
    """From 0 to 1: how well the positions within the cells agree with this lattice."""
    cut_off: str = ""
    """The edge of the picture that the lattice reached with a part of a cell when it was found, or
    empty. It is whole all the same if cells were added there, or taken away for good reason."""

    @property
    def area(self) -> float:
        """In square pixels."""
        return self.x.size * self.y.size * self.pitch[0] * self.pitch[1]

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of all cells."""
        wide, high = self.pitch[0] / 2, self.pitch[1] / 2
        return self.x[0] - wide, self.y[0] - high, self.x[-1] + wide, self.y[-1] + high

    def room(self, size: tuple[int, int]) -> dict[str, float]:
        """How many cells there is room for on each side in a picture of that width and height."""
        left, top, right, bottom = self.bounds
        wide, high = self.pitch
        return {
            "left": left / wide,
            "top": top / high,
            "right": (size[0] - right) / wide,
            "bottom": (size[1] - bottom) / high,
        }

    def reached(self, size: tuple[int, int]) -> tuple[str, ...]:
        """The edges of a picture of that size which the cells reach: more may lie beyond."""
        return tuple(side for side, room in self.room(size).items() if room < _PART_CELL[0])

    def ends_in_part(self, size: tuple[int, int]) -> bool:
        """Whether there is room for a part of a cell on the side `cut_off`."""
        return _PART_CELL[0] < self.room(size)[self.cut_off] < _PART_CELL[1]

    def scaled(self, factor: float, left: float = 0.0, top: float = 0.0) -> Self:
        """Return the lattice in a picture `factor` times as large that starts at (left, top)."""
        pitch = self.pitch[0] * factor, self.pitch[1] * factor
        return replace(self, x=self.x * factor + left, y=self.y * factor + top, pitch=pitch)

    def extended(self, left: int, top: int, right: int, bottom: int) -> Self:
        """The lattice extended by these numbers of cells on each side; negative ones shrink it."""
        x = _extended(self.x, self.pitch[0], left, right)
        return replace(self, x=x, y=_extended(self.y, self.pitch[1], top, bottom))

    def beyond(self, side: int, count: int) -> Self:
        """Return the next `count` lines outside a side: 0 left, 1 top, 2 right, 3 bottom."""
        counts = [0, 0, 0, 0]
        counts[side] = count
        around = self.extended(*counts)
        some = slice(count) if side < 2 else slice(-count, None)
        if side % 2 == 0:
            return replace(around, x=around.x[some])
        return replace(around, y=around.y[some])

    def overlaps(self, other: GridCandidate) -> bool:
        """Whether the middle of one lies within the other."""
        return _holds(self, other) or _holds(other, self)


def _extended(middles: Floats, pitch: float, before: int, after: int) -> Floats:
    kept = middles[max(0, -before) : middles.size + min(0, after)]
    first = kept[0] - pitch * np.arange(before, 0, -1)
    last = kept[-1] + pitch * np.arange(1, after + 1)
    return np.concatenate([first, kept, last])


def _holds(outer: GridCandidate, inner: GridCandidate) -> bool:
    left, top, right, bottom = outer.bounds
    x, y = (inner.x[0] + inner.x[-1]) / 2, (inner.y[0] + inner.y[-1]) / 2
    return bool(left < x < right and top < y < bottom)


def fit(maps: Floats) -> list[GridCandidate]:
    """All lattices in the maps, the largest first, in pixels of the picture.

    `maps` has shape (6, height, width): probabilities of a lattice with cells of 7 to 64 pixels
    and with smaller ones, then cosine and sine of the position across and down.
    """
    found = [_fit_part(maps, box) for box in _parts(maps[0] > MASK)]
    good = [one for one in found if one is not None and min(one.x.size, one.y.size) >= FEWEST]
    return sorted(good, key=lambda one: -one.area)


def _parts(mask: NDArray[np.bool_]) -> list[Box]:
    _, _, facts, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
    largest = sorted(facts[1:].tolist(), key=lambda one: -one[cv2.CC_STAT_AREA])[:_PARTS]
    return [
        (x, y, x + width, y + height)
        for x, y, width, height, area in largest
        if area >= _PART_AREA * largest[0][cv2.CC_STAT_AREA]
    ]


def _fit_part(maps: Floats, box: Box) -> GridCandidate | None:
    """The lattice in a part of the maps; None if the positions have no common period."""
    mask = maps[0]
    across, down = maps[2] + 1j * maps[3], maps[4] + 1j * maps[5]
    left, top, right, bottom = box
    found: tuple[_Wave, _Wave] | None = None
    for _ in range(2):  # The second time on the columns and rows that the first one found.
        within = slice(top, bottom), slice(left, right)
        weight = mask[within]
        wave_x = _wave((across[within] * weight).sum(0), weight.sum(0), STRIDE * left)
        wave_y = _wave((down[within] * weight).sum(1), weight.sum(1), STRIDE * top)
        if wave_x is None or wave_y is None:
            return None
        columns = _span(mask[top:bottom].mean(0), wave_x, (STRIDE * left, STRIDE * right))
        rows = _span(mask[:, left:right].mean(1), wave_y, (STRIDE * top, STRIDE * bottom))
        if columns is None or rows is None:
            return None
        found = wave_x, wave_y
        x, y = wave_x.middles(columns), wave_y.middles(rows)
        left, right = _limits(x, wave_x.pitch, mask.shape[1])
        top, bottom = _limits(y, wave_y.pitch, mask.shape[0])
        if min(right - left, bottom - top) < FEWEST:
            return None
    assert found is not None
    wave_x, wave_y = found
    x = _evened(x, wave_x.pitch, (across[top:bottom] * mask[top:bottom]).sum(0))
    y = _evened(y, wave_y.pitch, (down[:, left:right] * mask[:, left:right]).sum(1))
    pitch = wave_x.pitch, wave_y.pitch
    confidence = min(wave_x.coherence, wave_y.coherence)
    columns, rows = mask[top:bottom].mean(0), mask[:, left:right].mean(1)
    cut_off = _cut_off(columns, x, pitch[0], ("left", "right"))
    return GridCandidate(
        x, y, pitch, confidence, cut_off or _cut_off(rows, y, pitch[1], ("top", "bottom"))
    )


def _cut_off(profile: Floats, middles: Floats, pitch: float, sides: tuple[str, str]) -> str:
    """The side on which the mask goes on to the edge of the maps for a part of a cell."""
    first, last = middles[0] - pitch / 2, middles[-1] + pitch / 2
    begin, end = round(first / STRIDE), round(last / STRIDE)
    size = STRIDE * len(profile)
    for room, strip, side in (
        (first, profile[: max(0, begin)], sides[0]),
        (size - last, profile[end:], sides[1]),
    ):
        is_part = _PART_CELL[0] * pitch < room < _PART_CELL[1] * pitch
        if is_part and strip.size and strip.min() > MASK:
            return side
    return ""


def _limits(middles: Floats, pitch: float, size: int) -> tuple[int, int]:
    """The first and past the last pixel of the maps that these cells cover."""
    first = round((middles[0] - pitch / 2) / STRIDE)
    return max(0, first), min(size, round((middles[-1] + pitch / 2) / STRIDE))


@dataclass(frozen=True, slots=True)
class _Wave:
    """A wave along one axis, in pixels of the picture."""

    pitch: float
    origin: float
    """The middle of a cell."""
    coherence: float

    def middles(self, span: tuple[int, int]) -> Floats:
        """The middles of the cells from the first to the last of these numbers."""
        return self.origin + self.pitch * np.arange(span[0], span[1] + 1)


def _wave(signal: NDArray[np.complexfloating], weight: Floats, start: int) -> _Wave | None:
    """The wave that fits positions best that are `STRIDE` pixels apart, from pixel `start` on.

    `signal` is the sum of positions over the other axis, `weight` its length if all agreed.
    """
    count = len(signal)
    if count < FEWEST - 1 or weight.sum() <= 0:
        return None
    at = start + STRIDE * (np.arange(count) + 0.5)
    size = 1 << int(np.ceil(np.log2(max(64, 16 * count))))
    peak = int(np.abs(np.fft.fft(signal, size)).argmax())
    # Periods below two strides turn more than half a turn from pixel to pixel.
    folds = (float(np.fft.fftfreq(size, STRIDE)[peak]) + fold / STRIDE for fold in (0, 1))
    fitting = [one for one in folds if 1 / _LONGEST_PERIOD < one < 1 / _SHORTEST_PERIOD]
    if not fitting:
        return None
    frequency = fitting[-1]
    for width in (1 / (STRIDE * size), 1 / (10 * STRIDE * size)):
        tries = frequency + width * np.linspace(-1, 1, 21)
        powers = np.abs(np.exp(-1j * _TURN * tries[:, None] * at[None]) @ signal)
        frequency = float(tries[int(powers.argmax())])
    total = (np.exp(-1j * _TURN * frequency * at) * signal).sum()
    origin = -np.angle(total) / _TURN / frequency
    return _Wave(1 / frequency, float(origin), float(np.abs(total) / weight.sum()))


def _span(profile: Floats, wave: _Wave, limits: tuple[int, int]) -> tuple[int, int] | None:
    """The numbers of the first and last cell of the longest run that belongs to the lattice."""
    first = round((limits[0] - wave.origin) / wave.pitch) - 1
    last = round((limits[1] - wave.origin) / wave.pitch) + 1
    at = STRIDE * (np.arange(len(profile)) + 0.5)
    numbers = np.arange(first, last + 1)
    cells = np.round((at - wave.origin) / wave.pitch).astype(int) - first
    near = (cells >= 0) & (cells < numbers.size)
    lengths = np.bincount(cells[near], minlength=numbers.size)
    means = np.bincount(cells[near], profile[near], numbers.size) / np.maximum(lengths, 1)
    if means.max() <= 0:
        return None
    middles = wave.origin + numbers * wave.pitch
    end = STRIDE * len(profile)
    seen = (middles - 0.3 * wave.pitch >= 0) & (middles + 0.3 * wave.pitch <= end)
    good = (means > _SPAN * np.median(means[means > 0.2 * means.max()])) & seen
    edges = np.flatnonzero(np.diff(np.concatenate([[0], good.astype(int), [0]])))
    runs = edges.reshape(-1, 2)
    if not len(runs):
        return None
    begin, stop = runs[int(np.diff(runs, axis=1).argmax())]
    return int(numbers[begin]), int(numbers[stop - 1])


def _evened(middles: Floats, pitch: float, signal: NDArray[np.complexfloating]) -> Floats:
    """Adjust each column's middle to its own positions, for a pitch that varies.

    Averages over three columns, and moves a middle by at most a sixth of the pitch.
    """
    at = STRIDE * (np.arange(len(signal)) + 0.5)
    turned = signal * np.exp(-1j * _TURN * (at - middles[0]) / pitch)
    cells = np.round((at - middles[0]) / pitch).astype(int)
    near = (cells >= 0) & (cells < middles.size)
    cells, turned = cells[near], turned[near]
    real, imaginary = (
        np.bincount(cells, part, middles.size) for part in (turned.real, turned.imag)
    )
    sums = real + 1j * imaginary
    padded = np.concatenate([sums[:1], sums, sums[-1:]])
    off = -np.angle(padded[:-2] + padded[1:-1] + padded[2:]) / _TURN * pitch
    return np.asarray(middles + np.clip(off, -pitch / 6, pitch / 6))
