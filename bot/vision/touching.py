"""Finds a grid of tiles that touch: where the picture repeats itself, one step on.

Within a board each line of pixels across a tile is met again, as a rule, a few tiles further
on; on the frame around a board none is. So a board begins and ends where the repeating does,
and the step from tile to tile is one at which the picture's edges resemble themselves. A piece
of a board passes for a whole one until one looks beyond it: there a window that covers the
rest is not framed alike on all sides, and a tear leaves more tiles.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from bot.capture import Frame, Rect
from bot.errors import GridNotFound
from bot.profile.values import TouchingLook
from bot.vision.grid import Grid

Pixels = NDArray[np.uint8]
"""Shape (height, width, 3), blue-green-red."""
Floats = NDArray[np.floating]
Levels = NDArray[np.int16]
"""Lightness, of three channels together."""

_LEAST = 4
"""The least tiles across and down; fewer are a chance likeness. Guessed."""
_STRONG = 150
"""Stronger edges count as much as this, in levels of three channels together. Guessed."""
_PEAKS, _PEAK = 4, 0.5
"""So many steps are tried, if their likeness is this share of the best one's: of a board that is
cut off others would be found. The true one is the likeliest or the second. Measured."""
_REPEATED_LEVELS = 12
"""By so many levels a channel may differ where it repeats: a gradient may show through. Guessed."""
_REACH = 4
"""A tile is met again so many tiles further on at most. Guessed."""
_EVENT_LEVELS = 8
"""A step of so many levels, of three channels together, is more than a gradient's. Measured."""
_BUSY = 0.3
"""A line across the board has this share of the busiest one's repeated edges. Guessed."""
_EDGE = 3
"""So many pixels on both sides of a board's end are compared: frames are as thin. Measured."""
_PLACES = 3
"""So many stretches are tried each way: the true one is the likeliest. Measured."""
_NEXT = 0.7
"""A place a pixel beside the likeliest may be it if it is this much as likely: 0.88. Measured."""
_LIKELY = 0.1
"""The least likelihood of a board, of 1: whole ones have 0.2 and more. Measured."""
_FINER = 0.3
"""A part of the step is the step if its board is this much as likely: torn, 0.48. Measured."""
_BEYOND_TILES = (0.12, 0.21, 0.3)
"""How much of what lies beyond the board is compared with tiles, in tiles: a tile that is
covered but for its first pixels is a tile begun, not a frame. Guessed."""
_OTHER_LEVELS = 8.0
"""By so many levels it must differ from tiles: in the darkest theme it does by 13. Measured."""
_FRAME_LEVELS = 16.0
"""So many levels the frame's lines may differ from each other: white ones do by 12. Measured."""
_LINE_LEVELS = 4.0
"""So many levels a line's colour may change across it: a plain window's does not. Guessed."""
_CORNER_TILES = 2
"""So many tiles from the corner a line shows its colour: what is behind differs. Guessed."""
_UNEVEN_TILES = 0.15
"""By how much the lines of a frame may differ in thickness, in tiles, or by 2 pixels: those of
the most uneven one have 1, 1, 3 and 2 pixels around tiles of 26. Measured."""
_SAME_LEVELS = 2.0
"""So many levels a tile that a tear has moved may differ from others. Guessed."""
_PLAIN_LEVELS = 5.0
"""A tile whose pixels differ by less, root mean square, is met anywhere. Guessed."""
_AWAY = 64
"""In pixels, how far off the rest of a torn board is looked for, as far as tears go. Guessed."""
_TEMPLATES = 4
"""So many of the commonest looks of tiles are looked for there. Guessed."""
_SAMPLED = 128
"""So many tiles tell the commonest looks. Guessed."""


