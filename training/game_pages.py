"""Makes pictures of boards with the style sheets of real games from their public repositories.

    python -m training.game_pages

`game_pages.json` tells of each game its source, its licence, the paths of its style sheets, and as
HTML its page, a row of its board, and its cell for each label: a pair of them where the two shades
of a chequered board differ. `{board}` and `{cells}` stand for what they hold, `{rows}` and
`{columns}` for their number. `cell` selects the cells; `style` adds what scripts would set. Scripts
do not run, and nothing is loaded but the files in the repository.

The pictures lie in `FOLDER`, a folder for each game, each with its truth beside it.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import zlib
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import cv2
import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Browser, Error, Route

from fixtures import study_page
from training import assets
from training.draw.game import Labels, moment
from training.draw.ink import Random
from training.draw.page import Lattice
from training.draw.picture import Picture
from training.draw.tiles import NAMES, without_missing
from training.known import save
from training.sources import files_of, safe

FOLDER = assets.FOLDER / "pages"
_PICTURES = 4
"""Pictures of each game."""
_SIZES = ((8, 8), (9, 9), (10, 10), (8, 12), (16, 16), (9, 20))
"""Rows and columns."""
_SCALES = (1.0, 1.0, 1.25, 1.5, 2.0)
"""Pixels of the picture for each of the page's."""
_WINDOW = (500, 400), (1300, 900)
"""The smallest and the largest window, in pixels of the page."""
_LARGEST = 2400
"""Pixels of a picture, across and down, beyond which another is drawn."""
_TRIES = 12
"""Pages that are drawn for a picture, at most."""
_UNEVEN = 0.06
"""Fraction of a cell by which one may lie off an even lattice: such tiles are still cut well."""
_UNSEEN = 1.0
"""Pixels of a board that may lie outside the page: borders that collapse do by half their width."""
_BOXES = """selector => [...document.querySelectorAll(selector)].map(cell => {
    const box = cell.getBoundingClientRect()
    return [box.left, box.top, box.width, box.height]
})"""


