"""Reads the board of a game that has no profile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from minebot.board import SYMBOLS, Board
from minebot.capture import Frame, Rect
from minebot.errors import Clipped, Contradiction, GridNotFound
from minebot.profile.appearance import KeptTiles
from minebot.vision.classification import Bytes, Classified, Label, are_alike, classify, describe
from minebot.vision.detection.edges import in_whole_pixels
from minebot.vision.detection.fit import FEWEST, GridCandidate
from minebot.vision.detection.lattice_network import detect
from minebot.vision.grid import Grid
from minebot.vision.reading import MAX_DOUBT
from minebot.vision.rules import Floats, Labelled, cell_of, decide, decide_partly

BOARD = 0.5
"""Probability from which a lattice is a board: the network was trained to draw the line there."""
_SURE = 0.95
"""Probability of one board above which less likely lattices are ignored. Specified: 95 %."""
_MANY_DOUBTS, _CERTAIN = 0.1, 0.99
"""Fraction of tiles in doubt from which a lattice must be a board by `_CERTAIN`. Measured on
drawn pictures 60000 to 61249, fixtures/others/dev and more: of such lattices all 9 that are no
boards are less probable, and of 148 boards 7, drawn ones."""
_CANDIDATES = 4
"""Number of lattices that are classified, the largest ones. Specified: a limit of time."""
_INSIDE, _OUTSIDE = 0.4, 0.6
"""Mean probability of no cell up to which a line of tiles belongs to the board, and from which it
is none of it; between them nothing tells where the board ends. Measured on the boards in
fixtures/versions, others/dev and 200 drawn pictures, 511 together: 1 is accepted with a line too
few or too many, 2 are refused rightly and 3 needlessly; with 0.2 and 0.8 it is 1, 2 and 15."""
_ADJUSTMENTS = 12
"""Columns or rows that may be added or taken away on each side. Measured: 4 were needed at most in
fixtures/versions, fixtures/screenshots and fixtures/others/dev; each takes some 10 ms."""
_SHIFTS = (0.25, 0.5, 0.75)
"""Fractions of a cell by which lines that were taken away are moved, to see whether they are cells
of a torn picture. Specified: tiles are classified right when they are cut up to an eighth off.
Measured on 150 torn pictures of `fixtures.damage` (30 of each game that the networks read): 26 are
read wrong; 38 if nothing is moved, and 29 if one line at most may be taken away instead."""
_MOVED = 0.03
"""Fraction of a cell by which tiles in doubt are moved to be classified twice more. Measured: with
0.015 to 0.06 this reads 2 to 3 more of the 85 boards in fixtures/others/dev and 6 to 8 more of 215
drawn ones, and none of these wrong."""

_SAME_GAME = 4
"""Number of different tiles that are drawn as a game draws them, from which a picture may show that
game. Measured: docs/measurements.md, "Kept tiles"."""


@dataclass(frozen=True, slots=True)
class _ClassifiedLattice:
    """A lattice that was classified."""

    lattice: GridCandidate
    classified: Classified
    is_certain: bool
    """Whether it is certain where the lattice ends."""
    added: NDArray[np.int64]
    """The lines that were added on the left, top, right and bottom; negative: taken away."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A board as it was seen in one picture."""

    lattice: GridCandidate
    grid: Grid
    labels: NDArray[np.int64]
    """Shape (rows, columns); -1 where a tile is in doubt."""
    probabilities: Floats
    """Shape (rows, columns, labels)."""
    groups: NDArray[np.intp]
    """Shape (rows, columns): equal numbers for tiles that are drawn alike."""
    drawings: Bytes
    """A tile of each group, reduced; shape (groups, `TILE_BYTES`)."""
    pressed: NDArray[np.bool_]
    """Shape (rows, columns): covered by the rules, though the network takes the tile for opened.

    A pressed cell looks like an opened empty one, and so do those that are drawn like it.
    """

    @property
    def unread(self) -> tuple[int, ...]:
        """The squares whose tiles cannot be read."""
        return tuple(np.flatnonzero(self.labels.ravel() < 0).tolist())

    @property
    def board(self) -> Board:
        """The board; what is unread counts as hidden."""
        cells = bytes(
            cell_of(Label.HIDDEN if label < 0 else Label(label))
            for label in self.labels.ravel().tolist()
        )
        return Board(self.grid.width, self.grid.height, None, cells)


def look(frame: Frame, *, partly: bool = False, kept: Sequence[KeptTiles] = ()) -> Seen:
    """The board in the frame; tiles in doubt are read by those in `kept`, see `recalled`.

    Raises GridNotFound if there is none, or more than one; Clipped if it is cut off;
    Contradiction where no mine layout fits the tiles. With `partly` the least certain tiles stay
    unread instead, `MAX_DOUBT` of them at most.
    """
    pixels = colours(frame)
    lattice, classified = find(pixels)
    seen = _read(pixels, lattice, classified, partly=partly, kept=kept)
    if classified.board < _CERTAIN and len(seen.unread) > _MANY_DOUBTS * seen.labels.size:
        raise GridNotFound(_no_board(classified.board))
    return seen


