"""Finds lattices, which may be boards, in pictures of any game.

For every fourth pixel the network's maps give the probability of a lattice and the pixel's position
in its cell: a complex number that turns once from one cell to the next. Their sum over the rows is
a wave along the columns; its frequency gives the pitch, its angle the origin. Where edges recur
after a whole number of pixels, that is the pitch: equal tiles are then cut out with equal pixels.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from minebot.capture import Rect
from minebot.vision.models import network

Bytes = NDArray[np.uint8]
Floats = NDArray[np.floating]
Waves = NDArray[np.complexfloating]

SIDES = ("left", "top", "right", "bottom")
"""The sides of a lattice or a picture, in the order used everywhere."""
STRIDE = 4
"""Pixels of the picture for one of the maps. Specified: the network was trained with it."""
FEWEST = 4
"""Columns and rows of the smallest board: the network was trained on no smaller ones."""
_MASK = 0.5
"""Probability from which a pixel belongs to a lattice. Specified: more likely than not."""
LARGE = 1_000_000
"""Pixels from which only parts are searched in full. Specified: 1366x768 has that many."""
_COARSE = 4
"""Factor by which a picture is reduced for the first search. Specified: cells of 28 pixels show."""
_REFINED = 16.0
"""Pixels of a cell at which a lattice from the reduced picture is searched again. Specified: in the
middle of the sizes that the network was trained on, and no larger than needed."""
_FULL = 0.9
"""Scale at which pictures with small cells are searched: the smallest, of 8 pixels, remain larger
than the 7 that the network was trained on. Measured: docs/measurements.md, "Exact lattices"."""
_LARGEST = 3840 * 2160
"""Pixels that the network takes at a time; a larger part is reduced.
Specified: a 4K screen is looked at in full. The network takes 80 bytes a pixel, 0.5 GB."""
_NEAR = 0.4
"""Probability of a lattice in the reduced picture from which that part is searched in full.
Specified: below 0.5, the line for a board."""
_MARGIN = 6
"""Pixels of the reduced picture's maps around such a part. Specified: one cell and more."""
_COHERENCE = 0.5
"""Confidence of a fit from which it is a candidate. Measured on fixtures/versions, others/dev and
100 drawn pictures: from 0.25 to 0.65 the same 414 boards are found, at 0.8 two fewer."""
_PADDING = 16
"""Number that the sides of a picture must be a multiple of. Specified by the network."""
_AROUND = (4, 8, 16, 32)
"""Cells around a lattice in which more of it is searched, until its end is seen. Specified: a wider
part takes longer, but is seldom needed."""
_BEYOND = 3
"""Cells beyond a lattice that must be seen to know that it ends. Specified: fewer than the least of
`_AROUND`, so that a lattice which is found where it was searched needs no second search."""
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
_GAP, _MORE = 1.0, 0.75
"""Cells beyond the end of a lattice from which more of one counts, and how many of it must be seen.
Specified: nearer, the network sees the end of the lattice itself; more than half a cell is one."""
_FAINT, _REGULAR = 0.05, 0.7
"""Mean probability of a lattice there, all along the side, and how well the positions within the
cells must agree with its pitch. Measured: docs/measurements.md, "Torn pictures, once more"."""
_LINES = 64
"""Lines of pixels compared across each axis. Measured: with 200 all 624 axes are the same."""
_DRIFT, _DRIFT_PIXELS = 0.05, 0.5
"""Fraction of a cell, and pixels besides, by which an outermost cell may be off before. Measured:
the network is off by less on all of 624 axes."""
_APART = (1 / 2, 2 / 3)
"""Fractions of the columns after which edges have to recur. Specified: far enough to show a pitch
that is off by a fraction of a pixel, and with a third of the columns left to compare."""
_ALIKE = 0.6
"""Correlation of edges that recur. Measured: docs/measurements.md, "Exact lattices"."""
_STRONGEST = 40.0
"""Levels of 255 from which edges count the same. Specified: messages have stronger ones."""


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
    goes_on: tuple[str, ...] = ()
    """The sides beyond which, across a gap, more of a lattice was seen when it was found."""

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
        away = (left, top, size[0] - right, size[1] - bottom)
        cells = (pixels / pitch for pixels, pitch in zip(away, self.pitch * 2, strict=True))
        return dict(zip(SIDES, cells, strict=True))

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

    def moved(self, across: float, down: float) -> Self:
        """The lattice moved by these fractions of a cell."""
        return replace(self, x=self.x + across * self.pitch[0], y=self.y + down * self.pitch[1])

    def extended(self, left: int, top: int, right: int, bottom: int) -> Self:
        """The lattice extended by these numbers of cells on each side; negative ones shrink it."""
        x = _extended(self.x, self.pitch[0], left, right)
        return replace(self, x=x, y=_extended(self.y, self.pitch[1], top, bottom))

    def beyond(self, side: int, count: int) -> Self:
        """Return the next `count` lines outside one of the `SIDES`."""
        around = self.extended(*(count if each == side else 0 for each in range(4)))
        some = slice(count) if side < 2 else slice(-count, None)
        if side % 2 == 0:
            return replace(around, x=around.x[some])
        return replace(around, y=around.y[some])

    def around(self, cells: int) -> Rect:
        """The rectangle of the lattice and this number of cells around it."""
        return Rect.between(*map(round, self.extended(*[cells] * 4).bounds))

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


