"""Finds the grid, in the way that fits how the game draws it."""

from __future__ import annotations

from bot.frame import Frame
from bot.profile.values import ApartLook, FramedLook
from bot.vision.apart import gather
from bot.vision.framed import trace
from bot.vision.grid import Grid

__all__ = ["locate"]


def locate(frame: Frame, look: FramedLook | ApartLook) -> Grid:
    """The grid of the board in the frame; raises GridNotFound."""
    if isinstance(look, FramedLook):
        return trace(frame, look)
    return gather(frame, look)
