"""How far a lattice goes: which of its lines have cells on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.vision.cells import Cells, Floats, Ints
from bot.vision.looks import looks
from bot.vision.mesh import Mesh, medians
from bot.vision.pieces import Boxes, Mask, Pixels

Bools = NDArray[np.bool_]

_OFF = 0.17
"""A cell's flat piece may lie so far off its middle, in steps. Guessed."""
_PIECE = (0.45, 1.05)
"""The sides of a cell's flat piece, in steps. Guessed."""
_LINE = 0.34
"""The least share of a line's cells that have such a piece. Guessed."""
_ROW = 0.6
"""The least share of a line's cells that look as others do. Guessed."""
_ALIKE = 8.0
"""Cells look alike within so many levels, root mean square. Guessed."""
_ALIGNED = 0.2
"""So far the sides of an area of opened cells may lie off the lattice, in steps. Guessed."""
_AREA = 0.2
"""The least share of its box that an area of opened cells fills. Guessed."""
_WIDE = 0.88
"""The least side of a larger piece, in steps: with more of a bevel's one side it has less.
Guessed."""
_SIDES = range(4)
"""Left, right, top and bottom of a span."""
_LEAST = 3
"""Fewer columns or rows are not followed further."""
_WHOLE = 0.03
"""A step this close to whole pixels is so many. Guessed."""
_DRIFT = 7
"""So many lines tell by how much those in their middle have drifted. Guessed."""
_STRAY = 1.2
"""By more pixels no line is away from that. Guessed."""
_NUMBERS = 2
"""So many numbers on the next line show that the board goes on. Guessed."""
_LOOSELY = 24.0
"""Within so many levels the cells of a last line look as others, root mean square. Guessed."""
_ELSEWHERE = 2
"""So many cells of other lines look as one of a line does that belongs to them. Guessed."""
_USUAL = 0.5
"""The least share of a line's cells of which that is so. Guessed."""
_MORE = 0.3
"""The least share of the cells whose larger pieces tell where they are. Guessed."""
_BEYOND = 6
"""So many lines beyond those that have pieces are looked at. Guessed."""


@dataclass(slots=True)
class _Span:
    """Some of a net's columns and rows, by their numbers; right and bottom are past the last."""

    left: int
    right: int
    top: int
    bottom: int

    def line(self, cells: Bools, side: int) -> Bools | None:
        """What is known of the line of cells next to this side; None at the picture's end."""
        if side == 0:
            return cells[self.top : self.bottom, self.left - 1] if self.left else None
        if side == 1:
            more = self.right < cells.shape[1]
            return cells[self.top : self.bottom, self.right] if more else None
        if side == 2:
            return cells[self.top - 1, self.left : self.right] if self.top else None
        more = self.bottom < cells.shape[0]
        return cells[self.bottom, self.left : self.right] if more else None

    def end(self, side: int) -> tuple[slice, slice]:
        """Its last line at that side: rows and columns."""
        rows, columns = slice(self.top, self.bottom), slice(self.left, self.right)
        if side < 2:
            column = self.left if side == 0 else self.right - 1
            return rows, slice(column, column + 1)
        row = self.top if side == 2 else self.bottom - 1
        return slice(row, row + 1), columns

    def narrow(self, side: int) -> None:
        """Give away its last line at that side."""
        if side == 0:
            self.left += 1
        elif side == 1:
            self.right -= 1
        elif side == 2:
            self.top += 1
        else:
            self.bottom -= 1

    def widen(self, side: int) -> None:
        """Take in the next line at that side."""
        if side == 0:
            self.left -= 1
        elif side == 1:
            self.right += 1
        elif side == 2:
            self.top -= 1
        else:
            self.bottom += 1

    @property
    def key(self) -> tuple[int, int, int, int]:
        """All four, left, right, top, bottom."""
        return self.left, self.right, self.top, self.bottom


def grow(mesh: Mesh, boxes: Boxes, pixels: Pixels, edged: Mask) -> Cells | None:
    """The whole lattice of which the mesh is a part; None for one of three lines or less."""
    height, width = pixels.shape[:2]
    x, left = _extended(mesh.x, mesh.step[0], width)
    y, top = _extended(mesh.y, mesh.step[1], height)
    net = Cells(x, y, mesh.step, mesh.side)
    span = _Span(left, left + mesh.x.size, top, top + mesh.y.size)
    fitting = _fitting(boxes, net)
    _by_pieces(span, fitting, net, _areas(boxes, net, (height, width)))
    if min(span.right - span.left, span.bottom - span.top) < _LEAST:
        return None
    net = _seen(net, span, fitting)
    _by_looks(span, pixels, edged, net)
    return _part(net, span)


def _part(net: Cells, span: _Span) -> Cells:
    x, y = net.x[span.left : span.right], net.y[span.top : span.bottom]
    return Cells(x, y, net.step, net.side)


