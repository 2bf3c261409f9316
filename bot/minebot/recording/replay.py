"""Recorded pictures: what each should say, and whether it is read so; and as a `Screen`."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from minebot.board import SYMBOLS, Board
from minebot.errors import Contradiction, UsageError, VisionError, file_errors
from minebot.files import read_text
from minebot.profile import Profile
from minebot.recording import pictures
from minebot.vision.any_game import read_any, read_as
from minebot.vision.known_game import is_first_sight

_SUFFIXES = {".png", ".jpg", ".jpeg", ".bmp", ".webp"}


class Comparison(Enum):
    """How reading a picture went."""

    RIGHT = "right"
    WRONG = "wrong"
    """Read as something else than the text beside it says, or read though to be refused."""
    REFUSED = "refused"
    """Not read, though it should have been."""
    UNKNOWN = "no text"
    """Read, but there is nothing to compare with."""


@dataclass(frozen=True, slots=True)
class Case:
    """A picture and what reading it should give."""

    path: Path
    expect: str
    """`read`, or `refuse` or `unsettled`: such a picture must not be read."""
    truth: Board | None

    @property
    def game(self) -> str:
        """What it is a picture of: the folder's name, by convention the profile's."""
        return self.path.resolve().parent.name


@dataclass(frozen=True, slots=True)
class Result:
    """What reading a case gave."""

    case: Case
    verdict: Comparison
    seconds: float
    """For finding the board and reading it, without decoding the file."""
    cells: int = 0
    wrong: int = 0
    """How many of the cells differ from the truth."""
    problem: str = ""
    """Why it was not read, or the first cell that was read wrong."""


def cases(path: Path) -> Iterator[Case]:
    """The pictures at or below a path, in order of their names; raises UsageError."""
    if not path.exists():
        raise UsageError(f"{path}: there is no such file or folder")
    below = (file for file in path.rglob("*") if file.suffix.lower() in _SUFFIXES)
    found = sorted(below) if path.is_dir() else [path]
    if not found:
        raise UsageError(f"{path}: there is no picture")
    for file in found:
        text = file.with_suffix(".txt")
        expect = _index(file.parent).get(file.stem, "read")
        truth = None
        if expect == "read" and text.is_file():
            with file_errors(text):
                truth = Board.parse(read_text(text))
        yield Case(file, expect, truth)


def _index(folder: Path) -> dict[str, str]:
    """What the folder's index expects of each picture, by name without suffix."""
    path = folder / "index.json"
    if not path.is_file():
        return {}
    text = read_text(path)
    try:
        facts = json.loads(text)
        return {name: str(entry["expect"]) for name, entry in facts.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(f"{path}: not an index of pictures: {error}") from error


def replay(case: Case, profiles: Sequence[Profile]) -> Result:
    """Read the picture by its own game's profile if there is one, else by any, or at first sight.

    A board of which anything is in doubt counts as refused.
    """
    frame = pictures.load(case.path)
    own = [profile for profile in profiles if profile.name == case.game]
    board, problem = None, ""
    began = time.perf_counter()
    try:
        if own and is_first_sight(own[0]):
            reading = read_as(frame, own[0])
        else:
            reading = read_any(frame, own or profiles)
        if reading.problem is not None:
            raise reading.problem
        board = reading.board
    except (VisionError, Contradiction) as error:
        problem = str(error)
    seconds = time.perf_counter() - began
    if case.expect != "read":
        verdict = Comparison.RIGHT if board is None else Comparison.WRONG
        return Result(case, verdict, seconds, problem=problem)
    if board is None:
        return Result(case, Comparison.REFUSED, seconds, problem=problem)
    if case.truth is None:
        return Result(case, Comparison.UNKNOWN, seconds, len(board.cells))
    if (board.width, board.height) != (case.truth.width, case.truth.height):
        wrong = len(board.cells)
        problem = f"a board of {board.width}x{board.height}"
    else:
        found = list(board.changes(case.truth))
        wrong = len(found)
        for square, typed, read in found[:1]:
            problem = f"{board.name_of(square)} is read as {SYMBOLS[read]}, not {SYMBOLS[typed]}"
    verdict = Comparison.WRONG if wrong else Comparison.RIGHT
    return Result(case, verdict, seconds, len(board.cells), wrong, problem)
