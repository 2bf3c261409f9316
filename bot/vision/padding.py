"""The ground that goes on around a board: opened cells of its colour end where it is as wide as
beside covered ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from bot.vision.cells import Cells, Floats
from bot.vision.looks import Looks
from bot.vision.patches import Bools
from bot.vision.pieces import Pixels
from bot.vision.span import Span

_SAME = 5
"""Levels of 255 by which the ground's colour may differ. Guessed."""
_ALONG = 0.85
"""The least share of a line that is ground, where ground goes on. Guessed."""
_SEAM = 3
"""Before so many pixels it begins: there may be a line at the last cells' end. Guessed."""
_FAR = 2
"""Around a board is no more of it than so many steps. Guessed."""
_AT = 0.3
"""So far off their middles cells are looked at, in steps: numbers are drawn in the middle."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The ground of a picture's opened cells."""

    pixels: Pixels
    net: Cells
    colour: Floats
    """Blue, green, red."""

    @classmethod
    def of(cls, pixels: Pixels, net: Cells, looks: Looks, empty: Bools) -> Self | None:
        """That of the cells that are empty; None where there are none."""
        if not empty.any():
            return None
        return cls(pixels, net, np.asarray(np.median(looks.spots[empty][:, 3, 3], axis=0)))

    def reach(self, span: Span, side: int, lines: int) -> int | None:
        """How many pixels wide it goes on beyond the last cells at this side.

        None where it still does beyond so many lines, or to the picture's end.
        """
        picture = self.pixels.swapaxes(0, 1) if side > 1 else self.pixels
        across = self.net.y[span.rows] if side < 2 else self.net.x[span.columns]
        step, wide = self.net.step if side < 2 else self.net.step[::-1]
        places = np.concatenate([across - _AT * wide, across + _AT * wide]).astype(int)
        places = places[(places >= 0) & (places < picture.shape[0])]
        end, most = int(self.net.ends[side // 2][span.key[side]]), int((lines + _FAR) * step)
        part = picture[:, end : end + most]
        if side % 2 == 0:
            part = picture[:, max(0, end - most) : max(0, end)][:, ::-1]
        if not part.shape[1] or not places.size:
            return None
        far = np.abs(part[places].astype(np.int16) - self.colour).max(axis=2)
        is_ground = (far <= _SAME).mean(axis=0) >= _ALONG
        begin = int(is_ground[:_SEAM].argmax())
        if not is_ground[begin]:
            return 0
        rest = is_ground[begin:]
        return None if rest.all() else begin + int(rest.argmin())