def main() -> None:
    """Make all pictures; tell of the games that cannot be drawn, and leave them out."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--recipes", type=Path, default=Path(__file__).with_name("game_pages.json"))
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("names", nargs="*", help="games; all of them if none is named")
    arguments = parser.parse_args()
    games = json.loads(arguments.recipes.read_text(encoding="utf-8"))
    with study_page.browser() as browser:
        for game in games:
            if arguments.names and game["name"] not in arguments.names:
                continue
            try:
                with files_of(f"{game['repo']} {game['commit']}") as root:
                    draw_game(browser, root, game, arguments.out / safe(game["name"]))
            except (Error, subprocess.CalledProcessError, OSError, KeyError, ValueError) as error:
                print(f"{game['name']}: skipped: {error}", file=sys.stderr)


def page_of(game: Mapping[str, Any], labels: Labels) -> str:
    """The page that shows these labels, for each of which the recipe has a cell."""
    names = {int(label): name for name, label in NAMES.items()}
    rows, columns = labels.shape

    def cell(y: int, x: int) -> str:
        drawn = game["cells"][names[int(labels[y, x])]]
        return str(drawn if isinstance(drawn, str) else drawn[(x + y) % 2])

    lines = ("".join(cell(y, x) for x in range(columns)) for y in range(rows))
    board = "".join(game.get("row", "{cells}").replace("{cells}", line) for line in lines)
    sheets = "".join(f'<link rel="stylesheet" href="{path}">' for path in game.get("css", ()))
    page = (
        f'<!DOCTYPE html><html><head><meta charset="utf-8">{sheets}'
        f"<style>{game.get('style', '')}</style></head>{game['page']}</html>"
    )
    page = page.replace("{rows}", str(rows)).replace("{columns}", str(columns))
    return page.replace("{board}", board)


def lattice_of(boxes: NDArray[np.float64], labels: Labels) -> Lattice:
    """The lattice of cells with these boxes (left, top, width, height); raises ValueError."""
    if boxes.shape != (labels.size, 4):
        raise ValueError(f"{len(boxes)} cells instead of {labels.size}")
    rows, columns = labels.shape
    middles = (boxes[:, :2] + boxes[:, 2:] / 2).reshape(rows, columns, 2)
    x = np.linspace(middles[0, 0, 0], middles[0, -1, 0], columns)
    y = np.linspace(middles[0, 0, 1], middles[-1, 0, 1], rows)
    pitch = min(x[1] - x[0], y[1] - y[0])
    even = np.stack(np.meshgrid(x, y), axis=-1)
    if pitch <= 0 or np.abs(even - middles).max() > _UNEVEN * pitch:
        raise ValueError("its cells lie on no even lattice")
    return Lattice(x, y, labels)


def draw_game(browser: Browser, root: Path, game: Mapping[str, Any], out: Path) -> None:
    """Save pictures of a game, whose files lie in `root`; raises ValueError if it has too few."""
    rng = np.random.default_rng(zlib.crc32(game["name"].encode()))
    out.mkdir(parents=True, exist_ok=True)
    made = 0
    for _ in range(_TRIES):
        picture = _picture(browser, root, game, rng)
        if picture is not None:
            save(picture, out / f"{made}.png")
            made += 1
        if made == _PICTURES:
            return
    raise ValueError(f"only {made} of its boards lie within {_LARGEST} pixels")


def _picture(browser: Browser, root: Path, game: Mapping[str, Any], rng: Random) -> Picture | None:
    """The game in a window of random size, made larger for its board; None if that is too large."""
    rows, columns = _SIZES[rng.integers(len(_SIZES))]
    labels = without_missing(moment(rng, rows, columns), [NAMES[name] for name in game["cells"]])
    scale = _SCALES[rng.integers(len(_SCALES))]
    width, height = (int(size) for size in rng.integers(*_WINDOW))
    (root / "shown.html").write_text(page_of(game, labels), encoding="utf-8")
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=scale,
        java_script_enabled=False,
    )
    with closing(context):
        page = context.new_page()
        page.route("**/*", lambda route: _serve(route, root))
        page.goto("http://files/shown.html", wait_until="load")
        for _ in range(2):  # A board may move when the window becomes larger.
            lattice = lattice_of(np.array(page.evaluate(_BOXES, game["cell"]), float), labels)
            width = max(width, math.ceil(_ends(lattice.x)[1]))
            height = max(height, math.ceil(_ends(lattice.y)[1]))
            if max(width, height) * scale > _LARGEST:
                return None
            page.set_viewport_size({"width": width, "height": height})
        lattice = lattice_of(np.array(page.evaluate(_BOXES, game["cell"]), float), labels)
        pixels = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    (left, right), (top, bottom) = _ends(lattice.x), _ends(lattice.y)
    if min(left, top) < -_UNSEEN or right > width + _UNSEEN or bottom > height + _UNSEEN:
        return None
    shown = Lattice(lattice.x * scale, lattice.y * scale, labels)
    return Picture(np.asarray(pixels, np.uint8), [shown])


def _ends(middles: NDArray[np.float64]) -> tuple[float, float]:
    """Where the first cell begins and the last one ends."""
    half = float(middles[1] - middles[0]) / 2
    return float(middles[0]) - half, float(middles[-1]) + half


def _serve(route: Route, root: Path) -> None:
    if path := file_at(route.request.url, root):
        route.fulfill(path=path)
    else:
        route.abort()


def file_at(url: str, root: Path) -> Path | None:
    """The repository's file at this address of a page; None for all that lies elsewhere."""
    address = urlsplit(url)
    path = (root / unquote(address.path).lstrip("/")).resolve()
    is_there = path.is_file() and path.is_relative_to(root.resolve())
    return path if is_there and address.hostname == "files" else None


if __name__ == "__main__":
    main()
