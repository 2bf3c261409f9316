"""Tells the cells apart by likeness to small pictures of them.

A tile is made as small as a sample and compared pixel by pixel. What shows through a cell
is taken out first where the sample says how opaque it is; where it does not, how light a
tile is as a whole is compared apart. What is like no sample, or like two of different
cells, is not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import SYMBOLS, Cell
from bot.profile.values import THUMBNAIL, Thumbnail
from bot.vision.tiles import TileReading

Floats = NDArray[np.float32]

_REACH_LEVELS = 2.5
"""How far a tile may lie from a flat sample, in levels of 255, root mean square. Guessed."""
_REACH_CONTRAST = 0.1
"""How much farther for each level of a sample's contrast: edges fall differently at other sizes.
Guessed."""
_FARTHEST_LEVELS = 7.0
"""No tile may lie farther: the most alike numbers of a theme are 9 levels apart, or 5.6 where
contrast is low. Measured."""
_SHADE_LEVELS = 2.0
"""How far a tile's lightness may lie from those with which its look was met. Guessed."""
_CERTAIN = 0.6
"""The best sample must lie nearer than this share of the distance to one of another cell.
Guessed."""
_SLOPE_LEVELS = 10.0
"""By how much a ground may change from a tile's middle to its edge without counting as unlike.
Guessed."""
_RIDGE = 1e-3
"""Keeps a ground that can hardly be seen from being made up. Guessed."""


def shrink(tiles: NDArray[np.uint8]) -> Floats:
    """Tiles of shape (n, t, t, 3 or 4), blue-green-red first, as rows of red, green, blue."""
    side = (THUMBNAIL, THUMBNAIL)
    way = cv2.INTER_AREA if tiles.shape[1] >= THUMBNAIL else cv2.INTER_LINEAR
    small = [cv2.resize(tile[..., 2::-1], side, interpolation=way) for tile in tiles]
    return np.array(small, np.float32).reshape(len(tiles), -1)


def distances(tiles: Floats, samples: Floats, shades: Floats) -> Floats:
    """How far each tile lies from each sample, shape (tiles, samples), in levels.

    `shades` says for each sample how much lighter or darker a tile may be.
    """
    light, dark = tiles.mean(axis=1), samples.mean(axis=1)
    tiles, samples = tiles - light[:, None], samples - dark[:, None]
    squares = (tiles**2).sum(axis=1)[:, None] + (samples**2).sum(axis=1) - 2 * tiles @ samples.T
    beyond = np.maximum(np.abs(light[:, None] - dark) - shades - _SHADE_LEVELS, 0)
    return np.asarray(np.sqrt(np.maximum(squares, 0) / tiles.shape[1] + beyond**2), np.float32)


def reaches(samples: Floats) -> Floats:
    """How far a tile may lie from each sample to be taken for it, in levels."""
    contrast = samples.std(axis=1)
    return np.asarray(np.minimum(_FARTHEST_LEVELS, _REACH_LEVELS + _REACH_CONTRAST * contrast))


class Thumbnails:
    """Classifies tiles by a profile's thumbnails."""

    def __init__(self, samples: Sequence[Thumbnail]) -> None:
        samples = sorted(samples, key=lambda sample: bool(sample.opacity))
        names = list(dict.fromkeys(sample.phase for sample in samples))
        self.phases = len(names)
        self._plain = sum(not sample.opacity for sample in samples)
        plain = samples[: self._plain]
        self._samples = np.array([list(sample.pixels) for sample in plain], np.float32)
        self._samples = self._samples.reshape(-1, 3 * THUMBNAIL**2)
        self._shades = np.array([sample.shade for sample in plain], np.float32)
        self._artwork = Artwork(samples[self._plain :]) if self._plain < len(samples) else None
        drawings = [self._artwork.typical()] if self._artwork is not None else []
        self._reaches = reaches(np.vstack([self._samples, *drawings]))
        self._cells = np.array([sample.cell for sample in samples])
        self._phases = [np.array([sample.phase == name for sample in samples]) for name in names]

    def classify(self, tiles: NDArray[np.uint8]) -> list[tuple[TileReading, ...]]:
        """Each tile's look in each phase; see `Classifier`."""
        small = shrink(tiles)
        far = distances(small, self._samples, self._shades)
        if self._artwork is not None:
            far = np.hstack([far, self._artwork.distances(small)])
        looks = self._all_looks(far)
        unread = [
            index for index, each in enumerate(looks) if all(look.cell is None for look in each)
        ]
        if self._artwork is not None and self._artwork.uneven.any() and unread:
            columns = self._plain + np.flatnonzero(self._artwork.uneven)
            far = far[unread]
            far[:, columns] = self._artwork.distances_uneven(small[unread])
            for index, each in zip(unread, self._all_looks(far), strict=True):
                looks[index] = each
        return looks

    def _all_looks(self, far: Floats) -> list[tuple[TileReading, ...]]:
        phases = [self._looks(far, phase) for phase in self._phases]
        return list(zip(*phases, strict=True))

    def _looks(self, far: Floats, phase: NDArray[np.bool_]) -> list[TileReading]:
        cells = [Cell(cell) for cell in sorted(set(self._cells[phase].tolist()))]
        kinds = [np.flatnonzero(phase & (self._cells == cell)) for cell in cells]
        nearest = np.stack([far[:, kind].min(axis=1) for kind in kinds], axis=1)
        within = np.stack(
            [(far[:, kind] <= self._reaches[kind]).any(axis=1) for kind in kinds], axis=1
        )
        return [
            _look(cells, ours, near)
            for ours, near in zip(nearest.tolist(), within.tolist(), strict=True)
        ]


