"""Games that are dropped on the page, or opened there: replay files and recordings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec

from minebot.analysis import from_recording, replay_files
from minebot.analysis.played_game import PlayedGame
from minebot.analysis.review import review
from minebot.analysis.serialize import review_facts
from minebot.errors import UsageError
from minebot.study.messages import check_size, parsed

LARGEST = 16 * 1024 * 1024
"""Largest size of a recording's texts, in bytes. Specified: some ten thousand observations of the
largest boards of most games."""


class _Recording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of a recording, without its pictures."""

    journal: str
    boards: Mapping[str, str]
    """By the names of their files."""
    number: Annotated[int, msgspec.Meta(ge=1)] = 1
    """Which game of it, the first one being 1."""


def replay(kind: str, data: bytes) -> dict[str, object]:
    """The review of a replay file of that kind, as `evf`. Raises UsageError."""
    return reviewed([replay_files.parse(kind, data)], 1)


def recording(data: bytes) -> dict[str, object]:
    """The review of one game of a recording. Raises UsageError, Contradiction."""
    asked = parsed(data, _Recording, "a recording")
    return reviewed(from_recording.games_of(asked.journal, asked.boards), asked.number)


def reviewed(games: Sequence[PlayedGame], number: int) -> dict[str, object]:
    """The review of the Nth game, and how many there are; raises UsageError, Contradiction."""
    if number > len(games):
        raise UsageError(f"there is no game {number}, but {len(games)} in all")
    game = games[number - 1]
    check_size(game.final)
    facts = review_facts(review(game), boards=True)
    return {**facts, "game": number, "games": len(games)}
