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
    keys = np.sort(np.asarray(pixels, np.float32) @ _PLACES, axis=1)
    # What more than half of them are is in their middle.
    key = keys[:, keys.shape[1] // 2]
    rare = 2 * np.count_nonzero(keys == key[:, None], axis=1) <= keys.shape[1]
    if rare.any():
        key[rare] = _longest_run(keys[rare])
    key = key.astype(np.int64)
    return np.stack((key >> 16, key >> 8 & 255, key & 255), axis=1).astype(np.float32)


def _longest_run(keys: Floats) -> Floats:
    """The value that stands most often in each sorted row."""
    index = np.broadcast_to(np.arange(keys.shape[1]), keys.shape)
    begins = np.diff(keys, axis=1, prepend=-1) != 0
    runs = index - np.maximum.accumulate(np.where(begins, index, 0), axis=1)
    return np.asarray(keys[np.arange(len(keys)), runs.argmax(axis=1)])
