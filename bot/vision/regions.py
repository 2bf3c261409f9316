"""Where in a picture of a whole screen a board may be: its busy parts, one by one.

A game's window stands out from a plain or shaded ground as a patch of edges, and from a
photograph by its regular ones. To look for a board in each such part takes a fraction of the
time that the whole screen takes.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.capture import Frame, Rect
from bot.vision.grid import Grid

_LARGE = 1920 * 1200
"""Pixels of a picture that is worth being taken apart: the smaller ones are soon searched whole."""
_EDGE = 12
"""Levels of 255 from pixel to pixel that no shaded ground changes by. Guessed."""
_SHRUNK = 8
"""Pixels, each way, that are looked at as one."""
_NEAR = 5
"""So far apart, in those, edges belong together: lines of text, tiles and their gaps. Guessed."""
_STEPS = slice(8, 130)
"""Pixels from tile to tile."""
_LEAST = 64
"""Pixels: no board is narrower or lower."""
_MARGIN = 120
"""Pixels around a part that belong to it: a frame, and more than a tile beyond the board."""


_BLOCK, _STEP = 192, 96
"""Pixels: a photograph is looked at in squares of that size, so far from each other. Guessed."""
_REGULAR = 0.3
"""How much edges repeat themselves on a board, of 1. Measured: on boards 0.4 and more, in
photographs 0.2 and less."""


def regions(frame: Frame) -> Iterator[Rect]:
    """What parts of a large picture may hold a board, the likeliest first, then all of it."""
    whole = Rect(0, 0, frame.width, frame.height)
    if frame.width * frame.height > _LARGE:
        edges = _edges(np.asarray(cv2.cvtColor(frame.pixels, cv2.COLOR_BGRA2GRAY), np.uint8))
        for part in _patches(edges):
            if 2 * part.width * part.height < whole.width * whole.height:
                yield grown(part, _MARGIN, whole)
        for part in _lattices(edges):
            yield grown(part, _MARGIN, whole)
    yield whole


def is_whole(grid: Grid, part: Rect, whole: Rect) -> bool:
    """Whether a board that was found in a part ends there, and is not cut off by the part's edge.

    `grid` is in pixels of the part: beyond the board there is room for a tile more, or the
    picture ends.
    """
    frame, room = grid.frame, round(1.1 * grid.tile)
    return (
        (frame.left >= room or part.left == whole.left)
        and (frame.top >= room or part.top == whole.top)
        and (part.width - frame.right >= room or part.right == whole.right)
        and (part.height - frame.bottom >= room or part.bottom == whole.bottom)
    )


def cut(frame: Frame, part: Rect) -> Frame:
    """That part of the picture."""
    pixels = frame.pixels[part.top : part.bottom, part.left : part.right]
    return Frame(np.ascontiguousarray(pixels), frame.taken)


def _edges(grey: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Where the lightness changes, of whole blocks."""
    height, width = (side // _SHRUNK * _SHRUNK for side in grey.shape)
    edges = np.zeros((height, width), np.bool_)
    edges[:, 1:] = cv2.absdiff(grey[:height, 1:width], grey[:height, : width - 1]) > _EDGE
    edges[1:] |= cv2.absdiff(grey[1:height, :width], grey[: height - 1, :width]) > _EDGE
    return edges


def _patches(edges: NDArray[np.bool_]) -> list[Rect]:
    """The rectangles around the patches of edges, the most regular first."""
    height, width = edges.shape
    blocks = edges.reshape(height // _SHRUNK, _SHRUNK, width // _SHRUNK, _SHRUNK).any(axis=(1, 3))
    near = cv2.morphologyEx(
        np.asarray(blocks, np.uint8), cv2.MORPH_CLOSE, np.ones((_NEAR, _NEAR), np.uint8)
    )
    _, _, stats, _ = cv2.connectedComponentsWithStats(near)
    found = [Rect(*(int(side) * _SHRUNK for side in row[:4])) for row in stats[1:]]
    found = [part for part in found if min(part.width, part.height) >= _LEAST]
    return sorted(found, key=lambda part: -_regular(edges, part))


def _lattices(edges: NDArray[np.bool_]) -> list[Rect]:
    """The rectangles around the squares in which edges are regular, the largest first."""
    height, width = edges.shape
    squares = [
        [
            _regular(edges, Rect(left, top, _BLOCK, _BLOCK))
            for left in range(0, width - _STEP, _STEP)
        ]
        for top in range(0, height - _STEP, _STEP)
    ]
    regular = np.asarray(np.array(squares) > _REGULAR, np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(regular)
    found = [
        Rect(left * _STEP, top * _STEP, (wide + 1) * _STEP, (high + 1) * _STEP)
        for left, top, wide, high, _ in stats[1:].tolist()
    ]
    return sorted(found, key=lambda part: -part.width * part.height)


def _regular(edges: NDArray[np.bool_], part: Rect) -> float:
    """How much the edges repeat themselves, across as well as down: at most 1.

    Text does so down alone.
    """
    inside = edges[part.top : part.bottom, part.left : part.right]
    return min(_repeated(inside.sum(axis=0)), _repeated(inside.sum(axis=1)))


def _repeated(counts: NDArray[np.int64]) -> float:
    """How like itself a row of counts is, moved along by what a tile may measure."""
    varied = np.diff(counts)  # so that what is wide and busy as a whole does not count
    power = np.abs(np.fft.rfft(varied, 2 * len(varied))) ** 2
    alike = np.fft.irfft(power)[: len(varied)]
    return float(alike[_STEPS].max(initial=0.0) / max(alike[0], 1.0))


def grown(part: Rect, margin: int, whole: Rect) -> Rect:
    """The part with so many pixels more around it, as far as the whole goes."""
    left, top = max(0, part.left - margin), max(0, part.top - margin)
    right, bottom = min(whole.width, part.right + margin), min(whole.height, part.bottom + margin)
    return Rect(left, top, right - left, bottom - top)