def _look(cells: Sequence[Cell], far: Sequence[float], within: Sequence[bool]) -> TileReading:
    order = sorted(range(len(cells)), key=lambda index: far[index])[:2]
    named = tuple((SYMBOLS[cells[index]], _score(far[index])) for index in order)
    best = order[0]
    if not within[best] or (len(order) > 1 and far[best] > _CERTAIN * far[order[1]]):
        return TileReading(None, named)
    return TileReading(cells[best], named)


def _score(far: float) -> float:
    """A distance as a likeness: 1 for the same, less than a half for what is beyond reach."""
    return round(_FARTHEST_LEVELS / (_FARTHEST_LEVELS + far), 3)


def _rows(data: Iterable[bytes]) -> Floats:
    """As many bytes in each row."""
    rows = list(data)
    return np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), -1).astype(np.float32)


class Artwork:
    """The thumbnails of a profile that let a ground show through.

    A tile is the drawing, and where that is not opaque the ground behind it. A ground that
    is even, or changes evenly, has three unknowns a colour channel; those that bring drawing
    and tile nearest to each other are found by least squares, and what then is left tells
    how unlike the tile is. Grounds that the game does not have count as unlike too. Before an
    uneven ground what is left at a pixel is what no colour of the ground there explains.
    """

    def __init__(self, samples: Sequence[Thumbnail]) -> None:
        count, area = len(samples), THUMBNAIL**2
        drawn = _rows(sample.pixels for sample in samples)
        clear = 1 - _rows(sample.opacity for sample in samples) / np.float32(255)
        middle = (THUMBNAIL - 1) / 2
        y, x = (np.indices((THUMBNAIL, THUMBNAIL)) - middle).reshape(2, area) / middle
        # Shape (samples, 3, pixels): how an even ground shows, and one that changes downwards
        # or to the right.
        grounds = clear[:, None] * np.stack([np.ones(area), y, x]).astype(np.float32)
        products = grounds @ grounds.swapaxes(1, 2) + _RIDGE * np.eye(3, dtype=np.float32)
        # A tile times these is how far it goes along each ground, and the ground that fits
        # it best; shape (3, samples, pixels).
        self._along = np.ascontiguousarray(grounds.swapaxes(0, 1))
        self._fit = np.ascontiguousarray((np.linalg.inv(products) @ grounds).swapaxes(0, 1))
        self._drawn = drawn.reshape(count, area, 3)
        self._squares = (self._drawn**2).sum(axis=1)
        # The drawings themselves along each ground and fitted by it, shape (3, samples, channels).
        self._drawn_along, self._drawn_fit = (
            np.einsum("csp,spk->csk", basis, self._drawn) for basis in (self._along, self._fit)
        )
        self._seen = clear.mean(axis=1)
        """How much of the ground each drawing lets through, from 0 to 1."""
        self.uneven = np.array([sample.uneven for sample in samples])
        """Which drawings may have an uneven ground behind them."""
        self._darkest = np.array([sample.behind[0] for sample in samples], np.float32)
        self._lightest = np.array([sample.behind[1] for sample in samples], np.float32)

    def typical(self) -> Floats:
        """The drawings before grounds of middling colour, rows of red, green, blue."""
        middling = (self._darkest + self._lightest)[:, None] / 2
        shown = self._along[0, :, :, None] * middling
        return np.asarray((self._drawn + shown).reshape(len(self._drawn), -1))

    def distances(self, tiles: Floats) -> Floats:
        """How far each tile lies from each drawing, shape (tiles, drawings), in levels.

        The tiles are rows of red, green, blue.
        """
        count, area = len(self._drawn), THUMBNAIL**2
        tiles = tiles.reshape(len(tiles), area, 3)
        squares = np.zeros((len(tiles), count), np.float32)
        beyond = np.zeros((len(tiles), count), np.float32)
        for channel in range(3):
            tile, drawn = np.ascontiguousarray(tiles[..., channel]), self._drawn[..., channel]
            squares += (tile**2).sum(axis=1)[:, None] + self._squares[:, channel]
            squares -= 2 * tile @ drawn.T
            # Shape (3, tiles, drawings).
            along, ground = (
                tile @ basis.swapaxes(1, 2) - of_drawn[:, None, :, channel]
                for basis, of_drawn in (
                    (self._along, self._drawn_along),
                    (self._fit, self._drawn_fit),
                )
            )
            for one, other in zip(along, ground, strict=True):
                squares -= one * other
            even, slopes = ground[0], np.abs(ground[1:]).max(axis=0)
            for excess in (
                self._darkest[:, channel] - even,
                even - self._lightest[:, channel],
                slopes - _SLOPE_LEVELS,
            ):
                np.maximum(beyond, excess, out=beyond)
        beyond *= self._seen
        return np.asarray(np.sqrt(np.maximum(squares, 0) / (3 * area) + beyond**2), np.float32)

    def distances_uneven(self, tiles: Floats) -> Floats:
        """As `distances`, from those drawings alone that may have an uneven ground behind them."""
        clear = self._along[0, self.uneven, :, None]
        drawn = self._drawn[self.uneven]
        darkest = (drawn + clear * self._darkest[self.uneven, None]).reshape(len(drawn), -1)
        lightest = (drawn + clear * self._lightest[self.uneven, None]).reshape(len(drawn), -1)
        far = np.empty((len(tiles), len(drawn)), np.float32)
        for number, tile in enumerate(tiles):
            unexplained = tile - np.clip(tile, darkest, lightest)
            far[number] = np.sqrt(np.einsum("ij,ij->i", unexplained, unexplained) / tile.size)
        return far
