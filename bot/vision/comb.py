"""A mesh's lines as the picture has them: followed from one line to the next, the step growing
better known with each.

Of a few lines, or of tiles whose ends are blurred, the step is known to some tenth of a pixel
only, and thirty lines on that is half a tile. What changes from pixel to pixel where a tile ends
looks much the same at every end, so the next one is found by how it looks.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from bot.vision.cells import Floats
from bot.vision.mesh import Mesh
from bot.vision.pieces import Pixels

_FINE = 4
"""So many samples a pixel."""
_REACH = 0.4
"""So far on both sides of a tile's end is looked at, in steps. Guessed."""
_SHIFT = 0.16
"""By no more than this, in steps, may an end be off where the ends before have it. Guessed."""
_ALIKE = 0.6
"""How well an end must look like the others, of 1. Guessed."""
_AS_STRONG = 0.4
"""It changes by this share of what the others do, or more. Guessed."""
_MISSED = 3
"""After so many ends in a row that do not, there are none. Guessed."""
_MOST = 32
"""A change of more levels of 255 counts as one of so many: numbers are drawn in strong colours."""
_ROUNDING = 0.75
"""Drawn on whole pixels, ends may be off an even spacing by so many."""
_WHOLE = 0.08
"""A step that is this close to whole pixels may be so many, unless more than a pixel adds up."""
_FEWEST = 4
"""Fewer ends tell nothing."""


def followed(pixels: Pixels, mesh: Mesh) -> Mesh:
    """The mesh, its lines evenly spaced as all are that can be followed from them."""
    turned = pixels.swapaxes(0, 1)
    x, wide = _lines(pixels, mesh.x, mesh.step[0], (mesh.y, mesh.step[1]))
    y, high = _lines(turned, mesh.y, mesh.step[1], (mesh.x, mesh.step[0]))
    at = np.interp(mesh.at[0], mesh.x, x), np.interp(mesh.at[1], mesh.y, y)
    return replace(mesh, x=x, y=y, step=(wide, high), at=at)


def _lines(
    pixels: Pixels, lines: Floats, step: float, others: tuple[Floats, float]
) -> tuple[Floats, float]:
    """The columns with these middles, seen in the rows of the others, as the picture has them."""
    middles, wide = others
    band = pixels[max(0, round(middles[0] - wide / 2)) : max(0, round(middles[-1] + wide / 2))]
    if not band.size or band.shape[1] < 3:
        return lines, step
    fine = _changes(band)
    number = np.arange(lines.size)
    slope, origin = np.polyfit(number, lines, 1) if lines.size > 2 else (step, lines[0])
    half, farthest = max(3, round(_REACH * step * _FINE)), max(2, round(_SHIFT * step * _FINE))

    def window(place: float, by: int) -> Floats | None:
        at = round(place * _FINE)
        left, right = at - half - by, at + half + by + 1
        return fine[left:right] if left >= 0 and right <= fine.size else None

    def ends(numbers: Floats) -> Floats:
        return np.asarray(origin + slope * (numbers - 0.5))

    own = [
        part
        for place in ends(np.arange(lines.size + 1.0))
        if (part := window(place, 0)) is not None
    ]
    if len(own) < _FEWEST:
        return lines, step
    middle = np.median(own, axis=0)
    usual, strength = _even(middle), float(np.linalg.norm(middle - middle.mean()))
    seen: dict[int, float] = {}

    def look(end: int) -> bool:
        place = float(ends(np.array([float(end)]))[0])
        # The more ends were seen, the better it is known where the next one is.
        away = max(0, -end, end - lines.size)
        most = min(farthest, round(_FINE * (_ROUNDING + away / max(_FEWEST, len(seen)))))
        part = window(place, most)
        if part is None:
            return False
        windows = sliding_window_view(part, 2 * half + 1)
        alike = _even(windows) @ usual
        best = int(alike.argmax())
        if (
            alike[best] < _ALIKE
            or not _AS_STRONG
            < windows[best].std() * windows.shape[1] ** 0.5 / strength
            < 1 / _AS_STRONG
        ):
            return False
        seen[end] = place + (best - most) / _FINE
        return True

    for end in range(lines.size + 1):
        look(end)
    if len(seen) < _FEWEST:
        return lines, step
    slope, origin = _fitted(seen)
    missed = [0, 0]
    after, before = lines.size + 1, -1
    while min(missed) < _MISSED:
        for side, end in ((0, before), (1, after)):
            if missed[side] >= _MISSED:
                continue
            if look(end):
                missed[side] = 0
                slope, origin = _fitted(seen)
            else:
                missed[side] += 1
        before, after = before - (missed[0] < _MISSED), after + (missed[1] < _MISSED)
    whole = round(step)
    if abs(step - whole) < 1e-6 and abs(slope - whole) < min(_WHOLE, 1 / len(seen)):
        return lines, step
    return np.asarray(origin + slope * number), float(slope)


def _fitted(seen: dict[int, float]) -> tuple[float, float]:
    """The step, and where the first line's middle is, of the ends that were seen."""
    numbers = np.array(list(seen)) - 0.5
    places = np.array(list(seen.values()))
    slope, origin = np.polyfit(numbers, places, 1)
    off = np.abs(origin + slope * numbers - places)
    good = off <= max(1.0, 2 * float(np.median(off)))
    if np.count_nonzero(good) >= _FEWEST:
        slope, origin = np.polyfit(numbers[good], places[good], 1)
    return float(slope), float(origin)


def _changes(band: Pixels) -> Floats:
    """How much changes from column to column, the samples of a picture's columns."""
    changes = np.minimum(cv2.absdiff(band[:, 1:], band[:, :-1]), _MOST)
    usual = changes.max(axis=2).mean(axis=0)
    # What changes between pixels 0 and 1 lies at 1.
    places = np.arange((band.shape[1]) * _FINE) / _FINE
    return np.asarray(np.interp(places, np.arange(1, band.shape[1]), usual))


def _even(samples: Floats) -> Floats:
    """The samples less their mean, of length 1."""
    away = samples - samples.mean(axis=-1, keepdims=True)
    return np.asarray(away / np.maximum(1e-6, np.linalg.norm(away, axis=-1, keepdims=True)))
