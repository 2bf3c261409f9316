"""Whether a board goes on beyond the picture's end: then it is cut off."""

from __future__ import annotations

import cv2
import numpy as np

from bot.capture import Frame
from bot.vision.cells import Cells
from bot.vision.seams import are_lined

_MARGIN = 2
"""A board that ends fewer pixels before the picture may be cut off there. Guessed."""
_CUT = 6.0
"""A part of a tile differs by less from a whole one, in levels of 255. Guessed."""
_EDGE = 8
"""Levels of 255 by which pixels differ. Guessed."""
_FEW = 0.01
"""Such a share of a column's pixels may differ where the same is drawn. Guessed."""
_BEGUN = 0.2
"""The least share of a tile that is seen of one that is cut off. Guessed: of what lies between two
tiles half is seen beside the last."""


def goes_on(frame: Frame, cells: Cells) -> bool:
    """Whether the picture ends in a part of a next tile, or where a tile does."""
    pixels = frame.pixels[..., :3]
    for picture, across, down in (
        (pixels, (cells.x, cells.step[0]), (cells.y, cells.step[1])),
        (pixels.swapaxes(0, 1), (cells.y, cells.step[1]), (cells.x, cells.step[0])),
    ):
        (lines, step), (others, wide) = across, down
        along = slice(max(0, round(others[0] - wide / 2)), round(others[-1] + wide / 2))
        begin, end = round(lines[0] - step / 2), round(lines[-1] + step / 2)
        left = picture[along, : max(0, begin)]
        right = picture[along, end:]
        same_left = picture[along, round(begin + step) - left.shape[1] : round(begin + step)]
        same_right = picture[along, round(end - step) :][:, : right.shape[1]]
        turned = picture.swapaxes(0, 1)
        for part, tiles, rows in (
            (left[:, ::-1], same_left[:, ::-1], (1, begin - 1)),
            (right, same_right, (end + 1, picture.shape[1] - 1)),
        ):
            if part.shape[1] >= step:
                continue
            if _is_part(part, tiles) or _begins(part, tiles, step):
                return True
            if rows[1] > rows[0] and are_lined(turned, others, wide, rows):
                return True
    return False


def _is_part(part: np.ndarray, tiles: np.ndarray) -> bool:
    """Whether what is left beside the last tiles looks as they do."""
    if part.shape[1] < _MARGIN or part.shape != tiles.shape:
        return bool(part.shape[1] < _MARGIN)
    return float(cv2.absdiff(np.ascontiguousarray(part), np.ascontiguousarray(tiles)).mean()) < _CUT


def _begins(part: np.ndarray, tiles: np.ndarray, step: float) -> bool:
    """Whether what follows the last tiles begins as they do: a scroll bar may cut it off."""
    if part.shape != tiles.shape:
        return False
    differs = np.abs(part.astype(np.int16) - tiles).max(axis=2) > _EDGE
    alike = differs.mean(axis=0) < _FEW
    run = alike.size if alike.all() else int(alike.argmin())
    # Where nothing is drawn on the tiles either, nothing begins.
    lined = np.abs(np.diff(tiles[:, :run].astype(np.int16), axis=0)).max(initial=0) > _EDGE
    return bool(run >= max(_MARGIN, _BEGUN * step) and lined)
