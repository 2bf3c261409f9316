"""Finds a grid of tiles that touch by the lines around the board, whatever their colour.

A frame drawn around a board leaves straight edges at the same distance on all four
sides. Every rectangle of such edges near the board has the board's middle, so it does
not matter which line of the frame an edge belongs to: it is larger than whole tiles by
the same amount on each side. The step from tile to tile is the one at which the picture
inside resembles itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.capture import Frame, Rect
from bot.errors import GridNotFound
from bot.profile.values import TouchingLook
from bot.vision.border import Border, View, border, goes_on
from bot.vision.grid import Grid

__all__ = ["enclose"]

Pixels = NDArray[np.uint8]

_EDGE_LEVELS = 24
"""By how much the three channels together must change across an edge."""
_DRAWN = 0.7
"""The least share of an edge that must be there; posts and wires may interrupt it."""
_GAPS = (5, 11, 23)
"""How long such interruptions may be, in pixels, tried in this order."""
_FRAME_TILES = 0.3
"""How far from the tiles an edge of the frame may lie, in tiles."""
_PERIODIC = 0.2
"""The least likeness of a board to itself one tile on, 1 being the same to the pixel."""
_SMALLEST = 0.9
"""A step whose likeness is this share of the best one's is the step if it is the smallest."""
_PEAK = 0.5
"""Another step may be tried if its likeness is this share of the best one's."""
_PEAKS = 6
"""So many of them."""
_STRONG = 150
"""Stronger edges count as much as this, in levels."""
_FRAME_LEVELS = 16.0
"""So many levels the frame's lines may differ from each other: see-through ones do by 10."""
_AS_GOOD = 0.5
"""Levels by which one border must beat another."""
_LEAST = 4
"""The least tiles across and down."""
_MOST = 2000
"""So many edges, upright or level, are noise: windows with boards have some 600."""
_COMPARED = 64_000
"""So many tiles are compared with others; finding a board in its window takes 32,000."""
_TRIED = 8
"""So many of the largest rectangles are looked into."""
_FAINT = 8
"""A step of so many levels, of three channels together, is more than a gradient's."""
_EVENTS = 0.02
"""The least share of a tile's pixels that lie on an edge, for every tile of a board."""


@dataclass(frozen=True, slots=True)
class _Edge:
    """A straight edge between the pixels `at` - 1 and `at`, from `start` to before `end`."""

    at: int
    start: int
    end: int
    rises: bool
    """Whether the later pixel is the lighter one."""


@dataclass(frozen=True, slots=True)
class _Picture:
    """The picture's steps of lightness from each pixel to the next, and borders in it."""

    across: NDArray[np.int16]
    down: NDArray[np.int16]
    border: Callable[[bool, tuple[int, int], tuple[int, int], int], Border | None]
    """The border at the left and right, or if so told at the top and bottom, for a corner,
    a shape and a step; each is looked at once."""


