"""Reads frame after frame of a game that has no profile.

Each distinct tile is labelled once, by the network and the rules together, and keeps its label
unless it may show a pressed cell, which resembles an open empty one. Tiles in doubt are classified
again with each frame, as the board around them says more.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from contextlib import suppress
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from minebot.board import Cell
from minebot.capture import Frame, Rect
from minebot.errors import Clipped, Contradiction, GridNotFound, VisionError
from minebot.profile import LatticeStyle, Profile
from minebot.vision.board_finder import find, no_board
from minebot.vision.board_reader import BoardReader
from minebot.vision.classification import (
    FLAGS,
    Classified,
    Label,
    are_alike,
    classify,
    describe,
    enlarged,
    steadied,
)
from minebot.vision.detection import Bytes, GridCandidate
from minebot.vision.grid import Grid
from minebot.vision.reading import Reading
from minebot.vision.rules import CELLS, DOUBT, Floats, Seen, label_board, label_in_part, recalled
from minebot.vision.tiles import TileReading, crop, keys

_MANY_DOUBTS, _CERTAIN = 0.1, 0.99
"""Fraction of tiles in doubt from which a lattice must be a board by `_CERTAIN`. Measured:
docs/measurements.md, "A board by its rules"."""
_STILL_COVERED = 0.2
"""Factor of the chance that a tile unlike the fresh board's is covered. Measured: as below."""
_UNASKED = 0.05
"""Factor of the chance that a tile shows a flag where none was set, as some games do when they are
won, or the mine that was hit where nothing was opened. Measured: "What play knows" there."""

_NAMES = [label.name.lower() for label in Label]
_LABELLED = {label: TileReading(CELLS[label], ((_NAMES[label], 1.0),)) for label in Label}
"""The reading of a tile that was labelled in an earlier frame."""


