"""The file of drills: what is kept, when it is asked again, and what is never overwritten."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from minebot.analysis.drill_store import opened
from minebot.analysis.drills import canonical
from minebot.analysis.review import review
from minebot.board import Action, Board, Cell
from minebot.errors import UsageError
from minebot.layout import Layout
from tests.support.people import played

WALL = Board.parse("????\n1221\n0000")
TURNED = Board.parse("01?\n02?\n02?\n01?")
GAME = review(
    played(
        Layout.parse("*....\n.....\n.....\n.....\n...*."),
        [(0.0, Action.OPEN, 2), (1.0, Action.OPEN, 0)],
    )
)
"""It ends with a mine that was certain."""
MINUTE, DAY = 60.0, 86_400.0


class Clock:
    """Seconds since 1970, as a test sets them."""

    def __init__(self) -> None:
        self.now = 1e9

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "drills.sqlite3"


def _answer_one(path: Path) -> None:
    with opened(path) as store:
        (drill,) = store.drills()
        store.answer(drill, drill.board.cells.index(Cell.HIDDEN))


def test_twins_are_kept_once_and_stay(path: Path) -> None:
    with opened(path) as store:
        assert store.add([WALL, TURNED, WALL.with_mines(2)]) == 2
    with opened(path) as store:
        assert store.add([TURNED]) == 0
        assert [drill.board for drill in store.drills()] == [
            canonical(WALL),
            canonical(WALL.with_mines(2)),
        ]


def test_a_right_answer_comes_back_later_and_later_a_wrong_one_soon(
    path: Path, clock: Clock
) -> None:
    waits, said = [], []
    covered = list(canonical(WALL).squares(Cell.HIDDEN))
    right, wrong = covered[0], covered[1]
    with opened(path, clock) as store:
        store.add([WALL])
        for square in (wrong, right, right, right, wrong):
            (drill,) = store.drills()
            assert drill.due <= clock.now
            found, again = store.answer(drill, square)
            assert found.right is (square == right)
            (drill,) = store.drills()
            assert (store.due(), store.ask()[0]) == ([], None)
            waits.append(drill.due - clock.now)
            said.append(again)
            clock.now = drill.due
    assert waits[0] == MINUTE
    assert said[0] == "asked again in 1 minute"
    assert said[3].endswith(" days")
    assert MINUTE <= waits[1] < waits[2] < waits[3]
    assert waits[3] > DAY
    assert waits[4] < DAY


def test_a_game_is_kept_once_with_all_that_it_met(path: Path, clock: Clock) -> None:
    with opened(path, clock) as store:
        assert store.keep(GAME) == 1
        assert store.keep(GAME) == 0
        (tally,) = store.tallies()
        assert tally.kind == "full clue in the corner"
        assert tally.met == ((clock.now, False),)
        (drill,) = store.drills()
        store.answer(drill, drill.board.cells.index(Cell.HIDDEN))
        assert sum(len(one.met) for one in store.tallies()) == 2


def test_what_a_game_passed_over_counts_as_missed_and_is_no_drill(path: Path) -> None:
    layout = Layout.parse(".**..**.\n........\n........")
    clicks = [(float(at), Action.OPEN, square) for at, square in enumerate((16, 7, 0, 3, 4))]
    with opened(path) as store:
        assert store.keep(review(played(layout, clicks))) == 0
        assert sum(one.missed for one in store.tallies()) == 3
        assert sum(len(one.met) for one in store.tallies()) == 7


@pytest.mark.parametrize(
    "content", [b"my diary, not a database\n" * 50, b"SQLite format 3\x00junk"]
)
def test_what_is_no_database_is_told_and_left_alone(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(UsageError, match=r"drills\.sqlite3: file is not a database"), opened(path):
        pass
    assert path.read_bytes() == content


def test_another_program_s_database_is_told_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE drill (mine)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(UsageError, match="holds something else than drills"), opened(path):
        pass
    assert path.read_bytes() == before


def test_a_later_version_s_file_is_told_and_left_alone(path: Path) -> None:
    with opened(path) as store:
        store.add([WALL])
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 99")
    other.close()
    before = path.read_bytes()
    with pytest.raises(UsageError, match="another version of minebot"), opened(path):
        pass
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "damage", ["UPDATE drill SET board = '9x'", "UPDATE drill SET card = '{}'", "DROP TABLE met"]
)
def test_damage_inside_is_one_line(path: Path, damage: str) -> None:
    with opened(path) as store:
        store.add([WALL])
    with sqlite3.connect(path) as other:
        other.execute(damage)
    other.close()
    with pytest.raises(UsageError, match=r"drills\.sqlite3: "):
        _answer_one(path)


def test_a_change_that_fails_leaves_nothing_behind(path: Path) -> None:
    with opened(path) as store:
        store.add([WALL])
        before = store.drills()
    with sqlite3.connect(path) as other:
        other.execute(
            "CREATE TRIGGER full BEFORE INSERT ON met BEGIN SELECT raise(ABORT, 'disk full'); END"
        )
    other.close()
    with pytest.raises(UsageError, match=r"drills\.sqlite3: disk full"):
        _answer_one(path)
    with opened(path) as store:
        assert store.drills() == before
