"""The file that a simulation grows: one line of settings, then one line a game.

Every game is written as it is finished, so that nothing is lost when the program is
killed; a last line that was cut off in the middle is dropped.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from bot.errors import UsageError
from bot.simulate.games import Record, SimulationSettings

__all__ = ["Store"]


class Store:
    """An open file of games, a context manager."""

    def __init__(self, path: Path, settings: SimulationSettings) -> None:
        """Open or begin the file; raises UsageError if it belongs to other settings."""
        self._path = path
        self.records: dict[int, Record] = {}
        """The games that are in it already, by number."""
        try:
            self._file: IO[bytes] = path.open("r+b" if path.exists() else "w+b")
        except OSError as error:
            raise UsageError(f"{path}: cannot be opened: {error.strerror}") from error
        try:
            self._take_up(settings)
        except BaseException:
            self._file.close()
            raise

    def _take_up(self, settings: SimulationSettings) -> None:
        text = self._file.read()
        whole = text.rfind(b"\n") + 1
        lines = text[:whole].splitlines()
        if not lines:
            if text and not _head(settings).startswith(text):
                raise UsageError(f"{self._path}: is not a file of simulated games")
            self._file.seek(0)
            self._file.truncate()
            self._write(settings.facts())
            return
        if (found := self._parse(1, lines[0])) != settings.facts():
            wanted = settings.facts()
            other = [
                f"{key} {found.get(key)!r} instead of {wanted[key]!r}"
                for key in wanted
                if found.get(key) != wanted[key]
            ]
            raise UsageError(f"{self._path}: was made with other settings: {', '.join(other)}")
        for number, line in enumerate(lines[1:], 2):
            facts = self._parse(number, line)
            try:
                record = Record.from_facts(facts)
            except (KeyError, TypeError, ValueError) as error:
                raise UsageError(f"{self._path}: line {number}: is not a game") from error
            self.records.setdefault(record.game, record)
        self._file.seek(whole)
        self._file.truncate()

    def _parse(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            facts = json.loads(line)
        except ValueError:
            facts = None
        if not isinstance(facts, dict):
            raise UsageError(f"{self._path}: line {number}: is not a JSON object")
        return facts

    def add(self, record: Record) -> bool:
        """Write a game down; False if it is there already."""
        if record.game in self.records:
            return False
        self.records[record.game] = record
        self._write(record.facts())
        return True

    def _write(self, facts: dict[str, Any]) -> None:
        self._file.write(json.dumps(facts).encode() + b"\n")
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.fsync(self._file.fileno())
        self._file.close()


def _head(settings: SimulationSettings) -> bytes:
    return json.dumps(settings.facts()).encode()
