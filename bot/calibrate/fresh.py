"""Tells whether a fresh board has come by something that was done."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set

from bot.calibrate.course import Course
from bot.calibrate.meaning import is_plain
from bot.calibrate.window import CLOSES, Table
from bot.capture import Frame
from bot.errors import WindowCovered, WindowRestless
from bot.vision.grid import Grid

_LOOKS = 4
"""So often a board is looked at that does not come at once: a page is loaded. Guessed."""
_COVERED_AGAIN = 0.5
"""The share of the squares shown that a new board covers. Guessed: some begin with an opening."""


def attempt(
    table: Table,
    course: Course,
    shown: Sequence[int],
    act: Callable[[], None],
    keys: Sequence[str] = ("Escape",),
) -> bool:
    """As `comes`, but windows that came by what brings no board are forgotten."""
    dialogs = dict(table.dialogs)
    if comes(table, course, shown, act, keys):
        return True
    table.dialogs = dialogs
    return False


def comes(
    table: Table,
    course: Course,
    shown: Sequence[int],
    act: Callable[[], None],
    keys: Sequence[str],
) -> bool:
    """Whether a new board shows once this was done, what the game asks being answered."""
    act()
    for number in range(_LOOKS + table.in_browser):
        if number == _LOOKS:
            # By now a page that is loaded anew is there; an alert may lie over it.
            table.press(CLOSES)
        try:
            frame = table.look()
        except WindowCovered:
            if not table.covered:
                raise
            table.close_dialogs("new_game", keys)
            continue
        except WindowRestless:
            return False
        looks = shown_looks(course, frame, table)
        if _is_fresh(table, course, shown):
            if number == _LOOKS:
                course.knowledge.end_key = CLOSES
            return True
        if looks == shown:
            return False
        table.pause(table.timing.pause)
    return False


def _is_fresh(table: Table, course: Course, shown: Sequence[int]) -> bool:
    """Whether what was open is covered again, where the board is or where the last game began.

    A board that has moved by whole tiles since then is nearly as covered beside its place.
    """
    assert table.frame is not None
    best, there = 0, table.grid
    for grid in dict.fromkeys((home(course) or table.grid, table.grid)):
        table.grid = grid
        looks = shown_looks(course, table.frame, table)
        covered = _covered(course, table, looks)
        hidden = sum(look in covered for look in looks)
        if hidden > best and _is_covered_again(shown, looks, covered):
            best, there = hidden, grid
    table.grid = there
    return best > 0


def shown_looks(course: Course, frame: Frame, table: Table) -> list[int]:
    """The look of each square where the grid lies on the table; none where that is cut off."""
    assert table.grid is not None
    right, bottom = table.grid.bounds.right, table.grid.bounds.bottom
    if right > frame.width or bottom > frame.height:
        return []  # another page, say
    return course.knowledge.book.looks(frame, table.grid)


def shows_more(table: Table, course: Course) -> bool:
    """Whether the board on the table shows more than covered squares."""
    assert table.frame is not None
    looks = shown_looks(course, table.frame, table)
    return not _covered(course, table, looks) >= set(looks)


def home(course: Course) -> Grid | None:
    """Where the board was when the last game began."""
    shots = course.knowledge.shots
    return next((shot.grid for shot in shots if shot.game == shots[-1].game), None)


def _covered(course: Course, table: Table, looks: Sequence[int]) -> Set[int]:
    """How covered squares look; while that is not known, as all do on a board of one look.

    It need not be known of a window of another size, as an earlier run may have left it.
    """
    assert table.frame is not None
    assert table.grid is not None
    known, size = course.knowledge.covered, table.frame.pixels.shape
    if not known:
        return set(looks) if is_plain(looks, table.grid.width, table.pointer) else known
    shown = {look for square, look in enumerate(looks) if square != table.pointer}
    if len(shown) != 1 or shown <= known:
        return known
    if any(shot.open().pixels.shape == size for shot in course.knowledge.shots):
        return known
    return known | shown


def _is_covered_again(before: Sequence[int], after: Sequence[int], covered: Set[int]) -> bool:
    """Whether what was open is covered again."""
    if len(before) != len(after):
        return False
    was = [square for square, look in enumerate(before) if look not in covered]
    again = sum(after[square] in covered for square in was)
    hidden = sum(look in covered for look in after)
    return again >= _COVERED_AGAIN * len(was) and 2 * hidden > len(after) and bool(was)
