"""Trained networks and how they are run; `README.md` beside this file is their card."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

_CLASSIC = ("lattice", "encoder")
"""Networks that OpenCV 5 runs with the engine of OpenCV 4. Measured: these two take 0.8 times as
long with it, the others 1.4 times."""


@cache
def network(name: str) -> Callable[[NDArray[np.generic]], NDArray[np.float32]]:
    """The network of this name, loaded once. Inputs: shape (n, channels, height, width)."""
    is_classic = name in _CLASSIC and hasattr(cv2.dnn, "ENGINE_CLASSIC")
    engine = (cv2.dnn.ENGINE_CLASSIC,) if is_classic else ()
    loaded = cv2.dnn.readNetFromONNX(str(Path(__file__).parent / f"{name}.onnx"), *engine)

    def run(inputs: NDArray[np.generic]) -> NDArray[np.float32]:
        loaded.setInput(np.ascontiguousarray(inputs, np.float32))
        return np.asarray(loaded.forward(), np.float32)

    return run
