"""Reads whether a click opens or flags, in a game with a button to choose that."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from minebot.board import Action
from minebot.capture import Frame, Pixel, Rect
from minebot.profile.schema import FlagButton
from minebot.vision.grid import Grid

_PATCHES = 6
"""Patches in each row and column whose mean colours describe a button. Measured, here and below, by
`benchmarks/ranges.py`: 2 to 30 work; profiles keep 6."""
_NEAR = 0.25
"""Largest distance from a known picture, by that between both. Measured: 0.05 to 0.75 work."""
_APART = 4.0
"""Smallest difference between the two known pictures, in levels of 255. Measured: 0.8 to 8 work."""
_ASIDE = (2.0, 0.5)
"""Tiles across and down by which the button may have moved. Specified: a counter beside it grows by
a digit, or a line above it by some pixels."""

Colours = NDArray[np.int16]
"""Shape (places down, places across, 3 * `_PATCHES` ** 2): mean colours of patches."""


@dataclass(frozen=True, slots=True)
class ClickMode:
    """What a click does, and the position of the button that shows it."""

    action: Action
    """`OPEN` or `FLAG`."""
    shift: tuple[int, int]
    """Pixels to the right of and below the button's place when it was learnt."""

    def moved(self, pixel: Pixel) -> Pixel:
        """Move a pixel of the button from the old place to the present one."""
        return Pixel(pixel.x + self.shift[0], pixel.y + self.shift[1])


def button_colours(frame: Frame, place: Rect) -> bytes:
    """Describe the picture at `place` in the frame, in the form that `FlagButton` keeps."""
    return _mean_colours(frame, place, place).astype(np.uint8).tobytes()


def are_apart(one: bytes, other: bytes) -> bool:
    """Whether two such descriptions can be distinguished."""
    return float(np.abs(_levels(one) - _levels(other)).mean()) >= _APART


def shown_mode(frame: Frame, grid: Grid, button: FlagButton) -> ClickMode | None:
    """What a click does according to the button, None if it shows neither state."""
    known = {Action.OPEN: _levels(button.opening), Action.FLAG: _levels(button.flagging)}
    if any(colours.size != 3 * _PATCHES**2 for colours in known.values()):
        return None
    near = _NEAR * float(np.abs(known[Action.OPEN] - known[Action.FLAG]).mean())
    middle = button.shown_at.pixel(grid.bounds, grid.tile)
    width, height = (max(1, round(side * grid.tile)) for side in (button.width, button.height))
    place = Rect(middle.x - width // 2, middle.y - height // 2, width, height)
    # The old place is tried first, which is by far the cheapest.
    for reach in ((0, 0), (round(_ASIDE[0] * grid.tile), round(_ASIDE[1] * grid.tile))):
        room = place.grown(*reach).clipped(frame.bounds)
        if room.width < width or room.height < height:
            continue
        found = _mean_colours(frame, room, place)
        away = {action: np.abs(found - colours).mean(axis=2) for action, colours in known.items()}
        action = min(away, key=lambda each: float(away[each].min()))
        y, x = np.unravel_index(int(away[action].argmin()), found.shape[:2])
        if away[action][y, x] <= near:
            shift = (room.left - place.left + int(x), room.top - place.top + int(y))
            return ClickMode(action, shift)
    return None


def _mean_colours(frame: Frame, room: Rect, place: Rect) -> Colours:
    """Describe each part of `room` that is as large as `place`."""
    patch = (max(1, place.width // _PATCHES), max(1, place.height // _PATCHES))
    means = cv2.blur(np.ascontiguousarray(frame.part(room)[..., :3]), patch)
    ys, xs = (
        np.minimum(((np.arange(_PATCHES) + 0.5) * side / _PATCHES).astype(int), side - 1)
        for side in (place.height, place.width)
    )
    down = np.arange(room.height - place.height + 1)[:, None, None, None] + ys[:, None]
    across = np.arange(room.width - place.width + 1)[:, None, None] + xs
    return np.asarray(means[down, across].reshape(len(down), len(across), -1), np.int16)


def _levels(colours: bytes) -> Colours:
    return np.frombuffer(colours, np.uint8).astype(np.int16)
