"""Labels the tiles of a board that was found, by what the network and the rules say."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from minebot.board import SYMBOLS
from minebot.capture import Rect
from minebot.errors import Contradiction
from minebot.profile.appearance import KeptTiles
from minebot.vision.classification import Bytes, Classified, Label, are_alike, classify, describe
from minebot.vision.detection import Floats, GridCandidate
from minebot.vision.grid import Grid
from minebot.vision.rules import Labelled, decide, decide_partly

_MOVED = 0.03
"""Fraction of a cell by which tiles in doubt are moved to be classified twice more. Measured: with
0.015 to 0.06 this reads 2 to 3 more of the 85 boards in fixtures/others/dev and 6 to 8 more of 215
drawn ones, and none of these wrong."""
_SAME_GAME = 4
"""Number of different tiles that are drawn as a game draws them, from which a picture may show that
game. Measured: docs/measurements.md, "Kept tiles"."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A board as it was seen in one picture."""

    labels: NDArray[np.int64]
    """Shape (rows, columns); -1 where a tile is in doubt."""
    probabilities: Floats
    """Shape (rows, columns, labels)."""
    drawings: Bytes
    """Each tile, reduced, the same for tiles that are drawn alike; shape (rows, columns,
    `TILE_BYTES`)."""
    pressed: NDArray[np.bool_]
    """Shape (rows, columns): covered by the rules, though the network takes the tile for opened.

    A pressed cell looks like an opened empty one, and so do those that are drawn like it.
    """

    @property
    def is_whole(self) -> bool:
        """Whether no tile is in doubt."""
        return bool((self.labels >= 0).all())


def label_board(classified: Classified, probabilities: Floats) -> Seen:
    """Label the tiles of a board by what the network and the rules say.

    `probabilities` are those of each group of tiles, shape (groups, labels). Raises Contradiction
    if the tiles can be no board.
    """
    labelled = decide(probabilities, classified.groups, classified.drawings)
    seen = _seen(classified, probabilities, labelled)
    if not seen.pressed.any():
        return seen
    # A pressed cell is drawn like the open ones: each of these is decided by itself.
    apart = _apart(classified.groups, seen.pressed)
    before = classified.groups.ravel()[np.unique(apart, return_index=True)[1]]
    classified = replace(classified, groups=apart, drawings=classified.drawings[before])
    with suppress(Contradiction):
        labelled = decide(probabilities[before], apart, classified.drawings)
        return _seen(classified, probabilities[before], labelled)
    return seen


def label_in_part(classified: Classified, probabilities: Floats) -> Seen:
    """Label what `label_board` finds to be no board; the least certain tiles stay unread."""
    return _seen(classified, probabilities, decide_partly(probabilities, classified.groups))


def recalled(
    seen: Seen, classified: Classified, probabilities: Floats, kept: Iterable[KeptTiles]
) -> Seen:
    """Read tiles in doubt as kept ones drawn alike, if the picture may show the game of these.

    Takes what `label_board` was given; tiles that were read as kept ones are certain then, which
    says how the game draws. Returns `seen` if no mine layout fits, or if a tile that was read would
    be read otherwise.
    """
    doubtful = set(classified.groups[seen.labels < 0].tolist())
    told: dict[int, set[int]] = {}
    for tiles in kept if doubtful else ():
        signs = [SYMBOLS.index(sign) for sign, some in tiles.items() for _ in some]
        drawn = (np.frombuffer(tile, np.uint8) for some in tiles.values() for tile in some)
        alike = np.stack([are_alike(classified.drawings, tile) for tile in drawn])
        if np.count_nonzero(alike.any(axis=0)) >= _SAME_GAME:
            for tile, group in np.argwhere(alike).tolist():
                told.setdefault(group, set()).add(signs[tile])
    if not told:
        return seen
    likely = probabilities.copy()
    read = dict(zip(classified.groups.ravel().tolist(), seen.labels.ravel().tolist(), strict=True))
    for group, (sign, *others) in told.items():
        if not others and read[group] in {-1, sign} and likely[group, sign] > 0:  # else refuted
            likely[group] = np.arange(len(Label)) == sign
    with suppress(Contradiction):
        again = label_board(classified, likely)
        if ((seen.labels < 0) | (again.labels == seen.labels)).all():
            return again
    return seen


def _apart(groups: NDArray[np.intp], squares: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The groups, numbered from 0, each of the squares in a group of its own."""
    others = groups.max() + 1 + np.arange(groups.size).reshape(groups.shape)
    numbers = np.unique(np.where(squares, others, groups), return_inverse=True)[1]
    return np.asarray(numbers, np.intp).reshape(groups.shape)


def _seen(classified: Classified, probabilities: Floats, labelled: Labelled) -> Seen:
    tiles, labels = classified.groups, labelled.labels
    pressed = (labels == Label.HIDDEN) & (probabilities.argmax(axis=1) == Label.EMPTY)
    shown = labelled.probabilities[tiles], classified.drawings[tiles], pressed[tiles]
    return Seen(labels[tiles], *shown)


def pooled(classified: Classified) -> Floats:
    """The geometric mean of the answers for the tiles of each group."""
    groups = classified.groups.ravel()
    logs = np.log(classified.probabilities.reshape(groups.size, -1) + 1e-5)
    counts = np.bincount(groups)
    means = np.stack([np.bincount(groups, column) for column in logs.T], axis=1) / counts[:, None]
    powers = np.exp(means - means.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def steadied(pixels: Bytes, classified: Classified) -> Classified:
    """Classify tiles in doubt three times: as they are, and moved a little either way."""
    answers = [classified.probabilities]
    for step in (-_MOVED, _MOVED):
        tiles = describe(pixels, classified.lattice.moved(step, step))
        answers.append(classify(tiles).probabilities)
    product = np.prod(answers, axis=0) ** (1 / len(answers))
    return replace(classified, probabilities=product / product.sum(axis=-1, keepdims=True))


def grid_of(lattice: GridCandidate) -> Grid:
    """The grid in whole pixels: square tiles in the middles of the cells."""
    tile = max(2, round(min(lattice.pitch)))
    columns, rows = (
        tuple(int(at) for at in np.round(middles - tile / 2)) for middles in (lattice.x, lattice.y)
    )
    frame = Rect(columns[0], rows[0], columns[-1] + tile - columns[0], rows[-1] + tile - rows[0])
    return Grid(columns, rows, tile, frame)
