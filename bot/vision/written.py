"""Reads the mines left where a game writes them beside its board: `Mines: 8`, or `8` alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

import cv2
import numpy as np

from bot.capture import Frame, Rect
from bot.profile.values import CounterLook
from bot.vision.grid import Grid
from bot.vision.text import HEIGHTS, Grey, Ocr, black_on_white, lines, scaled

_NARROWEST = 0.3
"""Across, by its height: a digit alone. Guessed."""
_REACH = (420, 64)
"""So many pixels around a number its line is looked for, across and down. Guessed."""
_NUMBER = re.compile(r"(?<![\w.,:/-])-?\d{1,4}(?![\w.,/]|:\d)")
"""A number that is no part of a time, a date, a share or a word."""
_DIGITS = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Written:
    """A number and where its line stands, in pixels of the frame."""

    rect: Rect
    value: int


def numbers(frame: Frame, grid: Grid, ocr: Ocr) -> list[Written]:
    """The numbers beside the board, each alone in its line; raises VisionError."""
    return [
        Written(rect, value)
        for rect, picture in _lines(frame, Rect(0, 0, frame.width, frame.height))
        if not rect.meets(grid.bounds) and (value := _value(picture, ocr)) is not None
    ]


def read_number(frame: Frame, grid: Grid, look: CounterLook, ocr: Ocr) -> int | None:
    """The number that is written there, None where none is read; raises VisionError."""
    at = look.at.pixel(grid.bounds, grid.tile)
    left, top = max(0, at.x - _REACH[0]), max(0, at.y - _REACH[1])
    right, bottom = min(frame.width, at.x + _REACH[0]), min(frame.height, at.y + _REACH[1])
    if left >= right or top >= bottom:
        return None
    for rect, picture in _lines(frame, Rect(left, top, right - left, bottom - top)):
        # One digit less moves the middle of the line.
        away = rect.height // 2
        if (
            rect.left - away <= at.x <= rect.right + away
            and rect.top <= at.y <= rect.bottom
            and not rect.meets(grid.bounds)
        ):
            return _value(picture, ocr)
    return None


def _lines(frame: Frame, part: Rect) -> list[tuple[Rect, Grey]]:
    """The lines of text in a part of the frame, each in black on white."""
    pixels = frame.pixels[part.top : part.bottom, part.left : part.right]
    grey: Grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGRA2GRAY), np.uint8)
    return [
        (
            Rect(rect.left + part.left, rect.top + part.top, rect.width, rect.height),
            black_on_white(grey[rect.top : rect.bottom, rect.left : rect.right]),
        )
        for rect in lines(grey, _NARROWEST)
    ]


def _value(picture: Grey, ocr: Ocr) -> int | None:
    """The one number in a line; None where there are more, or two readings differ."""
    said = []
    for height in HEIGHTS:
        text = ocr(scaled(picture, height))
        found = _NUMBER.findall(text)
        if len(found) != 1 or len(_DIGITS.findall(text)) != len(found[0].lstrip("-")):
            return None
        said.append(int(found[0]))
    return said[0] if len(set(said)) == 1 else None
