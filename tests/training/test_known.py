"""Labelled pictures of boards are read as they were saved."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from minebot.vision.classification import Label
from training.draw.page import Lattice
from training.draw.picture import Picture
from training.known import labelled, save


def test_what_is_saved_is_read_again(tmp_path: Path) -> None:
    labels = np.arange(15).reshape(3, 5)  # Every label but that of no cell.
    lattice = Lattice(12.5 + 20.5 * np.arange(5), 40 + 21.0 * np.arange(3), labels)
    pixels = np.arange(100 * 130 * 3).reshape(100, 130, 3).astype(np.uint8)
    (tmp_path / "game").mkdir()
    save(Picture(pixels, [lattice]), tmp_path / "game" / "0.png")
    (one,) = labelled(tmp_path)
    (read,) = one.picture.lattices
    assert (one.source, one.name) == ("game", "0")
    assert np.array_equal(one.picture.pixels, pixels)
    assert np.allclose(read.x, lattice.x)
    assert np.allclose(read.y, lattice.y)
    assert read.labels is not None
    assert read.labels.tolist() == labels.tolist()
    assert labels.max() == Label.WRONG_FLAG
