"""Shapes: a picture shows one for each size, and what shows anything else says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from minebot.errors import UsageError
from minebot.profile import Glyph
from minebot.profile.appearance import SHAPED, Size
from minebot.profile.shapes import read

INK = np.arange(144).reshape(12, 12) % 16
SIZES: dict[str, tuple[Size, ...]] = dict.fromkeys(SHAPED, ((0.5, 0.75),))
SIZES |= {"2": ((0.31, 0.6), (0.625, 1.25)), "mine": ((0.7, 1.0), (0.75, 1.0))}


@pytest.fixture
def places() -> np.ndarray[Any, Any]:
    """Two rows of ten white places."""
    return np.full((2, 13, 10, 13), 255, np.uint8)


def _save(folder: Path, places: np.ndarray[Any, Any]) -> Path:
    file = folder / "shapes.png"
    Image.fromarray(places.reshape(len(places) * 13, 130)).save(file)
    return file


def _draw(places: np.ndarray[Any, Any]) -> None:
    """Draw what `SIZES` has, the lower one in each column turned round."""
    places[0, :12, :, :12] = (255 - 17 * INK)[:, None, :]
    places[1, :12, [1, 9], :12] = 255 - 17 * INK.T


def test_a_shape_is_read_with_its_size_column_by_column(
    tmp_path: Path, places: np.ndarray[Any, Any]
) -> None:
    _draw(places)
    found = read(SIZES, _save(tmp_path, places))
    assert [glyph.name for glyph in found] == [*"1223", *"45678", "flag", "mine", "mine"]
    shape, turned = (bytes(ink.ravel().tolist()) for ink in (INK, INK.T))
    assert found[:3] == (
        Glyph("1", aspect=0.75, height=0.5, shape=shape),
        Glyph("2", aspect=0.6, height=0.31, shape=shape),
        Glyph("2", aspect=1.25, height=0.625, shape=turned),
    )
    assert found[-1] == Glyph("mine", aspect=1.0, height=0.75, shape=turned)


@pytest.mark.parametrize(
    ("row", "column", "level"),
    [
        (1, 9, 255),  # a size without a shape
        (1, 0, 0),  # a shape without a size
    ],
)
def test_each_shape_has_a_size_and_each_size_a_shape(
    tmp_path: Path, places: np.ndarray[Any, Any], row: int, column: int, level: int
) -> None:
    _draw(places)
    places[row, :12, column, :12] = level
    with pytest.raises(UsageError, match="a shape without a size, or a size without a shape"):
        read(SIZES, _save(tmp_path, places))


@pytest.mark.parametrize("size", [(130, 13), (130, 39), (117, 26), (130, 25)])
def test_a_picture_of_another_size_is_refused(tmp_path: Path, size: tuple[int, int]) -> None:
    file = tmp_path / "shapes.png"
    Image.new("L", size).save(file)
    with pytest.raises(UsageError, match=f"has {size[0]}x{size[1]} pixels, not 130x26"):
        read(SIZES, file)


def test_a_picture_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        read(SIZES, tmp_path / "shapes.png")


@pytest.mark.parametrize("content", [b"", b"not a picture", None])
def test_a_file_that_is_no_whole_picture_says_so(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "shapes.png"
    if content is None:
        Image.effect_noise((130, 26), 50).save(file)
        content = file.read_bytes()[:100]
    file.write_bytes(content)
    with pytest.raises(UsageError, match="is not a picture, or a damaged one"):
        read(SIZES, file)
