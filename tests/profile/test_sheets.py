"""Sheets of cells: what is drawn reads the same, and what is no sheet says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from bot.board import Cell
from bot.errors import UsageError
from bot.profile import Glyph, Sample, Thumbnail
from bot.profile.sheets import ArtworkSheet, GlyphSheet, ShapeSheet, TileSheet, draw, read

CALIBRATION = Path(__file__).parents[2] / "calibration"
SHAPE = tuple(range(16)) * 9
FLAT = Sample(Cell.EMPTY, ((1, 2, 3),))
DRAWN = Sample(Cell.ONE, ((1, 2, 3), (4, 5, 6)), "", (250, 251, 252), 0.47, 0.31, SHAPE)
TILE = Thumbnail(Cell.FLAG, bytes(range(144)) * 3, 2.3)


def _save(folder: Path, pixels: np.ndarray[Any, Any]) -> None:
    Image.fromarray(pixels).save(folder / "sheet.png")


def test_a_column_shows_one_cell_and_a_sheet_one_phase() -> None:
    lost = Sample(Cell.ONE, ((9, 9, 9),), "classic, lost")
    (first, pixels), (second, _) = draw([FLAT, DRAWN, DRAWN, lost])
    assert first == GlyphSheet("cells.png", "01")
    assert second == GlyphSheet("classic-lost.png", "1", "classic, lost")
    assert pixels.shape == (2 * 26, 2 * 20, 4)
    assert not pixels[26:, :20].any(), "there is no second picture of an empty cell"


def test_a_card_shows_shape_colours_and_numbers() -> None:
    ((_, pixels),) = draw([DRAWN])
    assert pixels[:12, :12, 0].ravel().tolist() == [255 - 17 * ink for ink in SHAPE]
    assert pixels[0, 13].tolist() == [1, 2, 3, 255]
    assert pixels[11, 13].tolist() == [4, 5, 6, 255]
    assert pixels[5, 18].tolist() == [250, 251, 252, 255]
    rows = ["".join(".#"[int(dark)] for dark in row) for row in pixels[13:18, 8:19, 0] == 0]
    assert rows == [
        "###..#..###",
        "..#.##..#.#",
        "###..#..#.#",
        "..#..#..#.#",
        "###.###.###",
    ]


@pytest.mark.parametrize("drawn", [FLAT, DRAWN, TILE, Glyph("mine", 12.345, 0.375, bytes(SHAPE))])
def test_what_is_drawn_reads_the_same(tmp_path: Path, drawn: Glyph | Sample | Thumbnail) -> None:
    ((sheet, pixels),) = draw([drawn])
    _save(tmp_path, pixels)
    assert [*read(type(sheet)("sheet.png", sheet.cells), tmp_path)] == [drawn]


def test_a_place_where_nothing_is_drawn_is_left_out() -> None:
    sheet = ArtworkSheet("default.png", "012345678?F*!F")
    found = read(sheet, CALIBRATION / "kmines")
    with Image.open(CALIBRATION / "kmines" / "default.png") as picture:
        places = picture.height // 12 * picture.width // 12
    assert 0 < len(found) < places


@pytest.mark.parametrize(
    ("sheet", "size", "complaint"),
    [
        (
            ArtworkSheet("sheet.png", "0?F"),
            (36, 20),
            "36x20 pixels, which is not 3 places of 12x12",
        ),
        (ArtworkSheet("sheet.png", "0?F"), (48, 24), "48x24 pixels"),
        (TileSheet("sheet.png", "0?F"), (36, 24), "36x24 pixels, which is not 3 places of 20x26"),
        (TileSheet("other.png", "0?F"), (60, 26), "No such file"),
        (ShapeSheet("sheet.png", "1"), (20, 26), "a shape without its numbers"),
        (GlyphSheet("sheet.png", "1"), (20, 26), "a shape without its numbers"),
    ],
)
def test_a_broken_sheet_says_what_is_wrong(
    tmp_path: Path, sheet: TileSheet, size: tuple[int, int], complaint: str
) -> None:
    Image.new("RGBA", size, (200, 200, 200, 255)).save(tmp_path / "sheet.png")
    with pytest.raises(UsageError, match=complaint):
        read(sheet, tmp_path)


def test_a_number_that_was_smudged_is_not_read(tmp_path: Path) -> None:
    ((_, pixels),) = draw([TILE])
    assert pixels[13, 18, 0] == 0, "the last digit is a 3"
    pixels[14, 16] = (0, 0, 0, 255)
    pixels[15, 16] = (255, 255, 255, 255)
    _save(tmp_path, pixels)
    with pytest.raises(UsageError, match="a number that cannot be read"):
        read(TileSheet("sheet.png", "F"), tmp_path)


@pytest.mark.parametrize("mode", ["RGB", "L"])
def test_a_sheet_has_to_say_where_nothing_is_drawn(tmp_path: Path, mode: str) -> None:
    Image.new(mode, (20, 26)).save(tmp_path / "sheet.png")
    with pytest.raises(UsageError, match="red, green, blue and opacity"):
        read(TileSheet("sheet.png", "F"), tmp_path)


@pytest.mark.parametrize("content", [b"", b"not a picture"])
def test_a_sheet_that_is_no_picture_says_so(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "sheet.png").write_bytes(content)
    with pytest.raises(UsageError, match="is not a picture"):
        read(TileSheet("sheet.png", "F"), tmp_path)


def test_a_sheet_that_was_cut_off_says_so(tmp_path: Path) -> None:
    whole = (CALIBRATION / "xdemineur" / "cells.png").read_bytes()
    (tmp_path / "sheet.png").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(UsageError, match="damaged"):
        read(TileSheet("sheet.png", "012345678?F*!"), tmp_path)