def _seen(net: Cells, span: _Span, fitting: _Fitting) -> Cells:
    """The lines put where the flat pieces on them are; others follow evenly."""
    inside = (fitting.column >= span.left) & (fitting.column < span.right)
    inside &= (fitting.row >= span.top) & (fitting.row < span.bottom)
    x = _put(net.x, fitting.across[inside], fitting.column[inside])
    y = _put(net.y, fitting.down[inside], fitting.row[inside])
    return Cells(x, y, net.step, net.side)


def _put(lines: Floats, middles: Floats, numbers: Ints) -> Floats:
    """The lines put where those with these numbers have their middles."""
    order = np.lexsort((middles, numbers))
    found, begins = np.unique(numbers[order], return_index=True)
    if found.size < 2:
        return lines
    places = medians(middles[order], begins)
    slope = float(np.polyfit(found, places, 1)[0])
    if abs(slope - round(slope)) < _WHOLE:
        slope = float(round(slope))
    # Lines drift slowly where games hand out whole pixels; a line far off is an odd piece.
    drift = places - found * slope
    reach = _DRIFT // 2
    near = np.lib.stride_tricks.sliding_window_view(np.pad(drift, reach, mode="edge"), _DRIFT)
    usual = np.median(near, axis=1)
    places = np.where(np.abs(drift - usual) > _STRAY, usual + found * slope, places)
    put = np.interp(np.arange(lines.size), found, places)
    put[: found[0]] = places[0] - slope * np.arange(found[0], 0, -1)
    put[found[-1] + 1 :] = places[-1] + slope * np.arange(1, lines.size - found[-1])
    return np.asarray(put)


