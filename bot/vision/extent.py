"""How far a lattice goes: which of its lines have cells on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bot.vision.beside import between, is_another
from bot.vision.cells import Cells
from bot.vision.looks import Looks
from bot.vision.padding import Ground
from bot.vision.patches import Patches
from bot.vision.pieces import Pixels
from bot.vision.seams import drawn, go_on
from bot.vision.span import Span
from bot.vision.turns import is_every_second

Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]

_OFTEN = 0.02
"""The least share of cells whose look is known as one of a board's, or 3. Guessed."""
_OWN = 0.5
"""The least share of a line's cells that look as a board's do, if it belongs to that. Guessed."""
_NEARLY = 0.8
"""The same where most of them have no lines. Guessed."""
_BEYOND = 2
"""On so many lines beyond a last one that is certain no cell looks as the board's do. Guessed."""
_ONE = 1.5
"""But for one of them, if most look as nothing on the board does."""
_CHANCE = 0.4
"""And but for this share on lines beyond the next one. Guessed."""
_SIDES = range(4)
"""Left, right, top and bottom of a span."""
_LEAST = 3
"""Fewer columns or rows are not followed further."""
_EDGE = 5
"""Levels of 255 by which a board differs from what is beside it. Guessed."""
_DRAWN = 0.85
"""The least share of a side that is drawn. Guessed."""
_ROOM = 0.8
"""Less ground, in steps, has no room for a cell. Guessed."""
_UNEVEN = 2
"""By so many pixels more ground may be on one side of a board than on another. Guessed."""
_PART = 0.25
"""Nor by a greater share of a step than this. Guessed."""
_AROUND = 0.12
"""So far off may a side be drawn, in steps. Guessed."""


