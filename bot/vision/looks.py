"""How the cells of a lattice look: which are alike, and which have something drawn on them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.vision.cells import Cells, sides
from bot.vision.pieces import Mask, Pixels

Ints = NDArray[np.intp]
Floats = NDArray[np.float64]

_BINS = 9
"""A cell's drawing is told by the edges in so many bins across, and as many down."""
_SHOWN = 0.36
"""How far from a cell's middle they reach, in steps: bevels and gaps lie outside. Guessed."""
_CORNER = 0.1
"""Half of what counts as a cell's corner, in steps: a bevel, and the tile inside it. Guessed."""
_STAY = 1.15
"""By this factor colours change more elsewhere before cells are taken to end there. Guessed."""
_FACE = 0.2
"""How far from its ends a cell's face is looked at, in steps: within bevels, beside numbers.
Guessed."""
_SAME = 0.15
"""By this share of its edges, squared, a drawing differs from the same in another cell. Guessed."""
_BLANK = 4.0
"""Bins of cells with nothing on them differ by so many levels, root mean square. Guessed."""
_MOST = 24
"""So many looks are told apart; what is rarer is odd. Guessed."""
_INNER = 0.3
"""Ink is looked for no further than this from a cell's middle, in steps: bevels lie outside.
Guessed."""
_INKED = 0.03
"""The least share of a cell's middle with edges, where it has a drawing. Guessed."""
_SIDE = 0.15
"""Half the width of the strip in which a cell's side is looked for, in steps. Guessed."""
_DRAWN = 0.6
"""The least share of a side that is drawn. Guessed."""


@dataclass(frozen=True, slots=True)
class Looks:
    """Of each cell, row-major (rows, columns): how its corners look, and what it shows."""

    ground: Ints
    """The number of its corners' look, the commonest being 0; -1 is odd."""
    shown: Ints
    """The number of what the whole cell shows, the commonest being 0; -1 is odd."""
    inked: NDArray[np.bool_]
    """Whether something is drawn in its middle."""
    sides: Ints
    """How many of its four sides are drawn."""
    spots: NDArray[np.uint8]
    """The colours of its corners, sides and middle, row by row: shape (rows, columns, 9, 3)."""
    corners: NDArray[np.uint8]
    """What its corners' look is told by: shape (cells, n)."""

    def within(self, alike: float) -> Looks:
        """The same with corners alike within so many levels, root mean square."""
        return replace(self, ground=_groups(self.corners, alike).reshape(self.ground.shape))


def looks(pixels: Pixels, edges: Mask, cells: Cells, alike: float) -> Looks:
    """The looks of the cells; corners are alike within so many levels, root mean square."""
    shape = cells.y.size, cells.x.size
    spots, faces = _spots(pixels, cells)
    corners = np.concatenate([spots[:, [0, 2, 6, 8]], faces], axis=1).reshape(len(spots), -1)
    return Looks(
        _groups(corners, alike).reshape(shape),
        _groups(_binned(edges, cells), _BLANK, _SAME).reshape(shape),
        _inked(edges, cells),
        _drawn_sides(edges, cells),
        spots.reshape(*shape, 9, 3),
        corners,
    )


def _aligned(pixels: Pixels, cells: Cells) -> tuple[Ints, Ints]:
    """Where cells begin, across and down, moved by a pixel at most to where colours change most.

    So all of a bevel is the same cell's. Where there is a gap it may be one side of that.
    """
    height, width = pixels.shape[:2]
    across, down = sides(cells.x, cells.step[0]), sides(cells.y, cells.step[1])
    left, right = max(0, int(across[0]) - 2), min(width, int(across[-1]) + 2)
    top, bottom = max(0, int(down[0]) - 2), min(height, int(down[-1]) + 2)
    crop = pixels[top:bottom, left:right]
    # A third of the lines tells as well as all of them.
    flat, steep = crop[::3], crop[:, ::3]
    along = cv2.absdiff(flat[:, 1:], flat[:, :-1]).mean(axis=(0, 2))
    below = cv2.absdiff(steep[1:], steep[:-1]).mean(axis=(1, 2))
    return _moved(across, along, left), _moved(down, below, top)


def _moved(ends: Ints, changes: Floats, begin: int) -> Ints:
    """The ends where the change is: that from pixel i to the next comes before i + 1."""
    places = ends[1:-1] - begin - 1
    here, before, after = (
        float(changes[(places + off).clip(0, changes.size - 1)].mean()) for off in (0, -1, 1)
    )
    if _STAY * here >= max(before, after):
        return ends
    return ends - 1 if before > after else ends + 1


