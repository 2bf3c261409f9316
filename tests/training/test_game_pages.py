"""Pages of web games are drawn in Chromium from their style sheets."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser

from minebot.vision.classification import Label
from training import game_pages
from training.draw.tiles import NAMES
from training.game_pages import draw_game, file_at, lattice_of, page_of
from training.known import labelled

GAME = {
    "name": "plain",
    "css": ["css/plain.css"],
    "style": "table { width: calc({columns} * 24px) }",
    "page": "<body><h1>Mines</h1><table>{board}</table></body>",
    "row": "<tr>{cells}</tr>",
    "cell": "td",
    "cells": {
        "hidden": ["<td class='even'></td>", "<td class='odd'></td>"],
        "0": "<td class='open'></td>",
        **{str(number): f"<td class='open'>{number}</td>" for number in range(1, 9)},
    },
}
SHEET = """
body { margin: 0; background: #eee }
table { border-spacing: 0; table-layout: fixed }
td { padding: 0; height: 24px; text-align: center; font: 16px sans-serif }
.even { background: rgb(0, 0, 120) }
.odd { background: rgb(0, 0, 140) }
.open { background: rgb(0, 200, 0) }
"""


def test_a_page_shows_each_label_with_its_own_cell() -> None:
    labels = np.array([[Label.HIDDEN, Label.HIDDEN], [Label.ONE, Label.EMPTY]])
    page = page_of(GAME, labels)
    assert (
        "<tr><td class='even'></td><td class='odd'></td></tr>"
        "<tr><td class='open'>1</td><td class='open'></td></tr>"
    ) in page
    assert '<link rel="stylesheet" href="css/plain.css">' in page
    assert "calc(2 * 24px)" in page


def test_cells_must_lie_on_an_even_lattice() -> None:
    labels = np.zeros((3, 4), int)
    boxes = np.array([(24 * x, 30 * y, 20, 30) for y in range(3) for x in range(4)], float)
    lattice = lattice_of(boxes, labels)
    assert lattice.x.tolist() == [10, 34, 58, 82]
    assert lattice.y.tolist() == [15, 45, 75]
    with pytest.raises(ValueError, match="11 cells instead of 12"):
        lattice_of(boxes[1:], labels)
    boxes[5, 0] += 3
    with pytest.raises(ValueError, match="even"):
        lattice_of(boxes, labels)


def test_the_pictures_of_a_game_show_what_is_said_of_them(
    tmp_path: Path, chromium: Browser
) -> None:
    (tmp_path / "css").mkdir()
    (tmp_path / "css" / "plain.css").write_text(SHEET)
    draw_game(chromium, tmp_path, GAME, tmp_path / "out" / "plain")
    seen = set()
    for one in labelled(tmp_path / "out"):
        (lattice,) = one.picture.lattices
        assert lattice.labels is not None
        corners = lattice.x - 0.4 * (lattice.x[1] - lattice.x[0])
        pixels = one.picture.pixels[np.ix_(lattice.y.astype(int), corners.astype(int))]
        shades = np.add(*np.indices(lattice.labels.shape)) % 2
        covered = np.where(shades, 140, 120)
        is_covered = lattice.labels == Label.HIDDEN
        assert np.array_equal(pixels[..., 0], np.where(is_covered, covered, 0))
        assert np.array_equal(pixels[..., 1], np.where(is_covered, 0, 200))
        seen |= set(lattice.labels.ravel().tolist())
    assert seen >= {Label.HIDDEN, Label.EMPTY, Label.ONE, Label.TWO}


def test_each_recipe_names_its_source_and_the_cells_that_every_game_has() -> None:
    games = json.loads(Path(game_pages.__file__).with_suffix(".json").read_text(encoding="utf-8"))
    assert games
    for game in games:
        assert game["repo"]
        assert len(game["commit"]) == 40
        assert "{board}" in game["page"]
        assert {"0", "1", "2", "3", "hidden"} <= game["cells"].keys() <= NAMES.keys()


@pytest.mark.parametrize(
    ("url", "is_there"),
    [
        ("http://files/styles/game.css?v=2", True),
        ("http://files/styles/a%20b.css", True),
        ("http://files/styles", False),
        ("http://files/none.css", False),
        ("http://files/../secret", False),
        ("http://files/%2e%2e/secret", False),
        ("http://files//%2e%2e%2fsecret", False),
        ("http://files/linked", False),
        ("http://elsewhere/styles/game.css", False),
        ("file:///styles/game.css", False),
    ],
)
def test_a_page_gets_the_repositorys_files_alone(tmp_path: Path, url: str, is_there: bool) -> None:
    root = tmp_path / "game"
    (root / "styles").mkdir(parents=True)
    for path in (tmp_path / "secret", root / "styles" / "game.css", root / "styles" / "a b.css"):
        path.touch()
    (root / "linked").symlink_to(tmp_path / "secret")
    assert (file_at(url, root) is not None) == is_there
