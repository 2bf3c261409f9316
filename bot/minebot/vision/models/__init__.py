"""Trained networks and how they are run; `README.md` beside this file is their card."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class Network:
    """One trained network, run by OpenCV."""

    def __init__(self, path: Path) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(path))

    def __call__(self, inputs: NDArray[np.generic]) -> Floats:
        """The output for inputs of shape (n, channels, height, width)."""
        self._net.setInput(np.ascontiguousarray(inputs, np.float32))
        return np.asarray(self._net.forward(), np.float32)


@cache
def network(name: str) -> Network:
    """The network of this name, loaded when it is first asked for."""
    return Network(Path(__file__).parent / f"{name}.onnx")
