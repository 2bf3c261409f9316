"""Finds the board in a picture: of the lattices there, the one whose tiles are a board's."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from minebot.errors import Clipped, Contradiction, GridNotFound
from minebot.vision.classification import Classified, Label, classify, describe, is_cut, steadied
from minebot.vision.detection import FEWEST, SIDES, Bytes, GridCandidate, detect
from minebot.vision.rules import label_board

_BOARD = 0.5
"""Probability from which a lattice is a board: the network was trained to draw the line there."""
_POSSIBLE = 0.01
"""Probability from which it is one if its tiles obey the rules. Measured: docs/measurements.md, "A
board by its rules", as the others below."""
_SURE = 0.95
"""Probability that leaves no doubt, of a board and of no cells. Specified: 95 %."""
_CANDIDATES = 4
"""Number of lattices that are classified, the largest ones. Specified: a limit of time."""
_INSIDE, _OUTSIDE = 0.4, 0.6
"""Mean probability of no cell up to which a line of tiles belongs to the board, and from which it
is none of it; between them nothing tells where the board ends. Measured: "Where a board ends"."""
_UNSEEN = 0.1
"""Fraction of a cell that may lie outside the picture in a line that is seen, and not cut off.
Specified: it is cut out within an eighth."""
_ADJUSTMENTS = 12
"""Columns or rows that may be added or taken away on each side. Measured: 4 were needed at most in
fixtures/versions, fixtures/screenshots and fixtures/others/dev; each takes some 10 ms."""
_SHIFTS = (0.25, 0.5, 0.75)
"""Fractions of a cell by which lines that were taken away are moved, to see whether they are cells
of a torn picture. Specified: tiles are classified right when they are cut up to an eighth off.
Measured: docs/measurements.md, "Where a board ends"."""


@dataclass(frozen=True, slots=True)
class _Adjusted:
    """A lattice with the columns and rows of the board that it may be."""

    classified: Classified
    is_certain: bool
    """Whether it is certain where the lattice ends."""
    added: NDArray[np.int64]
    """The lines that were added on the left, top, right and bottom; negative: taken away."""


def find(pixels: Bytes) -> Classified:
    """The lattice of a picture's board and its tiles, as classified.

    `pixels` has shape (height, width, 3), blue-green-red. Raises GridNotFound if there is no board,
    or more than one; Clipped if it is cut off.
    """
    doubtful: list[_Adjusted] = []
    for lattices in detect(pixels):
        boards: list[_Adjusted] = []
        for one in (_adjusted(pixels, lattice) for lattice in lattices[:_CANDIDATES]):
            lattice = one.classified.lattice
            # Two lattices may have been pieces of the same board.
            is_new = not any(lattice.overlaps(other.classified.lattice) for other in boards)
            if min(lattice.x.size, lattice.y.size) >= FEWEST and is_new:
                (boards if one.classified.board >= _BOARD else doubtful).append(one)
        boards = [one for one in boards if one.classified.board > _SURE] or boards
        if len(boards) > 1:
            told = " and ".join(_said(one.classified.lattice) for one in boards)
            raise GridNotFound(f"more than one board: {told}")
        if boards:
            _check_whole(pixels, boards[0])
            return boards[0].classified
    doubtful.sort(key=lambda one: -one.classified.board)
    for one in doubtful:
        if one.classified.board >= _POSSIBLE and (board := _by_rules(one.classified)):
            _check_whole(pixels, one)
            return board
    raise GridNotFound(no_board(doubtful[0].classified.board if doubtful else 0.0))


def _by_rules(classified: Classified) -> Classified | None:
    """The tiles as a board's, if they are certain as cells, not all zeros, and obey the rules."""
    cells = classified.probabilities.copy()
    cells[..., Label.OTHER] = 0
    board = replace(classified, probabilities=cells / cells.sum(axis=-1, keepdims=True))
    with suppress(Contradiction):
        if (labels := label_board(board, board.pooled()).labels).min() >= 0 and labels.any():
            return board
    return None


def no_board(best: float) -> str:
    """Say that there is no board; `best` is the probability of the most likely one, 0 if none."""
    nearest = f": the most likely lattice is one by {best:.0%}" if best else ""
    return f"no {'Minesweeper ' if best else ''}board in the picture{nearest}"


