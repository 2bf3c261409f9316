"""`minebot drill` as a person types it."""

from __future__ import annotations

import io
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from minebot.analysis.drill_store import opened, own_file
from minebot.board import Action, Board, Cell
from minebot.cli import main
from minebot.layout import Layout
from tests.support.people import played
from tests.support.recorded_games import record

pytestmark = pytest.mark.thorough

Captured = pytest.CaptureFixture[str]
LOST = played(
    Layout.parse("*....\n.....\n.....\n.....\n...*."),
    [(0.0, Action.OPEN, 2), (1.0, Action.OPEN, 0)],
)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def _typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_a_reviewed_game_s_mistake_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    record(tmp_path / "game", LOST)
    assert main(["review", str(tmp_path / "game"), "--drill"]) == 0
    assert "drills: 1 new, 1 due" in capsys.readouterr().err
    assert main(["review", str(tmp_path / "game"), "--drill"]) == 0
    assert "drills: 0 new, 1 due" in capsys.readouterr().err
    with opened() as store:
        (drill,) = store.drills()
    place = drill.board.name_of(drill.board.cells.index(Cell.HIDDEN))
    _typed(monkeypatch, f"{place}\n")
    assert main(["drill"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("   1 2 3 4 5\n1  ")
    assert "2 mines in all" in err
    assert "asked again in" in out
    assert "1 asked" in err
    assert main(["drill"]) == 0
    assert "0 asked, 0 right; the next one is due in" in capsys.readouterr().err


def test_an_answer_is_judged_with_its_reason_and_a_bad_one_asked_for_again(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    with opened() as store:
        store.add([Board.parse("0000\n1221\n????")])
    _typed(monkeypatch, "x\n9 9\n1 1\n3,1\n")
    assert main(["drill"]) == 0
    out, err = capsys.readouterr()
    for said in ("'x' is no cell", "no row 9, column 9", "the cell at row 1, column 1 is open"):
        assert said in err
    assert out.splitlines()[4].startswith("right") or "\nright\nrow 3, column 1 is safe by" in out
    assert "(1-2-2-1)" in out
    assert "1 asked, 1 right" in err


@pytest.mark.parametrize("typed", ["q\n3 1\n", ""])
def test_q_and_the_end_of_the_input_stop(
    typed: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    with opened() as store:
        store.add([Board.parse("0000\n1221\n????")])
    _typed(monkeypatch, typed)
    assert main(["drill"]) == 0
    assert "0 asked, 0 right; 1 due" in capsys.readouterr().err


def test_a_damaged_drill_ends_it_with_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    with opened() as store:
        store.add([Board.parse("0000\n1221\n????")])
    with closing(sqlite3.connect(own_file())) as other, other:
        other.execute("UPDATE drill SET card = '{}'")
    _typed(monkeypatch, "3 1\n3 1\n")
    assert main(["drill"]) == 2
    out, err = capsys.readouterr()
    assert err.endswith(f"minebot: {own_file()}: drill 1 is damaged\n")
    assert (err.count("drill 1"), out.count("right")) == (1, 0)


def test_what_was_missed_is_told_by_kind(tmp_path: Path, capsys: Captured) -> None:
    assert main(["drill", "--stats"]) == 0
    assert "nothing was missed yet" in capsys.readouterr().err
    record(tmp_path / "game", LOST)
    main(["review", str(tmp_path / "game"), "--drill"])
    capsys.readouterr()
    assert main(["drill", "--stats"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("missed full clue in the corner once, 1 of the last 1\n")
    assert "this week" in out


def test_a_starter_deck_has_ten_new_positions_each_time(tmp_path: Path, capsys: Captured) -> None:
    assert main(["drill", "--starter", "1-1"]) == 0
    assert main(["drill", "--starter", "1-1"]) == 0
    assert capsys.readouterr().err.count("10 new") == 2
    assert main(["drill", "--export", str(tmp_path / "drills.txt")]) == 0
    assert (tmp_path / "drills.txt").read_text().count("\t") == 21
    assert "20 drills written" in capsys.readouterr().err


def test_bad_input_is_one_line_and_status_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["drill", "--starter", "9-9"])
    assert ended.value.code == 2
    assert main(["drill", "--export", str(tmp_path)]) == 2
    monkeypatch.setattr("minebot.extras.find_spec", lambda _: None)
    assert main(["drill"]) == 2
    own_file().write_text("my diary\n" * 100)
    assert main(["drill", "--stats"]) == 2
    err = capsys.readouterr().err.splitlines()
    assert len(err) == 4
    assert "[drill]" in err[2]
    assert "file is not a database" in err[3]


def test_there_are_no_drills_yet(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    _typed(monkeypatch, "")
    assert main(["drill"]) == 0
    assert "there are no drills yet" in capsys.readouterr().err
