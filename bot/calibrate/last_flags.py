"""Finds out whether a game with all that is safe open goes on until all mines are flagged."""

from __future__ import annotations

from collections.abc import Sequence

from bot.calibrate.evidence import Knowledge
from bot.calibrate.marking import Marking
from bot.calibrate.observer import Observer
from bot.calibrate.window import CLOSES, Table
from bot.errors import WindowCovered


def ends_by_flags(
    knowledge: Knowledge, table: Table, seen: Observer, marking: Marking, mines: Sequence[int]
) -> bool:
    """Flag mines, one after the other; whether the last flag, and none before it, ends the game.

    One that ends by an earlier click had ended already. Raises what the table does.
    """
    for square in mines:
        if _ends(knowledge, table, seen, marking, square):
            return square == mines[-1]
        if square not in seen.flags:
            return False
    return False


def _ends(
    knowledge: Knowledge, table: Table, seen: Observer, marking: Marking, square: int
) -> bool:
    """Flag a mine; whether something else than the flag shows then."""
    before = list(seen.looks)
    try:
        if not marking.flag(square):
            return False
        frame = seen.look()
        if seen.looks == before:
            # Some draw a flag late.
            table.pause(table.timing.late)
            frame = seen.look()
    except WindowCovered:
        if table.in_browser and not table.covered:
            # A page whose game has ended leaves right clicks to the browser, which shows its menu.
            table.press(CLOSES)
        return True
    if seen.ended or seen.hidden or seen.redrawn(before):
        return True
    look = seen.looks[square]
    # Where tiles are a pixel larger it may be a look of its own; one that is covered and no flag
    # shows that the game had flagged its mines, and has ended.
    known = knowledge.covered | knowledge.numbers.keys()
    if look in knowledge.flagged or (look != before[square] and look not in known):
        knowledge.flagged.add(look)
        knowledge.covered.add(look)
        seen.flags.add(square)
        seen.shoot(frame)
    return False