def enclose(frame: Frame, look: TouchingLook) -> Grid:
    """The grid of the largest board in the frame; raises GridNotFound."""
    pixels = frame.pixels[..., :3]
    levels = pixels[..., 0].astype(np.int16) + pixels[..., 1] + pixels[..., 2]
    upright_view, turned_view = View.of(pixels), View.of(pixels.swapaxes(0, 1))

    compared = 0

    @cache
    def border_at(
        down: bool, corner: tuple[int, int], shape: tuple[int, int], step: int
    ) -> Border | None:
        nonlocal compared
        compared += shape[0] * shape[1]
        if compared > _COMPARED:
            raise GridNotFound("too much in the picture may be a board")
        if down:
            return border(turned_view, corner[::-1], shape[::-1], step, look.gap)
        return border(upright_view, corner, shape, step, look.gap)

    picture = _Picture(np.diff(levels, axis=1), np.diff(levels, axis=0), border_at)
    least = _LEAST * look.smallest_tile

    @cache
    def likely(box: Rect) -> list[int]:
        return _likely_steps(picture, box, look.smallest_tile)

    upright: set[_Edge] = set()
    level: set[_Edge] = set()
    for gap in _GAPS:
        # Bridged too far an edge runs on into what lies beside the board.
        upright.update(_edges(picture.across, gap, 2 * look.smallest_tile))
        level.update(_edges(picture.down.T, gap, 2 * look.smallest_tile))
        if max(len(upright), len(level)) > _MOST:
            raise GridNotFound("the picture is too busy to find a board's frame in it")
        boxes = sorted(
            {box for box in _boxes(upright, level, gap) if min(box.width, box.height) >= least},
            key=lambda box: -box.width * box.height,
        )
        grid = _agreed(boxes, picture, likely, look)
        if grid is not None:
            corner, shape = (grid.bounds.left, grid.bounds.top), (grid.width, grid.height)
            step = grid.tile + look.gap
            if goes_on(upright_view, corner, shape, step, look.gap) or goes_on(
                turned_view, corner[::-1], shape[::-1], step, look.gap
            ):
                raise GridNotFound("tiles out of line lie beside the board: the picture is torn")
            return grid
    raise GridNotFound("nothing in the picture is framed like a board of touching tiles")


def _edges(steps: NDArray[np.int16], gap: int, least: int) -> list[_Edge]:
    """The upright edges at least `least` pixels long, from the steps between columns."""
    found: list[_Edge] = []
    bridge, long = np.ones((gap, 1), np.uint8), np.ones((least, 1), np.uint8)
    for rises, mask in ((True, steps > _EDGE_LEVELS), (False, steps < -_EDGE_LEVELS)):
        padded = np.pad(mask.view(np.uint8), ((gap, gap), (0, 0)))
        closed = cv2.morphologyEx(padded, cv2.MORPH_CLOSE, bridge)
        runs = np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, long))
        busy = np.flatnonzero(np.asarray(cv2.reduce(runs, 0, cv2.REDUCE_MAX)))
        turns = np.diff(runs[:, busy].T.astype(np.int8), axis=1)
        numbers, starts = np.nonzero(turns == 1)
        _, ends = np.nonzero(turns == -1)
        drawn = np.cumsum(padded[:, busy], axis=0, dtype=np.int32)
        there = drawn[ends, numbers] - drawn[starts, numbers]
        keep = there >= _DRAWN * (ends - starts)
        found += [
            _Edge(int(column) + 1, int(start) + 1 - gap, int(end) + 1 - gap, rises)
            for column, start, end in zip(
                busy[numbers[keep]], starts[keep], ends[keep], strict=True
            )
        ]
    return found


def _boxes(upright: Collection[_Edge], level: Collection[_Edge], slack: int) -> Iterator[Rect]:
    """The rectangles of four edges that end where they meet, within `slack` pixels.

    Left and top grow lighter inwards both or neither, and so do right and bottom: a
    frame is the same on all sides, or as if lit from the upper left.
    """

    def near(one: int, other: int) -> bool:
        return abs(one - other) <= slack

    uprights, levels = _by_start(upright), _by_start(level)
    for top in level:
        corner = _starting(uprights, top.at, slack)
        lefts = [edge for edge in corner if edge.rises == top.rises and near(edge.at, top.start)]
        rights = [edge for edge in corner if near(edge.at, top.end)] if lefts else []
        for bottom in _starting(levels, top.start, slack) if rights else ():
            if bottom.at <= top.at:
                continue
            for left in lefts:
                if not (near(left.end, bottom.at) and near(left.at, bottom.start)):
                    continue
                for right in rights:
                    if (
                        right.rises == bottom.rises
                        and near(right.end, bottom.at)
                        and near(right.at, bottom.end)
                    ):
                        yield Rect(left.at, top.at, right.at - left.at, bottom.at - top.at)