@dataclass(frozen=True, slots=True)
class Ends:
    """What tells where a board ends in a net of cells."""

    pixels: Pixels
    net: Cells
    flat: Bools
    """Which cells have no lines at their sides."""
    patches: Patches

    def known(self, looks: Looks, span: Span) -> Bools:
        """Which cells look as many of the span do."""
        own = looks.ground[span.cells]
        counts = np.bincount(own[own >= 0], minlength=max(1, int(looks.ground.max()) + 1))
        often = (looks.ground >= 0) & (counts >= _enough(own))[looks.ground]
        return often & ~between(looks, span)

    def settle(self, span: Span, looks: Looks, loosely: Callable[[], Bools]) -> bool:
        """Widen the span over all lines that are a board's, and narrow it to those.

        `loosely` tells which cells may be a board's. Returns whether it is certain where it ends.
        """
        known = self.known(looks, span)
        seed, narrowed = Span(*span.key), set[int]()
        while not span.is_small:
            shares = [float(known[span.line(side, 0)].mean()) for side in _SIDES]
            if min(shares) >= _OWN:
                break
            least = int(np.argmin(shares))
            span.widen(least, -1)
            narrowed.add(least)
        # Beside what is none of the board's lines may be known by themselves alone.
        for last in sorted(narrowed):
            while not span.is_small:
                line, own = looks.ground[span.line(last, 0)], looks.ground[span.cells]
                if np.count_nonzero(np.isin(own, line[line >= 0])) > np.count_nonzero(line >= 0):
                    break
                span.widen(last, -1)
        if span.is_small:
            return False
        if narrowed:
            known = self.known(looks, span)
        certain = self._followed(span, known, looks)
        # Opened cells may lie beyond where the first look at them was of covered ones alone.
        while (
            side := next((side for side in _SIDES if self._goes_on(span, side)), None)
        ) is not None:
            beyond = looks.ground[span.line(side, 1)]
            if np.bincount(beyond[beyond >= 0], minlength=1).max() < _OWN * beyond.size:
                return False
            span.widen(side, 1)
            known = self.known(looks, span)
            certain = self._followed(span, known, looks)
        given_up = [side for side in _SIDES if span.is_within(seed, side)]
        return all(certain) and all(
            loosely()[span.line(side, 1)].mean() < _OWN for side in given_up
        )

    def _followed(self, span: Span, known: Bools, looks: Looks) -> list[bool]:
        """Widen the span over all lines of known cells; at which sides it is certain to end."""
        certain = [False] * 4
        for _ in range(sum(known.shape)):
            for side in _SIDES:
                by, certain[side] = self._next(span, side, known, looks)
                if by:
                    span.widen(side, by)
                    break
            else:
                break
        return certain

    def _next(self, span: Span, side: int, known: Bools, looks: Looks) -> tuple[int, bool]:
        """How many more lines there are at that side, and whether it certainly ends there."""
        room = span.room(side, known.shape)
        if not room:
            return 0, True
        line = span.line(side, 1)
        sure = self._telling(span, side, line, known, looks)
        if sure and is_another(looks, span, side):
            known = known.copy()
            known[line], sure = False, 0.0
        share = float(known[line].mean())
        if sure >= _OWN or (share >= _NEARLY and sure):
            return 1, True
        # What goes on may be the ground of opened cells: the board ends beyond what is drawn on it.
        least, most = 0, 0
        for away in range(1, room + 1):
            beyond = span.line(side, away)
            if known[beyond].mean() < _NEARLY:
                break
            if self._telling(span, side, beyond, known, looks):
                return away, True
            most = away
            if (known[beyond] & looks.inked[beyond]).any():
                least = away
        if not most:
            return 0, not (
                (share >= _OWN and not is_every_second(known[line] & looks.turned[line]))
                or self._is_like(span, side, looks)
                or self._is_opened(span, side, looks)
                or self._is_told(span, side, known, looks)
            )
        if not least and self._is_bordered(span, side, looks):
            return 0, True
        end = self._padded(span, side, (least, most), looks)
        return end or 0, end is not None

    def _padded(self, span: Span, side: int, lines: tuple[int, int], looks: Looks) -> int | None:
        """How many more lines of empty cells there are at a side, from the least to the most; None
        where that is not to be seen."""
        least, most = lines
        empty = np.zeros(self.flat.shape, np.bool_)
        empty[span.cells] = (self.flat & ~looks.inked)[span.cells]
        ground = Ground.of(self.pixels, self.net, looks, empty)
        if ground is not None and (wide := self._padding(span, looks, ground)) is not None:
            reach = ground.reach(span, side, most)
            if reach is None:
                return None
            step = self.net.step[side // 2]
            end = round((reach - wide) / step)
            off = min(_PART, max(_AROUND, _UNEVEN / step))
            is_there = least <= end <= most and abs((reach - wide) / step - end) <= off
            return end if is_there else None
        if all(self._is_drawn(span, side, away) for away in range(-2, most + 1)):
            # Too thin to tell a cell by, lines are drawn between all of them.
            least = most
        elif self._is_divided(span, side, empty):
            return None  # A line there need not be one around the board.
        ends = (away for away in range(least, most + 1) if self._is_drawn(span, side, away))
        return next(ends, None)

    def _padding(self, span: Span, looks: Looks, ground: Ground) -> float | None:
        """How wide the ground of opened cells goes on around the board, in pixels.

        None where that is not to be seen, or not at all.
        """
        seen = []
        for side in _SIDES:
            wide, step = ground.reach(span, side, 0), self.net.step[side // 2]
            if wide is None:
                continue
            # Where there is room for cells they may be empty ones.
            has_room = wide > _ROOM * step and span.room(side, self.flat.shape)
            if not has_room or self._is_bordered(span, side, looks):
                seen.append(wide)
        if not seen or max(seen) - min(seen) > _UNEVEN or min(seen) <= _AROUND * min(self.net.step):
            return None
        return float(np.median(seen))

    def _is_like(self, span: Span, side: int, looks: Looks) -> bool:
        """Whether cells of the next line have the faces of empty ones beside them.

        At two of their sides they may differ, towards what lies around the board too.
        """
        last, beyond = span.line(side, 0), span.line(side, 1)
        plain = (self.flat[last] & ~looks.inked[last]).ravel()
        faces = [looks.spots[line][:, :, 2:5, 2:5].astype(np.int16) for line in (last, beyond)]
        same = np.abs(faces[0] - faces[1]).max(axis=(2, 3, 4)).ravel() <= _EDGE
        if np.count_nonzero(plain) < _LEAST or same[plain].mean() < _NEARLY:
            return False
        # Between empty cells is no line: one that is drawn there is the board's border.
        return not all(self._is_drawn(span, side, 0, int(cell)) for cell in np.flatnonzero(plain))

    def _is_told(self, span: Span, side: int, known: Bools, looks: Looks) -> bool:
        """Whether one of the next lines has cells that are told as the board's."""
        # What lies beyond a board may be like some of its cells by chance.
        odd = float((looks.ground[span.line(side, 1)] < 0).mean())
        lines = range(1, min(span.room(side, known.shape), _BEYOND) + 1)
        for away in lines:
            line = span.line(side, away)
            chance = _CHANCE if away > 1 else _ONE / known[line].size if odd >= _OWN else 0.0
            if self._telling(span, side, line, known, looks) > chance:
                return True
        # Not by chance are there tiles line by line, most of which something may hide.
        tiles = (looks.ground >= 0) & (self._lined(span, looks)[looks.ground] > 0)
        tiles &= ~self.flat & ~looks.inked
        return len(lines) == _BEYOND and all(tiles[span.line(side, on)].any() for on in lines)

    def _is_opened(self, span: Span, side: int, looks: Looks) -> bool:
        """Whether the next line has things drawn on most cells, as only few of the span are, or
        none: they may be opened where those of the span are covered."""
        own, beyond = looks.ground[span.cells], span.line(side, 1)
        inked = looks.inked[beyond]
        if inked.mean() <= _OWN:
            return False
        inside, shown = looks.shown[span.cells], looks.shown[beyond]
        theirs = np.isin(shown, inside[inside > 0]) & (shown != _all_along(shown))
        if theirs.mean() >= _OWN:
            return True
        counts = np.bincount(own[own >= 0], minlength=1)
        rare = np.isin(looks.ground[beyond], np.flatnonzero((counts > 0) & (counts < _enough(own))))
        if (rare & inked).mean() >= _OWN:
            return True
        # Of a gap between the last cells and these some may be seen at their end.
        near = side ^ 1
        level = self.flat[beyond] | self.patches.part(*beyond).are_flat_but(near)
        odd = level & (looks.ground[beyond] < 0)
        far = looks.spots[beyond][odd][:, 0 if near != 2 else 6, 0 if near else 6].astype(np.int16)
        return bool(odd.mean() >= _NEARLY and np.ptp(far, axis=0).max() <= _EDGE)

    def _is_bordered(self, span: Span, side: int, looks: Looks) -> bool:
        """Whether a covered cell of the last line has none but empty ones beyond: nothing opened
        touches it there."""
        last, beyond = span.line(side, 0), span.line(side, 1)
        near = np.convolve((~self.flat | looks.inked)[beyond].ravel(), [1, 1, 1], "same") == 0
        hidden = ~self.flat[last] & (looks.ground[last] == self._lined(span, looks).argmax())
        return bool((hidden.ravel() & near).any())

    def _lined(self, span: Span, looks: Looks) -> Ints:
        """How many cells of the span there are of each kind of which nearly all have lines."""
        # Opened cells may have something at their sides, too: what lies around them.
        own, kinds = looks.ground[span.cells], max(1, int(looks.ground.max()) + 1)
        some = own >= 0, (own >= 0) & ~self.flat[span.cells]
        every, lined = (np.bincount(own[each], minlength=kinds) for each in some)
        return np.where(lined >= _NEARLY * every, lined, 0)

    def _is_divided(self, span: Span, side: int, empty: Bools) -> bool:
        """Whether lines are drawn between empty cells of the last lines at a side."""
        lines = [empty[span.line(side, away)].ravel() for away in range(0, -_LEAST, -1)]
        for away, (one, other) in enumerate(pairwise(lines), 1):
            cells = np.flatnonzero(one & other).tolist()
            seen = [self._is_drawn(span, side, -away, cell) for cell in cells]
            if len(seen) >= _LEAST and np.mean(seen) >= _NEARLY:
                return True
        return False

    def _goes_on(self, span: Span, side: int) -> bool:
        """Whether there are cells beyond the last ones: lines between them go on."""
        net, pixels = self.net, self.pixels
        if not span.room(side, self.flat.shape):
            return False
        # What lies between the cells of a line beside columns are rows, and the other way.
        along, across = (net.x, net.y[span.rows]) if side < 2 else (net.y, net.x[span.columns])
        picture = pixels.swapaxes(0, 1) if side < 2 else pixels
        step, wide = net.step if side < 2 else net.step[::-1]
        ends = span.left - 1, span.right, span.top - 1, span.bottom
        return go_on(picture, across, wide, along[ends[side]], step if side % 2 else -step)

    def _telling(
        self, span: Span, side: int, line: tuple[slice, slice], known: Bools, looks: Looks
    ) -> float:
        """The share of a line's cells that have lines or the board's numbers."""
        if not known[line].any():
            return 0.0
        inside, shown = looks.shown[span.cells], looks.shown[line]
        drawn = np.concatenate([inside.ravel(), shown.ravel()])
        often = np.bincount(drawn[drawn > 0], minlength=1) >= 2
        lined = ~self.flat[line]
        if self._is_border(side, line, looks):
            lined = np.zeros_like(lined)
        # Numbers may be so large that they are taken for faces.
        told = lined | looks.turned[line] | (often[shown] & (shown > 0)) | ~looks.even[line]
        if is_every_second(known[line] & looks.turned[line]):
            # What lies around a board of two shades by turns may have the colour of one.
            told &= ~looks.turned[line]
        if (same := _all_along(shown)) and not (inside == same).any():
            told &= shown != same
        return float((known[line] & told).mean())

    def _is_border(self, side: int, line: tuple[slice, slice], looks: Looks) -> bool:
        """Whether nearly all cells of a line have something on the side of the span alone."""
        lined = ~self.flat[line]
        if lined.mean() < _NEARLY:
            return False
        # Most have something at their other end, too, which takes less time to see.
        spots = looks.spots[line] if side > 1 else looks.spots[line].swapaxes(2, 3)
        end, inside = ((0, 2), (6, 4))[side % 2]
        far = np.abs(spots[:, :, end, 3].astype(np.int16) - spots[:, :, inside, 3]).max(axis=2)
        if (far <= _EDGE).mean() < _NEARLY:
            return False
        return bool((lined & self.patches.part(*line).are_flat_but(side ^ 1)).mean() >= _NEARLY)

    def _is_drawn(self, span: Span, side: int, away: int, cell: int | None = None) -> bool:
        """Whether the colour changes all along the far side of that line, or of one cell of it."""
        net, pixels = self.net, self.pixels
        lines, others = (net.x, net.y[span.rows]), (net.y, net.x[span.columns])
        (along, across), picture = (lines, pixels) if side < 2 else (others, pixels.swapaxes(0, 1))
        step, wide = net.step if side < 2 else net.step[::-1]
        ends = span.left, span.right - 1, span.top, span.bottom - 1
        at = along[ends[side] + (away if side % 2 else -away)] + (
            step / 2 if side % 2 else -step / 2
        )
        some = across if cell is None else across[[cell]]
        end = some[0] - wide / 2, some[-1] + wide / 2
        return drawn(picture, at, _AROUND * step, end) >= _DRAWN


def _enough(ground: Ints) -> float:
    """How many cells of a span have one look at least, if it is one of a board's."""
    return max(3, _OFTEN * ground.size)


def _all_along(shown: Ints) -> int:
    """What is drawn on nearly all cells of a line, as a frame is; 0 where nothing is."""
    commonest = int(np.bincount(shown[shown > 0], minlength=1).argmax())
    return commonest if (shown == commonest).mean() >= _NEARLY else 0
