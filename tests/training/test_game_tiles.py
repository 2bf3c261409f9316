"""The tiles of real games are made of the pictures in their repositories."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from minebot.vision.classification import Label
from training import game_tiles
from training.draw.page import Lattice
from training.draw.picture import Picture
from training.draw.tiles import NAMES
from training.game_tiles import compose, cut_out

GREY, RED = (90, 90, 90, 255), (200, 0, 0, 255)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with a sheet of two tiles, 8 pixels a side: red, and nothing."""
    sheet = Image.new("RGBA", (16, 8))
    sheet.paste(RED, (0, 0, 8, 8))
    sheet.save(tmp_path / "sheet.png")
    return tmp_path


def test_layers_lie_over_each_other(root: Path) -> None:
    tile = compose(["#5a5a5a", "sheet.png@8,0,8,8"], root)
    assert (tile.size, tile.getpixel((4, 4))) == ((8, 8), GREY)
    assert compose(["#5a5a5a", "sheet.png@0,0,8,8"], root).getpixel((4, 4)) == RED


def test_a_layer_may_have_its_own_box_and_tint(root: Path) -> None:
    tile = compose(["#5a5a5a", "sheet.png@0,0,8,8!4,4,8,8*#800000"], root, 16)
    assert tile.getpixel((2, 2)) == GREY
    assert tile.getpixel((8, 8)) == (100, 0, 0, 255)


@pytest.mark.parametrize("path", ["../secret.png", "/etc/passwd", "-o", "a\\..\\b.png"])
def test_a_path_that_leads_elsewhere_is_refused(path: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="elsewhere"):
        compose([path], tmp_path)


def test_the_tiles_of_a_game_are_cut_out_of_its_pictures() -> None:
    labels = np.full((4, 4), int(Label.HIDDEN))
    labels[1, 1] = Label.ONE
    middles = 5.0 + 10.0 * np.arange(4)
    pixels = np.full((40, 40, 3), 200, np.uint8)
    pixels[10:20, 10:20] = (0, 0, 90)
    pixels[:10, :10] = 255  # The cell under the pointer is brighter than the others.
    tiles = cut_out([Picture(pixels, [Lattice(middles, middles, labels)])])
    assert tiles.keys() == {"hidden", "1"}
    assert np.asarray(tiles["hidden"]).tolist() == [[[200] * 3] * 10] * 10
    assert np.asarray(tiles["1"]).tolist() == [[[90, 0, 0]] * 10] * 10


def test_each_recipe_names_a_source_and_the_tiles_that_every_game_has() -> None:
    games = json.loads(Path(game_tiles.__file__).with_suffix(".json").read_text(encoding="utf-8"))
    for game in games:
        assert game.get("package") or (game["repo"] and game["commit"])
        assert {"0", "1", "2", "3", "hidden"} <= game["tiles"].keys() <= NAMES.keys()
