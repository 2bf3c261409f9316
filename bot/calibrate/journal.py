"""Keeps what was learnt of a game from one run to the next, so that nothing is learnt twice.

Pictures are written once, under numbers. What is known lies in one file that names them
and is replaced as a whole: whenever the program ends, there is what the last save kept.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from bot.board import Cell
from bot.calibrate.course import Course
from bot.calibrate.evidence import Ending, Kind, Knowledge, Shot
from bot.calibrate.looks import Kept, Lookbook
from bot.calibrate.meaning import Evidence
from bot.capture import Frame
from bot.errors import UsageError
from bot.profile.behaviour import Conduct, FlagButton
from bot.profile.values import GridLook
from bot.profile.writing import put
from bot.recording import pictures
from bot.vision.grid import Grid

_FORM = 1
"""Of the file; another one is of another minebot."""
_FILE = "journal.json"


class _Shot(msgspec.Struct, frozen=True):
    """See `Shot`."""

    grid: Grid
    game: int
    looks: Sequence[int]
    shown: Mapping[int, Cell]
    opened: frozenset[int]
    ending: Ending | None
    marks: frozenset[int]


class _Knowledge(msgspec.Struct, frozen=True):
    """See `Knowledge`."""

    games: list[Evidence]
    message_seconds: float
    numbers: Mapping[int, frozenset[int]]
    covered: set[int]
    flagged: set[int]
    marked: bool
    flags: bool
    first_lost: bool
    lost_with_flags: bool
    waited: bool
    met: set[Kind]
    toured: set[Kind]
    end_key: str | None = None
    covers: bool = False
    by_sides: bool = False
    one_at_a_time: bool = False
    press_seconds: float = 0.0
    spills: bool | None = None
    begins_anew: bool = False
    flags_stay: bool = False
    outline: float = 0.0
    flags_to_win: bool | None = None
    lit: set[int] = set()
    flag_modifier: str | None = None
    flag_button: FlagButton | None = None
    flag_ways: list[str] = []  # what an older minebot has found out stands


class _File(msgspec.Struct, frozen=True):
    form: int
    grid: GridLook
    answer: float
    conduct: Conduct
    games: int
    book: Kept
    knowledge: _Knowledge
    shots: list[_Shot]
    """The picture of each lies beside this file, under its place in this list."""


@dataclass(frozen=True, slots=True)
class Journal:
    """The journal of one game, in a folder of its own."""

    folder: Path

    @property
    def exists(self) -> bool:
        """Whether anything was kept."""
        return (self.folder / _FILE).is_file()

    def forget(self) -> None:
        """Begin anew; raises UsageError."""
        try:
            # Without this file the pictures are none of anything.
            (self.folder / _FILE).unlink(missing_ok=True)
            if self.folder.is_dir():
                shutil.rmtree(self.folder)
        except OSError as error:
            raise UsageError(f"{self.folder}: {error.strerror}") from error

    def load(self, random: Random, total: int | None) -> Course:
        """What was kept last; `random` and `total` are as in `Knowledge`.

        Raises UsageError for a file that cannot be read or is of another minebot.
        """
        path = self.folder / _FILE
        try:
            file = msgspec.json.decode(path.read_bytes(), type=_File, dec_hook=_pattern)
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror}") from error
        except (msgspec.MsgspecError, ValueError) as error:
            raise UsageError(f"{path}: {error}: --force begins anew") from error
        if file.form != _FORM:
            raise UsageError(f"{path}: of another minebot: --force begins anew")
        shots = []
        for number, shot in enumerate(file.shots):
            picture = self._picture(number)
            if not picture.is_file():
                raise UsageError(f"{picture}: is missing: --force begins anew")
            fields = {name: getattr(shot, name) for name in shot.__struct_fields__}
            shots.append(Shot(partial(pictures.load, picture), **fields))
        known = file.knowledge
        fields = {name: getattr(known, name) for name in known.__struct_fields__}
        try:
            book = Lookbook.restored(file.book)
        except UsageError as error:
            raise UsageError(f"{path}: {error}: --force begins anew") from error
        knowledge = Knowledge(random, total, book=book, shots=shots, **fields)
        return Course(knowledge, file.grid, file.answer, file.conduct, file.games)

    def save(self, course: Course) -> None:
        """Keep all of it; raises UsageError, and then what was kept before is there still."""
        known = course.knowledge
        assert course.grid is not None
        file = _File(
            _FORM,
            course.grid,
            course.answer,
            course.conduct,
            course.games,
            known.book.kept(),
            _Knowledge(**{name: getattr(known, name) for name in _Knowledge.__struct_fields__}),
            [
                _Shot(**{name: getattr(shot, name) for name in _Shot.__struct_fields__})
                for shot in known.shots
            ],
        )
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for number, shot in enumerate(known.shots):
                self._keep_picture(number, shot)
            put(self.folder / _FILE, msgspec.json.encode(file, enc_hook=_text))
        except OSError as error:
            raise UsageError(f"{self.folder}: {error.strerror}") from error

    def _picture(self, number: int) -> Path:
        return self.folder / f"{number:05}.png"

    def _keep_picture(self, number: int, shot: Shot) -> None:
        """Write the shot's picture, unless it is where it is to be already."""
        path = self._picture(number)
        if isinstance(shot.open, partial) and shot.open.args == (path,):
            return
        put(path, pictures.png(Frame(shot.open().pixels), fast=True))
        # Nothing needs to stay in memory that can be read again.
        shot.open = partial(pictures.load, path)


def _text(value: Any) -> Any:
    """What is no text, as a text."""
    if isinstance(value, re.Pattern):
        return value.pattern
    raise NotImplementedError


def _pattern(kind: Any, written: Any) -> Any:
    """What the file's texts stand for; raises ValueError."""
    if not isinstance(written, str):
        raise ValueError(f"{written!r} is not a text")
    try:
        return re.compile(written)
    except re.error as error:
        raise ValueError(f"{kind}: {error}") from error
