"""Pictures of a game by others in which some covered cells show what no game does."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np

from minebot.board import Board

ROOT = Path(__file__).parents[2]
DEV = ROOT / "fixtures" / "others" / "dev"


def alike(folder: Path) -> Path:
    """Nine covered cells, the first at row 6, column 4, are painted alike."""
    return _painted(folder, "middle", dict.fromkeys((48, *range(54, 58), *range(63, 67)), 0))


def apart(folder: Path) -> Path:
    """The cells at row 7, columns 2 and 3, and row 8, column 1, are painted each in its own way.

    The first is a mine.
    """
    return _painted(folder, "middle", {55: 0, 56: 1, 63: 2})


def following(folder: Path) -> Path:
    """Another moment of the game, in which four cells are painted like those of `alike`."""
    return _painted(folder, "early", dict.fromkeys((0, 1, 9, 10), 0))


def _painted(folder: Path, moment: str, painted: Mapping[int, int]) -> Path:
    """The picture with its truth, `painted` by a pattern's number for each square."""
    original = DEV / "las-r" / f"{moment}.png"
    picture = folder / f"{moment}-{len(painted)}.png"
    for suffix in (".txt", ".json"):
        shutil.copy(original.with_suffix(suffix), picture.with_suffix(suffix))
    board = Board.parse(original.with_suffix(".txt").read_text())
    lattice = json.loads(original.with_suffix(".json").read_text())
    pixels = cv2.imread(str(original))
    assert pixels is not None
    wide, high = (round(lattice[f"step_{axis}"]) for axis in "xy")
    for square, pattern in painted.items():
        column, row = board.xy(square)
        x = round(lattice["x"] + column * lattice["step_x"])
        y = round(lattice["y"] + row * lattice["step_y"])
        pixels[y : y + high, x : x + wide] = _pattern(pattern, wide, high)
    cv2.imwrite(str(picture), pixels)
    return picture


def _pattern(number: int, wide: int, high: int) -> np.ndarray:
    """Squares of random colours, which no game draws."""
    count = 5 + number
    colours = np.random.default_rng(1 + number).integers(0, 256, (count, count, 3), np.uint8)
    return cv2.resize(colours, (wide, high), interpolation=cv2.INTER_NEAREST)
