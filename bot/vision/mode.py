"""Reads which of two things a click does, in a game that has a button to choose that."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import Action
from bot.capture import Frame, Pixel, Rect
from bot.profile.behaviour import FlagButton
from bot.vision.grid import Grid

_PATCHES = 6
"""Patches across, and as many down, of which a look is made."""
_NEAR = 0.25
"""So far from a look, as a share of how far both are apart, a picture shows it. Guessed."""
_APART = 4.0
"""Levels of 255, by patch and colour, by which the two looks differ at least. Guessed."""
_ASIDE = (2.0, 0.5)
"""So far across and down, in tiles, the button may lie from its place: a counter beside it grows
by a digit. Guessed."""

Looks = NDArray[np.int16]
"""Shape (shifts down, shifts across, 3 * `_PATCHES` ** 2): mean colours of patches."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a click does, and where the button lies that shows it."""

    action: Action
    """`OPEN` or `FLAG`."""
    shift: tuple[int, int]
    """Pixels to the right and downwards from where the button lay when it was learnt."""

    def moved(self, pixel: Pixel) -> Pixel:
        """A pixel of the button, from where it lay to where it lies."""
        return Pixel(pixel.x + self.shift[0], pixel.y + self.shift[1])


def mode_look(frame: Frame, place: Rect) -> bytes:
    """How that place looks, which lies in the frame; as `FlagButton` keeps it."""
    return _looks(frame, place, Rect(0, 0, 1, 1)).astype(np.uint8).tobytes()


def are_apart(one: bytes, other: bytes) -> bool:
    """Whether two looks can be told from each other."""
    return float(np.abs(_levels(one) - _levels(other)).mean()) >= _APART


def shown_mode(frame: Frame, grid: Grid, button: FlagButton) -> Shown | None:
    """What a click does by what the button shows, None where it shows neither look."""
    middle = button.shown_at.pixel(grid.bounds, grid.tile)
    width, height = (max(1, round(side * grid.tile)) for side in (button.width, button.height))
    place = Rect(middle.x - width // 2, middle.y - height // 2, width, height)
    across, down = (round(side * grid.tile) for side in _ASIDE)
    left, top = max(-across, -place.left), max(-down, -place.top)
    right = min(across, frame.width - place.right)
    bottom = min(down, frame.height - place.bottom)
    # Where it was is looked at first, by far the cheapest.
    for shifts in (Rect(0, 0, 1, 1), Rect(left, top, right - left + 1, bottom - top + 1)):
        moved = Rect(place.left + shifts.left, place.top + shifts.top, *place[2:])
        last = Rect(moved.left + shifts.width - 1, moved.top + shifts.height - 1, *place[2:])
        whole = Rect(0, 0, frame.width, frame.height)
        if min(shifts[2:]) < 1 or not (moved.within(whole) and last.within(whole)):
            continue
        shown = _nearest(_looks(frame, place, shifts), button, shifts)
        if shown is not None:
            return shown
    return None


def _nearest(looks: Looks, button: FlagButton, shifts: Rect) -> Shown | None:
    """What is shown at one of these shifts, where that is one of the button's looks."""
    known = {Action.OPEN: _levels(button.opening), Action.FLAG: _levels(button.flagging)}
    if any(len(look) != looks.shape[2] for look in known.values()):
        return None
    far = float(np.abs(known[Action.OPEN] - known[Action.FLAG]).mean())
    away = {action: np.abs(looks - look).mean(axis=2) for action, look in known.items()}
    action = min(away, key=lambda each: float(away[each].min()))
    y, x = np.unravel_index(int(away[action].argmin()), away[action].shape)
    if away[action][y, x] > _NEAR * far:
        return None
    return Shown(action, (shifts.left + int(x), shifts.top + int(y)))


def _looks(frame: Frame, place: Rect, shifts: Rect) -> Looks:
    """How the place looks, moved by each of the shifts; all of that lies in the frame."""
    left, top = place.left + shifts.left, place.top + shifts.top
    right, bottom = left + place.width + shifts.width - 1, top + place.height + shifts.height - 1
    part = np.ascontiguousarray(frame.pixels[top:bottom, left:right, :3])
    patch = (max(1, place.width // _PATCHES), max(1, place.height // _PATCHES))
    means = cv2.blur(part, patch)
    ys, xs = (
        np.minimum(((np.arange(_PATCHES) + 0.5) * side / _PATCHES).astype(int), side - 1)
        for side in (place.height, place.width)
    )
    down = np.arange(shifts.height)[:, None, None, None] + ys[:, None]
    across = np.arange(shifts.width)[:, None, None] + xs
    looks = means[down, across].reshape(shifts.height, shifts.width, -1)
    return np.asarray(looks, np.int16)


def _levels(look: bytes) -> NDArray[np.int16]:
    return np.frombuffer(look, np.uint8).astype(np.int16)
