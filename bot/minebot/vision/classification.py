"""Classifies the tiles of a lattice, and the lattice as a board or not, with trained networks.

Tiles are cut out of the picture at one size, and those that are drawn alike are classified once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from minebot.board import Cell
from minebot.vision.detection import GridCandidate
from minebot.vision.models import network

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]
Middles = NDArray[np.floating]

SIDE = 32
"""Pixels a side of a cut tile: what the classifying network was trained on."""
PITCH = 26
"""Pixels from one cell to the next in a cut tile; the rest is a margin of an eighth on each side.
Specified: the network was trained with it."""
GROUP_SIDE = 8
"""Side to which tiles are reduced to be compared, in pixels. Specified."""
GROUP_LEVELS = 6
"""Levels of 255 by which reduced tiles that are drawn alike may differ. Specified: the network was
trained with it. Measured: docs/measurements.md, "Kept tiles"."""
_FINE_SIDE, _FINE_TIMES = 16, 4
"""Side to which they are reduced as well, since small digits vanish otherwise, and how many times
as many levels they may differ by there. Measured: docs/measurements.md, "Tiles drawn alike"."""
_MOVED, _LARGE_PITCH = 0.03, 38
"""Fraction of a cell by which tiles in doubt are moved, and pixels from one to the next to which
they are enlarged, to show small digits. Measured: docs/measurements.md, "Tiles in doubt"."""
_PART, _RELIEF, _CLOSE = 0.25, 12, 4
"""Fraction of a cell that is compared beyond a board, and levels of 255 by which cells vary along
the side, and by which two of them may differ. Measured: "Cut off within a picture" there."""


class Label(IntEnum):
    """What a tile shows, as numbered in the network; up to `EXPLODED` as in `Cell`."""

    EMPTY = Cell.EMPTY
    ONE = Cell.ONE
    TWO = Cell.TWO
    THREE = Cell.THREE
    FOUR = Cell.FOUR
    FIVE = Cell.FIVE
    SIX = Cell.SIX
    SEVEN = Cell.SEVEN
    EIGHT = Cell.EIGHT
    HIDDEN = Cell.HIDDEN
    FLAG = Cell.FLAG
    MINE = Cell.MINE
    EXPLODED = Cell.EXPLODED
    QUESTION = 13
    """A covered cell that the player has marked with a question mark."""
    WRONG_FLAG = 14
    """A flag that the game shows as wrong after a loss."""
    OTHER = 15
    """No cell, or something that no cell shows."""


_LABELS = len(Label)
FLAGS = np.array([Label.FLAG, Label.WRONG_FLAG, Label.QUESTION])
"""What a square may show once it has been flagged."""


@dataclass(frozen=True, slots=True)
class Classified:
    """What the network says of the tiles of one lattice."""

    lattice: GridCandidate
    probabilities: Floats
    """Probabilities by the tile, its neighbours and equal tiles; shape (rows, columns, labels)."""
    groups: NDArray[np.intp]
    """Shape (rows, columns): equal numbers for tiles that are drawn alike."""
    drawings: Bytes
    """A tile of each group, reduced; shape (groups, `TILE_BYTES`)."""
    board: float
    """The probability that the lattice is a Minesweeper board."""

    def pooled(self) -> NDArray[np.floating]:
        """The geometric mean of the answers for the tiles of each group, shape (groups, labels)."""
        groups = self.groups.ravel()
        logs = np.log(self.probabilities.reshape(groups.size, -1) + 1e-5)
        counts = np.bincount(groups)
        means = (
            np.stack([np.bincount(groups, column) for column in logs.T], axis=1) / counts[:, None]
        )
        powers = np.exp(means - means.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))


@dataclass(frozen=True, slots=True)
class Described:
    """The tiles of a lattice as the network describes them, each by itself."""

    lattice: GridCandidate
    numbers: Floats
    """Shape (numbers, rows, columns)."""
    groups: NDArray[np.intp]
    """Shape (rows, columns): equal numbers for tiles that are drawn alike."""
    drawings: Bytes
    """Shape (groups, `TILE_BYTES`)."""

    def inner(self) -> Described:
        """Return it without the outermost line of tiles on each side."""
        lattice = self.lattice.extended(-1, -1, -1, -1)
        numbers, groups = self.numbers[:, 1:-1, 1:-1], self.groups[1:-1, 1:-1]
        return Described(lattice, numbers, groups, self.drawings)


def describe(pixels: Bytes, lattice: GridCandidate, cut_pitch: int = PITCH) -> Described:
    """Describe all tiles of a lattice in a picture, blue-green-red, scaled to `cut_pitch`."""
    tiles = cut(pixels, lattice.x, lattice.y, lattice.pitch, cut_pitch)
    rows, columns = tiles.shape[:2]
    flat = tiles.reshape(-1, SIDE, SIDE, 3)
    heads, groups = group(flat)
    numbers = encode(flat[heads])[groups].T.reshape(-1, rows, columns)
    return Described(lattice, numbers, groups.reshape(rows, columns), reduced(flat[heads]))


def encode(tiles: Bytes) -> Floats:
    """The numbers by which the network describes tiles, shape (n, numbers).

    `tiles` has shape (n, SIDE, SIDE, 3), blue-green-red.
    """
    return network("encoder")(tiles.transpose(0, 3, 1, 2).astype(np.float32) / 255)


def own_answers(numbers: Floats, board: Floats) -> Floats:
    """What each tile shows, told by itself: probabilities of shape (n, labels).

    `numbers` describe the tiles, `board` others of the same game, among them a covered and an
    empty one; both have shape (n, numbers).
    """
    mean = (board.sum(axis=0) + numbers) / (len(board) + 1)
    inputs = np.concatenate([numbers, mean, np.maximum(board.max(axis=0), numbers)], axis=1)
    answers: Floats = _softmax(network("before")(inputs.T[None, :, None])[0, :_LABELS])[0]
    return answers


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
    sums = np.stack([np.bincount(groups, row.ravel()) for row in first])
    alike = (sums / np.bincount(groups))[:, groups].reshape(first.shape)
    everywhere = np.broadcast_to(first.mean((1, 2), keepdims=True), first.shape)
    out = network("after")(np.concatenate([mixed, first, alike, everywhere])[None])[0]
    board = 1 / (1 + np.exp(-out[_LABELS].mean()))
    grouped, drawings = groups.reshape(tiles.groups.shape), tiles.drawings[numbered]
    return Classified(tiles.lattice, _softmax(out[:_LABELS]), grouped, drawings, float(board))


def steadied(pixels: Bytes, classified: Classified) -> Classified:
    """Classify tiles in doubt three times: as they are, and moved a little either way."""
    moved = (classified.lattice.moved(step, step) for step in (-_MOVED, _MOVED))
    again = [classify(describe(pixels, lattice)).probabilities for lattice in moved]
    return _averaged(classified, [classified.probabilities, *again])


def enlarged(pixels: Bytes, steady: Classified) -> Classified:
    """Classify tiles that `steadied` leaves in doubt once more, enlarged: a fourth answer."""
    larger = classify(describe(pixels, steady.lattice, _LARGE_PITCH)).probabilities
    return _averaged(steady, [steady.probabilities] * 3 + [larger])


def _averaged(classified: Classified, answers: list[NDArray[np.floating]]) -> Classified:
    product = np.prod(answers, axis=0) ** (1 / len(answers))
    return replace(classified, probabilities=product / product.sum(axis=-1, keepdims=True))


def _softmax(logits: Floats) -> Floats:
    """Probabilities, the labels last, from logits with the labels first."""
    powers = np.exp(logits - logits.max(axis=0))
    return np.ascontiguousarray((powers / powers.sum(axis=0)).transpose(1, 2, 0), np.float32)


def cut(
    pixels: Bytes, x: Middles, y: Middles, pitch: tuple[float, float], cut_pitch: int = PITCH
) -> Bytes:
    """The tiles whose middles are given, shape (rows, columns, SIDE, SIDE, 3).

    `pixels` has shape (height, width, 3), blue-green-red. `x` and `y` are the middles of columns
    and rows in pixels, where 0 is the left edge of the first pixel; `pitch` is the distance of
    columns and of rows, which is scaled to `cut_pitch` pixels: above `SIDE`, the edges of each cell
    are left out. What lies outside of the picture repeats its edge.
    """
    left, right = _ends(x, pitch[0])
    top, bottom = _ends(y, pitch[1])
    height, width = pixels.shape[:2]
    part = pixels[max(0, top) : min(height, bottom), max(0, left) : min(width, right)]
    outside = max(0, -top), max(0, bottom - height), max(0, -left), max(0, right - width)
    if any(outside):
        part = np.asarray(cv2.copyMakeBorder(part, *outside, cv2.BORDER_REPLICATE), np.uint8)
    # Where the pitch is a whole number, tiles that are drawn alike are cut alike.
    wide, high = cut_pitch * (x.size + 2), cut_pitch * (y.size + 2)
    scale_x, scale_y = wide / (right - left), high / (bottom - top)
    way = cv2.INTER_AREA if scale_x < 1 else cv2.INTER_LINEAR
    part = np.asarray(cv2.resize(part, (wide, high), interpolation=way), np.uint8)
    columns = np.clip(np.round((x - left) * scale_x - SIDE / 2).astype(int), 0, wide - SIDE)
    rows = np.clip(np.round((y - top) * scale_y - SIDE / 2).astype(int), 0, high - SIDE)
    windows = np.lib.stride_tricks.sliding_window_view(part, (SIDE, SIDE), (0, 1))
    tiles = windows[rows[:, None], columns[None]].transpose(0, 1, 3, 4, 2)
    return np.ascontiguousarray(tiles)


def is_cut(pixels: Bytes, lattice: GridCandidate) -> bool:
    """Whether parts of cells are seen beyond a side of the lattice, drawn as its last ones are."""
    rooms = lattice.room((pixels.shape[1], pixels.shape[0])).values()
    for side in (side for side, room in enumerate(rooms) if room >= _PART):
        lines = lattice.extended(*(-3 * (each == side) for each in range(4))).beyond(side, 4)
        # Turned to be a column on the right.
        tiles = cut(pixels, lines.x, lines.y, lines.pitch).astype(np.float32)
        tiles = tiles.transpose(1, 0, 3, 2, 4) if side % 2 else tiles
        tiles = tiles[:, ::-1, :, ::-1] if side < 2 else tiles
        within = slice((SIDE - PITCH) // 2, (SIDE + PITCH) // 2)
        *inner, outer = tiles[:, :, within, within].swapaxes(0, 1)[..., : round(_PART * PITCH), :]
        some = outer[np.ptp(outer.mean(axis=2), axis=1).max(axis=1) >= _RELIEF]
        apart = np.abs(some[:, None] - np.concatenate(inner)).mean(axis=(2, 3, 4)).min(axis=1)
        if np.count_nonzero(apart < _CLOSE) > len(outer) / 2:
            return True
    return False


def _ends(middles: Middles, pitch: float) -> tuple[int, int]:
    """The first and past the last pixel of these cells and of one more on each side."""
    first = round(float(middles[0]) - 1.5 * pitch)
    return first, first + max(1, round((middles.size + 2) * pitch))


def reduced(tiles: Bytes, side: int = GROUP_SIDE) -> Bytes:
    """Reduce tiles, shape (n, SIDE, SIDE, 3), without their margins to (n, `TILE_BYTES`)."""
    count, margin = len(tiles), side // GROUP_SIDE
    flat, size = tiles.reshape(count * SIDE, SIDE, 3), (side, side * count)
    small = np.asarray(cv2.resize(flat, size, interpolation=cv2.INTER_AREA), np.uint8)
    inner = small.reshape(count, side, side, 3)[:, margin:-margin, margin:-margin]
    return inner.reshape(count, -1)


def are_alike(some: Bytes, others: Bytes) -> NDArray[np.bool_]:
    """Whether reduced tiles are drawn alike; the arrays are broadcast against each other."""
    apart = np.abs(some.astype(np.int16) - others).max(axis=-1)
    return np.asarray(apart < GROUP_LEVELS)


def group(tiles: Bytes) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Group tiles that are drawn alike; returns one index of each group, and each tile's group."""
    drawings, fine = reduced(tiles), reduced(tiles, _FINE_SIDE) // _FINE_TIMES
    groups = np.full(len(tiles), -1, np.intp)
    heads: list[int] = []
    rest = np.arange(len(tiles))
    while rest.size:
        near = are_alike(drawings[rest], drawings[rest[0]])
        near[near] = are_alike(fine[rest[near]], fine[rest[0]])
        groups[rest[near]] = len(heads)
        heads.append(int(rest[0]))
        rest = rest[~near]
    return np.array(heads, np.intp), groups
