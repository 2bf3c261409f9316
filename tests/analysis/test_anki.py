"""Drills as a file that Anki imports."""

from __future__ import annotations

from html.parser import HTMLParser

from minebot.analysis.anki import notes
from minebot.board import Board

SAFE = Board.parse("????\n1221\n0000", 2)
GUESS = Board.parse("1??\n???\n???", 2)


class _Cells(HTMLParser):
    """The class of each cell of a table, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[tuple[str, str]] = []
        self.rows = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.rows += tag == "tr"
        if tag == "td":
            self.cells.append((dict(attrs).get("class") or "", ""))

    def handle_data(self, data: str) -> None:
        if self.cells and len(data) == 1:
            self.cells[-1] = (self.cells[-1][0], data)


def _table(html: str) -> _Cells:
    cells = _Cells()
    cells.feed(html)
    return cells


def test_each_drill_is_a_line_of_two_fields_below_anki_s_header() -> None:
    lines = notes([SAFE, GUESS]).splitlines()
    header = [line for line in lines if line.startswith("#")]
    assert header[:2] == ["#separator:tab", "#html:true"]
    rest = lines[len(header) :]
    assert [line.count("\t") for line in rest] == [1, 1]


def test_the_front_draws_the_board_and_the_back_fills_the_answers() -> None:
    front, back = notes([SAFE]).splitlines()[-1].split("\t")
    drawn = _table(front)
    assert drawn.rows == 3
    assert drawn.cells[:5] == [("c", "")] * 4 + [("", "1")]
    assert [kind for kind, _ in _table(back).cells[:4]] == ["a", "c", "c", "a"]
    assert "2 mines in all" in front
    assert "safe: row 1, columns 1 and 4" in back
    assert "safe" not in front.partition("<p>")[2].replace("Which cell is safe", "")


def test_of_a_guess_all_that_are_as_good_as_the_best_are_filled() -> None:
    _, back = notes([GUESS]).splitlines()[-1].split("\t")
    assert [at for at, (kind, _) in enumerate(_table(back).cells) if kind == "a"] == [2, 5, 6, 7]
    assert "best is row" in back
