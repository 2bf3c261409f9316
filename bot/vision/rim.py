"""The background of a tile, from the rim around its glyph."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["commonest"]

Floats = NDArray[np.float32]

_PLACES = np.array([1 << 16, 1 << 8, 1], np.float32)


def commonest(pixels: Floats) -> Floats:
    """The colour that stands most often in each row of `pixels`, shape (n, m, 3)."""
    # Colours as numbers of 24 bits, which float32 holds exactly.
    keys = np.sort(pixels.astype(np.float32) @ _PLACES, axis=1).astype(np.int64)
    index = np.broadcast_to(np.arange(keys.shape[1]), keys.shape)
    begins = np.diff(keys, axis=1, prepend=-1) != 0
    runs = index - np.maximum.accumulate(np.where(begins, index, 0), axis=1)
    key = keys[np.arange(len(keys)), runs.argmax(axis=1)]
    return np.stack((key >> 16, key >> 8 & 255, key & 255), axis=1).astype(np.float32)
