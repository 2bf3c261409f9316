"""The file that a simulation grows: one line of settings, then one line a game.

Every game is written as it is finished, so that nothing is lost when the program is
killed; a last line that was cut off in the middle is dropped.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import msgspec

from bot.errors import UsageError, file_errors
from bot.simulate.games import Record, SimulationSettings


@contextmanager
def stored(path: Path, settings: SimulationSettings) -> Iterator[Store]:
    """Open or begin the file of these settings; raises UsageError if it is of others."""
    with file_errors(path):
        file = path.open("a+b")
    with file:
        store = Store(path, file)
        store.take_up(settings)
        try:
            yield store
        finally:
            os.fsync(file.fileno())


class Store:
    """An open file of games."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self._path = path
        self._file = file
        self.records: dict[int, Record] = {}
        """The games that are in it already, by number."""

    def take_up(self, settings: SimulationSettings) -> None:
        """Read what is in the file; raises UsageError where that is not games of these settings."""
        self._file.seek(0)
        text = self._file.read()
        whole = text.rfind(b"\n") + 1
        if not whole and not msgspec.json.encode(settings).startswith(text):
            raise UsageError(f"{self._path}: is not a file of simulated games")
        for number, line in enumerate(text[:whole].splitlines(), 1):
            try:
                if number == 1:
                    self._check(msgspec.json.decode(line, type=SimulationSettings), settings)
                else:
                    record = msgspec.json.decode(line, type=Record)
                    self.records.setdefault(record.game, record)
            except msgspec.DecodeError as error:
                raise UsageError(f"{self._path}: line {number}: {error}") from error
        self._file.truncate(whole)
        if not whole:
            self.add(settings)

    def _check(self, found: SimulationSettings, wanted: SimulationSettings) -> None:
        has, wants = msgspec.to_builtins(found), msgspec.to_builtins(wanted)
        other = [
            f"{key} {has[key]!r} instead of {wants[key]!r}" for key in has if has[key] != wants[key]
        ]
        if other:
            raise UsageError(f"{self._path}: was made with other settings: {', '.join(other)}")

    def add(self, line: Record | SimulationSettings) -> None:
        """Write a game down, or in the first line the settings."""
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()