def detect(pixels: Bytes) -> Iterator[list[GridCandidate]]:
    """Lattices in the picture that might be boards, the largest first.

    `pixels` has shape (height, width, 3), blue-green-red. First come those that the reduced picture
    shows, then those that the picture in full shows, unless it is large.
    """
    yield [in_whole_pixels(pixels, one) for one in _in_reduced(pixels)]
    picture = _bounds(pixels)
    if picture.width * picture.height <= LARGE:
        yield [in_whole_pixels(pixels, one) for one in _within(pixels, picture)]


def _in_reduced(pixels: Bytes) -> list[GridCandidate]:
    coarse = _maps(_shrunk(pixels))
    scale = _COARSE * STRIDE
    found = [_refined(pixels, one.scaled(_COARSE)) for one in fit(coarse)]
    for one in found:
        near = Rect.between(*(round(side / scale) for side in one.bounds)).grown(1, 1)
        coarse[:2, *near.area] = 0
    rest = np.argwhere(np.maximum(coarse[0], coarse[1]) > _NEAR)
    if len(rest):
        top, left = (rest.min(0) - _MARGIN) * scale
        bottom, right = (rest.max(0) + 1 + _MARGIN) * scale
        part = Rect.between(*map(int, (left, top, right, bottom))).clipped(_bounds(pixels))
        found += [_whole(pixels, one, part) for one in _within(pixels, part)]
    kept: list[GridCandidate] = []
    for one in found:
        if not any(one.overlaps(other) for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: -one.area)


def _refined(pixels: Bytes, rough: GridCandidate) -> GridCandidate:
    """The lattice as it is seen at the size that suits the network best."""
    for cells in _AROUND:
        part = rough.around(cells)
        rough = _again(pixels, rough, part, min(_FULL, _REFINED / min(rough.pitch)))
        if _ends_within(rough, part, pixels):
            break
    return rough


def _whole(pixels: Bytes, found: GridCandidate, part: Rect) -> GridCandidate:
    """Search the lattice again in a larger part if it comes near the edge of this one."""
    picture = _bounds(pixels)
    if _ends_within(found, part, pixels):
        return found
    if picture.width * picture.height > LARGE:
        return _refined(pixels, found)
    return _again(pixels, found, picture)


def _again(
    pixels: Bytes, lattice: GridCandidate, part: Rect, scale: float = _FULL
) -> GridCandidate:
    """The lattice as it is seen in that part, as it is if it is not seen there."""
    found = _within(pixels, part, scale)
    return next((one for one in found if one.overlaps(lattice)), lattice)


def _ends_within(lattice: GridCandidate, part: Rect, pixels: Bytes) -> bool:
    """Whether that part of the picture shows where the lattice ends."""
    return lattice.around(_BEYOND).clipped(_bounds(pixels)).within(part)