class FirstSightReader(BoardReader):
    """Reads the frames of one unknown game: its profile knows nothing of its appearance."""

    def __init__(self, profile: Profile, *, once: bool = False) -> None:
        """With `once` a single picture is read, so that no label is kept."""
        super().__init__(profile)
        self._once = once
        self._lattices: dict[Grid, GridCandidate] = {}
        """The exact lattices of the grids that were found."""
        self._searched: tuple[Frame, Classified] | None = None
        """A frame in which the grid was found but not read yet, and its tiles as classified."""
        self._labels: dict[int, Label] = {}
        """The label of each different tile, by its key."""
        self._fresh: set[int] = set()
        """The keys of the tiles that were labelled in the last frame."""
        self._taught: dict[int, Label] = {}
        """Labels that logic has proved: they outlast a contradiction."""
        self._refuted: dict[int, set[Label]] = {}
        """Labels that a tile cannot have, as play has shown."""
        self._covers: Bytes | None = None
        """The different reduced tiles of the fresh board, None if none was seen."""
        self._clicked: tuple[Set[int], Set[int]] | None = None
        """The squares that were flagged, and those that were opened; None if nobody has told."""
        self._refused: tuple[Frame, bool, Reading | VisionError] | None = None
        """A frame that was not read, or not for certain; whether the grid was searched for in it,
        not taken from an earlier one; and what was read, or why nothing was."""

    def forget(self) -> None:
        """Find the grid anew on the next frame, and label anew what this one labelled.

        A frame that is not believed, for example with a pressed cell, must leave no label.
        """
        super().forget()
        for key in self._fresh - self._taught.keys():
            self._labels.pop(key, None)
        self._fresh.clear()

    def relabel(self) -> None:
        """See `BoardReader`."""
        super().relabel()
        self._labels = dict(self._taught)
        self._reread()

    def _reread(self) -> None:
        super()._reread()
        self._refused = None

    def expect(self, *, flagged: Set[int], opened: Set[int]) -> None:
        """See `BoardReader`."""
        super().expect(flagged=flagged, opened=opened)
        self._clicked = flagged, opened

    def teach(self, frame: Frame, grid: Grid, square: int, cell: Cell) -> None:
        """See `BoardReader`."""
        key = int(keys(crop(frame, grid), grid.tile)[square])
        self._taught[key] = self._labels[key] = Label(cell)
        self._reread()

    def refute(self, frame: Frame, grid: Grid, square: int) -> bool:
        """See `BoardReader`."""
        key = int(keys(crop(frame, grid), grid.tile)[square])
        refuted = self._refuted.setdefault(key, set())
        is_news = Label.HIDDEN not in refuted
        refuted.update((Label.HIDDEN, Label.QUESTION))
        self._labels = dict(self._taught)
        self._reread()
        return is_news

    def read(self, frame: Frame, *, partly: bool = False) -> Reading:
        """See `BoardReader`; a frame that is refused is not searched or classified again."""
        is_search = self._grid is None
        result: Reading | VisionError | None = None
        if self._refused is not None:
            before, was_search, refused = self._refused
            # What the grid of an earlier frame refused may be read once that is forgotten.
            is_known = was_search or not is_search
            if is_known and np.array_equal(frame.pixels, before.pixels):
                result = refused
        if result is None:
            try:
                result = super().read(frame, partly=True)
            except VisionError as error:
                result = error
            is_refused = not isinstance(result, Reading) or result.problem is not None
            self._refused = (frame, is_search, result) if is_refused else None
        if isinstance(result, Reading):
            return result.checked(partly=partly)
        raise result.with_traceback(None)

    def _find(self, frame: Frame) -> Grid:
        """Find the grid; in the middle of a game, keep the last one if none is found."""
        try:
            classified = find(_colours(frame))
        except GridNotFound:
            if self._last_grid is None:
                raise
            return self._last_grid
        grid = _grid_of(classified.lattice)
        _check_uncut(grid, self.profile)
        self._lattices[grid], self._searched = classified.lattice, (frame, classified)
        return grid

    def _read_board(self, frame: Frame, grid: Grid, pixels: NDArray[np.uint32]) -> Reading:
        """What the tiles show; classified if one of them has no label yet."""
        keyed = keys(pixels, grid.tile)
        numbers = keyed.tolist()
        self._fresh.clear()
        if self._labels.keys() >= set(numbers):
            tiles = [_LABELLED[self._labels[key]] for key in numbers]
            return Reading.of(grid, tiles, self.profile, self._overlook)
        self._reading = None
        seen, problem = self._seen(frame, self._lattices[grid], keyed)
        if problem is None:
            lasting = np.where(seen.pressed, -1, seen.labels).ravel().tolist()
            labels = zip(numbers, lasting, strict=True)
            found = {key: Label(label) for key, label in labels if label >= 0}
            self._fresh = found.keys() - self._labels.keys()
            self._labels.update(found)
            if (seen.labels == Label.HIDDEN).all() and not seen.pressed.any():
                self._covers = np.unique(seen.drawings.reshape(len(numbers), -1), axis=0)
        reading = Reading.of(grid, readings_of(seen), self.profile, self._overlook)
        return replace(
            reading,
            problem=problem or reading.problem,
            reached=self._lattices[grid].reached((frame.width, frame.height)),
            drawings=tuple(map(bytes, seen.drawings.reshape(len(numbers), -1))),
        )

    def _seen(
        self, frame: Frame, lattice: GridCandidate, keyed: NDArray[np.uint64]
    ) -> tuple[Seen, Contradiction | None]:
        """Classify and label the frame's tiles; those that have a label keep it.

        `keyed` are the keys of all tiles. Where no mine layout fits them, what is seen of the
        likeliest ones comes with the reason. Raises GridNotFound if too little is seen.
        """
        pixels = _colours(frame)
        searched, self._searched = self._searched, None
        if searched is not None and searched[0] is frame:
            classified = searched[1]
        else:
            classified = classify(describe(pixels, lattice))
        groups = classified.groups.ravel()
        is_new = np.array([key not in self._labels for key in keyed.tolist()])
        with suppress(Contradiction):
            seen, _ = self._labelled(classified, keyed)
            # A label that is kept must be certain by the network, too, or two more looks agree.
            sure = classified.pooled().max(axis=1)[groups[is_new]] >= 1 - DOUBT
            if seen.is_whole and (self._once or sure.all()):
                return seen, None
        classified, problem = steadied(pixels, classified), None
        try:
            seen, chances = self._labelled(classified, keyed)
        except Contradiction as error:
            problem, chances = error, self._chances(classified, keyed, self._labels)
            seen = label_in_part(classified, chances)
        known = recalled(seen, classified, chances, self.profile.kept)
        if not known.is_whole:
            with suppress(Contradiction):
                if (larger := self._labelled(enlarged(pixels, classified), keyed)[0]).is_whole:
                    return larger, None
        is_sure = self._last_grid is not None or classified.board >= _CERTAIN
        if not is_sure and np.count_nonzero(known.labels < 0) > _MANY_DOUBTS * groups.size:
            raise GridNotFound(no_board(classified.board))
        return known, problem if known is seen else None

    def _labelled(self, classified: Classified, keyed: NDArray[np.uint64]) -> tuple[Seen, Floats]:
        """What the tiles show and the chances by which it was decided; raises Contradiction."""
        try:
            chances = self._chances(classified, keyed, self._labels)
            return label_board(classified, chances), chances
        except Contradiction:
            # A label that was given too early may be wrong.
            chances = self._chances(classified, keyed, self._taught)
            seen = label_board(classified, chances)
            self._labels = dict(self._taught)
            return seen, chances

    def _chances(
        self, classified: Classified, tiles: NDArray[np.uint64], labels: Mapping[int, Label]
    ) -> Floats:
        """The chances of each group's labels, shape (groups, labels), certain for these `labels`.

        `tiles` are the keys of all tiles, and `labels` are by key.
        """
        chances = self._expected(classified)
        pairs = list(zip(tiles.tolist(), classified.groups.ravel().tolist(), strict=True))
        for key, group in pairs:
            for label in self._refuted.get(key, ()):
                chances[group, label] = 0
        chances /= np.maximum(chances.sum(axis=1, keepdims=True), 1e-9)
        for key, group in pairs:
            if key in labels:
                chances[group] = np.arange(len(Label)) == labels[key]
        return chances

    def _expected(self, classified: Classified) -> Floats:
        """The chances of each group's labels, shape (groups, labels), by what play knows.

        What was seen of the fresh board tells which tiles have changed since, unless all have: then
        the game draws them in another way.
        """
        likely, groups = classified.pooled(), classified.groups.ravel()
        if self._covers is None:
            return likely
        is_cover = np.zeros(len(likely), bool)
        for cover in self._covers:  # not all at once: where each tile differs, they are many
            is_cover |= are_alike(classified.drawings, cover)
        if is_cover.any():
            likely[~is_cover, Label.HIDDEN] *= _STILL_COVERED
        if self._clicked is None:
            return likely
        unflagged, unopened = (
            np.unique(groups[[square not in clicked for square in range(groups.size)]])
            for clicked in self._clicked
        )
        if is_cover.any():
            likely[np.ix_(unflagged, FLAGS)] *= _UNASKED
            likely[unopened, Label.EXPLODED] *= _UNASKED
        # Flag or not: what nobody has flagged is covered, which is all that counts.
        covers = np.ix_(unflagged, np.array([Label.HIDDEN, *FLAGS]))
        is_most = likely[covers] == likely[covers].max(axis=1, keepdims=True)
        likely[covers] = is_most * likely[covers].sum(axis=1, keepdims=True)
        return likely


