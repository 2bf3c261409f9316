"""The same board in windows of other sizes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from bot.calibrate.window import Table
from bot.capture import Frame
from bot.errors import CaptureError, GridNotFound, WindowCovered, WindowError, WindowGone
from bot.profile.values import GridLook
from bot.vision.changes import differing
from bot.vision.grid import Grid
from bot.vision.locate import locate

SHARES = (0.5, 0.6, 0.7, 0.8, 0.9, 1.15, 1.3, 1.6)
"""The other sizes, as shares of the window's own.

Small ones lie closer: a pixel more or less changes a small drawing most. The flags of GNOME
Mines' theme classic met on tiles of 17 and 24 pixels are not known again on such of 21.
"""
_TRIES = 6
"""So often a window is given its size again. Guessed."""
_LIT = 4
"""So many tiles may differ then: the pointer has come to, or left, some of them."""


class Sizes:
    """Resizes the window and looks, then gives it back its size."""

    def __init__(self, shares: Sequence[float] = SHARES) -> None:
        self._shares = list(shares)
        """Those that have shown the board on other tiles so far."""

    def pictures(self, table: Table, look: GridLook) -> list[tuple[Frame, Grid]]:
        """The board in each size that its window can have, and its grid there.

        However it ends, the window has its own size again. Raises WindowError when the
        board does not come back as it was, and whatever the table raises.
        """
        own, grid = table.frame, table.grid
        assert own is not None
        assert grid is not None
        table.grid = None
        found = []
        try:
            for share in tuple(self._shares):
                table.resize(round(share * own.width), round(share * own.height))
                frame = _seen(table)
                there = None if frame is None else _same_board(frame, look, grid)
                if frame is None or there is None or there.tile == grid.tile:
                    self._shares.remove(share)
                else:
                    found.append((frame, there))
        finally:
            # What ended it, the user's stop say, is not to be hidden by a window that has gone.
            with suppress(WindowError, CaptureError):
                table.resize(own.width, own.height)
        self._give_back(table, own, grid)
        return found

    def _give_back(self, table: Table, own: Frame, grid: Grid) -> None:
        """Give the window its own size, and wait until the board looks as it did in it.

        KMines shows pictures of another size, blurred, until it has drawn new ones.
        """
        for _ in range(_TRIES):
            table.resize(own.width, own.height)
            frame = _seen(table)
            if (
                frame is not None
                and frame.pixels.shape == own.pixels.shape
                and differing(frame, own, grid) <= _LIT
            ):
                table.grid = grid
                return
            table.pause(table.timing.pause)
        raise WindowError("the board does not look as before once its window has its size again")


def _seen(table: Table) -> Frame | None:
    """The window, None where it has a size that leaves the screen, or does not come to rest.

    Raises what else the table does.
    """
    try:
        return table.look()
    except (WindowCovered, WindowGone):
        raise
    except WindowError:
        return None


def _same_board(frame: Frame, look: GridLook, grid: Grid) -> Grid | None:
    """The grid in the frame if it is one of as many tiles."""
    try:
        found = locate(frame, look)
    except GridNotFound:
        return None
    return found if (found.width, found.height) == (grid.width, grid.height) else None
