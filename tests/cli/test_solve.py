"""`minebot solve` as a person types it: what it prints, writes, refuses, and with which status."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from minebot import cli
from minebot.cli import main
from minebot.recording import pictures
from tests.support.articles import (
    AMBIGUOUS,
    END,
    FRAGMENT,
    NOTEBOOK,
    NOTEBOOK_ANSWER,
    PAPER,
    SAFE,
    SUCCESSIVE,
)

ROOT = Path(__file__).parents[2]

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def solve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> Solve:
    monkeypatch.chdir(tmp_path)
    return Solve(tmp_path, capsys)


class Solve:
    """Runs the command in a folder of its own, on a board in a file."""

    def __init__(self, folder: Path, capsys: Captured) -> None:
        self.folder = folder
        self._capsys = capsys
        self.out = self.err = ""

    def __call__(self, text: str, *arguments: str) -> int:
        (self.folder / "board.txt").write_text(text)
        status = cli.main(["solve", "board.txt", *arguments])
        self.out, self.err = self._capsys.readouterr()
        return status


def piped(text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command as its own process, with `text` on standard input."""
    return subprocess.run(
        [sys.executable, "-m", "minebot", "solve", *arguments],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        cwd=ROOT,
    )


@pytest.mark.parametrize(("text", "safe"), tuple(zip(SUCCESSIVE, SAFE, strict=True)))
def test_names_the_articles_safe_cells(
    solve: Solve, text: str, safe: tuple[tuple[int, int], ...]
) -> None:
    assert solve(text) == 0
    named = re.findall(r"row (\d+), columns? ([\d, and]+)", solve.out.splitlines()[0])
    found = [(int(row), int(one)) for row, columns in named for one in re.findall(r"\d+", columns)]
    assert found == [*safe]
    assert "a board (? hidden, 0-8 opened): 9 columns, 9 rows, total unknown" in solve.err


def test_prints_the_notebooks_only_layout(solve: Solve) -> None:
    assert solve(NOTEBOOK, "--mines", "10") == 0
    assert solve.out.endswith("\n" + NOTEBOOK_ANSWER)


def test_prints_a_paper_puzzles_answer_and_checks_it(solve: Solve) -> None:
    assert solve(PAPER) == 0
    *rows, unique, validation = solve.out.splitlines()
    clues = PAPER.splitlines()[1:]
    for row, clue_row in zip(rows, clues, strict=True):
        assert all(
            sign in "X." if clue == "." else sign == clue
            for sign, clue in zip(row, clue_row, strict=True)
        )
    assert (unique, validation) == ("unique: yes", "VALIDATION PASS")
    assert "a paper puzzle" in solve.err
    assert "iMine_220917.txt" in solve.err


def test_names_the_cells_that_differ(solve: Solve) -> None:
    assert solve(AMBIGUOUS) == 0
    assert solve.out == (
        "0.X.0\n..1..\n0...0\nunique: no\ncells that differ: row 1, column 3; row 3, column 3\n"
        "VALIDATION PASS\n"
    )
    assert solve(FRAGMENT) == 0
    assert "unique: no\ncells that differ: row 5, columns 1 and 3\n" in solve.out


def test_reads_standard_input() -> None:
    run = piped(NOTEBOOK, "--mines", "10")
    assert run.returncode == 0
    assert run.stdout.endswith(NOTEBOOK_ANSWER)
    assert run.stderr.startswith("standard input: a board")


def test_prints_risks_in_columns(solve: Solve) -> None:
    assert solve("?1??", "--risk", "--mines", "2") == 0
    assert solve.out == "50.0    - 50.0  100\n"
    assert solve("?1??", "--risk") == 0
    assert solve.out == "50.0    - 50.0 20.0\n"
    assert "total unknown" in solve.err.splitlines()[-2]


def test_json_has_its_five_keys(solve: Solve) -> None:
    assert solve("F1??\n1100\n", "--json", "--mines", "1") == 0
    (line,) = solve.out.splitlines()
    facts = json.loads(line)
    assert facts.keys() == {"safe", "mines", "risk", "layouts", "advice"}
    assert facts["safe"] == [[2, 0], [3, 0]]
    assert facts["mines"] == [[0, 0]]
    assert facts["risk"] == [[None, None, 0.0, 0.0], [None] * 4]
    assert facts["layouts"] == "1"
    assert facts["advice"]["action"] == "open"
    assert (facts["advice"]["x"], facts["advice"]["y"]) == (2, 0)


