"""Looks of tiles that have two shades by turns: what was met in one is known in the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bot.board import Cell
from bot.profile.values import THUMBNAIL, Thumbnail
from bot.vision.thumbnails import distances, reaches

Floats = NDArray[np.float32]

_PLAIN_CELLS = (Cell.HIDDEN, Cell.EMPTY)
_PLAIN = 2.0
"""A ground is of one colour: its pixels differ by less, in levels of 255. Guessed."""
_SAME = 3.0
"""What is drawn lies on a ground that differs by less from the plain one. Guessed."""
_NEAR = 48.0
"""Two shades of one ground differ by less. Guessed."""
_FULL = 0.5
"""What differs from the ground by this share of the strongest ink is all ink. Guessed."""


@dataclass(frozen=True, slots=True)
class _Ground:
    """How a cell is drawn plain."""

    colour: Floats
    shade: float
    """How much lighter or darker the same was met, in levels of 255."""


def in_both_shades(samples: Sequence[Thumbnail]) -> tuple[Thumbnail, ...]:
    """The samples, and what they show on the other shade of their ground where that is not known.

    Only where covered and empty cells are plain and have two shades each: then numbers, flags and
    mines are drawn on both.
    """
    every = list(samples)
    for phase in sorted({sample.phase for sample in samples}):
        own = [index for index, one in enumerate(samples) if one.phase == phase]
        kinds = [_grounds([samples[index] for index in own], cell) for cell in _PLAIN_CELLS]
        if not all(kinds):
            continue
        for index in own:
            for grounds in kinds:
                every[index] = _lightened(every[index], grounds)
                other = _repainted(every[index], grounds)
                if other is not None and not _is_known(other, every):
                    every.append(other)
    return tuple(every)


def _grounds(samples: Sequence[Thumbnail], cell: Cell) -> tuple[_Ground, ...]:
    """How that cell is drawn: in two shades, or in one that is met lighter; nothing otherwise."""
    grounds: list[_Ground] = []
    for sample in samples:
        if sample.cell != cell:
            continue
        pixels = _pixels(sample)
        colour = np.median(pixels, axis=0)
        if sample.opacity or np.abs(pixels - colour).max() > _PLAIN:
            return ()
        if all(np.abs(colour - other.colour).max() > _SAME for other in grounds):
            grounds.append(_Ground(colour, sample.shade))
    if len(grounds) == 1:
        return tuple(grounds) if grounds[0].shade > _PLAIN else ()
    near = len(grounds) == 2 and np.abs(grounds[0].colour - grounds[1].colour).max() < _NEAR
    return tuple(grounds) if near else ()


def _lightened(sample: Thumbnail, grounds: Sequence[_Ground]) -> Thumbnail:
    """The sample, lighter and darker by as much as its ground was met."""
    if sample.opacity:
        return sample
    rim = _rim(sample)
    for ground in grounds:
        lies_on_it = np.abs(rim - ground.colour).max() <= _SAME + ground.shade
        if lies_on_it and ground.shade > sample.shade:
            return replace(sample, shade=ground.shade)
    return sample


def _repainted(sample: Thumbnail, grounds: Sequence[_Ground]) -> Thumbnail | None:
    """What the sample shows on the other shade of its ground."""
    if len(grounds) < 2 or sample.opacity:
        return None
    pixels, rim = _pixels(sample), _rim(sample)
    far = np.abs(pixels - rim).max(axis=1)
    if far.max() <= _PLAIN:
        return None
    away = [float(np.abs(rim - ground.colour).max()) for ground in grounds]
    own = int(np.argmin(away))
    if away[own] > _SAME:
        return None
    seen = 1 - np.clip(far / (_FULL * far.max()), 0, 1)
    changed = pixels + seen[:, None] * (grounds[1 - own].colour - grounds[own].colour)
    return replace(sample, pixels=np.rint(changed.clip(0, 255)).astype(np.uint8).tobytes())


def _rim(sample: Thumbnail) -> Floats:
    """The usual colour of its outermost pixels."""
    picture = _pixels(sample).reshape(THUMBNAIL, THUMBNAIL, 3)
    rim = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    return np.asarray(np.median(rim, axis=0), np.float32)


def _is_known(sample: Thumbnail, samples: Sequence[Thumbnail]) -> bool:
    """Whether the same cell has such a look already."""
    same = [one for one in samples if (one.cell, one.phase) == (sample.cell, sample.phase)]
    known = np.stack([_pixels(one).ravel() for one in same if not one.opacity])
    shades = np.array([one.shade for one in same if not one.opacity], np.float32)
    far = distances(_pixels(sample).reshape(1, -1), known, shades)[0]
    return bool((far <= reaches(known)).any())


def _pixels(sample: Thumbnail) -> Floats:
    """Red, green and blue of each pixel, row-major: shape (n, 3)."""
    return np.frombuffer(sample.pixels, np.uint8).astype(np.float32).reshape(-1, 3)
