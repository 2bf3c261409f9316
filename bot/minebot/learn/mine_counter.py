"""Finds out where a game shows its flags and mines."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from minebot.board import Cell
from minebot.errors import VisionError
from minebot.play.observer import Observation
from minebot.profile.schema import CounterStyle, RelativePosition, StatusStyle
from minebot.vision.counter import counters, numbers
from minebot.vision.status import read_total
from minebot.vision.text import Ocr, Tesseract

_SIDES = ("below", "above", "right")
_COUNTER = r"(?P<marked>\d+)\s*/\s*(?P<mines>\d++)(?!\s*[.…])"
"""As in `Mines: 2/40`; a total that is cut off is none."""
_TELLING = 4
"""Pictures that tell a counter of mines from a clock. Specified: a clock differs in some."""
_TRIED = 2
"""Pictures read for each number of flags. Specified: a clock may show it once by chance."""

Pictures = Mapping[int, Sequence[Observation]]
"""Pictures of games that go on, for each number of flags in them."""


def find_counter(pictures: Pictures) -> CounterStyle | None:
    """Find the counter of the mines left: its number plus the flags is always the same.

    None if there is no such counter, or too few pictures to distinguish it from a clock.
    """
    shown = [one for some in pictures.values() for one in some]
    if len(shown) < _TELLING:
        return None
    found, grid = counters(shown[0].frame, shown[0].grid), shown[0].grid
    places = (RelativePosition.of(each.rect.middle, grid.bounds, grid.tile) for each in found)
    return next((style for style in map(CounterStyle, places) if _total(style, shown)), None)


def find_status(pictures: Pictures, ocr: Ocr) -> StatusStyle | None:
    """How the status line reads, if it says the same total and the right flags every time.

    None if no such line is found, or the pictures have always the same number of flags.
    """
    shown = _some(pictures)
    styles = (StatusStyle(side, re.compile(_COUNTER)) for side in _SIDES if shown)
    return next((style for style in styles if _total(style, shown, lambda: ocr)), None)


def find_number(pictures: Pictures, ocr: Ocr) -> CounterStyle | None:
    """Where the mines left are written: that number and the flags make the same total always.

    None if there is no such number, or the pictures have always the same number of flags.
    """
    shown = _some(pictures)
    for first in shown[:1]:
        for number in numbers(first.frame, first.grid, ocr):
            at = RelativePosition.of(number.rect.middle, first.grid.bounds, first.grid.tile)
            style = CounterStyle(at, "text", max(0, number.value + first.board.count(Cell.FLAG)))
            if style.mines and style.mines == _total(style, shown[1:], lambda: ocr, partly=True):
                return style
    return None


def _some(pictures: Pictures) -> list[Observation]:
    """Some pictures for each number of flags in them; none where there is but one number."""
    return [one for some in pictures.values() for one in some[:_TRIED] if len(pictures) > 1]


def _total(
    style: CounterStyle | StatusStyle,
    shown: Sequence[Observation],
    engine: Callable[[], Ocr] = Tesseract,
    *,
    partly: bool = False,
) -> int | None:
    """The mine total if all pictures show the same, and their own flags; None if not.

    With `partly` pictures that show none do not count, for some digits are not read in each, but
    there have to be two with other flags.
    """
    totals: set[int | None] = set()
    flagged: set[int] = set()
    for one in shown:
        flags = one.board.count(Cell.FLAG)
        try:
            status = read_total(one.frame, one.grid, style, flags, engine)
        except VisionError:
            return None
        if status.mines is not None or not partly:
            totals.add(status.mines if status.marked == flags else None)
            flagged.add(flags)
    is_told = len(totals) == 1 and (len(flagged) > 1 or not partly)
    return totals.pop() if is_told else None
