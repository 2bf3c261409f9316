"""Boards are drawn with the tiles of real games."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from minebot.vision.classification import Label
from training.draw.ink import fonts
from training.draw.tiles import Tiles, TileTheme, games

SIDE = 16
COLOURS = {"0": 40, "1": 80, "hidden": 160, "flag": 200}
with_fonts = pytest.mark.skipif(not fonts()[0], reason="no font has digits here")


def made(folder: Path) -> Tiles:
    """The tiles of a game that has four, each of one grey."""
    (folder / "game").mkdir()
    for name, level in COLOURS.items():
        cv2.imwrite(str(folder / "game" / f"{name}.png"), np.full((SIDE, SIDE), level, np.uint8))
    (tiles,) = games(folder)
    return tiles


def test_the_files_of_a_game_are_its_tiles(tmp_path: Path) -> None:
    tiles = made(tmp_path)
    assert set(tiles) == {Label.EMPTY, Label.ONE, Label.HIDDEN, Label.FLAG}
    assert {tile.shape for tile in tiles.values()} == {(SIDE, SIDE, 4)}


@with_fonts
def test_a_cell_shows_the_tile_of_its_label(tmp_path: Path) -> None:
    theme = TileTheme(np.random.default_rng(1), SIDE, made(tmp_path))
    for label, level in ((Label.ONE, 80), (Label.FLAG, 200)):
        assert theme.sprite(label, 20, 20)[10, 10].tolist() == [level] * 3


@with_fonts
def test_a_label_without_a_tile_is_not_drawn(tmp_path: Path) -> None:
    theme = TileTheme(np.random.default_rng(1), SIDE, made(tmp_path))
    labels = np.array([[Label.ONE, Label.TWO, Label.EXPLODED, Label.WRONG_FLAG, Label.QUESTION]])
    drawn = theme.drawable(labels)
    assert drawn.tolist() == [
        [Label.ONE, Label.HIDDEN, Label.HIDDEN, Label.FLAG, Label.HIDDEN],
    ]
    assert labels[0, 1] == Label.TWO