def _adjusted(pixels: Bytes, lattice: GridCandidate) -> _Adjusted:
    """The lattice with exactly the columns and rows of the board."""
    added = np.zeros(4, int)
    for _ in range(_ADJUSTMENTS):
        tiles = describe(pixels, lattice.extended(1, 1, 1, 1))
        ringed = classify(tiles)
        changes, is_certain = _changes(pixels, ringed, added)
        if not is_certain and not any(changes):
            changes, is_certain = _changes(pixels, steadied(pixels, ringed), added)
        changed = lattice.extended(*changes)
        if not any(changes) or min(changed.x.size, changed.y.size) < FEWEST:
            return _Adjusted(classify(tiles.inner()), is_certain, added)
        lattice, added = changed, added + changes
    return _Adjusted(classify(describe(pixels, lattice)), False, added)


def _has_lost_cells(pixels: Bytes, board: _Adjusted) -> bool:
    """Whether lines that were taken away from a board are cells nevertheless.

    They may be cut off, at the edge of the picture or within it, or the picture is torn there.
    """
    lattice = board.classified.lattice
    rooms = lattice.room((pixels.shape[1], pixels.shape[0])).values()
    for side, (count, room) in enumerate(zip((-board.added).tolist(), rooms, strict=True)):
        if count <= 0:
            continue
        if room < 1:
            return True
        lines, away = lattice.beyond(side, count), -1 if side < 2 else 1
        for shift, (across, down) in product(_SHIFTS, ((away, 0), (0, away))):
            moved = classify(describe(pixels, lines.moved(shift * across, shift * down)))
            if moved.probabilities[..., Label.OTHER].mean(axis=side % 2).min() < _INSIDE:
                return True
    return False


def _changes(pixels: Bytes, ringed: Classified, added: NDArray[np.int64]) -> tuple[list[int], bool]:
    """How many lines to add on the left, top, right and bottom; negative ones are taken away.

    `ringed` has a ring of one tile around the lattice. Also returns whether it is certain of each
    side that its last line is cells and the next one is not. Where none of the next is, and no line
    was `added`, the last one may be covered in part: the maps show the same end.
    """
    outside = ringed.probabilities[..., Label.OTHER]
    rooms = ringed.lattice.room((pixels.shape[1], pixels.shape[0])).values()
    changes: list[int] = []
    is_certain = True
    for side, (room, before) in enumerate(zip(rooms, added.tolist(), strict=True)):
        # The next line beyond the side and the last one on it, both without the corners.
        lines = outside if side % 2 else outside.T
        beyond, last = lines[:: -1 if side > 1 else 1, 1:-1][:2].mean(axis=1)
        is_seen = room >= -_UNSEEN
        changes.append(-1 if last > _OUTSIDE else int(is_seen and beyond < _INSIDE))
        inside = _OUTSIDE if is_seen and before == 0 and beyond > _SURE else _INSIDE
        is_certain &= bool(last < inside and (beyond > _OUTSIDE or not is_seen))
    return changes, is_certain


def _check_whole(pixels: Bytes, board: _Adjusted) -> None:
    """Raise Clipped if cells go on beyond the board, GridNotFound if its end is unclear."""
    lattice, size = board.classified.lattice, (pixels.shape[1], pixels.shape[0])
    cut_off = [side for side, room in lattice.room(size).items() if room < -_UNSEEN]
    if lattice.cut_off and (not board.is_certain or lattice.ends_in_part(size)):
        cut_off.append(lattice.cut_off)
    if cut_off:
        raise Clipped(f"the board is cut off at the {cut_off[0]} edge of the picture")
    if not board.is_certain:
        raise GridNotFound(f"nothing tells where the board ends: about {_said(lattice)}")
    sides = zip(SIDES, board.added.tolist(), strict=True)
    is_torn = any(side in lattice.goes_on and added <= 0 for side, added in sides)
    if is_torn or _has_lost_cells(pixels, board) or is_cut(pixels, lattice):
        raise Clipped(f"the board is cut off or torn: cells go on beyond {_said(lattice)}")


def _said(lattice: GridCandidate) -> str:
    at = f"({round(lattice.bounds[0])}, {round(lattice.bounds[1])})"
    return f"{lattice.x.size}x{lattice.y.size} at {at}"
