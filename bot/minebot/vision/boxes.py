"""Finds what hangs together in a mask of pixels."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from minebot.capture import Rect


def boxes(mask: NDArray[np.bool_], bridge: tuple[int, int] = (1, 1)) -> list[Rect]:
    """Return the box around each group of pixels that touch, also at their corners.

    Gaps that are less high and wide than the `bridge`, in pixels, are closed before.
    """
    closed = cv2.morphologyEx(mask.view(np.uint8), cv2.MORPH_CLOSE, np.ones(bridge, np.uint8))
    _, _, found, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    return [Rect(*box[:4]) for box in found[1:].tolist()]