def enclose(frame: Frame, look: TouchingLook) -> Grid:
    """The grid of the likeliest board in the frame; raises GridNotFound."""
    pixels = frame.pixels[..., :3]
    levels = pixels.sum(axis=2, dtype=np.int16)
    across, down = np.abs(np.diff(levels, axis=1)), np.abs(np.diff(levels, axis=0))
    events = np.zeros(levels.shape, np.bool_)
    events[:, 1:] |= across > _EVENT_LEVELS
    events[1:] |= down > _EVENT_LEVELS
    steps = _steps(across, down.T, look.smallest_tile + look.gap)

    @cache
    def boards(step: int) -> list[tuple[float, Grid]]:
        return _boards(pixels, levels, events, step, look.gap)

    for step in steps:
        parts = [part for part in steps if part < step and step % part == 0]
        for likely, grid in boards(step):
            # Two or three tiles at a time repeat about as well as single ones.
            if any(boards(part) and boards(part)[0][0] >= _FINER * likely for part in parts):
                break
            if _is_whole(pixels, grid):
                return grid
    raise GridNotFound("nothing in the picture is framed like a board of touching tiles")


def _steps(across: Levels, down: Levels, smallest: int) -> list[int]:
    """What may be the distance from tile to tile, the likeliest first.

    The two hold how much the lightness changes from pixel to pixel, along their rows.
    """
    most = min(across.shape[1], down.shape[1]) // _LEAST
    if most <= smallest:
        return []
    alike = _resemblance(across, most) + _resemblance(down, most)
    alike[:smallest] = 0
    inner = alike[1:-1]
    tops = (inner > 0) & (inner >= np.maximum(alike[:-2], alike[2:]))
    peaks = 1 + np.flatnonzero(tops & (inner >= _PEAK * alike.max()))
    return sorted(peaks.tolist(), key=lambda step: -alike[step])[:_PEAKS]


def _resemblance(changes: Levels, most: int) -> NDArray[np.float64]:
    """How like themselves the rows are, moved along by 0 to `most` - 1: at most 1."""
    size = changes.shape[1]
    strength = np.minimum(changes, _STRONG).astype(np.float32)
    strength -= strength.mean()
    length = cv2.getOptimalDFTSize(size + most)
    power = np.square(np.abs(np.fft.rfft(strength, length))).sum(axis=0)
    alike = np.fft.irfft(power, length)[:most]
    return np.asarray(alike / max(alike[0], 1e-9) * size / (size - np.arange(most)))


def _boards(
    pixels: Pixels, levels: Levels, events: NDArray[np.bool_], step: int, gap: int
) -> list[tuple[float, Grid]]:
    """What may be the board or a piece of it, and how likely each is, the likeliest first."""
    onwards, back = _repeats(pixels, step, gap)
    turned = np.ascontiguousarray(pixels.swapaxes(0, 1))
    down, up = _repeats(turned, step, gap)
    both = events & ((onwards | back) & (down | up).T > 0)
    rows = _busiest(both.sum(axis=1), step)
    columns = _busiest(both[rows].sum(axis=0), step)
    rows = _busiest(both[:, columns].sum(axis=1), step)
    found = [
        (one * other, _grid((left, top), (wide, high), step, gap))
        for one, left, wide in _stretches(onwards[rows], back[rows], levels[rows], step, gap)
        for other, top, high in _stretches(down[columns], up[columns], levels.T[columns], step, gap)
        if one * other >= _LIKELY
    ]
    return sorted(found, key=lambda board: -board[0])


def _repeats(pixels: Pixels, step: int, gap: int) -> tuple[Pixels, Pixels]:
    """255 where a line a tile high is met again to the right, and where to the left."""
    onwards = np.zeros(pixels.shape[:2], np.uint8)
    back = onwards.copy()
    line = np.ones((step - gap, 1), np.uint8)
    for by in range(step, min(_REACH * step, pixels.shape[1] - 1) + 1, step):
        differences = cv2.absdiff(pixels[:, by:], pixels[:, :-by])
        alike = cv2.inRange(differences, (0, 0, 0), (_REPEATED_LEVELS,) * 3)
        alike = cv2.morphologyEx(alike, cv2.MORPH_OPEN, line)
        onwards[:, :-by] |= np.asarray(alike, np.uint8)
        back[:, by:] |= np.asarray(alike, np.uint8)
    return onwards, back


