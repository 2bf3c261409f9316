"""The same board in windows of other sizes: what is known of one picture labels the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bot.calibrate.table import Table
from bot.errors import GridNotFound, WindowError
from bot.frame import Frame
from bot.profile.values import GridLook
from bot.vision.grid import Grid
from bot.vision.locate import locate

__all__ = ["Sizes"]

_SHARES = (0.6, 1.15, 0.8, 1.6, 0.7, 1.3, 0.5, 0.9)
"""The other sizes, as shares of the window's own.

Small ones lie closer: a pixel more or less changes a small drawing most. The flags of GNOME
Mines' theme classic met on tiles of 17 and 24 pixels are not known again on such of 21.
"""
_AT_ONCE = 4
"""So many of them are looked at each time, the others the next time."""
_TRIES = 6
_PAUSE = 0.5
"""Seconds between two looks at a board that comes back."""
_LIT = 4
"""So many tiles may differ then: the pointer has come to, or left, some of them."""


class Sizes:
    """Resizes the window and looks, then gives it back its size."""

    def __init__(self, resize: Callable[[int, int], bool]) -> None:
        self._resize = resize
        self._shares = list(_SHARES)
        """Those that were not in vain so far, the next first."""

    def pictures(self, table: Table, look: GridLook) -> Iterator[tuple[Frame, Grid]]:
        """The board that is on the table in each size that its window can have, and its grid.

        Exhaust it: at its end the window is as before. Raises WindowError when the
        board does not come back as it was, and whatever the table raises.
        """
        own, grid = table.frame, table.grid
        assert own is not None
        assert grid is not None
        table.grid = None
        now, later = self._shares[:_AT_ONCE], self._shares[_AT_ONCE:]
        self._shares = later
        for share in now:
            self._resize(round(share * own.width), round(share * own.height))
            frame = table.look()
            there = _same_board(frame, look, grid)
            if there is not None and there.tile != grid.tile:
                self._shares.append(share)
                yield frame, there
        self._give_back(table, own, grid)

    def _give_back(self, table: Table, own: Frame, grid: Grid) -> None:
        """Give the window its own size, and wait until the board looks as it did in it.

        KMines shows pictures of another size, blurred, until it has drawn new ones.
        """
        for _ in range(_TRIES):
            self._resize(own.width, own.height)
            frame = table.look()
            if frame.pixels.shape == own.pixels.shape and _differing(frame, own, grid) <= _LIT:
                table.grid = grid
                return
            table.pause(_PAUSE)
        raise WindowError("the board does not look as before once its window has its size again")


def _same_board(frame: Frame, look: GridLook, grid: Grid) -> Grid | None:
    """The grid in the frame if it is one of as many tiles."""
    try:
        found = locate(frame, look)
    except GridNotFound:
        return None
    return found if (found.width, found.height) == (grid.width, grid.height) else None


def _differing(one: Frame, other: Frame, grid: Grid) -> int:
    """How many tiles differ between two frames of one size."""
    differs = (one.pixels[..., :3] != other.pixels[..., :3]).any(axis=2)
    rects = (grid.rect(x, y) for y in range(grid.height) for x in range(grid.width))
    return sum(
        bool(differs[rect.top : rect.bottom, rect.left : rect.right].any()) for rect in rects
    )
