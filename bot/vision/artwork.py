"""Compares tiles with drawings through which a ground shows that is not known.

A tile is the drawing, and where that is not opaque the ground behind it. A ground that
is even, or changes evenly, has three unknowns a colour channel; those that bring drawing
and tile nearest to each other are found by least squares, and what then is left tells
how unlike the tile is. Grounds that the game does not have count as unlike too. Before an
uneven ground what is left at a pixel is what no colour of the ground there explains.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from bot.profile.values import THUMBNAIL, Thumbnail

__all__ = ["Artwork"]

Floats = NDArray[np.float32]

_SLOPE_LEVELS = 10.0
"""By how much a ground may change from a tile's middle to its edge without counting as unlike."""
_RIDGE = 1e-3
"""Keeps a ground that can hardly be seen from being made up."""


def _rows(data: Iterable[bytes]) -> Floats:
    """As many bytes in each row."""
    rows = list(data)
    return np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), -1).astype(np.float32)


class Artwork:
    """The thumbnails of a profile that let a ground show through."""

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
