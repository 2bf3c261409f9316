"""Looks again at all that was seen of a game, in another way than it was looked at then."""

from __future__ import annotations

from collections import defaultdict

from bot.calibrate.evidence import Knowledge
from bot.calibrate.looks import Lookbook


def leave_out(knowledge: Knowledge, share: float) -> None:
    """See no more of tiles than what lies within lines at their edges, of so many tiles."""
    knowledge.outline = share
    for shot in knowledge.shots:
        shot.grid = shot.grid.inset(share)
    relook(knowledge, Lookbook(knowledge.book.alike))


def relook(knowledge: Knowledge, book: Lookbook) -> None:
    """Tell the looks of all tiles apart by that book. Numbers have to be told anew."""
    known = knowledge.book
    became: dict[int, set[int]] = defaultdict(set)
    """What each look has come to be: several where it was shown otherwise."""
    shown: list[dict[int, int]] = [{} for _ in knowledge.games]
    for shot in knowledge.shots:
        looks = book.looks(shot.open(), shot.grid)
        for was, look in zip(shot.looks, looks, strict=True):
            became[known.same(was)].add(look)
        shot.looks = looks
        shown[shot.game].update(enumerate(looks))
    for game, looks_of in zip(knowledge.games, shown, strict=True):
        game.opened = {s: looks_of[s] for s in game.opened if s in looks_of}
        game.revealed = {s: looks_of[s] for s in game.revealed if s in looks_of}
    knowledge.covered = {new for look in knowledge.covered for new in became[known.same(look)]}
    knowledge.flagged = {new for look in knowledge.flagged for new in became[known.same(look)]}
    knowledge.lit = {new for look in knowledge.lit for new in became[known.same(look)]}
    knowledge.book, knowledge.numbers = book, {}
    knowledge.met, knowledge.toured = set(), set()
