"""The page shows mines red, empty cells green, and clues as they are."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from minebot.puzzle.answer import answer
from minebot.puzzle.drawings import page
from minebot.puzzle.texts import Puzzle
from tests.support.articles import AMBIGUOUS, PAPER


class Table(HTMLParser):
    """The rows of the page's table; a cell is its text, or its class where it has none."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.title = ""
        self._tag = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._tag = tag
        if tag == "tr":
            self.rows.append([])
        elif tag == "td":
            self.rows[-1].append(dict(attrs).get("class") or "")

    def handle_data(self, data: str) -> None:
        if self._tag == "td" and data.strip():
            self.rows[-1][-1] = data
        elif self._tag == "title" and data.strip():
            self.title += data


def test_every_cell_of_the_newspaper_puzzle() -> None:
    puzzle = Puzzle.parse(PAPER)
    board = puzzle.board
    mines = answer(board).mines
    empty = set(board.squares(9)) - mines
    table = Table(page(board, mines=mines, empty=empty, name=puzzle.name))
    clues = [row.split() for row in str(board).splitlines()]
    assert table.title == "iMine_220917.txt"
    for y, (row, (clue_row,)) in enumerate(zip(table.rows, clues, strict=True)):
        assert row == [
            clue if clue != "?" else "mine" if board.square(x, y) in mines else "empty"
            for x, clue in enumerate(clue_row)
        ]


def test_mines_are_red_and_empty_cells_green() -> None:
    style = page(Puzzle.parse("?").board, mines={0}, empty=set())
    for kind, strongest in (("mine", 0), ("empty", 1)):
        colour = re.search(rf"\.{kind} {{ background: #(\w)(\w)(\w) }}", style)
        assert colour is not None
        levels = [int(level, 16) for level in colour.groups()]
        assert levels.index(max(levels)) == strongest
        assert 2 * sorted(levels)[1] < max(levels)


def test_cells_that_differ_are_framed_and_unknown_ones_grey() -> None:
    board = Puzzle.parse(AMBIGUOUS).board
    found = answer(board)
    text = page(board, mines=found.mines, empty={1}, either=set(found.differ))
    table = Table(text)
    assert table.rows[0] == ["0", "empty", "mine either", "unknown", "0"]
    assert "another answer differs" in text


def test_a_name_cannot_break_the_page() -> None:
    text = page(Puzzle.parse("?").board, mines=set(), empty=set(), name="<script>&")
    assert "<script>" not in text
    assert Table(text).title == "<script>&"
