"""What the page begins with: a board from a file, or a game to look at again. As JSON."""

from __future__ import annotations

from pathlib import Path

import msgspec

from minebot.analysis import from_recording, replay_files
from minebot.errors import file_errors
from minebot.files import read_text
from minebot.puzzle.texts import Puzzle
from minebot.recording.pictures import load
from minebot.study import board_answers, dropped_games, dropped_pictures
from minebot.study.messages import check_size

_PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif")


def is_game(file: Path) -> bool:
    """Whether it is a recording or a replay, to go by its name."""
    return file.is_dir() or replay_files.is_replay(file)


def board(file: Path, mines: int | None) -> bytes:
    """A board from a screenshot or a text, with that total. Raises UsageError, VisionError."""
    if file.suffix.lower() in _PICTURES:
        frame = load(file)
        with file_errors(file):
            return msgspec.json.encode(dropped_pictures.read(frame, mines))
    with file_errors(file):
        puzzle = Puzzle.parse(read_text(file, encoding="utf-8-sig"), mines)
        check_size(puzzle.board)
        return msgspec.json.encode(board_answers.shown(puzzle))


def game(file: Path, number: int) -> bytes:
    """The review of a recording's game, the first one being 1; raises UsageError, Contradiction."""
    games = (
        [replay_files.load(file)] if replay_files.is_replay(file) else from_recording.games(file)
    )
    with file_errors(file):
        return msgspec.json.encode(dropped_games.reviewed(games, number))