def _read(
    pixels: Bytes,
    lattice: GridCandidate,
    classified: Classified,
    *,
    partly: bool,
    kept: Sequence[KeptTiles],
) -> Seen:
    with suppress(Contradiction):
        seen = label(lattice, classified, pooled(classified))
        if not seen.unread:
            return seen
    classified = steadied(pixels, lattice, classified)
    probabilities = pooled(classified)
    try:
        seen = label(lattice, classified, probabilities)
    except Contradiction:
        if not (partly or kept):
            raise
        part = label_partly(lattice, classified, probabilities)
        seen = recalled(part, classified, probabilities, kept)
        if seen is part and not (partly and len(seen.unread) <= MAX_DOUBT * seen.labels.size):
            raise
        return seen
    return recalled(seen, classified, probabilities, kept)


def find(pixels: Bytes) -> tuple[GridCandidate, Classified]:
    """The lattice of a picture's board, and its tiles as classified; raises as `look` does."""
    best = 0.0
    for in_full in (False, True):
        candidates = [
            _adjusted(pixels, one) for one in detect(pixels, in_full=in_full)[:_CANDIDATES]
        ]
        boards: list[_ClassifiedLattice] = []
        for one in candidates:
            # Two lattices may have been pieces of the same board.
            is_new = not any(one.lattice.overlaps(other.lattice) for other in boards)
            smallest = min(one.lattice.x.size, one.lattice.y.size)
            if one.classified.board >= BOARD and smallest >= FEWEST and is_new:
                boards.append(one)
        if any(one.classified.board > _SURE for one in boards):
            boards = [one for one in boards if one.classified.board > _SURE]
        if len(boards) > 1:
            told = " and ".join(_said(one.lattice) for one in boards)
            raise GridNotFound(f"more than one board: {told}")
        if boards:
            _check_whole(pixels, boards[0])
            return boards[0].lattice, boards[0].classified
        best = max([best, *(one.classified.board for one in candidates)])
    raise GridNotFound(_no_board(best))


def _no_board(best: float) -> str:
    """Say that there is no board; `best` is the probability of the most likely one, 0 if none."""
    nearest = f": the most likely lattice is one by {best:.0%}" if best else ""
    return f"no {'Minesweeper ' if best else ''}board in the picture{nearest}"


def label(lattice: GridCandidate, classified: Classified, probabilities: Floats) -> Seen:
    """Label the tiles of a board by what the network and the rules say.

    `probabilities` are those of each group of tiles, shape (groups, labels). Raises Contradiction
    if the tiles can be no board.
    """
    labelled = decide(probabilities, classified.groups, classified.drawings)
    seen = _seen(lattice, classified, probabilities, labelled)
    if not seen.pressed.any():
        return seen
    # A pressed cell is drawn like the open ones: each of these is decided by itself.
    apart = _apart(classified.groups, seen.pressed)
    before = classified.groups.ravel()[np.unique(apart, return_index=True)[1]]
    probabilities = probabilities[before]
    try:
        labelled = decide(probabilities, apart, classified.drawings[before])
    except Contradiction:
        return seen
    classified = replace(classified, groups=apart, drawings=classified.drawings[before])
    return _seen(lattice, classified, probabilities, labelled)


def label_partly(lattice: GridCandidate, classified: Classified, probabilities: Floats) -> Seen:
    """Label what `label` finds to be no board; the least certain tiles stay unread."""
    labelled = decide_partly(probabilities, classified.groups)
    return _seen(lattice, classified, probabilities, labelled)


def recalled(
    seen: Seen, classified: Classified, probabilities: Floats, kept: Iterable[KeptTiles]
) -> Seen:
    """Read tiles in doubt as kept ones drawn alike, if the picture may show the game of these.

    Takes what `label` was given; tiles that were read as kept ones are certain then, which says how
    the game draws. Returns `seen` if no mine layout fits, or if a tile that was read would be read
    otherwise.
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
        again = label(seen.lattice, classified, likely)
        if ((seen.labels < 0) | (again.labels == seen.labels)).all():
            return again
    return seen


def _apart(groups: NDArray[np.intp], squares: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The groups, numbered from 0, each of the squares in a group of its own."""
    others = groups.max() + 1 + np.arange(groups.size).reshape(groups.shape)
    numbers = np.unique(np.where(squares, others, groups), return_inverse=True)[1]
    return np.asarray(numbers, np.intp).reshape(groups.shape)


def _seen(
    lattice: GridCandidate, classified: Classified, probabilities: Floats, labelled: Labelled
) -> Seen:
    tiles = classified.groups
    labels = np.array([-1 if one is None else int(one) for one in labelled.labels])
    pressed = (labels == Label.HIDDEN) & (probabilities.argmax(axis=1) == Label.EMPTY)
    return Seen(
        lattice,
        grid_of(lattice),
        labels[tiles],
        labelled.probabilities[tiles],
        tiles,
        classified.drawings,
        pressed[tiles],
    )


def colours(frame: Frame) -> Bytes:
    """The frame's pixels, blue-green-red."""
    return np.asarray(cv2.cvtColor(frame.pixels, cv2.COLOR_BGRA2BGR), np.uint8)


