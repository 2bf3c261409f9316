"""Finds the grid, in the way that fits how the game draws it."""

from __future__ import annotations

from bot.capture import Frame
from bot.profile.values import ApartLook, FramedLook, GridLook, LatticeLook
from bot.vision import first_sight
from bot.vision.apart import gather
from bot.vision.framed import trace
from bot.vision.grid import Grid
from bot.vision.touching import enclose


def locate(frame: Frame, look: GridLook) -> Grid:
    """The grid of the board in the frame, its tiles cut out as is said; raises GridNotFound."""
    return _found(frame, look).inset(look.inset)


def _found(frame: Frame, look: GridLook) -> Grid:
    if isinstance(look, FramedLook):
        return trace(frame, look)
    if isinstance(look, ApartLook):
        return gather(frame, look)
    if isinstance(look, LatticeLook):
        return first_sight.look(frame).grid
    return enclose(frame, look)
