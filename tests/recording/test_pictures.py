"""Picture files of every kind, and files that are none."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from minebot.errors import UsageError
from minebot.recording import pictures

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots"
SHOT = SHOTS / "sgt-mines" / "9x9n10-t20-middle-flags.png"


def _deep(path: Path) -> None:
    cv2.imwrite(str(path), cv2.imread(str(SHOT)).astype(np.uint16) * 257)  # type: ignore[union-attr]


def _see_through(path: Path) -> None:
    Image.open(SHOT).convert("RGBA").save(path)


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("a.png", _deep),
        ("a.png", _see_through),
        ("a.bmp", lambda path: Image.open(SHOT).save(path)),
        ("a.webp", lambda path: Image.open(SHOT).save(path, lossless=True)),
    ],
)
def test_a_picture_is_the_same_in_every_kind_of_file(
    name: str, write: Callable[[Path], None], tmp_path: Path
) -> None:
    path = tmp_path / name
    write(path)
    assert (pictures.load(path).pixels == pictures.load(SHOT).pixels).all()


@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_greys_stay_as_they_are(kind: type, tmp_path: Path) -> None:
    path = tmp_path / "grey.png"
    greys: NDArray[Any] = np.arange(256, dtype=kind).reshape(16, 16)
    cv2.imwrite(str(path), greys * (257 if kind is np.uint16 else 1))
    assert (pictures.load(path).pixels[..., :3] == greys[..., None]).all()


def test_with_fewer_colours_or_compressed_it_is_nearly_the_same(tmp_path: Path) -> None:
    shot = Image.open(SHOT).convert("RGB")
    shot.quantize(256).save(tmp_path / "a.png")
    shot.save(tmp_path / "a.jpg", quality=95)
    red = Image.new("RGB", shot.size, "red")
    shot.save(tmp_path / "a.gif", save_all=True, append_images=[red])  # the first one counts
    here = pictures.load(SHOT).pixels
    for name in ("a.png", "a.jpg", "a.gif"):
        there = pictures.load(tmp_path / name).pixels.astype(int)
        assert np.abs(there - here).mean() < 3


@pytest.mark.parametrize("size", [(7680, 4321), (20_000, 20_000)])
def test_a_picture_larger_than_any_screen_is_refused_without_a_warning(
    size: tuple[int, int], tmp_path: Path
) -> None:
    path = tmp_path / "huge.png"
    Image.new("1", size).save(path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UsageError, match="larger than any screen"):
            pictures.load(path)


def test_a_tiny_picture_is_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "dot.png"
    Image.new("RGB", (1, 1), "red").save(path)
    assert pictures.load(path).pixels.tolist() == [[[0, 0, 255, 255]]]


@pytest.mark.parametrize("name", ["a.png", "a.jpg"])
def test_a_truncated_picture_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    Image.open(SHOT).convert("RGB").save(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(UsageError, match="a damaged picture"):
        pictures.load(path)


EPS = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n"
"""It would be handed to Ghostscript."""


@pytest.mark.parametrize("content", [b"", b"a board\n", EPS, b"DDS " + bytes(200)])
def test_a_file_that_is_no_picture_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(content)
    with pytest.raises(UsageError, match="not a picture"):
        pictures.load(path)


def test_a_picture_of_another_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    Image.new("RGB", (9, 9)).save(path, "TIFF")
    with pytest.raises(UsageError, match="not a picture in one of PNG, JPEG"):
        pictures.load(path)


def test_no_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.png", tmp_path):
        with pytest.raises(UsageError, match=str(path)):
            pictures.load(path)
