"""Reads frame after frame of a game that nobody has shown to the program.

Each different tile is labelled once, by the network and the rules together, and keeps its label.
What stays in doubt is asked again with each frame: the board around it says more and more.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.board import Board, Cell
from bot.capture import Frame
from bot.errors import (
    Clipped,
    Contradiction,
    GridNotFound,
    UnreadableTile,
    Unsettled,
    VisionError,
)
from bot.profile import LatticeLook, Profile
from bot.vision import first_sight
from bot.vision.classification.labels import Label
from bot.vision.classification.network import classify, describe
from bot.vision.detection.fit import Candidate
from bot.vision.first_sight import Seen, colours, pooled
from bot.vision.grid import Grid
from bot.vision.rules import cell_of
from bot.vision.tiles import TileReading, crop, keys

_SHOWN = 3
"""Candidates that are named for a tile in doubt."""


@dataclass(frozen=True, slots=True)
class _Refusal:
    """Why a frame was not read: the same frame again is not classified again."""

    frame: Frame
    error: VisionError | Contradiction
    is_search: bool
    """Whether the grid was searched for in this frame, not taken from an earlier one."""

    def holds(self, frame: Frame, *, is_found: bool) -> bool:
        """Whether this frame is refused for the same reason.

        `is_found` says whether the grid of an earlier frame is known; a refusal by such a grid
        ends once that is forgotten.
        """
        is_same_grid = is_found or self.is_search
        return is_same_grid and np.array_equal(frame.pixels, self.frame.pixels)


class FirstSightReader:
    """Reads the frames of one unknown game, one after the other."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        """How the game behaves, as far as that is known; of its appearance it knows nothing."""
        self.grid: Grid | None = None
        """Where the grid was found last, in pixels of that frame."""
        self.overlooked: frozenset[int] = frozenset()
        """Squares that could not be read in the last frame, and count as hidden."""
        self._lattice: Candidate | None = None
        self._kept: Candidate | None = None
        """The lattice that was found last."""
        self._before: Grid | None = None
        self._size = (0, 0)
        self._labels: dict[int, Label] = {}
        """The label of each different tile, by its key."""
        self._taught: dict[int, Label] = {}
        """Labels that logic has proved: they outlast a contradiction."""
        self._refuted: dict[int, set[Label]] = {}
        """Labels that a tile cannot have, as play has shown."""
        self._overlook: frozenset[int] = frozenset()
        self._pixels = np.empty((0, 0), np.uint32)
        self._board: Board | None = None
        self._refusal: _Refusal | None = None

    def forget(self) -> None:
        """Find the grid anew on the next frame."""
        self.grid = self._lattice = self._board = None

    def overlook(self, squares: Set[int]) -> None:
        """Take these for hidden where they cannot be read, from now on."""
        self._overlook = frozenset(squares)
        self._board = self._refusal = None

    def learn(self, profile: Profile) -> None:
        """Go by another profile of the same game from now on."""
        self.profile = profile

    def teach(self, frame: Frame, grid: Grid, square: int, cell: Cell) -> None:
        """Remember what the tile on this square of the frame shows."""
        key = int(keys(crop(frame, grid), grid.tile)[square])
        self._taught[key] = self._labels[key] = Label(cell)
        self._board = self._refusal = None

    def refute(self, frame: Frame, grid: Grid, square: int) -> bool:
        """Remember that the tile on this square is not covered: no click opens it.

        Returns whether that is news.
        """
        key = int(keys(crop(frame, grid), grid.tile)[square])
        refuted = self._refuted.setdefault(key, set())
        is_news = Label.HIDDEN not in refuted
        refuted.update((Label.HIDDEN, Label.QUESTION))
        self._labels = dict(self._taught)
        self._board = self._refusal = None
        return is_news

    def read(self, frame: Frame) -> Board:
        """The board in the frame, its mine total unknown.

        Raises GridNotFound; Contradiction where the tiles can be no board; UnreadableTile for the
        first tile in doubt that is not to be overlooked; Unsettled where no cell is covered.
        """
        refusal = self._refusal
        if refusal is not None and refusal.holds(frame, is_found=self._lattice is not None):
            raise refusal.error.with_traceback(None)
        is_search = self._lattice is None
        try:
            board = self._read(frame)
        except (VisionError, Contradiction) as error:
            self._refusal = _Refusal(frame, error, is_search=is_search)
            raise
        self._refusal = None
        return board

    def _read(self, frame: Frame) -> Board:
        size = frame.width, frame.height
        if self._size != size:
            self.forget()
            self._before = None
            self._size = size
        if self._lattice is None or self.grid is None:
            self._find(frame)
        assert self.grid is not None
        pixels = crop(frame, self.grid)
        if self._board is None or not np.array_equal(pixels, self._pixels):
            self._board = None
            board = self._label(frame, self.grid, pixels)
            self._pixels, self._board = pixels, board
            self._before = self.grid
        return self._board

    def was(self, frame: Frame) -> Grid | None:
        """Where a board was read last, None where that was in a frame of another size."""
        return self._before if self._size == (frame.width, frame.height) else None

    def where(self, frame: Frame) -> Grid:
        """Where the grid is, or was when a board was read last; raises GridNotFound."""
        known = self.grid or self.was(frame)
        return known if known is not None else first_sight.look(frame).grid

    def readings(self, frame: Frame, grid: Grid | None = None) -> list[TileReading]:
        """What each tile of the frame is taken for, row-major, those in doubt included."""
        if grid is None or self._lattice is None or grid != self.grid:
            return readings_of(first_sight.look(frame))
        tiles = keys(crop(frame, grid), grid.tile)
        seen = self._classified(frame, self._lattice, tiles)
        return readings_of(seen)

    def _find(self, frame: Frame) -> None:
        """Find the grid; in the middle of a game one that is not found is where it was."""
        try:
            lattice = first_sight.find(colours(frame))
        except GridNotFound:
            if self._before is None or self._kept is None:
                raise
            lattice = self._kept
        grid = first_sight.grid_of(lattice)
        check_uncut(grid, self.profile)
        self._lattice, self.grid, self._kept = lattice, grid, lattice

    def _label(self, frame: Frame, grid: Grid, pixels: NDArray[np.uint32]) -> Board:
        tiles = keys(pixels, grid.tile)
        if any(key not in self._labels for key in set(tiles.tolist())):
            assert self._lattice is not None
            seen = self._classified(frame, self._lattice, tiles)
            for key, label in zip(tiles.tolist(), seen.labels.ravel().tolist(), strict=True):
                if label >= 0:
                    self._labels[key] = Label(label)
            unread = set(seen.unread)
            self._check_read(seen, unread - self._overlook)
            self.overlooked = frozenset(unread)
        else:
            self.overlooked = frozenset()
        cells = bytes(cell_of(self._labels.get(key, Label.HIDDEN)) for key in tiles.tolist())
        board = Board(grid.width, grid.height, None, cells)
        if max(board.cells) <= Cell.EIGHT:
            raise Unsettled("no cell is covered, and yet there must be a mine")
        return board

    def _check_read(self, seen: Seen, unread: Set[int]) -> None:
        if not unread:
            return
        square = min(unread)
        y, x = divmod(square, seen.grid.width)
        raise UnreadableTile((x, y), dict(readings_of(seen)[square].scores))

    def _classified(self, frame: Frame, lattice: Candidate, tiles: NDArray[np.uint64]) -> Seen:
        """What the frame's tiles show, those that were labelled before as they were."""
        classified = classify(describe(colours(frame), lattice))
        probabilities = pooled(classified)
        groups = classified.groups.ravel()
        for key, group in zip(tiles.tolist(), groups.tolist(), strict=True):
            for label in self._refuted.get(key, ()):
                probabilities[group, label] = 0
        probabilities /= np.maximum(probabilities.sum(axis=1, keepdims=True), 1e-9)
        try:
            known = _known(tiles, groups, self._labels)
            return first_sight.label(lattice, classified, probabilities, known)
        except Contradiction:
            # A label that was given too early may be wrong.
            known = _known(tiles, groups, self._taught)
            seen = first_sight.label(lattice, classified, probabilities, known)
            self._labels = dict(self._taught)
            return seen


