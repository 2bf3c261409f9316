"""Boards drawn with the tiles of real games, which `training.assets` fetches."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from minebot.vision.classification import Label
from training.assets import FOLDER
from training.draw.game import Labels
from training.draw.ink import Bytes, Floats, Random
from training.draw.theme import Theme

Tiles = Mapping[int, Bytes]
"""Of each label the tile, blue-green-red-alpha."""
NAMES = {
    **{str(number): Label(number) for number in range(9)},
    "hidden": Label.HIDDEN,
    "flag": Label.FLAG,
    "mine": Label.MINE,
    "hit": Label.EXPLODED,
    "question": Label.QUESTION,
    "wrong": Label.WRONG_FLAG,
}
"""Files of a game's tiles."""
_INSTEAD = (
    (Label.WRONG_FLAG, Label.FLAG),
    (Label.EXPLODED, Label.MINE),
    (Label.QUESTION, Label.HIDDEN),
    (Label.MINE, Label.HIDDEN),
    (Label.FLAG, Label.HIDDEN),
    *((number, Label.HIDDEN) for number in range(1, 9)),
)
"""What is drawn in place of a label that a game has no tile for."""


_OPENED = frozenset((Label.HIDDEN, *(Label(number) for number in range(4))))
"""What a game must show to be drawn by itself."""
_COVERED = frozenset((Label.HIDDEN, Label.FLAG, Label.QUESTION, Label.WRONG_FLAG))
_MIXED = 0.35
"""Share of boards with the covers and flags of one game, and the numbers and mines of another."""


@functools.cache
def games(folder: Path = FOLDER / "tiles") -> tuple[Tiles, ...]:
    """The tiles of each game in a folder."""
    return tuple(_tiles(game) for game in sorted(folder.glob("*")))


def _tiles(game: Path) -> Tiles:
    tiles: dict[int, Bytes] = {}
    for path in game.glob("*.png"):
        image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
        assert image is not None, path
        if image.ndim == 2:
            image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
        if image.dtype != np.uint8:
            image = (image // 256).astype(np.uint8)
        if image.shape[2] == 3:
            image = cv2.cvtColor(image, cv2.COLOR_BGR2BGRA)
        tiles[NAMES[path.stem]] = np.asarray(image, np.uint8)
    return tiles


def pick(rng: Random, among: Sequence[Tiles]) -> Tiles | None:
    """The tiles of a game, or opened ones of one and covered ones of another; None without any."""
    whole = [one for one in among if one.keys() >= _OPENED]
    if not whole:
        return None
    tiles = whole[int(rng.integers(len(whole)))]
    if rng.random() >= _MIXED:
        return tiles
    other = among[int(rng.integers(len(among)))]
    opened = {label: tile for label, tile in tiles.items() if label not in _COVERED}
    return opened | {label: tile for label, tile in other.items() if label in _COVERED}


def without_missing(labels: Labels, shown: Collection[int]) -> Labels:
    """The labels, with others in place of those that a game does not show."""
    labels = labels.copy()
    for label, other in _INSTEAD:
        if int(label) not in shown:
            labels[labels == label] = other
    return labels


class TileTheme(Theme):
    """A page and its furniture made up, and on it the tiles of a game."""

    def __init__(self, rng: Random, tile: int, tiles: Tiles) -> None:
        super().__init__(rng, tile)
        self._tiles = tiles
        self.chequered, self.border, self.opacity, self.coarseness = False, False, 1.0, 1
        self.mine_is_covered = self.flag_is_opened = False
        if rng.random() < 0.8:
            self.gap = 0.0
        self.radius, self.cover_edge = 0.0, "none"
        self._larger = int(
            rng.choice((cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_NEAREST, cv2.INTER_NEAREST))
        )
        """How tiles are enlarged."""

    def drawable(self, labels: Labels) -> Labels:
        """The labels, without those that the game has no tile for."""
        return without_missing(labels, self._tiles)

    def _draw(self, label: int, wide: int, high: int, other: bool, hover: bool) -> Bytes:  # noqa: ARG002
        tile = np.empty((high, wide, 3), np.float32)
        tile[:] = self.ground
        x0, y0, x1, y1 = self.box(wide, high) if self.gap else (0, 0, wide, high)
        shown = self._tiles[int(Label.HIDDEN) if label == Label.OTHER else label]
        size = x1 - x0, y1 - y0
        is_smaller = size[0] < shown.shape[1]
        way = cv2.INTER_AREA if is_smaller else self._larger
        image = cv2.resize(shown, size, interpolation=way).astype(np.float32)
        if hover and label == Label.HIDDEN:
            image[..., :3] += self.hover
        part: Floats = tile[y0:y1, x0:x1]
        alpha = image[..., 3:] / 255
        part[:] = part * (1 - alpha) + image[..., :3] * alpha
        if label == Label.OTHER:
            self.odd(tile)
        return np.clip(tile, 0, 255).astype(np.uint8)