def _busiest(counts: NDArray[np.int_], step: int) -> slice:
    """The lines around the one with the most repeated edges that have about as many.

    Half a step less at both ends: the board's own ends are not known so well.
    """
    smooth = np.convolve(counts, np.ones(step) / step, "same")
    best = int(smooth.argmax())
    quiet = np.flatnonzero(smooth < _BUSY * smooth[best])
    after = int(np.searchsorted(quiet, best))
    first = int(quiet[after - 1]) + 1 if after else 0
    end = int(quiet[after]) if after < quiet.size else smooth.size
    inset = step // 2 if end - first > 2 * step else 0
    return slice(first + inset, end - inset)


def _stretches(
    onwards: Pixels, back: Pixels, levels: Levels, step: int, gap: int
) -> list[tuple[float, int, int]]:
    """What may be a board's extent along the rows: how likely, where it begins, how many tiles."""
    # The line that is drawn between tiles is drawn before the first and after the last.
    starts = _rises(onwards.mean(axis=0) / 255)
    ends = _rises(back[:, ::-1].mean(axis=0) / 255)[::-1]
    found = []
    for number in range(_LEAST, (starts.size - gap) // step + 1):
        likely = starts[: starts.size + 1 - number * step - gap] * ends[number * step + gap - 1 :]
        found.append((float(likely.max()), number, likely))
    found.sort(key=lambda stretch: stretch[:2], reverse=True)
    return [
        (best, _settled(likely, levels, number, step, gap) + gap, number)
        for best, number, likely in found[:_PLACES]
    ]


def _settled(likely: Floats, levels: Levels, number: int, step: int, gap: int) -> int:
    """The likeliest place, or the one beside it if lines between tiles fit better there.

    A frame's own line may repeat what tiles begin with: then the two are about as likely.
    """
    best = int(likely.argmax())
    near = [best + off for off in (0, -1, 1) if 0 <= best + off < likely.size and gap]
    near = [place for place in near if likely[place] >= _NEXT * likely[best]] or [best]
    lines = (levels[:, place : place + number * step + 1 : step] for place in near)
    changes = [np.count_nonzero(np.abs(np.diff(each, axis=0)) > _EVENT_LEVELS) for each in lines]
    return near[int(np.argmin(changes))]


def _rises(shares: Floats) -> Floats:
    """By how much more is repeated from each pixel on than before it; 0 near the two ends."""
    means = np.convolve(shares, np.ones(_EDGE) / _EDGE, "valid")
    rises = np.zeros(shares.size)
    rises[_EDGE : len(means)] = np.maximum(0, means[_EDGE:] - means[:-_EDGE])
    return rises


def _grid(corner: tuple[int, int], shape: tuple[int, int], step: int, gap: int) -> Grid:
    bounds = Rect(*corner, *(number * step - gap for number in shape))
    return Grid.regular(bounds, step - gap, step, bounds)


def _is_whole(pixels: Pixels, grid: Grid) -> bool:
    """Whether the board ends in the same frame on all sides, and nowhere goes on behind it."""
    sides = _sides(pixels, grid)
    if not all(side.ends() for side in sides):
        return False
    lines, thickness = zip(*(side.line() for side in sides), strict=True)
    # Left is drawn like top, and right like bottom: as if lit from the upper left.
    if max(np.abs(lines[0] - lines[1]).max(), np.abs(lines[2] - lines[3]).max()) > _FRAME_LEVELS:
        return False
    # A plain window over a board goes on and on.
    if max(thickness) - min(thickness) > max(2, _UNEVEN_TILES * grid.tile):
        return False
    return not any(side.goes_on() for side in sides)


def _sides(pixels: Pixels, grid: Grid) -> list[_Side]:
    """The left, top, right and bottom side of a board."""
    bounds, (height, width) = grid.bounds, pixels.shape[:2]
    wide, high, step = grid.width, grid.height, grid.columns[1] - grid.left
    found = []
    for view, left, top in (
        (pixels, grid.left, grid.top),
        (pixels[::-1, ::-1], width - bounds.right, height - bounds.bottom),
    ):
        found.append(_Side(view, left, top, wide, high, step, grid.tile))
        found.append(_Side(view.swapaxes(0, 1), top, left, high, wide, step, grid.tile))
    return found


@dataclass(frozen=True, slots=True)
class _Side:
    """One side of a board: the left one, of a picture that was turned for it. In pixels."""

    pixels: Pixels
    left: int
    top: int
    wide: int
    """Tiles from this side to the other one."""
    high: int
    """Tiles along this side."""
    step: int
    tile: int

    @property
    def _before(self) -> int:
        """Where the tiles end and the frame begins."""
        return self.left - (self.step - self.tile)

    def ends(self) -> bool:
        """Whether what lies beyond is no tile, nor the beginning of one."""
        for share in _BEYOND_TILES:
            width = max(2, round(share * self.tile))
            if self._before < width:
                return False
            inner = self._strips(self.left + self.tile - width, self.wide - 1, width)
            beyond = self._strips(self._before - width, 1, width)
            # The other half may lie beside numbers that no other tile has.
            nearest = _distances(beyond, inner).min(axis=1)
            if np.percentile(nearest, 50, method="lower") < _OTHER_LEVELS:
                return False
        return True

    def line(self) -> tuple[Floats, int]:
        """The colour of the line beside the tiles, and how thick it is: half a tile at most."""
        bottom, most = self.top + self.high * self.step, max(3, self.tile // 2)
        beside = self.pixels[self.top : bottom, max(0, self._before - most) : self._before]
        colours = np.median(beside[:, ::-1], axis=0)
        differs = np.abs(colours - colours[0]).max(axis=1) > _LINE_LEVELS
        thickness = int(differs.argmax()) if differs.any() else len(colours)
        return np.median(beside[: _CORNER_TILES * self.step, -1], axis=0), thickness

    def goes_on(self) -> bool:
        """Whether beyond it there are tiles out of line, as a tear leaves them.

        Two of them, side by side, of which the far half shows, whatever covers the rest.
        """
        half = self.tile // 2
        beyond = self.pixels[
            max(0, self.top - self.step) : self.top + (self.high + 1) * self.step,
            max(0, self._before - _AWAY - self.step) : self._before,
        ]
        if beyond.shape[1] < half:
            return False
        # One channel of three tells as well, in a third of the time.
        green = np.ascontiguousarray(beyond[..., 1])
        halves = _commonest(self._strips(self.left, self.wide, half))
        for template in halves.reshape(-1, self.tile, half, 3)[..., 1].astype(np.uint8):
            squares = cv2.matchTemplate(green, template, cv2.TM_SQDIFF)
            met = np.asarray(squares) <= _SAME_LEVELS**2 * template.size
            if (met[: -self.step] & met[self.step :]).any():
                return True
        return False

    def _strips(self, first: int, columns: int, width: int) -> Floats:
        """Strips a tile high, a row each: those of so many columns, from the pixel `first` on."""
        inside = self.pixels[self.top :, first:]
        down, across, channel = inside.strides
        cut = as_strided(
            inside,
            (columns, self.high, self.tile, width, 3),
            (self.step * across, self.step * down, down, across, channel),
            writeable=False,
        )
        return cut.astype(np.float32, order="C").reshape(columns * self.high, -1)


def _commonest(tiles: Floats) -> Floats:
    """The commonest looks of tiles, plain ones apart, a row each."""
    tiles = tiles[:: 1 + len(tiles) // _SAMPLED]
    tiles = tiles[tiles.std(axis=1) > _PLAIN_LEVELS]
    found: list[Floats] = []
    while len(tiles) and len(found) < _TEMPLATES:
        alike = _distances(tiles, tiles) <= _SAME_LEVELS
        best = int(alike.sum(axis=1).argmax())
        found.append(tiles[best])
        tiles = tiles[~alike[best]]
    return np.array(found, np.float32).reshape(len(found), tiles.shape[1])


def _distances(some: Floats, others: Floats) -> Floats:
    """How far each row lies from each of the others, in levels, root mean square."""
    one, other = (np.einsum("ij,ij->i", each, each) for each in (some, others))
    squares = one[:, None] + other - 2 * some @ others.T
    return np.asarray(np.sqrt(np.maximum(squares, 0) / some.shape[1]))
