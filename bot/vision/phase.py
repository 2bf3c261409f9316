"""Where between two tiles of a lattice the one ends and the next begins."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.vision.medians import median
from bot.vision.mesh import Mesh
from bot.vision.pieces import Pixels

Floats = NDArray[np.float64]

_SOME = 80
"""So many tiles tell it. Guessed."""
_BAND = 0.25
"""Half the width of the strip through a tile in which its ends are looked for, in steps: beside
it are rounded corners. Guessed."""
_BETWEEN = 0.36
"""A bevel, the gap and the next tile's bevel are no wider, in steps. Guessed."""
_EDGE = 0.6
"""The least change that counts, of the greatest. Guessed."""
_GRAIN = 2.0
"""Nor does less count than so many times what is usual: a tile's grain. Guessed."""
_LEAST = 1.5
"""Nor less than so many levels of 255."""


def phase(pixels: Pixels, mesh: Mesh) -> tuple[float, float]:
    """How far right and down of its flat pieces' middles a mesh's tiles have theirs, in pixels."""
    some = slice(None, None, max(1, mesh.at[0].size // _SOME))
    x, y = mesh.at[0][some], mesh.at[1][some]
    across = _off(pixels, x, y, mesh.step, mesh.side[0])
    down = _off(pixels.swapaxes(0, 1), y, x, mesh.step[::-1], mesh.side[1])
    return across, down


def _off(pixels: Pixels, x: Floats, y: Floats, step: tuple[float, float], side: float) -> float:
    """The same in one direction."""
    # One pixel more at both ends, so that a change at the seam is seen whole.
    reach = int(np.ceil(step[0] / 2)) + 1
    band = max(1, int(_BAND * step[1]))
    height, width = pixels.shape[:2]
    across = np.floor(x).astype(int)[:, None] + np.arange(-reach - 1, reach + 1)
    down = np.floor(y).astype(int)[:, None] + np.arange(-band, band + 1)
    is_whole = (across[:, 0] >= 0) & (down[:, 0] >= 0)
    is_whole &= (across[:, -1] < width) & (down[:, -1] < height)
    if not is_whole.any():
        return 0.0
    strips = pixels[down[is_whole][:, :, None], across[is_whole][:, None]]
    # A grain is gone from the mean of a strip's rows; the lines between tiles are not.
    rows = strips.sum(axis=1, dtype=np.int32) / strips.shape[1]
    changes = np.abs(np.diff(rows, axis=1)).max(axis=2)
    # Column i tells of the change where pixel i - reach, from the middle's, begins.
    usual = median(changes)
    begin = -reach - float(np.mean(x - np.floor(x)))
    # No end lies within a flat piece.
    inside = np.abs(begin + np.arange(usual.size)) < side / 2 - 1
    grain = float(np.median(usual[inside])) if inside.any() else 0.0
    usual[inside] = 0
    between = step[0] - side + 1
    window = max(_BETWEEN * step[0], between if between < step[0] / 2 else 0)
    off = _middle(usual, begin, step[0], window, grain)
    most = (step[0] - side) / 2 + 0.5
    return off if abs(off) <= most else 0.0


def _middle(changes: Floats, begin: float, step: float, window: float, grain: float) -> float:
    """How far off half a step the middle is of what changes between two tiles.

    The first change is at `begin`, counted from a tile's middle; those that count lie within a
    window of so many pixels.
    """
    enough = max(_EDGE * float(changes.max()), _GRAIN * grain, _LEAST)
    at = begin + np.flatnonzero(changes >= enough)
    if not at.size:
        return 0.0
    weights = changes[changes >= enough]
    # Ends of a tile may be told at either side of it.
    turned = np.concatenate([at, at + step])
    heavy = np.concatenate([weights, weights])
    best, middle = 0.0, 0.0
    for first in at:
        inside = (turned >= first) & (turned <= first + max(1.0, window))
        weight = float(heavy[inside].sum())
        centre = (first + turned[inside].max()) / 2
        off = (centre % step) - step / 2
        better = weight > 1.05 * best
        if better or (weight > 0.95 * best and abs(off) < abs(middle)):
            best, middle = max(best, weight), off
    return middle
