"""Reads a board from frames: all of it once, then only the tiles that changed.

A game draws the same cell with the same pixels wherever it stands, so each distinct
tile is classified once and remembered by its bytes; reading a frame is comparing it
with the one before and looking up what is new.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import Board, Cell
from bot.errors import GridNotFound, UnreadableTile, Unsettled
from bot.frame import Frame
from bot.profile import Profile
from bot.vision.grid import Grid
from bot.vision.locate import locate
from bot.vision.looks import Look, Looks

__all__ = ["Reader"]

_ONLY_EMPTY = bytes(int(value == Cell.EMPTY) for value in range(256))
_REMEMBERED = 4096
"""Distinct tiles kept; a game has about 20, more come from pictures that never repeat."""


class Reader:
    """Reads the frames of one game, one after the other."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.grid: Grid | None = None
        """Where the grid was found last, in pixels of that frame."""
        self._looks = Looks(profile)
        self._known: dict[bytes, Look] = {}
        self._size = (0, 0)
        self._pixels: NDArray[np.uint32] | None = None
        self._cells = bytearray()
        self._empty = b""

    def forget(self) -> None:
        """Find the grid anew on the next frame."""
        self.grid = None
        self._pixels = None
        self._empty = b""

    def read(self, frame: Frame, *, patient: bool = False) -> Board:
        """The board in the frame, its mine total unknown.

        With `patient` what looks like a pressed cell is taken for an open one: it has
        looked so for longer than a button is held down.

        Raises GridNotFound; Unsettled while a flash or a pressed cell shows;
        UnreadableTile for the first tile that is nothing known.
        """
        if self.grid is None or self._size != (frame.width, frame.height):
            self.forget()
            self.grid = locate(frame, self.profile.grid)
            self._size = (frame.width, frame.height)
        try:
            return self._read(frame, self.grid, patient=patient)
        except (GridNotFound, UnreadableTile, Unsettled):
            self._pixels = None
            raise

    def looks(self, frame: Frame) -> list[Look]:
        """What each tile of the frame is taken for, row-major, unreadable ones included."""
        grid = self.grid = locate(frame, self.profile.grid)
        tiles = _tiles(_crop(frame, grid), grid.tile)
        return self._classify(tiles)

    def _read(self, frame: Frame, grid: Grid, *, patient: bool) -> Board:
        pixels = _crop(frame, grid)
        if self._pixels is None:
            self._cells = bytearray(grid.width * grid.height)
            self._update(_tiles(pixels, grid.tile), range(grid.width * grid.height), grid)
        else:
            changed = _changed(pixels, self._pixels, grid)
            if changed.size:
                rows, columns = np.divmod(changed, grid.width)
                shaped = pixels.reshape(grid.height, grid.tile, grid.width, grid.tile)
                self._update(shaped[rows, :, columns], changed.tolist(), grid)
        self._pixels = pixels
        board = Board(grid.width, grid.height, None, bytes(self._cells))
        if not patient:
            _check_settled(board, self._empty)
        self._empty = board.cells.translate(_ONLY_EMPTY)
        return board

    def _update(self, tiles: NDArray[np.uint32], squares: range | list[int], grid: Grid) -> None:
        looks = self._classify(tiles)
        for square, look in zip(squares, looks, strict=True):
            if look.cell is None:
                if sum(other.flash for other in looks) > 1:
                    raise Unsettled("the board flashes")
                y, x = divmod(square, grid.width)
                raise UnreadableTile((x, y), dict(look.scores))
            self._cells[square] = look.cell

    def _classify(self, tiles: NDArray[np.uint32]) -> list[Look]:
        data = tiles.tobytes()
        size = tiles[0].nbytes
        keys = [data[start : start + size] for start in range(0, len(data), size)]
        new = list(dict.fromkeys(key for key in keys if key not in self._known))
        if new:
            if len(self._known) + len(new) > _REMEMBERED:
                self._known.clear()
                new = list(dict.fromkeys(keys))
            side = tiles.shape[1]
            stack = np.frombuffer(b"".join(new), np.uint8).reshape(-1, side, side, 4)
            self._known.update(zip(new, self._looks.classify(stack), strict=True))
        return [self._known[key] for key in keys]


def _crop(frame: Frame, grid: Grid) -> NDArray[np.uint32]:
    """The grid's pixels, a copy of shape (rows, columns), a pixel a number."""
    bounds = grid.bounds
    whole = frame.pixels.view(np.uint32)[..., 0]
    # Some capture libraries leave the fourth byte undefined.
    return whole[bounds.top : bounds.bottom, bounds.left : bounds.right] & np.uint32(0x00FFFFFF)


def _tiles(pixels: NDArray[np.uint32], tile: int) -> NDArray[np.uint32]:
    """The tiles, shape (n, tile, tile), row-major."""
    height, width = pixels.shape[0] // tile, pixels.shape[1] // tile
    shaped = pixels.reshape(height, tile, width, tile).swapaxes(1, 2)
    return np.ascontiguousarray(shaped).reshape(-1, tile, tile)


def _changed(now: NDArray[np.uint32], before: NDArray[np.uint32], grid: Grid) -> NDArray[np.int64]:
    """The squares whose pixels differ."""
    lines = np.flatnonzero((now != before).any(axis=1))
    if not lines.size:
        return lines
    rows = np.unique(lines // grid.tile)
    shape = (grid.height, grid.tile, grid.width, grid.tile)
    differs = now.reshape(shape)[rows] != before.reshape(shape)[rows]
    row, column = np.nonzero(differs.any(axis=(1, 3)))
    return np.asarray(rows[row] * grid.width + column)


def _check_settled(board: Board, known: bytes) -> None:
    """Raise Unsettled where an empty cell touches a hidden one and is not `known` to be empty.

    A covered cell looks like an opened empty one while the button is held on it. A
    really empty one is opened together with all its neighbours, in one repaint; later
    it can come to touch a hidden one, when a flag is taken off.
    """
    cells = np.frombuffer(board.cells, np.uint8).reshape(board.height, board.width)
    empty = cells == Cell.EMPTY
    if len(known) == cells.size:
        empty &= np.frombuffer(known, np.uint8).reshape(cells.shape) == 0
    hidden = cv2.dilate((cells == Cell.HIDDEN).view(np.uint8), np.ones((3, 3), np.uint8))
    pressed = np.argwhere(empty & (hidden > 0))
    if len(pressed):
        y, x = pressed[0].tolist()
        raise Unsettled(f"the cell at ({x}, {y}) is being pressed")