def test_json_counts_layouts_exactly_and_explains_a_guess(solve: Solve) -> None:
    text = ("?" * 30 + "\n") * 8 + "?" * 14 + "3" + "?" * 15 + "\n" + ("?" * 30 + "\n") * 7
    assert solve(text, "--json", "--mines", "99") == 0
    facts = json.loads(solve.out)
    from math import comb  # noqa: PLC0415

    assert facts["layouts"] == str(comb(8, 3) * comb(471, 96))
    advice = facts["advice"]
    assert 0 < advice["risk"] < 1
    assert 0 <= advice["progress"] < 1
    assert advice["compared"]
    assert {(other["x"], other["y"]) for other in advice["compared"]} & {
        (0, 0), (29, 0), (0, 15), (29, 15)
    }  # fmt: skip
    assert "chance of progress" in advice["why"]


def test_json_counts_a_paper_puzzles_answers(solve: Solve) -> None:
    assert solve(AMBIGUOUS, "--json") == 0
    assert json.loads(solve.out)["layouts"] == "2"
    assert solve(PAPER, "--json") == 0
    facts = json.loads(solve.out)
    assert facts["layouts"] == "1"
    assert len(facts["safe"]) + len(facts["mines"]) == PAPER.split("\n", 1)[1].count(".")


def test_json_of_a_finished_board(solve: Solve) -> None:
    assert solve("11\n1*\n", "--json", "--mines", "1") == 0
    assert json.loads(solve.out) == {
        "safe": [],
        "mines": [],
        "risk": [[None, None], [None, None]],
        "layouts": "1",
        "advice": None,
    }


def test_writes_page_picture_and_encodings(solve: Solve) -> None:
    files = ("--html", "a.html", "--image", "a.png", "--dimacs", "a.cnf", "--smt2", "a.smt2")
    assert solve(PAPER, *files) == 0
    assert solve.out.endswith("VALIDATION PASS\n")
    data = re.search(r'id="packed">(.*?)</script>', (solve.folder / "a.html").read_text())
    assert data is not None
    packed = json.loads(data[1])
    assert len(packed["judgement"]["mines"]) == solve.out.count("X")
    assert set(packed["reasons"]) == {
        str(at) for at in (*packed["judgement"]["safe"], *packed["judgement"]["mines"])
    }
    assert pictures.load(solve.folder / "a.png").width > 16
    assert "p cnf " in (solve.folder / "a.cnf").read_text()
    assert "(check-sat)" in (solve.folder / "a.smt2").read_text()


@pytest.mark.parametrize(
    ("text", "arguments", "status", "complaint"),
    [
        ("?12\n?1\n", (), 2, "row 2, column 3"),
        ("?1\n?12\n", (), 2, "row 2, column 3"),
        ("?1\n?g\n", (), 2, "row 2, column 2: no cell is written 'g'"),
        ("?1\n?9\n", (), 2, "row 2, column 2"),
        ("", (), 2, "there is no board"),
        ("?1?\n", ("--mines", "4"), 2, "4 mines do not fit the 3 cells"),
        ("?1?\n", ("--mines", "3"), 4, "3 mines in all"),
        ("?8?\n???\n", (), 4, "the clue 8 at row 1, column 2"),
        ("?8?\n???\n", ("--interactive",), 4, "the clue 8 at row 1, column 2"),
        ("#iMine x\n.....\n.6.0.\n.....\n", (), 4, "the clues 6 at row 2, column 2 and 0 at row 2"),
        ("?1\n", ("--html", "no/such/folder.html"), 2, "no/such/folder.html: No such file"),
        ("?1\n", ("--image", "no/such/folder.png"), 2, "no/such/folder.png: No such file"),
        ("?1\n", ("--interactive", "--json"), 2, "--interactive and --json"),
    ],
)
def test_one_line_says_what_is_wrong(
    solve: Solve, text: str, arguments: tuple[str, ...], status: int, complaint: str
) -> None:
    assert solve(text, *arguments) == status
    complaints = [line for line in solve.err.splitlines() if line.startswith("minebot: ")]
    assert len(complaints) == 1
    assert complaint in complaints[0]
    assert not solve.out