def _extended(lines: Floats, step: float, end: int) -> tuple[Floats, int]:
    """The lines, and as many on both sides as the picture holds; how many come before."""
    before = max(0, int((lines[0] - step / 2 + 1) // step))
    after = max(0, int((end - lines[-1] - step / 2 + 1) // step))
    more = np.arange(1, max(before, after) + 1) * step
    return np.concatenate(
        [(lines[0] - more[:before])[::-1], lines, lines[-1] + more[:after]]
    ), before


@dataclass(frozen=True, slots=True)
class _Fitting:
    """Flat pieces that each fit one cell; all of shape (n,)."""

    across: Floats
    """The middle of each, in pixels."""
    down: Floats
    column: Ints
    row: Ints


def _fitting(boxes: Boxes, net: Cells) -> _Fitting:
    """The pieces that lie in the middle of a cell and nearly fill it."""
    across, down = boxes.middles
    at_x = np.interp(across, net.x, np.arange(net.x.size))
    at_y = np.interp(down, net.y, np.arange(net.y.size))
    column, row = np.round(at_x).astype(np.intp), np.round(at_y).astype(np.intp)
    fits = (np.abs(at_x - column) <= _OFF) & (np.abs(at_y - row) <= _OFF)
    for side, step in ((boxes.width, net.step[0]), (boxes.height, net.step[1])):
        fits &= (side >= _PIECE[0] * step) & (side <= _PIECE[1] * step + 1)
    return _Fitting(across[fits], down[fits], column[fits], row[fits])


def _by_pieces(
    span: _Span, fitting: _Fitting, net: Cells, areas: Sequence[tuple[int, int, int, int]]
) -> None:
    """Widen the span over lines of cells with flat pieces, and over areas of opened ones."""
    filled = np.zeros((net.y.size, net.x.size), np.bool_)
    filled[fitting.row, fitting.column] = True
    before = None
    while before != span.key:
        before = span.key
        for side in _SIDES:
            while (line := span.line(filled, side)) is not None and line.mean() >= _LINE:
                span.widen(side)
        for left, right, top, bottom in areas:
            if left >= span.right or right <= span.left or top >= span.bottom or bottom <= span.top:
                continue
            around = left < span.left and right > span.right
            if around and top < span.top and bottom > span.bottom:
                continue  # a border, or what the board lies on
            span.left, span.right = min(span.left, left), max(span.right, right)
            span.top, span.bottom = min(span.top, top), max(span.bottom, bottom)


def _areas(boxes: Boxes, net: Cells, shape: tuple[int, int]) -> list[tuple[int, int, int, int]]:
    """The areas of opened cells: left, right, top, bottom.

    They are flat pieces of more than one cell that end where cells do, and not where the
    picture does.
    """
    x, y, step = net.x, net.y, net.step
    height, width = shape
    large = (boxes.width > 1.5 * step[0]) | (boxes.height > 1.5 * step[1])
    large &= boxes.area > _AREA * boxes.width * boxes.height
    large &= (boxes.left > 0) & (boxes.top > 0)
    large &= (boxes.left + boxes.width < width) & (boxes.top + boxes.height < height)
    some = boxes.where(large)
    ends = np.stack(
        [
            (some.left - x[0]) / step[0] + 0.5,
            (some.left + some.width - x[0]) / step[0] + 0.5,
            (some.top - y[0]) / step[1] + 0.5,
            (some.top + some.height - y[0]) / step[1] + 0.5,
        ],
        axis=1,
    )
    whole = np.round(ends).astype(int)
    fits = (np.abs(ends - whole) < _ALIGNED).all(axis=1) & (whole >= 0).all(axis=1)
    fits &= (whole[:, 1] > whole[:, 0]) & (whole[:, 3] > whole[:, 2])
    fits &= (whole[:, 1] <= x.size) & (whole[:, 3] <= y.size)
    return [(left, right, top, bottom) for left, right, top, bottom in whole[fits].tolist()]


def _by_looks(span: _Span, pixels: Pixels, edged: Mask, net: Cells) -> None:
    """Widen the span over lines whose cells look as its own do, or have the same numbers."""
    left, top = max(0, span.left - _BEYOND), max(0, span.top - _BEYOND)
    right = min(net.x.size, span.right + _BEYOND)
    bottom = min(net.y.size, span.bottom + _BEYOND)
    look = looks(pixels, edged, _part(net, _Span(left, right, top, bottom)), _ALIKE)
    inner = _Span(span.left - left, span.right - left, span.top - top, span.bottom - top)
    # At the border a cell's side may be another one.
    _trim(inner, look.within(_LOOSELY).ground)
    own = look.ground[inner.top : inner.bottom, inner.left : inner.right]
    counts = np.bincount(own[own >= 0], minlength=1)
    frequent = np.flatnonzero(counts >= max(3, 0.02 * own.size))
    known = np.isin(look.ground, frequent) & (look.sides >= 3)
    within = (slice(inner.top, inner.bottom), slice(inner.left, inner.right))
    drawn = look.shown[within][look.inked[within] & np.isin(own, frequent)]
    drawings = np.flatnonzero(np.bincount(drawn[drawn >= 0], minlength=1) >= 2)
    numbers = look.inked & np.isin(look.shown, drawings) & np.isin(look.ground, frequent)
    for _ in range(4 * _BEYOND):
        for side in _SIDES:
            line = inner.line(known, side)
            if line is None:
                continue
            if line.mean() >= _ROW or _goes_on(inner, numbers, side):
                inner.widen(side)
                break
        else:
            break
    span.left, span.right = inner.left + left, inner.right + left
    span.top, span.bottom = inner.top + top, inner.bottom + top


def _trim(span: _Span, ground: Ints) -> None:
    """Give away last lines whose cells look as none of the others do: buttons in line, say."""
    changed = True
    while changed and min(span.right - span.left, span.bottom - span.top) > _LEAST:
        changed = False
        own = ground[span.top : span.bottom, span.left : span.right]
        counts = np.bincount(own[own >= 0], minlength=1)
        for side in _SIDES:
            line = ground[span.end(side)].ravel()
            line = line[line >= 0]
            others = counts - np.bincount(line, minlength=counts.size)
            length = ground[span.end(side)].size
            if np.count_nonzero(others[line] >= _ELSEWHERE) < _USUAL * length:
                span.narrow(side)
                changed = True
                break


def _goes_on(span: _Span, numbers: Bools, side: int) -> bool:
    """Whether there are numbers on the next lines at that side, of which one may be empty."""
    first = span.line(numbers, side)
    further = _Span(*span.key)
    further.widen(side)
    second = further.line(numbers, side)
    near = 0 if first is None else int(np.count_nonzero(first))
    both = near + (0 if second is None else int(np.count_nonzero(second)))
    return near >= _NUMBERS or both > _NUMBERS


def settled(cells: Cells, boxes: Boxes, corner: tuple[int, int]) -> Cells:
    """The cells where most of these flat pieces are, if those are larger than the cells' own."""
    across, down = boxes.middles
    across, down = across + corner[0], down + corner[1]
    fits = np.ones(len(boxes), np.bool_)
    at = []
    for middle, lines, side, step, own in (
        (across, cells.x, boxes.width, cells.step[0], cells.side[0]),
        (down, cells.y, boxes.height, cells.step[1], cells.side[1]),
    ):
        number = np.round(np.interp(middle, lines, np.arange(lines.size))).astype(np.intp)
        off = middle - lines[number]
        fits &= (
            (np.abs(off) <= _OFF * step)
            & (side >= own + 2)
            & (side >= _WIDE * step)
            & (side <= step + 1)
        )
        at.append(off)
    if np.count_nonzero(fits) < _MORE * cells.x.size * cells.y.size:
        return cells
    dx, dy = (float(np.median(off[fits])) for off in at)
    return Cells(cells.x + dx, cells.y + dy, cells.step, cells.side)
