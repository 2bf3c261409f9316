"""Reads the mine total that one picture tells, in whatever way its game tells it."""

from __future__ import annotations

from bot.capture import Frame
from bot.errors import VisionError
from bot.profile import Profile
from bot.vision.grid import Grid
from bot.vision.segments import read_counter
from bot.vision.status import NO_COUNTER, Status, read_status
from bot.vision.text import Tesseract
from bot.vision.written import read_number


def read_total(frame: Frame, grid: Grid, profile: Profile, flags: int) -> Status:
    """What the picture tells of its mines; on its board there are so many flags.

    Raises VisionError where the profile does not say where, or no text can be read.
    """
    counter = profile.counter
    if counter is None:
        if profile.status is None:
            raise VisionError(NO_COUNTER)
        return read_status(frame, grid, profile.status, Tesseract())
    left = (
        read_counter(frame, grid, counter)
        if counter.kind == "segments"
        else read_number(frame, grid, counter, Tesseract())
    )
    return Status() if left is None else Status(flags, left + flags)
