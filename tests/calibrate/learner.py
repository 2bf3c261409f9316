"""Learns a make-believe game, game after game, until it is killed: see `test_journal`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from bot.calibrate.course import Course
from bot.calibrate.evidence import Knowledge
from bot.calibrate.journal import Journal
from bot.calibrate.run import User, Wishes, calibrate_window
from bot.calibrate.window import Timing
from bot.stop import Stop
from tests.calibrate.table_game import FakeClock, TableGame


@contextmanager
def _stop() -> Iterator[Stop]:
    yield Stop()


def learn(folder: Path, games: int, game: TableGame | None = None) -> Course:
    """Go on from what the folder holds, and say on standard output what was kept in it."""
    journal = Journal(folder)
    course = journal.load(Random(1), None) if journal.exists else Course(Knowledge(Random(1)))

    def keep(known: Course) -> None:
        journal.save(known)
        print(known.games, flush=True)

    game = game or TableGame(9, 9, 10, 1)
    calibrate_window(
        game.desk,
        game.desk.window,
        Wishes("n", games),
        User(lambda _: None, _stop, lambda _: False, keep),
        course,
        clock=FakeClock,
        timing=Timing(quiet=0),
        shares=(),
    )
    return course


if __name__ == "__main__":
    while True:
        learn(Path(sys.argv[1]), 1)
