"""Classifies the tiles of a lattice, and the lattice as a board or not, with trained networks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minebot.vision.classification import Label
from minebot.vision.classification.cutting import SIDE, Bytes, cut, group, reduced
from minebot.vision.detection.fit import GridCandidate
from minebot.vision.models import network

Floats = NDArray[np.float32]

_LABELS = len(Label)


@dataclass(frozen=True, slots=True)
class Classified:
    """What the network says of the tiles of one lattice."""

    probabilities: Floats
    """Probabilities by the tile, its neighbours and equal tiles; shape (rows, columns, labels)."""
    groups: NDArray[np.intp]
    """Shape (rows, columns): equal numbers for tiles that are drawn alike."""
    drawings: Bytes
    """A tile of each group, reduced; shape (groups, `TILE_BYTES`)."""
    board: float
    """The probability that the lattice is a Minesweeper board."""


@dataclass(frozen=True, slots=True)
class Described:
    """The tiles of a lattice as the network describes them, each by itself."""

    numbers: Floats
    """Shape (numbers, rows, columns)."""
    groups: NDArray[np.intp]
    """Shape (rows, columns): equal numbers for tiles that are drawn alike."""
    drawings: Bytes
    """Shape (groups, `TILE_BYTES`)."""

    def inner(self) -> Described:
        """Return it without the outermost line of tiles on each side."""
        return Described(self.numbers[:, 1:-1, 1:-1], self.groups[1:-1, 1:-1], self.drawings)


def describe(pixels: NDArray[np.uint8], lattice: GridCandidate) -> Described:
    """Describe all tiles of a lattice in a picture, blue-green-red."""
    tiles = cut(pixels, lattice.x, lattice.y, lattice.pitch)
    rows, columns = tiles.shape[:2]
    flat = tiles.reshape(-1, SIDE, SIDE, 3)
    drawings = reduced(flat)
    heads, groups = group(drawings)
    inputs = flat[heads].transpose(0, 3, 1, 2).astype(np.float32) / 255
    numbers = network("encoder")(inputs)[groups].T.reshape(-1, rows, columns)
    return Described(numbers, groups.reshape(rows, columns), drawings[heads])


def classify(tiles: Described) -> Classified:
    """Say what each tile shows, and whether they are a board."""
    numbers, width = tiles.numbers, len(tiles.numbers)
    numbered, groups = np.unique(tiles.groups, return_inverse=True)
    groups = groups.ravel()
    mean, most = numbers.mean((1, 2), keepdims=True), numbers.max((1, 2), keepdims=True)
    context = [np.broadcast_to(one, numbers.shape) for one in (mean, most)]
    out = network("before")(np.concatenate([numbers, *context])[None])[0]
    # The first answers, by each tile alone, are for training.
    _, mixed, first = np.split(out, [_LABELS, _LABELS + width])
    alike = _group_means(first.reshape(width, -1), groups).reshape(first.shape)
    everywhere = np.broadcast_to(first.mean((1, 2), keepdims=True), first.shape)
    out = network("after")(np.concatenate([mixed, first, alike, everywhere])[None])[0]
    board = 1 / (1 + np.exp(-out[_LABELS].mean()))
    grouped = groups.reshape(tiles.groups.shape)
    return Classified(_softmax(out[:_LABELS]), grouped, tiles.drawings[numbered], float(board))


def _group_means(values: Floats, groups: NDArray[np.intp]) -> Floats:
    """For each tile the mean of its group; `values` has shape (numbers, tiles)."""
    counts = np.bincount(groups)
    means = np.stack([np.bincount(groups, row) for row in values]) / counts
    return means[:, groups].astype(np.float32)


def _softmax(logits: Floats) -> Floats:
    """Probabilities, the labels last, from logits with the labels first."""
    powers = np.exp(logits - logits.max(axis=0))
    return np.ascontiguousarray((powers / powers.sum(axis=0)).transpose(1, 2, 0), np.float32)
