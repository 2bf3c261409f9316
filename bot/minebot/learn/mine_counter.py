"""Finds out where a game shows its flags and mines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from minebot.errors import VisionError
from minebot.learn.window import View
from minebot.profile.appearance import CounterStyle, StatusStyle
from minebot.profile.behaviour import RelativePosition
from minebot.vision.counter import counters, numbers, read_counter
from minebot.vision.status import read_status
from minebot.vision.text import Ocr

_SIDES = ("below", "above", "right")
_COUNTER = r"(?P<marked>\d+)\s*/\s*(?P<mines>\d++)(?!\s*[.…])"
"""As in `Mines: 2/40`; a total that is cut off is none."""
_TELLING = 4
"""Pictures that tell a counter of mines from a clock. Specified: a clock differs in some."""
_TRIED = 2
"""Pictures read for each number of flags. Specified: a clock may show it once by chance."""


def find_counter(pictures: Sequence[View]) -> CounterStyle | None:
    """Find the counter of the mines left: its number plus the flags is always the same.

    None if there is no such counter, or too few pictures to distinguish it from a clock.
    """
    if len(pictures) < _TELLING:
        return None
    first = pictures[0]
    for shown in counters(first.frame, first.grid):
        at = RelativePosition.of(shown.rect.middle, first.grid.bounds, first.grid.tile)
        total, look = shown.value + len(first.flags()), CounterStyle(at)
        if total > 0 and all(
            read_counter(one.frame, one.grid, look) == total - len(one.flags()) for one in pictures
        ):
            return look
    return None


def find_status(pictures: Sequence[View], ocr: Ocr) -> StatusStyle | None:
    """How the status line reads, if it says the same total and the right flags every time.

    None if no such line is found, or the pictures have always the same number of flags.
    """
    shown = _some(pictures)
    looks = (StatusStyle(side, re.compile(_COUNTER)) for side in _SIDES if shown)
    return next((look for look in looks if _says_right(look, shown, ocr)), None)


def find_number(pictures: Sequence[View], ocr: Ocr) -> CounterStyle | None:
    """Where the mines left are written: that number and the flags make the same total always.

    None if there is no such number, or the pictures have always the same number of flags.
    """
    shown = _some(pictures)
    for first in shown[:1]:
        for number in numbers(first.frame, first.grid, ocr):
            at = RelativePosition.of(number.rect.middle, first.grid.bounds, first.grid.tile)
            look = CounterStyle(at, "text", max(0, number.value + len(first.flags())))
            if look.mines and _counts(look, shown[1:], ocr):
                return look
    return None


def _some(pictures: Sequence[View]) -> list[View]:
    """Some pictures for each number of flags in them; none where there is but one number."""
    of_flags: dict[int, list[View]] = {}
    for picture in pictures:
        of_flags.setdefault(len(picture.flags()), []).append(picture)
    return [one for some in of_flags.values() for one in some[:_TRIED] if len(of_flags) > 1]


def _counts(look: CounterStyle, shown: Sequence[View], ocr: Ocr) -> bool:
    """Whether it reads as it should wherever it is read, and that is with other flags, too.

    Some digits are not read in every picture.
    """
    read: set[int] = set()
    for picture in shown:
        left = read_counter(picture.frame, picture.grid, look, lambda: ocr)
        if left is None:
            continue
        if left + len(picture.flags()) != look.mines:
            return False
        read.add(left)
    return len(read) > 1


def _says_right(look: StatusStyle, shown: Sequence[View], ocr: Ocr) -> bool:
    totals: set[int | None] = set()
    for picture in shown:
        try:
            status = read_status(picture.frame, picture.grid, look, ocr)
        except VisionError:
            return False
        totals.add(status.mines)
        if status.marked != len(picture.flags()) or None in totals or len(totals) > 1:
            return False
    return True