def _bounds(pixels: Bytes) -> Rect:
    """All of the picture."""
    return Rect(0, 0, pixels.shape[1], pixels.shape[0])


def _within(pixels: Bytes, part: Rect, scale: float = _FULL) -> list[GridCandidate]:
    """Find the lattices in a part of the picture, scaled by `scale`."""
    picture = _bounds(pixels)
    part = part.clipped(picture)
    some = pixels[part.area]
    scale = min(scale, _FULL * math.sqrt(_LARGEST / (some.shape[0] * some.shape[1])))
    if scale < 1:
        size = round(some.shape[1] * scale), round(some.shape[0] * scale)
        some = np.asarray(cv2.resize(some, size, interpolation=cv2.INTER_AREA), np.uint8)
    found = [one.scaled(1 / scale, part.left, part.top) for one in fit(_maps(some))]
    # A lattice that continues beyond the part is not cut off.
    ends = [side for side in SIDES if getattr(part, side) == getattr(picture, side)]
    return [one if one.cut_off in ends else replace(one, cut_off="") for one in found]


def _shrunk(pixels: Bytes) -> Bytes:
    height, width = (max(1, size // _COARSE) for size in pixels.shape[:2])
    whole = pixels[: height * _COARSE, : width * _COARSE]
    return np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _maps(pixels: Bytes) -> Floats:
    """The network's maps of a picture, the first two as probabilities."""
    height, width = pixels.shape[:2]
    padding = 0, -height % _PADDING, 0, -width % _PADDING
    padded = cv2.copyMakeBorder(pixels, *padding, cv2.BORDER_REPLICATE)
    maps: Floats = network("lattice")(np.asarray(cv2.dnn.blobFromImage(padded, 1 / 255)))[0]
    maps = maps[:, : -(-height // STRIDE), : -(-width // STRIDE)]
    maps[:2] = 1 / (1 + np.exp(-maps[:2]))
    return maps


def fit(maps: Floats) -> list[GridCandidate]:
    """All lattices in the maps, the largest first, in pixels of the picture.

    `maps` has shape (6, height, width): probabilities of a lattice with cells of 7 to 64 pixels
    and with smaller ones, then cosine and sine of the position across and down.
    """
    found = [_fit_part(maps, part) for part in _parts(maps[0] > _MASK)]
    good = (one for one in found if one is not None and min(one.x.size, one.y.size) >= FEWEST)
    certain = (one for one in good if one.confidence >= _COHERENCE)
    return sorted(certain, key=lambda one: -one.area)


def _parts(mask: NDArray[np.bool_]) -> list[Rect]:
    """Where the largest lattices lie in a mask."""
    _, _, facts, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
    largest = sorted(facts[1:].tolist(), key=lambda one: -one[cv2.CC_STAT_AREA])[:_PARTS]
    least = max((one[cv2.CC_STAT_AREA] for one in largest), default=0) * _PART_AREA
    return [Rect(*one[:4]) for one in largest if one[cv2.CC_STAT_AREA] >= least]


def _fit_part(maps: Floats, part: Rect) -> GridCandidate | None:
    """The lattice in a part of the maps; None if the positions have no common period."""
    mask = maps[0]
    across, down = maps[2] + 1j * maps[3], (maps[4] + 1j * maps[5]).T
    columns, rows = (part.left, part.right), (part.top, part.bottom)
    for _ in range(2):  # The second time on the columns and rows that the first one found.
        wide, high = slice(*rows), slice(*columns)
        x = _fit_axis(mask[wide], across[wide], columns)
        y = _fit_axis(mask[:, high].T, down[high], rows)
        if x is None or y is None:
            return None
        columns, rows = x.limits(mask.shape[1]), y.limits(mask.shape[0])
        if min(columns[1] - columns[0], rows[1] - rows[0]) < FEWEST:
            return None
    wide, high = slice(*rows), slice(*columns)
    assert x is not None, "it was fitted twice"
    assert y is not None, "it was fitted twice"
    x = _evened(x, (across[wide] * mask[wide]).sum(0))
    y = _evened(y, (down[high] * mask[:, high].T).sum(0))
    cut_off = _cut_off(mask[wide].mean(0), x, SIDES[::2])
    cut_off = cut_off or _cut_off(mask[:, high].mean(1), y, SIDES[1::2])
    goes_on = _goes_on(mask[wide], (across[wide], down.T[wide]), (x, y), SIDES[::2])
    goes_on += _goes_on(mask[:, high].T, (down[high], across.T[high]), (y, x), SIDES[1::2])
    confidence, pitch = min(x.coherence, y.coherence), (x.pitch, y.pitch)
    return GridCandidate(x.middles, y.middles, pitch, confidence, cut_off, goes_on)


@dataclass(frozen=True, slots=True)
class _Axis:
    """The cells along one axis, in pixels of the picture."""

    middles: Floats
    pitch: float
    coherence: float
    """From 0 to 1: how well the positions within the cells agree with the pitch."""

    def limits(self, size: int) -> tuple[int, int]:
        """The first and past the last pixel of the maps, `size` wide, that the cells cover."""
        first = round((self.middles[0] - self.pitch / 2) / STRIDE)
        return max(0, first), min(size, round((self.middles[-1] + self.pitch / 2) / STRIDE))


def _fit_axis(mask: Floats, positions: Waves, limits: tuple[int, int]) -> _Axis | None:
    """The longest run of columns; None if the positions between the limits have no period.

    The wave is the one that fits positions best that are `STRIDE` pixels apart.
    """
    within = slice(*limits)
    signal, weight = (positions[:, within] * mask[:, within]).sum(0), mask[:, within].sum()
    count = len(signal)
    if count < FEWEST - 1 or weight <= 0:
        return None
    at = STRIDE * (np.arange(*limits) + 0.5)
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
        powers = np.abs(np.exp(-1j * math.tau * tries[:, None] * at[None]) @ signal)
        frequency = float(tries[int(powers.argmax())])
    total = (np.exp(-1j * math.tau * frequency * at) * signal).sum()
    origin, pitch = float(-np.angle(total) / math.tau / frequency), 1 / frequency
    first, last = (round((STRIDE * limit - origin) / pitch) for limit in limits)
    middles = _run(mask.mean(0), origin + pitch * np.arange(first - 1, last + 2), pitch)
    return _Axis(middles, pitch, float(np.abs(total) / weight)) if middles.size else None


def _run(profile: Floats, middles: Floats, pitch: float) -> Floats:
    """Those of the middles that are the longest run of cells in the lattice."""
    cells, near = _cells(len(profile), middles, pitch)
    lengths = np.bincount(cells, minlength=middles.size)
    means = np.bincount(cells, profile[near], middles.size) / np.maximum(lengths, 1)
    if means.max() <= 0:
        return middles[:0]
    end = STRIDE * len(profile)
    seen = (middles - 0.3 * pitch >= 0) & (middles + 0.3 * pitch <= end)
    good = (means > _SPAN * np.median(means[means > 0.2 * means.max()])) & seen
    runs = np.flatnonzero(np.diff(good.astype(int), prepend=0, append=0)).reshape(-1, 2)
    begin, stop = max(runs.tolist(), key=lambda run: run[1] - run[0], default=(0, 0))
    return middles[begin:stop]


def _cells(count: int, middles: Floats, pitch: float) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """The number of the cell of each pixel of the maps that lies in one, and which pixels do."""
    at = STRIDE * (np.arange(count) + 0.5)
    cells = np.round((at - middles[0]) / pitch).astype(np.intp)
    near = (cells >= 0) & (cells < middles.size)
    return cells[near], near


def _evened(axis: _Axis, signal: Waves) -> _Axis:
    """Adjust each column's middle to its own positions, for a pitch that varies.

    Averages over three columns, and moves a middle by at most a sixth of the pitch.
    """
    middles, pitch = axis.middles, axis.pitch
    cells, near = _cells(len(signal), middles, pitch)
    at = STRIDE * (np.arange(len(signal)) + 0.5)
    turned = (signal * np.exp(-1j * math.tau * (at - middles[0]) / pitch))[near]
    real, imaginary = (
        np.bincount(cells, part, middles.size) for part in (turned.real, turned.imag)
    )
    padded = np.pad(real + 1j * imaginary, 1, mode="edge")
    off = -np.angle(padded[:-2] + padded[1:-1] + padded[2:]) / math.tau * pitch
    return replace(axis, middles=middles + np.clip(off, -pitch / 6, pitch / 6))


def _cut_off(profile: Floats, axis: _Axis, sides: Sequence[str]) -> str:
    """The side on which the mask goes on to the edge of the maps for a part of a cell."""
    begin, end = axis.limits(len(profile))
    first, last = axis.middles[0] - axis.pitch / 2, axis.middles[-1] + axis.pitch / 2
    rooms = (first, STRIDE * len(profile) - last)
    for side, room, strip in zip(sides, rooms, (profile[:begin], profile[end:]), strict=True):
        is_part = _PART_CELL[0] * axis.pitch < room < _PART_CELL[1] * axis.pitch
        if is_part and strip.size and strip.min() > _MASK:
            return side
    return ""


def _goes_on(
    mask: Floats, positions: tuple[Waves, Waves], axes: tuple[_Axis, _Axis], sides: Sequence[str]
) -> tuple[str, ...]:
    """The sides beyond which the maps show more of a lattice, as in a torn picture.

    `mask` and `positions` are those between the two other sides of the lattice: first come the
    axis and the positions from side to side, then the others.
    """
    axis = axes[0]
    along, across = (
        np.exp(-1j * math.tau * STRIDE * np.arange(count) / one.pitch)
        for count, one in zip(mask.shape[::-1], axes, strict=True)
    )
    waves = mask.sum(0), (positions[0] * mask).sum(0) * along, across @ (positions[1] * mask)
    far = (0.5 + _GAP) * axis.pitch
    count = min(mask.shape[1], max(1, round(_MORE * axis.pitch / STRIDE)))
    weight, *sums = (np.abs(np.convolve(one, np.ones(count), "valid")) for one in waves)
    is_more = (weight > _FAINT * count * len(mask)) & (np.min(sums, axis=0) > _REGULAR * weight)
    first, last = (round(at / STRIDE) for at in (axis.middles[0] - far, axis.middles[-1] + far))
    beyond = is_more[: max(0, first - count + 1)], is_more[last:]
    return tuple(side for side, some in zip(sides, beyond, strict=True) if some.any())


def in_whole_pixels(pixels: Bytes, lattice: GridCandidate) -> GridCandidate:
    """The lattice with a whole number of pixels as its pitch, on each axis where edges recur so.

    The middle of the lattice stays.
    """
    part = pixels[lattice.around(0).area]
    x, wide = _evenly(part, lattice.x, lattice.pitch[0])
    y, high = _evenly(part.transpose(1, 0, 2), lattice.y, lattice.pitch[1])
    return replace(lattice, x=x, y=y, pitch=(wide, high))


def _evenly(part: Bytes, middles: Floats, pitch: float) -> tuple[Floats, float]:
    """The middles and the pitch, whole if the edges of this part of the picture recur so."""
    some = np.ascontiguousarray(part[:: max(1, part.shape[0] // _LINES)])
    steps = cv2.absdiff(some[:, 1:], some[:, :-1]).max(axis=2)
    edges = np.minimum(steps, _STRONGEST).mean(axis=0)
    whole, count = round(pitch), middles.size
    drift = 2 * (_DRIFT * pitch + _DRIFT_PIXELS)
    if abs(whole - pitch) * (count - 1) > drift:
        return middles, pitch
    shifts = np.arange(-int(drift), int(drift) + 1)
    for fraction in _APART:
        lags = whole * round(fraction * count) + shifts
        if lags.max() >= edges.size:
            return middles, pitch
        alike = [_correlation(edges[:-lag], edges[lag:]) for lag in lags.tolist()]
        if shifts[int(np.argmax(alike))] != 0 or max(alike) < _ALIKE:
            return middles, pitch
    return middles.mean() + whole * (np.arange(count) - (count - 1) / 2), float(whole)


def _correlation(one: Floats, other: Floats) -> float:
    one, other = one - one.mean(), other - other.mean()
    size = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / size if size else 0.0