def test_only_the_complaint_is_printed_of_a_board_that_cannot_be(solve: Solve) -> None:
    assert solve("?8?\n", "--dimacs", "a.cnf") == 4
    assert solve.err.splitlines() == [
        "a.cnf: written",
        "minebot: board.txt: no layout fits the clue 8 at row 1, column 2",
    ]


def test_a_missing_file_a_folder_and_no_text_at_all(solve: Solve, capsys: Captured) -> None:
    (solve.folder / "binary").write_bytes(b"\xff\xfe\x00")
    for name, complaint in (
        ("nowhere.txt", "No such file"),
        (".", "directory"),
        ("binary", "not a text"),
    ):
        assert cli.main(["solve", name]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert complaint in line


def test_the_dialogue_goes_on_to_the_end() -> None:
    """The layout is known here; each named cell is answered with its number."""
    rows = END.split()
    with subprocess.Popen(
        [sys.executable, "-m", "minebot", "solve", "--interactive", "--mines", "10"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
        cwd=ROOT,
    ) as run:
        assert run.stdin is not None
        assert run.stderr is not None
        assert run.stdout is not None
        run.stdin.write(SUCCESSIVE[0] + "\n")
        asked = 0
        said = ""
        while letter := run.stderr.read(1):
            said += letter
            if said.endswith("its number: "):
                words = said.rsplit("row ", 1)[1].replace(",", " ").split()
                y, x = int(words[0]) - 1, int(words[2]) - 1
                near = (row[max(0, x - 1) : x + 2] for row in rows[max(0, y - 1) : y + 2])
                run.stdin.write(f"{sum(part.count('X') for part in near)}\n")
                asked += 1
                said = ""
        assert run.stdout.read() == END
        assert run.wait(timeout=60) == 0
    assert asked == SUCCESSIVE[0].count("?") - 10


def test_a_dialogue_whose_answers_end_prints_what_is_known() -> None:
    run = piped("???\n1?1\n\nnonsense\n1\n", "--interactive", "--mines", "1")
    assert run.returncode == 130
    assert run.stdout == "1??\n1?1\n"
    assert "'nonsense' is no answer" in run.stderr
    assert "Traceback" not in run.stderr
    assert run.stderr.splitlines()[-1].startswith("minebot: the answers ended")


def test_ctrl_c_ends_the_dialogue_cleanly(tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text("???\n1?1\n")
    with subprocess.Popen(
        [sys.executable, "-m", "minebot", "solve", "--interactive", str(tmp_path / "board.txt")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as run:
        assert run.stderr is not None
        said = ""
        while not said.endswith("its number: "):
            letter = run.stderr.read(1)
            assert letter, said
            said += letter
        os.kill(run.pid, signal.SIGINT)
        out, err = run.communicate(timeout=60)
    assert run.returncode == 130
    assert out == "???\n1?1\n"
    assert "Traceback" not in err
    assert err.splitlines()[-1] == "minebot: stopped: Ctrl-C"


def test_a_mine_ends_the_dialogue() -> None:
    run = piped("?1?\n\nx\n", "--interactive")
    assert run.returncode == 1
    assert run.stdout == "!1?\n"


def test_help_shows_a_newcomer_both_forms(capsys: Captured) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["solve", "--help"])
    assert caught.value.code == 0
    shown = capsys.readouterr().out
    for part in ("#iMine NAME", "? hidden", "--mines N", "--dimacs FILE", "examples:"):
        assert part in shown


@pytest.mark.parametrize(
    ("name", "text"), [("nine", SUCCESSIVE[0]), ("notebook", NOTEBOOK), ("newspaper", PAPER)]
)
def test_the_readmes_boards_are_the_articles(name: str, text: str) -> None:
    assert (ROOT / "fixtures" / "texts" / f"{name}.txt").read_text().strip() == text.strip()


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