def check_uncut(grid: Grid, profile: Profile) -> None:
    """Raise Clipped where the game may have cut the board off, in the middle of its window.

    It does so rather than draw tiles closer than its profile says; nothing in the picture tells
    where it is cut between two tiles.
    """
    look = profile.grid
    if not isinstance(look, LatticeLook) or look.least_step is None:
        return
    # A pixel more may come from rounding.
    if all(
        lines[-1] - lines[0] <= look.least_step * (len(lines) - 1) + 1
        for lines in (grid.columns, grid.rows)
    ):
        raise Clipped("the board may be cut off: make the window larger")


def _known(
    tiles: NDArray[np.uint64], groups: NDArray[np.intp], labels: dict[int, Label]
) -> dict[int, Label]:
    """The labels of groups of which a tile was labelled before."""
    known: dict[int, Label] = {}
    for key, group in zip(tiles.tolist(), groups.tolist(), strict=True):
        if key in labels:
            known[group] = labels[key]
    return known


def readings_of(seen: Seen) -> list[TileReading]:
    """Each tile's cell, None where it is in doubt, and what it most resembles."""
    looks = []
    flat = seen.probabilities.reshape(-1, len(Label))
    for label, chances in zip(seen.labels.ravel().tolist(), flat, strict=True):
        best = np.argsort(-chances)[:_SHOWN]
        scores = tuple(
            (Label(int(one)).name.lower(), float(chances[one])) for one in best if chances[one] > 0
        )
        cell = None if label < 0 else cell_of(Label(label))
        looks.append(TileReading(cell, scores))
    return looks