def _by_start(edges: Collection[_Edge]) -> dict[int, list[_Edge]]:
    starts: dict[int, list[_Edge]] = {}
    for edge in edges:
        starts.setdefault(edge.start, []).append(edge)
    return starts


def _starting(edges: dict[int, list[_Edge]], place: int, slack: int) -> list[_Edge]:
    """The edges that start within `slack` pixels of the place."""
    near = range(place - slack, place + slack + 1)
    return [edge for start in near for edge in edges.get(start, ())]


def _agreed(
    boxes: Sequence[Rect],
    picture: _Picture,
    likely: Callable[[Rect], list[int]],
    look: TouchingLook,
) -> Grid | None:
    """The largest grid in the rectangles whose border is where its outermost tiles end.

    Where two or three tiles at a time fit as well, it is of the single ones.
    """
    tried = boxes[:_TRIED]
    for step in _steps(tried, likely):
        grid = _stepped(boxes, picture, step, look)
        if grid is not None:
            parts = {part for box in tried for part in likely(box) if step % part == 0}
            finer = (_stepped(boxes, picture, part, look) for part in sorted(parts - {step}))
            return next(filter(None, finer), grid)
    return None


def _stepped(
    boxes: Sequence[Rect], picture: _Picture, step: int, look: TouchingLook
) -> Grid | None:
    """The largest grid of that step from tile to tile."""
    shapes: dict[tuple[int, int], Counter[tuple[int, int]]] = {}
    for box in boxes:
        for shape, corner, votes in _fillings(box, step, look.gap):
            shapes.setdefault(shape, Counter())[corner] += votes
    for shape in sorted(shapes, key=lambda shape: -shape[0] * shape[1]):
        grid = _settled(shapes[shape], shape, picture, step, look.gap)
        if grid is not None and _is_filled(picture, grid.bounds, step):
            return grid
    return None


def _fillings(
    box: Rect, step: int, gap: int
) -> Iterator[tuple[tuple[int, int], tuple[int, int], int]]:
    """The shape and corner of boards that fill the box, a frame of even width aside.

    An edge may be a pixel off by rounding; a vote goes to where it is not.
    """
    wide, over = divmod(box.width + gap, step)
    high, under = divmod(box.height + gap, step)
    if max(over, under) <= 2 * _FRAME_TILES * step and min(wide, high) >= _LEAST:
        for left in _halves(over):
            for top in _halves(under):
                even = 2 * left == over and 2 * top == under
                yield (wide, high), (box.left + left, box.top + top), int(even)


