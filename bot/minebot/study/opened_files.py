"""Files that are opened on the page: a game that is dropped there, or what the page begins with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from minebot.analysis import from_recording, replay_files
from minebot.analysis.played_game import PlayedGame
from minebot.analysis.review import review
from minebot.analysis.serialize import review_facts
from minebot.errors import UsageError, file_errors
from minebot.files import read_text
from minebot.puzzle.texts import Puzzle
from minebot.recording.pictures import load
from minebot.study import board_answers, dropped_pictures
from minebot.study.messages import check_size, parsed

LARGEST = 16 * 1024 * 1024
"""Largest size of a recording's texts, in bytes. Specified: some ten thousand observations of the
largest boards of most games."""

_PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif")


class _Recording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of a recording, without its pictures."""

    journal: str
    boards: Mapping[str, str]
    """By the names of their files."""
    number: Annotated[int, msgspec.Meta(ge=1)] = 1
    """Which game of it, the first one being 1."""


def replay(kind: str, data: bytes) -> dict[str, object]:
    """The review of a replay file of that kind, as `evf`. Raises UsageError."""
    return _reviewed([replay_files.parse(kind, data)], 1)


def recording(data: bytes) -> dict[str, object]:
    """The review of one game of a recording. Raises UsageError, Contradiction."""
    asked = parsed(data, _Recording, "a recording")
    return _reviewed(from_recording.games_of(asked.journal, asked.boards), asked.number)


def is_game(file: Path) -> bool:
    """Whether it is a recording or a replay, to go by its name."""
    return file.is_dir() or replay_files.is_replay(file)


def board(file: Path, mines: int | None) -> bytes:
    """A board from a screenshot or a text, with that total. Raises UsageError, VisionError."""
    with file_errors(file):
        if file.suffix.lower() in _PICTURES:
            return msgspec.json.encode(dropped_pictures.read(load(file), mines))
        puzzle = Puzzle.parse(read_text(file, encoding="utf-8-sig"), mines)
        check_size(puzzle.board)
        return msgspec.json.encode(board_answers.shown(puzzle))


def game(file: Path, number: int) -> bytes:
    """The review of a recording's game, the first one being 1; raises UsageError, Contradiction."""
    is_replay = replay_files.is_replay(file)
    games = [replay_files.load(file)] if is_replay else from_recording.games(file)
    with file_errors(file):
        return msgspec.json.encode(_reviewed(games, number))


def _reviewed(games: Sequence[PlayedGame], number: int) -> dict[str, object]:
    """The review of the Nth game, and how many there are; raises UsageError, Contradiction."""
    if number > len(games):
        raise UsageError(f"there is no game {number}, but {len(games)} in all")
    game = games[number - 1]
    check_size(game.final)
    facts = review_facts(review(game), boards=True)
    return facts | {"game": number, "games": len(games)}
