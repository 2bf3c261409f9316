"""Tells what has come over a board, or where it has gone, by two pictures of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import cv2
import numpy as np

from bot.calibrate.grid import found_elsewhere
from bot.capture import Frame
from bot.vision.changes import SAME_LEVELS, differ
from bot.vision.grid import Grid
from bot.vision.shifts import shifted

_STILL_OPEN = 0.8
"""The least share of the open squares that look as before on a board that has moved. Guessed."""
_MOVED = 0.5
"""Such a share of all squares has changed on a board of which nothing is open if it has moved.
Guessed. By whole tiles it has moved if all of an outermost line have changed."""
_DISTURBED = 0.03
"""Such a share of the open squares shows that something lies over a board; one that is drawn
otherwise as a whole has none such. Guessed."""
_FEW = 3
"""Fewer may be lit, or pressed. Guessed."""
_ENDS = 6
"""So many looks never met come with the end of a game: mines and flags, right and wrong, and what
is covered still, in other colours. Guessed."""
_VEILED = 0.9
"""Such a share of the pixels beside the board has changed below what dims a page. Guessed: some
are black before."""


def gone(
    before: Frame, after: Frame, grid: Grid, opened: Collection[int], *, is_odd: bool
) -> Grid | None:
    """Where a board has gone, as a whole or line by line; None where it is still there, or unseen.

    `opened` are squares that should look as before; `is_odd` says that some do not. The frames are
    of one size.
    """
    there = moved(before, after, grid, opened) if is_odd else None
    there = there or shifted(before, after, grid, opened)
    if there is None and not opened and _has_moved_at_once(before, after, grid):
        # All squares may look alike, so that none tells where it has gone.
        there = found_elsewhere(after, grid)
    return there


def _has_moved_at_once(before: Frame, after: Frame, grid: Grid) -> bool:
    """Whether a board of which nothing was open may have moved by its first click."""
    changed = differ(before, after, grid).reshape(grid.height, grid.width)
    lines = (changed[0], changed[-1], changed[:, 0], changed[:, -1])
    return bool(changed.mean() >= _MOVED or any(line.all() for line in lines))


def moved(before: Frame, after: Frame, grid: Grid, opened: Collection[int]) -> Grid | None:
    """Where a board has gone that is drawn as before, such as below a line of text that came.

    `opened` are squares that show the same before and after. None where it is not found.
    """
    left, top, width, height = grid.bounds
    board = before.pixels[top : top + height, left : left + width, :3]
    shown = np.ascontiguousarray(after.pixels[..., :3])
    if not opened or height > shown.shape[0] or width > shown.shape[1]:
        return None
    fits = cv2.matchTemplate(shown, np.ascontiguousarray(board), cv2.TM_SQDIFF)
    x, y = cv2.minMaxLoc(fits)[2]
    across, down = x - left, y - top
    if (across, down) == (0, 0):
        return None
    there = grid.moved(across, down)
    same = 0
    for square in opened:
        row, column = divmod(square, grid.width)
        was, now = grid.rect(column, row), there.rect(column, row)
        one = before.pixels[was.top : was.bottom, was.left : was.right, :3].astype(np.int16)
        other = after.pixels[now.top : now.bottom, now.left : now.right, :3]
        same += bool(np.abs(one - other).mean() <= SAME_LEVELS)
    return there if same >= _STILL_OPEN * len(opened) else None


def lies_over(
    before: Sequence[int], after: Sequence[int], opened: Collection[int], met: int
) -> bool:
    """Whether something lies over a board of which open squares have changed.

    `before` and `after` are the looks of all squares, those up to `met` being known. A board
    that is drawn otherwise, dimmed say, shows the same wherever it showed the same before.
    """
    pairs = Counter((before[square], after[square]) for square in opened)
    forth: dict[int, int] = {}
    back: dict[int, int] = {}
    for (was, now), _ in pairs.most_common():
        forth.setdefault(was, now)
        back.setdefault(now, was)
    strange = sum(
        count for (was, now), count in pairs.items() if forth[was] != now or back[now] != was
    )
    news = {after[square] for square in range(len(after)) if square not in opened}
    strange += max(0, sum(look >= met for look in news) - _ENDS)
    return strange >= max(_FEW, _DISTURBED * len(opened))


def is_written_over(looks: Sequence[int], covered: Iterable[int], known: Collection[int]) -> bool:
    """Whether words lie over squares that were covered: many look as none did, each otherwise.

    The mines that a lost game shows look alike, and so do the numbers of one that shows all.
    `looks` are of all squares; the `known` ones were met before.
    """
    times = Counter(looks[square] for square in covered)
    alone = sum(count == 1 and look not in known for look, count in times.items())
    return alone >= _ENDS + _FEW


def is_veiled(before: Frame, after: Frame, grid: Grid) -> bool:
    """Whether all of the window beside the board has changed, as below what dims a page."""
    changed = (before.pixels[..., :3] != after.pixels[..., :3]).any(axis=2)
    left, top, width, height = grid.bounds
    beside = np.ones(changed.shape, np.bool_)
    beside[top : top + height, left : left + width] = False
    return bool(beside.any() and changed[beside].mean() >= _VEILED)
