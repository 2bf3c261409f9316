"""Tells what is hidden on a board of which nothing is known, fresh or half played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import replace

from bot.calibrate.evidence import Knowledge
from bot.calibrate.meaning import Evidence, infer, is_plain
from bot.errors import Contradiction, UsageError

_SHARE = 0.1
"""The least share of the squares that is hidden while a game goes on. Guessed."""


def hidden_squares(
    known: Knowledge, game: Evidence, looks: Sequence[int], pointer: int | None
) -> set[int]:
    """The hidden squares of a board: those of one look, and of what is known to be covered.

    That look is the one with which all others can be numbers. `looks` are of all squares,
    row-major; below the `pointer` one may be lit. Raises UsageError for a board on which
    nothing is hidden, or that may be understood in several ways.
    """
    squares = game.width * game.height
    if is_plain(looks, game.width, pointer):
        return set(range(squares))
    seen = Counter(look for square, look in enumerate(looks) if square != pointer)
    told = {look for look in seen if known.book.same(look) in known.numbers}
    found = {
        look: {
            s for s in range(squares) if s == pointer or looks[s] in {look, *known.covered - told}
        }
        for look, count in seen.items()
        if look not in told | known.flagged and count >= _SHARE * squares
    }
    possible = [look for look in found if _is_possible(known, game, looks, found[look])]
    if len(possible) == 1:
        return found[possible[0]]
    most = seen.most_common(1)[0][0]
    if most in possible and 2 * len(found[most]) >= squares:
        return found[most]
    raise UsageError("the board is not fresh: start a new game")


def _is_possible(known: Knowledge, game: Evidence, looks: Sequence[int], hidden: Set[int]) -> bool:
    """Whether all other squares may be open, and show numbers."""
    shown = {s: known.book.same(look) for s, look in enumerate(looks) if s not in hidden}
    try:
        infer([replace(game, opened=shown)], known.numbers)
    except Contradiction:
        return False
    return True
