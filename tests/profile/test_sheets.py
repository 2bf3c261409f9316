"""Sheets of shapes: what is drawn reads the same, and what is no sheet says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from bot.errors import UsageError
from bot.profile import Glyph
from bot.profile.sheets import Sheet, draw, read

CALIBRATION = Path(__file__).parents[2] / "calibration"
SHAPE = tuple(range(16)) * 9
ONE = Glyph("1", 0.47, 0.31, bytes(SHAPE))
FLAG = Glyph("flag", 0.9, 0.73, bytes(SHAPE))


def _save(folder: Path, pixels: np.ndarray[Any, Any]) -> None:
    Image.fromarray(pixels).save(folder / "sheet.png")


def test_a_column_shows_one_drawing() -> None:
    sheet, pixels = draw([FLAG, ONE, ONE])
    assert sheet == Sheet("cells.png", "F1")
    assert pixels.shape == (2 * 26, 2 * 20, 4)
    assert not pixels[26:, :20].any(), "there is no second picture of a flag"


def test_a_card_shows_shape_and_numbers() -> None:
    _, pixels = draw([ONE])
    assert pixels[:12, :12, 0].ravel().tolist() == [255 - 17 * ink for ink in SHAPE]
    rows = ["".join(".#"[int(dark)] for dark in row) for row in pixels[13:18, 8:19, 0] == 0]
    assert rows == [
        "###..#..###",
        "..#.##..#.#",
        "###..#..#.#",
        "..#..#..#.#",
        "###.###.###",
    ]


@pytest.mark.parametrize("drawn", [ONE, FLAG, Glyph("mine", 12.345, 0.375, bytes(SHAPE))])
def test_what_is_drawn_reads_the_same(tmp_path: Path, drawn: Glyph) -> None:
    sheet, pixels = draw([drawn])
    _save(tmp_path, pixels)
    assert read(Sheet("sheet.png", sheet.cells), tmp_path) == [drawn]


def test_a_place_where_nothing_is_drawn_is_left_out() -> None:
    found = read(Sheet("cells.png", "12345678F*"), CALIBRATION / "sgt-mines")
    with Image.open(CALIBRATION / "sgt-mines" / "cells.png") as picture:
        places = (picture.height // 26) * (picture.width // 20)
    assert 0 < len(found) < places


@pytest.mark.parametrize(
    ("sheet", "size", "complaint"),
    [
        (Sheet("sheet.png", "12F"), (36, 24), "36x24 pixels, which is not 3 places of 20x26"),
        (Sheet("sheet.png", "12F"), (60, 50), "60x50 pixels"),
        (Sheet("other.png", "12F"), (60, 26), "No such file"),
        (Sheet("sheet.png", "1"), (20, 26), "a shape without its numbers"),
    ],
)
def test_a_broken_sheet_says_what_is_wrong(
    tmp_path: Path, sheet: Sheet, size: tuple[int, int], complaint: str
) -> None:
    Image.new("RGBA", size, (200, 200, 200, 255)).save(tmp_path / "sheet.png")
    with pytest.raises(UsageError, match=complaint):
        read(sheet, tmp_path)


def test_a_number_that_was_smudged_is_not_read(tmp_path: Path) -> None:
    _, pixels = draw([FLAG])
    assert pixels[13, 18, 0] == 0, "the last digit is a 0"
    pixels[14, 16] = (255, 255, 255, 255)
    _save(tmp_path, pixels)
    with pytest.raises(UsageError, match="a number that cannot be read"):
        read(Sheet("sheet.png", "F"), tmp_path)


@pytest.mark.parametrize("mode", ["RGB", "L"])
def test_a_sheet_has_to_say_where_nothing_is_drawn(tmp_path: Path, mode: str) -> None:
    Image.new(mode, (20, 26)).save(tmp_path / "sheet.png")
    with pytest.raises(UsageError, match="red, green, blue and opacity"):
        read(Sheet("sheet.png", "F"), tmp_path)


@pytest.mark.parametrize("content", [b"", b"not a picture"])
def test_a_sheet_that_is_no_picture_says_so(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "sheet.png").write_bytes(content)
    with pytest.raises(UsageError, match="is not a picture"):
        read(Sheet("sheet.png", "F"), tmp_path)


def test_a_sheet_that_was_cut_off_says_so(tmp_path: Path) -> None:
    whole = (CALIBRATION / "sgt-mines" / "cells.png").read_bytes()
    (tmp_path / "sheet.png").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(UsageError, match="damaged"):
        read(Sheet("sheet.png", "12345678F*"), tmp_path)