def _spots(pixels: Pixels, cells: Cells) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The colours of each cell's corners, sides and middle, and of its face next to its corners.

    The first are means of what is around, shape (cells, 9, 3); the second have (cells, 4, 3).
    """
    columns, rows = _aligned(pixels, cells)
    across, inner_x, wide = _places(columns, cells.step[0])
    down, inner_y, high = _places(rows, cells.step[1])
    height, width = pixels.shape[:2]
    across, inner_x = across.clip(0, width - 1), inner_x.clip(0, width - 1)
    down, inner_y = down.clip(0, height - 1), inner_y.clip(0, height - 1)
    left, right = max(0, int(across[0]) - wide), int(across[-1]) + wide + 1
    top, bottom = max(0, int(down[0]) - high), int(down[-1]) + high + 1
    crop = np.asarray(cv2.blur(pixels[top:bottom, left:right], (wide, high)), np.uint8)
    means = crop[(down - top)[:, None], across - left]
    faces = pixels[inner_y[:, None], inner_x]
    shape = cells.y.size, cells.x.size
    return _by_cell(means, shape, 3), _by_cell(faces, shape, 2)


def _by_cell(sampled: Pixels, shape: tuple[int, int], places: int) -> NDArray[np.uint8]:
    shaped = sampled.reshape(shape[0], places, shape[1], 3 * places).swapaxes(1, 2)
    return np.ascontiguousarray(shaped).reshape(shape[0] * shape[1], places**2, 3)


def _places(ends: Ints, step: float) -> tuple[Ints, Ints, int]:
    """Where the two ends and the middle of each cell are, and its face next to its ends.

    And how much there is of each end, in pixels. Each cell begins where the one before ends.
    """
    depth, face = max(1, int(_CORNER * step)), int(_FACE * step)
    begin, end = ends[:-1] + depth, ends[1:] - 1 - depth
    inner = np.stack([ends[:-1] + face, ends[1:] - 1 - face], axis=1).ravel()
    return np.stack([begin, (begin + end) // 2, end], axis=1).ravel(), inner, 2 * depth + 1


def _groups(vectors: NDArray[np.uint8], levels: float, share: float = 0.0) -> Ints:
    """A number for each, the same for those alike; the commonest is 0, what is alone is -1.

    They are alike within so many levels, root mean square, or that share of their squares.
    """
    exact = vectors.astype(np.float32)
    squares = np.einsum("ij,ij->i", exact, exact)
    numbers = np.full(vectors.shape[0], -1)
    left = np.arange(vectors.shape[0])
    most = levels**2 * vectors.shape[1]
    found = 0
    while left.size > 1 and found < _MOST:
        # One from the middle: what lies at the border is rather odd.
        leader = left[left.size // 2]
        far = squares[left] + squares[leader] - 2 * (exact[left] @ exact[leader])
        near = far <= np.maximum(most, share * np.maximum(squares[left], squares[leader]))
        near[left.size // 2] = True
        numbers[left[near]] = found
        found += 1
        left = left[~near]
    counts = np.bincount(numbers[numbers >= 0], minlength=1)
    order = np.argsort(-counts, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    rank[counts < 2] = -1
    return np.where(numbers >= 0, rank[numbers], -1)


def _binned(edges: Mask, cells: Cells) -> NDArray[np.uint8]:
    """How many edges there are in the bins of each cell: one row a cell, row-major."""
    x, y, step = cells.x, cells.y, cells.step
    ends = np.linspace(-_SHOWN, _SHOWN, _BINS + 1)
    left, right = (np.add.outer(x, part * step[0]).ravel() for part in (ends[:-1], ends[1:]))
    top, bottom = (np.add.outer(y, part * step[1]).ravel() for part in (ends[:-1], ends[1:]))
    shares = _shares(edges, left, right, top, bottom).reshape(y.size, _BINS, x.size, _BINS)
    return np.asarray(255 * shares.swapaxes(1, 2).reshape(-1, _BINS**2), np.uint8)


def _inked(edges: Mask, cells: Cells) -> NDArray[np.bool_]:
    """Whether there are edges around each middle."""
    x, y, step = cells.x, cells.y, cells.step
    reach = max(1.5, _INNER * step[0]), max(1.5, _INNER * step[1])
    return _shares(edges, x - reach[0], x + reach[0], y - reach[1], y + reach[1]) > _INKED


def _drawn_sides(edges: Mask, cells: Cells) -> Ints:
    """How many sides of each cell have edges all along."""
    x, y, step = cells.x, cells.y, cells.step
    wide, high = (max(1.5, _SIDE * one) for one in step)
    across = np.append(x - step[0] / 2, x[-1] + step[0] / 2)
    down = np.append(y - step[1] / 2, y[-1] + step[1] / 2)
    half = step[0] / 2 - wide, step[1] / 2 - high
    # Counted in lines of one pixel.
    upright = _shares(edges, across - wide, across + wide, y - half[1], y + half[1]) * 2 * wide
    level = _shares(edges, x - half[0], x + half[0], down - high, down + high) * 2 * high
    one, other = (upright >= _DRAWN).astype(np.intp), (level >= _DRAWN).astype(np.intp)
    return one[:, :-1] + one[:, 1:] + other[:-1] + other[1:]


def _shares(
    edges: Mask, left: Floats, right: Floats, top: Floats, bottom: Floats
) -> NDArray[np.float64]:
    """The share of edges in each box: shape (rows, columns)."""
    height, width = edges.shape
    left, right = (np.floor(ends + 0.5).astype(np.intp).clip(0, width) for ends in (left, right))
    top, bottom = (np.floor(ends + 0.5).astype(np.intp).clip(0, height) for ends in (top, bottom))
    part = edges[top[0] : bottom[-1], left[0] : right[-1]]
    sums = np.asarray(cv2.integral(part))
    sizes = 255.0 * np.maximum(1, np.outer(bottom - top, right - left))
    left, right, top, bottom = left - left[0], right - left[0], top - top[0], bottom - top[0]
    rows = sums[bottom] - sums[top]
    return np.asarray((rows[:, right] - rows[:, left]) / sizes)
