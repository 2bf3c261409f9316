"""`minebot solve --why`: the answer as text, as JSON, and what is refused."""

from __future__ import annotations

import io
import json

import pytest

from minebot.cli import main

BOARD = "111\n???\n"


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(BOARD))


@pytest.mark.usefixtures("typed")
def test_a_certain_cell_is_proven(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--why", "2,3"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(
        "row 2, column 3 is safe by the 1 at row 1, column 1 and the 1 at row 1, column 2 (1-1)\n"
        "  the 1 at row 1, column 2"
    )


@pytest.mark.usefixtures("typed")
def test_programs_get_the_clues_and_the_steps(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--why", "2,3", "--why", "2,2", "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)["why"]
    assert first["certain"] == "safe"
    assert first["clues"] == [[0, 0], [1, 0]]
    assert (first["total"], first["smallest"], first["pattern"]) == (False, True, "1-1")
    assert first["steps"][-1]["cells"] == [[2, 1]]
    assert second["certain"] == "mine"


def test_an_uncertain_cell_is_compared(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1??\n???\n"))
    assert main(["solve", "--why", "1,2", "--mines", "2"]) == 0
    assert capsys.readouterr().out.startswith("row 1, column 2 is not certain: mine risk 33.3 %")


def _status(words: list[str]) -> int:
    """The exit status, whichever way the command ends."""
    try:
        return main(words)
    except SystemExit as ended:
        return int(str(ended.code))


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--why", "1 1"], 2, "row 1, column 1 is open"),
        (["--why", "row 1 column 1"], 2, "row 1, column 1 is open"),
        (["--why", "11"], 2, "is no cell"),
        (["--why", "1,1"], 2, "row 1, column 1 is open"),
        (["--why", "3,1"], 2, "minebot: the board has no row 3, column 1"),
        (["--why", "x"], 2, "is no cell: 3,4 is row 3, column 4, both counted from 1"),
        (["--why", "0,1"], 2, "is no cell: 3,4 is row 3, column 4, both counted from 1"),
        (["--why", "2,1", "--interactive"], 2, "do not go together"),
        (["--why", "2,1", "--mines", "5"], 4, "no"),
    ],
)
@pytest.mark.usefixtures("typed")
def test_what_cannot_be_answered_is_one_line(
    words: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _status(["solve", *words]) == status
    error = capsys.readouterr().err.strip().splitlines()
    assert said in error[-1]
    assert error[-1].startswith("minebot: ")