def pooled(classified: Classified) -> Floats:
    """The geometric mean of the answers for the tiles of each group."""
    groups = classified.groups.ravel()
    logs = np.log(classified.probabilities.reshape(groups.size, -1) + 1e-5)
    counts = np.bincount(groups)
    means = np.stack([np.bincount(groups, column) for column in logs.T], axis=1) / counts[:, None]
    powers = np.exp(means - means.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def steadied(pixels: Bytes, lattice: GridCandidate, classified: Classified) -> Classified:
    """Classify tiles in doubt three times: as they are, and moved a little either way."""
    answers = [classified.probabilities]
    for step in (-_MOVED, _MOVED):
        x, y = lattice.x + step * lattice.pitch[0], lattice.y + step * lattice.pitch[1]
        answers.append(classify(describe(pixels, replace(lattice, x=x, y=y))).probabilities)
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


def _adjusted(pixels: Bytes, candidate: GridCandidate) -> _ClassifiedLattice:
    """The lattice with exactly the columns and rows of the board."""
    lattice, added = in_whole_pixels(pixels, candidate), np.zeros(4, int)
    for _ in range(_ADJUSTMENTS):
        ringed = lattice.extended(1, 1, 1, 1)
        tiles = describe(pixels, ringed)
        outside = classify(tiles).probabilities[..., Label.OTHER]
        changes, is_certain = _changes(outside, ringed, (pixels.shape[1], pixels.shape[0]))
        changed = lattice.extended(*changes)
        if not any(changes) or min(changed.x.size, changed.y.size) < FEWEST:
            return _ClassifiedLattice(lattice, classify(tiles.inner()), is_certain, added)
        lattice, added = changed, added + changes
    return _ClassifiedLattice(lattice, classify(describe(pixels, lattice)), False, added)


def _goes_on(pixels: Bytes, board: _ClassifiedLattice) -> bool:
    """Whether lines that were taken away from a board are cells nevertheless.

    They may be cut off, at the edge of the picture or within it, or the picture is torn there.
    """
    lattice = board.lattice
    rooms = lattice.room((pixels.shape[1], pixels.shape[0])).values()
    for side, (count, room) in enumerate(zip((-board.added).tolist(), rooms, strict=True)):
        if count <= 0:
            continue
        if room < 1:
            return True
        lines, away = lattice.beyond(side, count), -1 if side < 2 else 1
        for shift in _SHIFTS:
            for across, down in ((away * shift, 0), (0, away * shift)):
                x, y = lines.x + across * lines.pitch[0], lines.y + down * lines.pitch[1]
                moved = classify(describe(pixels, replace(lines, x=x, y=y)))
                outside = moved.probabilities[..., Label.OTHER].mean(axis=side % 2)
                if outside.min() < _INSIDE:
                    return True
    return False


def _changes(
    outside: Floats, ringed: GridCandidate, size: tuple[int, int]
) -> tuple[tuple[int, int, int, int], bool]:
    """How many lines to add on the left, top, right and bottom; negative ones are taken away.

    `outside` are the probabilities of no cell, with a ring of one tile around the lattice. Also
    returns whether it is certain of each side that its last line is cells and the next one is not.
    """
    inner = outside[1:-1, 1:-1]
    sides = (
        (outside[1:-1, 0], inner[:, 0], ringed.bounds[0] >= -0.1 * ringed.pitch[0]),
        (outside[0, 1:-1], inner[0], ringed.bounds[1] >= -0.1 * ringed.pitch[1]),
        (outside[1:-1, -1], inner[:, -1], ringed.bounds[2] <= size[0] + 0.1 * ringed.pitch[0]),
        (outside[-1, 1:-1], inner[-1], ringed.bounds[3] <= size[1] + 0.1 * ringed.pitch[1]),
    )
    left, top, right, bottom = (
        -1 if last.mean() > _OUTSIDE else int(is_seen and beyond.mean() < _INSIDE)
        for beyond, last, is_seen in sides
    )
    is_certain = all(
        last.mean() < _INSIDE and (beyond.mean() > _OUTSIDE or not is_seen)
        for beyond, last, is_seen in sides
    )
    return (left, top, right, bottom), is_certain


def _check_whole(pixels: Bytes, board: _ClassifiedLattice) -> None:
    """Raise Clipped if cells go on beyond the board, GridNotFound if its end is unclear."""
    lattice, size = board.lattice, (pixels.shape[1], pixels.shape[0])
    if lattice.cut_off and (not board.is_certain or lattice.ends_in_part(size)):
        raise Clipped(f"the board is cut off at the {lattice.cut_off} edge of the picture")
    if not board.is_certain:
        raise GridNotFound(f"nothing tells where the board ends: about {_said(lattice)}")
    if _goes_on(pixels, board):
        raise Clipped(f"the board is cut off or torn: cells go on beyond {_said(lattice)}")


def _said(lattice: GridCandidate) -> str:
    at = f"({round(lattice.bounds[0])}, {round(lattice.bounds[1])})"
    return f"{lattice.x.size}x{lattice.y.size} at {at}"
