"""Makes the tiles of real games from the pictures in their public repositories.

    python -m training.game_tiles
    python -m training.game_tiles --cut fixtures/others/more

The second one cuts the tiles of games out of labelled pictures of their boards.

`game_tiles.json` tells of each game its source, its licence, and of each label the tile's layers
from the bottom up: a colour, `#rrggbb`, or a picture's path, of which `@left,top,width,height` cuts
out a part. A layer is stretched over the tile, or with `!left,top,width,height` over that box of
it; `*#rrggbb` multiplies its colours. A tile has `pixels` a side, or those of its largest picture.
"""

from __future__ import annotations

import argparse
import io
import itertools
import json
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageChops

from training.assets import FOLDER, ICON_PIXELS
from training.draw.ink import Bytes
from training.draw.picture import Picture
from training.draw.tiles import NAMES
from training.known import labelled
from training.sources import files_of, safe

_CELLS = 60
"""Cells of a label that are compared. Specified: enough that one under the pointer is not taken."""

_BOX = r"(-?\d+),(-?\d+),(\d+),(\d+)"
_LAYER = re.compile(rf"(.+?)(?:@{_BOX})?(?:!{_BOX})?(?:\*(#[0-9a-f]{{6}}))?$")


def main() -> None:
    """Make the tiles of all games; tell of those that cannot be fetched, and leave them out."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--cut", type=Path, help="folder of labelled pictures, a folder a game")
    arguments = parser.parse_args()
    if arguments.cut is not None:
        for game, shown in itertools.groupby(labelled(arguments.cut), lambda one: one.source):
            _save(game, cut_out([one.picture for one in shown]))
        return
    games = json.loads(Path(__file__).with_name("game_tiles.json").read_text(encoding="utf-8"))
    by_source = itertools.groupby(games, lambda g: g.get("package") or f"{g['repo']} {g['commit']}")
    for source, group in by_source:
        try:
            _make(source, group)
        except (subprocess.CalledProcessError, OSError, KeyError, ValueError) as error:
            print(f"{source}: skipped: {error}")


def _make(source: str, games: Iterable[Mapping[str, Any]]) -> None:
    with files_of(source) as root:
        for game in games:
            pixels = game.get("pixels", 0)
            tiles = {name: compose(tile, root, pixels) for name, tile in game["tiles"].items()}
            _save(game["name"], tiles)


def _save(game: str, tiles: Mapping[str, Image.Image]) -> None:
    folder = FOLDER / "tiles" / safe(game)
    folder.mkdir(parents=True, exist_ok=True)
    for name, tile in tiles.items():
        tile.save(folder / f"{safe(name)}.png")


def cut_out(pictures: Sequence[Picture]) -> dict[str, Image.Image]:
    """The tile of each label that these pictures of a game show, the most usual of its cells."""
    lattices = [one.lattices[0] for one in pictures]
    pixels = max(round(float(np.diff(one.x).mean())) for one in lattices)
    cells: dict[int, list[Bytes]] = defaultdict(list)
    for picture, lattice in zip(pictures, lattices, strict=True):
        assert lattice.labels is not None
        size = [round(float(np.diff(middles).mean())) for middles in (lattice.x, lattice.y)]
        starts = (
            np.maximum(0, np.rint(middles - one / 2)).astype(int)
            for middles, one in zip((lattice.x, lattice.y), size, strict=True)
        )
        left, top = starts
        for y, labels in zip(top, lattice.labels.tolist(), strict=True):
            for x, label in zip(left, labels, strict=True):
                if len(cells[label]) < _CELLS:
                    cell = picture.pixels[y : y + size[1], x : x + size[0]]
                    cells[label].append(np.asarray(cv2.resize(cell, (pixels, pixels)), np.uint8))
    return {
        name: Image.fromarray(_most_usual(np.array(cells[label]))[..., ::-1])
        for name, label in NAMES.items()
        if cells[label]
    }


def _most_usual(cells: Bytes) -> Bytes:
    """The cell that differs least from all others."""
    levels = cells.astype(np.float32)
    return cells[np.argmin([np.abs(levels - one).mean() for one in levels])]


def compose(layers: Sequence[str], root: Path, pixels: int = 0) -> Image.Image:
    """The tile that layers make, with alpha, of the pictures below `root`."""
    drawn = []
    for layer in layers:
        source, *numbers, tint = _LAYER.findall(safe(layer))[0]
        cut, box = ([int(n) for n in numbers[at : at + 4] if n] for at in (0, 4))
        image = _picture(source, root)
        if cut:
            image = image.crop((cut[0], cut[1], cut[0] + cut[2], cut[1] + cut[3]))
        image = ImageChops.multiply(image, Image.new("RGBA", image.size, tint or "#ffffff"))
        drawn.append((image, box))
    pixels = pixels or max(max(image.size) for image, box in drawn if not box)
    tile = Image.new("RGBA", (pixels, pixels))
    for image, box in drawn:
        left, top, wide, high = box or (0, 0, *tile.size)
        whole = wide % image.width == high % image.height == 0
        way = Image.Resampling.NEAREST if whole else Image.Resampling.LANCZOS
        over = Image.new("RGBA", tile.size)
        over.paste(image.resize((wide, high), way), (left, top))
        tile = Image.alpha_composite(tile, over)
    return tile


def _picture(source: str, root: Path) -> Image.Image:
    if source.startswith("#"):
        return Image.new("RGBA", (1, 1), source)
    content = (root / source).read_bytes()
    if source.lower().endswith(".svg"):
        import cairosvg  # noqa: PLC0415  # the drawing itself does without

        content = cairosvg.svg2png(content, output_width=ICON_PIXELS, output_height=ICON_PIXELS)
    return Image.open(io.BytesIO(content)).convert("RGBA")


if __name__ == "__main__":
    main()
