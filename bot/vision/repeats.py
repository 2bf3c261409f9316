"""Tiles that repeat themselves: the skeletons of boards whose tiles have no flat piece.

In a part of a picture that lies within such a board what changes from column to column repeats
itself with every tile, and so does what changes from row to row.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.vision.comb import followed
from bot.vision.mesh import Mesh
from bot.vision.pieces import Pixels

Floats = NDArray[np.float64]

_PARTS = (64, 160, 384)
"""Pixels: parts of these sides are looked at, each half a side from the next. Guessed."""
_LEAST = 7
"""Pixels from one tile to the next, at least; at most a third of a part's side."""
_ALIKE = 0.45
"""How well a part repeats itself, of 1. Guessed."""
_FIRST = 0.85
"""The first repetition has at least this share of the best one's. Guessed."""
_OBLONG = 1.04
"""How much longer a step may be across than down, or the other way. Guessed."""
_TRIED = 4
"""So many parts of each size are tried, those that repeat themselves best. Guessed."""
_SAME = 0.45
"""So much of what changes at a tile's ends changes in its middle, if that is an end too, less what
is usual. Guessed."""
_FACE = 0.55
"""A tile has no end so near its middle, in steps. Guessed."""


def repeated(pixels: Pixels) -> Iterator[Mesh]:
    """The skeletons of what repeats itself across and down, the most regular first."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    upright = np.asarray(cv2.absdiff(grey[:, 1:], grey[:, :-1]), np.uint8)
    level = np.asarray(cv2.absdiff(grey[1:], grey[:-1]), np.uint8)
    for side in _PARTS:
        if min(grey.shape) <= side:
            continue
        across = _windows(upright, side)
        down = _windows(np.ascontiguousarray(level.T), side).swapaxes(0, 1)
        shape = min(across.shape[0], down.shape[0]), min(across.shape[1], down.shape[1])
        across, down = across[: shape[0], : shape[1]], down[: shape[0], : shape[1]]
        (wide, one), (high, other) = _periods(across), _periods(down)
        score = np.minimum(one, other)
        score[np.maximum(wide, high) > _OBLONG * np.minimum(wide, high) + 0.5] = 0
        for place in np.argsort(-score, axis=None)[:_TRIED]:
            row, column = np.unravel_index(place, shape)
            if score[row, column] < _ALIKE:
                break
            columns, rows = across[row, column], down[row, column]
            step = float(wide[row, column]), float(high[row, column])
            if _is_half(columns, step[0]) and _is_half(rows, step[1]):
                step = step[0] / 2, step[1] / 2
            x, y = _inner(_middles(columns, step[0])), _inner(_middles(rows, step[1]))
            x, y = x + column * (side // 2) + 1, y + row * (side // 2) + 1
            if min(x.size, y.size) < 2:
                continue
            at = np.tile(x, y.size), np.repeat(y, x.size)
            flat = _FACE * step[0], _FACE * step[1]
            # Of a few tiles the step is known to a fifth of a pixel only.
            yield followed(pixels, Mesh(x, y, step, flat, at, x.size * y.size))


def _inner(lines: Floats) -> Floats:
    """The lines in the middle: a part may reach beyond the board."""
    away = max(0, min(lines.size // 4, (lines.size - 3) // 2))
    return lines[away : lines.size - away]


def _windows(changes: NDArray[np.uint8], side: int) -> Floats:
    """How much changes at each column of each part: shape (parts down, across, side)."""
    half = side // 2
    rows, columns = changes.shape[0] // half, changes.shape[1] // half
    part = changes[: rows * half, : columns * half]
    sums = np.add.reduceat(part, np.arange(0, rows * half, half), axis=0, dtype=np.int64)
    both = (sums[1:] + sums[:-1]).reshape(rows - 1, columns, half).astype(np.float64)
    return np.concatenate([both[:, :-1], both[:, 1:]], axis=2) / side


def _periods(windows: Floats) -> tuple[Floats, Floats]:
    """With which step each part repeats itself, and how well."""
    side = windows.shape[2]
    # A step of half a pixel more or less is no other one.
    smooth = windows.copy()
    smooth[:, :, 1:-1] += (windows[:, :, :-2] + windows[:, :, 2:]) / 2
    even = smooth - smooth.mean(axis=2, keepdims=True)
    power = np.abs(np.fft.rfft(even, 2 * side, axis=2)) ** 2
    alike = np.fft.irfft(power, axis=2)[:, :, :side]
    overlap = 1 - np.arange(side) / side
    alike = alike / np.maximum(alike[:, :, :1], 1e-6) / overlap
    last = side // 3
    some = alike[:, :, :last].copy()
    some[:, :, :_LEAST] = 0
    is_top = np.zeros_like(some, np.bool_)
    is_top[:, :, 1:-1] = (some[:, :, 1:-1] >= some[:, :, :-2]) & (
        some[:, :, 1:-1] >= some[:, :, 2:]
    )
    some[~is_top] = 0
    best = some.max(axis=2)
    first = (some >= _FIRST * best[:, :, None]).argmax(axis=2)
    # Several steps on, a fraction of a pixel has added up.
    step = first.astype(np.float64)
    for times in (2, 3, 5):
        near = np.round(step * times)[:, :, None] + np.arange(-1, 2)
        fits = near[:, :, 2] < 0.6 * side
        index = np.clip(near, 0, side - 1).astype(np.intp)
        found = np.take_along_axis(alike, index, axis=2)
        better = np.take_along_axis(index, found.argmax(axis=2)[:, :, None], axis=2)[:, :, 0]
        step = np.where(fits, better / times, step)
    return step, best


def _is_half(changes: Floats, step: float) -> bool:
    """Whether about as much changes in the middle between two ends as there, but not beside it.

    Then two tiles were taken for one: two steps may be whole pixels where one is none.
    """
    if step < 2 * _LEAST:
        return False
    begin = _begin(changes, step)
    near = np.maximum(np.maximum(changes[:-2], changes[1:-1]), changes[2:])
    parts = []
    for part in (0, 1 / 4, 1 / 2, 3 / 4):
        places = np.round(np.arange((begin + part * step) % step, changes.size, step)) - 1
        inside = places[(places >= 0) & (places < near.size)].astype(np.intp)
        if not inside.size:
            return False
        parts.append(float(np.median(near[inside])))
    end, *rest = parts
    low = max(rest[0], rest[2])
    return rest[1] - low > _SAME * (end - low)


def _begin(changes: Floats, step: float) -> float:
    """Where most changes, in pixels from the beginning of a tile."""
    fine = max(1, round(step))
    at = (np.arange(changes.size) % step / step * fine).astype(np.intp).clip(0, fine - 1)
    usual = np.bincount(at, changes, fine) / np.maximum(1, np.bincount(at, minlength=fine))
    return float(usual.argmax()) / fine * step


def _middles(changes: Floats, step: float) -> Floats:
    """The middles of the tiles in a part, their ends lying where most changes."""
    if step < _LEAST:
        return np.empty(0)
    begin = _begin(changes, step)
    first = begin + step / 2 if begin < step / 2 else begin - step / 2
    return np.arange(first, changes.size - step / 2, step)