def _halves(pixels: int) -> range:
    """The half of it, give or take a pixel."""
    return range(max(0, pixels // 2 - 1), min(pixels, (pixels + 1) // 2 + 1) + 1)


def _settled(
    corners: Counter[tuple[int, int]],
    shape: tuple[int, int],
    picture: _Picture,
    step: int,
    gap: int,
) -> Grid | None:
    """The grid of that shape whose outermost tiles look most like the inner ones."""
    columns = Counter[int]()
    rows = Counter[int]()
    for (x, y), votes in corners.items():
        columns[x] += votes
        rows[y] += votes

    def across(top: int) -> tuple[int, Border] | None:
        return _best(columns, lambda x: picture.border(False, (x, top), shape, step))

    # Seen from a row that is off by a few pixels no column fits.
    fitting = next(filter(None, (across(top) for top, _ in rows.most_common())), None)
    if fitting is None:
        return None
    left, upright = fitting
    down = _best(rows, lambda y: picture.border(True, (left, y), shape, step))
    if down is None or not upright.is_like(down[1], _FRAME_LEVELS):
        return None
    if not upright.is_as_thick(down[1], step - gap):
        return None
    return _grid((left, down[0]), shape, step, gap)


def _best(
    votes: Counter[int], look_at: Callable[[int], Border | None]
) -> tuple[int, Border] | None:
    """The place with the most votes of those whose border fits as well as any, and that."""
    borders = {place: seen for place in votes if (seen := look_at(place)) is not None}
    if not borders:
        return None
    least = min(seen.within for seen in borders.values())
    near = [place for place in borders if borders[place].within <= least + _AS_GOOD]
    best = max(near, key=lambda place: (votes[place], -borders[place].within))
    return best, borders[best]


def _steps(boxes: Sequence[Rect], likely: Callable[[Rect], list[int]]) -> Iterator[int]:
    """What may be the distance from tile to tile, the likeliest first."""
    found: list[int] = []
    others: list[int] = []
    for box in boxes:
        steps = likely(box)
        others += steps[1:]
        for step in steps[:1]:
            if step not in found:
                found.append(step)
                yield step
    # Where few neighbours are alike, every second or third tile may resemble a tile more.
    for step in dict.fromkeys(others):
        if step not in found and any(multiple % step == 0 for multiple in found):
            yield step


def _likely_steps(picture: _Picture, box: Rect, smallest: int) -> list[int]:
    """The distances at which what is inside the box resembles itself, the likeliest first."""
    rows = picture.across[box.top : box.bottom, box.left : box.right - 1]
    columns = picture.down[box.top : box.bottom - 1, box.left : box.right].T
    most = min(rows.shape[1], columns.shape[1]) // 2
    both = np.minimum(_resemblance(rows, most), _resemblance(columns, most))
    both[:smallest] = 0
    best = both.max()
    if best < _PERIODIC:
        return []
    peaks = [
        step
        for step in range(smallest, most - 1)
        if both[step] >= max(_PEAK * best, both[step - 1], both[step + 1])
    ]
    first = int(np.flatnonzero(both >= _SMALLEST * best)[0])
    return [first, *sorted(peaks, key=lambda step: -both[step])[:_PEAKS]]


def _resemblance(steps: NDArray[np.int16], most: int) -> NDArray[np.float64]:
    """How like themselves rows of steps are, moved along by 0 to `most` - 1: at most 1."""
    rows, size = steps.shape
    padded = np.zeros((rows, cv2.getOptimalDFTSize(size + most)), np.float32)
    strength = padded[:, :size]
    np.minimum(np.abs(steps), _STRONG, out=strength, casting="unsafe")
    strength -= strength.mean()
    # Each row holds the real part of frequency 0, then pairs of real and imaginary parts.
    parts = np.asarray(cv2.dft(padded, flags=cv2.DFT_ROWS))
    squares = np.einsum("ij,ij->j", parts, parts).astype(np.float64)
    power = np.append(squares[:1], np.add.reduceat(squares[1:], range(0, squares.size - 1, 2)))
    alike = np.fft.irfft(power, squares.size)[:most]
    alike /= max(alike[0], 1e-9)
    return np.asarray(alike * size / (size - np.arange(most)))


def _is_filled(picture: _Picture, inner: Rect, step: int) -> bool:
    """Whether there are edges in every tile: a plain ground is no board."""
    if min(inner.width, inner.height) < 2 * step:
        return False
    area = (slice(inner.top, inner.bottom - 1), slice(inner.left, inner.right - 1))
    edges = (np.abs(picture.across[area]) > _FAINT) | (np.abs(picture.down[area]) > _FAINT)
    share = cv2.resize(
        edges.astype(np.float32),
        (round(inner.width / step), round(inner.height / step)),
        interpolation=cv2.INTER_AREA,
    )
    return float(np.asarray(share).min()) >= _EVENTS


def _grid(corner: tuple[int, int], shape: tuple[int, int], step: int, gap: int) -> Grid:
    """The grid of that shape."""
    (left, top), (width, height) = corner, (number * step - gap for number in shape)
    return Grid(
        tuple(range(left, left + width, step)),
        tuple(range(top, top + height, step)),
        step - gap,
        Rect(left, top, width, height),
    )