def _grid_of(lattice: GridCandidate) -> Grid:
    """The grid in whole pixels: square tiles in the middles of the cells."""
    tile = max(2, round(min(lattice.pitch)))
    starts = (np.round(middles - tile / 2) for middles in (lattice.x, lattice.y))
    columns, rows = (tuple(map(int, axis)) for axis in starts)
    frame = Rect(columns[0], rows[0], columns[-1] + tile - columns[0], rows[-1] + tile - rows[0])
    return Grid(columns, rows, tile, frame)


def _check_uncut(grid: Grid, profile: Profile) -> None:
    """Raise Clipped if the game may have cut the board off, in the middle of its window.

    Such a game cuts its board off rather than draw tiles closer together than its profile says, and
    a cut between two tiles leaves no trace in the picture.
    """
    style = profile.grid
    if not isinstance(style, LatticeStyle) or style.least_step is None:
        return
    # A pixel more may come from rounding.
    axes = (grid.columns, grid.rows)
    if all(axis[-1] - axis[0] <= style.least_step * (len(axis) - 1) + 1 for axis in axes):
        raise Clipped("the board may be cut off: make the window larger")


def _colours(frame: Frame) -> Bytes:
    """The frame's pixels, blue-green-red."""
    return np.asarray(cv2.cvtColor(frame.pixels, cv2.COLOR_BGRA2BGR), np.uint8)


def readings_of(seen: Seen) -> list[TileReading]:
    """Each tile's cell, None if it is in doubt, and what it most resembles."""
    readings = []
    flat = seen.probabilities.reshape(-1, len(Label))
    for label, chances in zip(seen.labels.ravel().tolist(), flat.tolist(), strict=True):
        named = ((name, chance) for name, chance in zip(_NAMES, chances, strict=True) if chance > 0)
        scores = tuple(sorted(named, key=lambda one: -one[1]))
        readings.append(TileReading(None if label < 0 else CELLS[Label(label)], scores))
    return readings
