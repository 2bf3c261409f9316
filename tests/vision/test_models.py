"""The trained networks are small, are loaded only when needed, and answer in the shapes agreed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from minebot.vision import models
from minebot.vision.classification import Label
from minebot.vision.models import network

FOLDER = Path(models.__file__).parent
MOST_BYTES = 2_500_000
"""Of all weights together, as promised."""
WIDTH = 64


def test_the_weights_are_small() -> None:
    sizes = {path.stem: path.stat().st_size for path in FOLDER.glob("*.onnx")}
    assert set(sizes) == {"lattice", "encoder", "before", "after"}
    assert sum(sizes.values()) <= MOST_BYTES


@pytest.mark.parametrize(("height", "width"), [(160, 240), (16, 16), (320, 64)])
def test_the_maps_are_a_quarter_of_the_picture(height: int, width: int) -> None:
    maps = network("lattice")(np.zeros((1, 3, height, width), np.float32))
    assert maps.shape == (1, 6, height // 4, width // 4)


@pytest.mark.parametrize("count", [1, 7, 480])
def test_each_tile_is_described_by_itself(count: int) -> None:
    tiles = np.random.default_rng(1).random((count, 3, 32, 32), np.float32)
    described = network("encoder")(tiles)
    assert described.shape == (count, WIDTH)
    assert np.allclose(network("encoder")(tiles[:1]), described[:1], atol=1e-4)


def test_each_cell_gets_a_chance_for_each_label() -> None:
    out = network("before")(np.zeros((1, 3 * WIDTH, 9, 14), np.float32))
    assert out.shape == (1, len(Label) + 2 * WIDTH, 9, 14)
    out = network("after")(np.zeros((1, 4 * WIDTH, 9, 14), np.float32))
    assert out.shape == (1, len(Label) + 1, 9, 14)


def test_nothing_is_loaded_before_it_is_needed() -> None:
    code = "import minebot.vision.first_sight_reader; from minebot.vision.models import network; "
    code += "print(network.cache_info()[3])"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert run.stdout.strip() == "0"
