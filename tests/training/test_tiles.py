"""Boards are drawn with the tiles of real games."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from minebot.vision.classification import Label
from training.draw.ink import fonts
from training.draw.tiles import Tiles, TileTheme, games, pick

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


def test_numbers_and_mines_of_one_game_are_drawn_with_the_covers_of_another() -> None:
    shown = [*range(10), Label.FLAG, Label.MINE]
    among = [{label: np.full((8, 8, 4), game, np.uint8) for label in shown} for game in range(9)]
    among[0] = {Label.HIDDEN: among[0][Label.HIDDEN], Label.ONE: among[0][Label.ONE]}
    rng = np.random.default_rng(1)
    mixed = 0
    for _ in range(200):
        tiles = pick(rng, among)
        assert tiles is not None
        of = {label: int(tile[0, 0, 0]) for label, tile in tiles.items()}
        assert len({of[label] for label in (*range(9), Label.MINE)}) == 1
        assert of[Label.ONE] != 0, "this game has no 2 and no 3"
        assert of.get(Label.FLAG, of[Label.HIDDEN]) == of[Label.HIDDEN]
        mixed += len(set(of.values())) > 1
    assert 40 < mixed < 100
    assert pick(rng, among[:1]) is None


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
