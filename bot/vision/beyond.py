"""Whether a board goes on beyond the picture's end: then it is cut off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from bot.vision.cells import Cells
from bot.vision.pieces import Pixels
from bot.vision.seams import are_lined

_MARGIN = 2
"""A board that ends fewer pixels before the picture may be cut off there. Guessed."""
_CUT = 6.0
"""A part of a tile differs by less from a whole one, in levels of 255. Guessed."""
_EDGE = 8
"""Levels of 255 by which pixels differ. Guessed."""
_FAINT = 2
"""The least such step between two shades. Guessed."""
_FEW = 0.01
"""Such a share of a column's pixels may differ where the same is drawn. Guessed."""
_ALL = 0.8
"""The least share of a line between tiles that is drawn. Guessed."""
_SOME = 3
"""Fewer lines tell nothing."""
_BEGUN = 0.2
"""The least share of a tile that is seen of one that is cut off. Guessed: of what lies between two
tiles half is seen beside the last."""


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """One side of a board, the picture turned so that it is the right one."""

    picture: np.ndarray
    part: np.ndarray
    """What is left of the picture beside the last tiles, their rows alone."""
    tiles: Sequence[np.ndarray]
    """As much of the beginning of the last tiles, and of those before: of two shades by turns
    those are like the next."""
    step: float
    beyond: tuple[int, int]
    """The columns of the picture, as it was, beside the last tiles."""
    others: tuple[np.ndarray, float]
    """The middles of the rows of tiles, and the step from one to the next."""

    @property
    def wide(self) -> int:
        """How many pixels are left."""
        return int(self.part.shape[1])

    def is_alike(self, other: _Side) -> bool:
        """Whether both are as narrow a strip of one and the same colour."""
        if abs(self.wide - other.wide) > 1:
            return False
        parts = [np.ascontiguousarray(side.part) for side in (self, other) if side.part.size]
        if not parts:
            return True
        # Whole columns first: three values at a time take far longer.
        most = np.concatenate([part.max(axis=0) for part in parts]).max(axis=0)
        least = np.concatenate([part.min(axis=0) for part in parts]).min(axis=0)
        return int((most - least).max()) <= _EDGE

    def goes_on(self) -> bool:
        """Whether the picture ends in a part of a next tile, or where a tile does."""
        if self.wide >= self.step:
            return False
        part, step = np.ascontiguousarray(self.part), self.step
        for tiles in map(np.ascontiguousarray, self.tiles):
            if _is_part(part, tiles) or _begins(part, tiles, step):
                return True
        (begin, end), (others, wide) = self.beyond, self.others
        return end > begin and are_lined(self.picture.swapaxes(0, 1), others, wide, self.beyond)


def goes_on(pixels: Pixels, cells: Cells) -> bool:
    """Whether the picture ends in a part of a next tile, or where a tile does."""
    sides = list(_sides(pixels, cells))
    margins = _margins(sides)
    return any(side.goes_on() for side in sides if side not in margins)


def _sides(pixels: np.ndarray, cells: Cells) -> Iterator[_Side]:
    """Left, right, top and bottom."""
    for picture, across, down in (
        (pixels, (cells.x, cells.step[0]), (cells.y, cells.step[1])),
        (pixels.swapaxes(0, 1), (cells.y, cells.step[1]), (cells.x, cells.step[0])),
    ):
        (lines, step), (others, wide) = across, down
        along = slice(max(0, round(others[0] - wide / 2)), round(others[-1] + wide / 2))
        begin, end = round(lines[0] - step / 2), round(lines[-1] + step / 2)
        left = picture[along, : max(0, begin)]
        right = picture[along, end:]
        ends = [round(begin + count * step) for count in (1, 2)]
        begins = [round(end - count * step) for count in (1, 2)]
        first = [picture[along, :each][:, each - left.shape[1] :][:, ::-1] for each in ends]
        last = [picture[along, each:][:, : right.shape[1]] for each in begins]
        for part, tiles, beyond in (
            (left[:, ::-1], first, (1, begin - 1)),
            (right, last, (end + 1, picture.shape[1] - 1)),
        ):
            yield _Side(picture, part, tiles, step, beyond, (others, wide))


def _margins(sides: Sequence[_Side]) -> list[_Side]:
    """The sides at which a board ends near the picture's end, but is not cut off.

    So it is with the left and the right one, or the upper and the lower, and others too, if they
    are the same narrow strip: a board that is cut off there would have to be so in the same gap
    on all of them. And it is where a board begins in the picture's corner.
    """
    left, right, top, bottom = sides
    for one, other in ((left, right), (top, bottom)):
        if one.is_alike(other):
            return [side for side in sides if one.is_alike(side)]
    return [left, top] if max(left.wide, top.wide) < _MARGIN else []


def _is_part(part: np.ndarray, tiles: np.ndarray) -> bool:
    """Whether what is left beside the last tiles looks as they do."""
    if part.shape[1] < _MARGIN or part.shape != tiles.shape:
        return bool(part.shape[1] < _MARGIN)
    # Where lines are drawn between the tiles, they are between those that follow.
    lined = _lined(tiles) >= _ALL
    if np.count_nonzero(lined) > _SOME and _lined(part)[lined].mean() < 1 - _ALL:
        return False
    return float(cv2.absdiff(part, tiles).mean()) < _CUT


def _lined(part: np.ndarray) -> np.ndarray:
    """On which share of its columns each row differs from the one before."""
    return np.asarray(_exceeds(_changes(part), _EDGE).mean(axis=1))


def _exceeds(changes: np.ndarray, levels: int) -> np.ndarray:
    """Where a channel changes by more than so many levels."""
    more = changes > levels
    return np.asarray(more[..., 0] | more[..., 1] | more[..., 2])


def _changes(part: np.ndarray) -> np.ndarray:
    """By how much each row differs from the one before."""
    return np.asarray(cv2.absdiff(part[1:], part[:-1]))


def _begins(part: np.ndarray, tiles: np.ndarray, step: float) -> bool:
    """Whether what follows the last tiles begins as they do: a scroll bar may cut it off."""
    if part.shape != tiles.shape:
        return False
    # Shades by turns may hardly differ.
    changes = _changes(tiles)
    levels = min(_EDGE, max(_FAINT, int(changes.max()) // 2))
    differs = _exceeds(np.asarray(cv2.absdiff(part, tiles)), levels)
    alike = differs.mean(axis=0) < _FEW
    run = alike.size if alike.all() else int(alike.argmin())
    # Where nothing is drawn on the tiles either, nothing begins.
    return bool(run >= max(_MARGIN, _BEGUN * step) and changes[:, :run].max() > levels)
