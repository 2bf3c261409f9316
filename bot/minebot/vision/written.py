"""Reads the number of mines left from text beside a board: `Mines: 8`, or `8` alone."""

from __future__ import annotations

import re

from minebot.capture import Frame, Rect
from minebot.profile import CounterStyle
from minebot.vision.grid import Grid
from minebot.vision.seven_segments import CounterReading
from minebot.vision.text import CONTRASTS, HEIGHTS, Line, Ocr, lines

_REACH = (420, 64)
"""Pixels around a number in which its line lies, across and down. Measured: at least 140 and 13."""
_NUMBER = re.compile(r"(?<![\w.,:/-])-?\d{1,4}(?![\w.,/]|:\d)")
"""A number that is no part of a time, a date, a share or a word."""


def numbers(frame: Frame, grid: Grid, ocr: Ocr) -> list[CounterReading]:
    """The numbers beside the board, each alone in its line; raises VisionError."""
    return [
        CounterReading(line.rect, value)
        for line in lines(frame, frame.bounds, CONTRASTS[0])
        if not line.rect.meets(grid.bounds) and (value := _value(line, ocr)) is not None
    ]


def read_number(frame: Frame, grid: Grid, style: CounterStyle, ocr: Ocr) -> int | None:
    """The number that is written there, None if none is read; raises VisionError."""
    at = style.at.pixel(grid.bounds, grid.tile)
    near = Rect(at.x, at.y, 1, 1).grown(*_REACH).clipped(frame.bounds)
    for line in lines(frame, near, CONTRASTS[0]):
        # One digit less moves the middle of the line.
        place = line.rect.grown(line.rect.height // 2, 0)
        if place.holds(at) and not line.rect.meets(grid.bounds):
            return _value(line, ocr)
    return None


def _value(line: Line, ocr: Ocr) -> int | None:
    """The one number in a line; None if there are more, or two readings differ."""
    said = set()
    for text in line.readings(ocr, HEIGHTS):
        found = _NUMBER.findall(text)
        if len(found) != 1 or sum(map(str.isdigit, text)) != len(found[0].lstrip("-")):
            return None
        said.add(int(found[0]))
    return said.pop() if len(said) == 1 else None
