"""Keeps drills, when each is due, and what was met: one SQLite file in the user's data folder."""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from platformdirs import user_data_path

from minebot.analysis import drills
from minebot.analysis.drills import Reply, Tally
from minebot.analysis.review import Review
from minebot.board import Board, counted
from minebot.errors import UsageError, file_errors
from minebot.extras import require

_MARK = 0x4D424452
"""`application_id` of a file of drills. Specified: "MBDR" in ASCII."""
_VERSION = 1
"""`user_version`: which tables it has. Specified by `_TABLES`."""
_TABLES = (
    "CREATE TABLE drill (id INTEGER PRIMARY KEY, board TEXT NOT NULL, mines INTEGER, "
    "due REAL NOT NULL, card TEXT)",
    "CREATE UNIQUE INDEX position ON drill (board, ifnull(mines, -1))",
    "CREATE TABLE met (at REAL NOT NULL, kind TEXT NOT NULL, right INTEGER NOT NULL)",
    "CREATE TABLE game (digest TEXT PRIMARY KEY)",
    f"PRAGMA application_id = {_MARK}",
    f"PRAGMA user_version = {_VERSION}",
)
"""Times are seconds since 1970; a card is fsrs's JSON, null until the drill was asked."""
_MET = "INSERT INTO met VALUES (?, ?, ?)"


@dataclass(frozen=True, slots=True)
class Drill:
    """A position that is asked again."""

    number: int
    board: Board
    due: float
    """When to ask it, in seconds since 1970."""
    card: str | None
    """What fsrs knows of it."""


def own_file() -> Path:
    """Where this user's drills are kept."""
    return user_data_path("minebot") / "drills.sqlite3"


@contextmanager
def opened(
    path: Path | None = None, clock: Callable[[], float] = time.time
) -> Iterator[DrillStore]:
    """Open the file of drills, by default this user's, or begin one; `clock` gives seconds since
    1970. Raises UsageError if it is damaged or something else: then it is left as it is.
    """
    path = path or own_file()
    with file_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with closing(sqlite3.connect(path, isolation_level="IMMEDIATE")) as database:
            _check(database, path)
            yield DrillStore(database, path, clock)
    except sqlite3.Error as error:
        raise UsageError(f"{path}: {error}") from error


def _check(database: sqlite3.Connection, path: Path) -> None:
    with database:
        database.execute("BEGIN IMMEDIATE")
        mark, version, tables = database.execute(
            "SELECT * FROM pragma_application_id, pragma_user_version, "
            "(SELECT count(*) FROM sqlite_master)"
        ).fetchone()
        if not (mark or tables):
            for command in _TABLES:
                database.execute(command)
        elif mark != _MARK:
            raise UsageError(f"{path}: holds something else than drills")
        elif version != _VERSION:
            raise UsageError(f"{path}: was written by another version of minebot")


@dataclass(eq=False, slots=True)
class DrillStore:
    """An open file of drills. Each change is a transaction: it is kept whole or not at all."""

    _database: sqlite3.Connection
    _path: Path
    clock: Callable[[], float]
    """Gives seconds since 1970."""

    def drills(self) -> list[Drill]:
        """All drills, in the order in which they are due; raises UsageError for a damaged one."""
        rows = self._database.execute(
            "SELECT id, CAST(board AS TEXT), mines, CAST(due AS REAL), card FROM drill "
            "ORDER BY due, id"
        )
        with file_errors(self._path):
            return [Drill(key, Board.parse(text, mines), *rest) for key, text, mines, *rest in rows]

    def tallies(self) -> Sequence[Tally]:
        """How often each kind of situation was met and missed, the weakest kind first."""
        command = "SELECT CAST(at AS REAL), CAST(kind AS TEXT), right FROM met"
        rows = self._database.execute(command)
        return drills.tallies((at, kind, bool(right)) for at, kind, right in rows)

    def add(self, boards: Iterable[Board]) -> int:
        """Keep positions in their canonical form; returns how many were not there yet."""
        command = "INSERT OR IGNORE INTO drill (board, mines, due) VALUES (?, ?, ?)"
        rows = [(str(drills.canonical(board)), board.mines, self.clock()) for board in boards]
        with self._database as database:
            return sum(database.execute(command, row).rowcount for row in rows)

    def keep(self, review: Review) -> int:
        """Keep a game's mistakes, and all that it met; returns how many drills are new.

        What a game met is counted once, however often the game is kept.
        """
        told = repr([(act.click, act.before) for act in review.game.acts])
        digest, now = hashlib.sha256(told.encode()).hexdigest(), self.clock()
        met = [(now, drills.situation(one), not one.mark.mistake) for one in review.marks]
        met += [(now, kind, False) for kind in drills.passed_over(review.marks)]
        with self._database as database:
            if database.execute("INSERT OR IGNORE INTO game VALUES (?)", (digest,)).rowcount:
                database.executemany(_MET, [one for one in met if one[1] is not None])
        return self.add(drills.mistakes(review))

    def due(self) -> list[Drill]:
        """The drills that are due, the one that has waited longest first."""
        return [drill for drill in self.drills() if drill.due <= self.clock()]

    def ask(self) -> tuple[Drill | None, str]:
        """What to ask now, and the question; or None, and when there is something to ask.

        Raises UsageError without fsrs.
        """
        require("drill", "being asked")
        if due := self.due():
            return due[0], f"{drills.question(due[0].board)} ({len(due)} due)"
        if later := self.drills():
            return None, f"the next one is due in {_span(later[0].due - self.clock())}"
        return None, "there are no drills yet: see review --drill, watch --drill, drill --starter"

    def answer(self, drill: Drill, square: int) -> tuple[Reply, str]:
        """Judge the row-major `square`, keep that, and say when the drill is asked again.

        What was answered elsewhere meanwhile is only judged. Raises UsageError for an open cell.
        """
        import fsrs  # noqa: PLC0415  # an extra

        found = drills.reply(drill.board, square)
        now, kind = self.clock(), drills.situation(found.marked)
        try:
            card = fsrs.Card.from_json(drill.card) if drill.card else fsrs.Card(drill.number)
        except (ValueError, KeyError, TypeError) as error:
            raise sqlite3.DatabaseError(f"drill {drill.number} is damaged") from error
        rating = fsrs.Rating.Good if found.right else fsrs.Rating.Again
        card, _ = fsrs.Scheduler().review_card(card, rating, datetime.fromtimestamp(now, UTC))
        change = "UPDATE drill SET due = ?, card = ? WHERE id = ? AND CAST(due AS REAL) <= ?"
        row = (card.due.timestamp(), card.to_json(), drill.number, now)
        with self._database as database:
            if database.execute(change, row).rowcount and kind is not None:
                database.execute(_MET, (now, kind, found.right))
        due = next((one.due for one in self.drills() if one.number == drill.number), now)
        return found, f"asked again in {_span(due - now)}"


def _span(seconds: float) -> str:
    """A time in its largest unit: `9 minutes`."""
    for unit, length in (("day", 86_400), ("hour", 3_600)):
        if seconds >= length:
            return counted(round(seconds / length), unit)
    return counted(max(1, round(seconds / 60)), "minute")
