"""Each text form is told from the other and read; what is neither is refused in one line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minebot.board import Board, Cell
from minebot.errors import UsageError
from minebot.puzzle.texts import Form, Puzzle, drawing, percent, ruled
from tests.support.articles import AMBIGUOUS, FRAGMENT, NOTEBOOK, PAPER


@pytest.mark.parametrize(
    ("text", "form", "name", "size"),
    [
        (NOTEBOOK, Form.BOARD, "", (6, 6)),
        (PAPER, Form.PAPER, "iMine_220917.txt", (16, 12)),
        (AMBIGUOUS, Form.PAPER, "iMine_test03.txt", (5, 3)),
        (FRAGMENT, Form.PAPER, "", (3, 8)),
        ("#iMine\n.1\n", Form.PAPER, "", (2, 1)),
        ("#iMine all clues\n11\n", Form.PAPER, "all clues", (2, 1)),
        ("11\n", Form.BOARD, "", (2, 1)),
        ("# a remark\n\n?1\n\n  # another\n11\r\n", Form.BOARD, "", (2, 2)),
        ("#iMine x\n\n.1\n\n# between\n11\n", Form.PAPER, "x", (2, 2)),
    ],
)
def test_says_which_form_it_saw(text: str, form: Form, name: str, size: tuple[int, int]) -> None:
    puzzle = Puzzle.parse(text)
    board = puzzle.board
    assert (puzzle.form, puzzle.name, (board.width, board.height)) == (form, name, size)


def test_unknown_cells_of_a_paper_puzzle_are_hidden_ones() -> None:
    assert Puzzle.parse("#iMine x\n.1.\n", mines=1).board == Board.parse("?1?", mines=1)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "there is no board"),
        ("\n \n", "there is no board"),
        ("#iMine nothing\n", "there is no board"),
        ("?1\n?12\n", "row 2, column 3"),
        ("?12\n?1\n", "row 2, column 3"),
        ("?1\n?z\n", "row 2, column 2: no cell is written 'z'"),
        ("?1\n9?\n", "row 2, column 1: no cell is written '9'"),
        ("#iMine x\n# a remark\n\n.1\n\n.z\n", "row 2, column 2: no cell is written 'z'"),
        ("#iMine x\n.1\n?1\n", "row 2, column 1: no '?' can stand in a paper puzzle"),
        ("#iMine x\n.F\n", "row 1, column 2: no 'F' can stand in a paper puzzle"),
        (".1\n?1\n", "row 2, column 1: no '?' can stand in a paper puzzle"),
        ("?1\n.1\n", "row 2, column 1: no '.' can stand in a board"),
    ],
)
def test_bad_text_is_refused_with_row_and_column(text: str, complaint: str) -> None:
    with pytest.raises(UsageError) as caught:
        Puzzle.parse(text)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_more_mines_than_cells_are_refused() -> None:
    with pytest.raises(UsageError, match="5 mines do not fit the 4 cells"):
        Puzzle.parse("??\n??\n", mines=5)


@settings(derandomize=True, deadline=None)
@given(st.data())
def test_text_forms_round_trip(data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(Form))
    width = data.draw(st.integers(1, 6))
    height = data.draw(st.integers(1, 6))
    kinds = [cell for cell in Cell if form is Form.BOARD or cell <= Cell.HIDDEN]
    size = width * height
    cells = data.draw(st.lists(st.sampled_from(kinds), min_size=size, max_size=size))
    puzzle = Puzzle(Board(width, height, None, bytes(cells)), form, "")
    assert Puzzle.parse(str(puzzle)) == puzzle


def test_a_drawing_shows_mines_and_if_asked_the_clues() -> None:
    board = Board.parse("?1?\n?12")
    assert drawing(board, {2}, clues=False) == "..X\n..."
    assert drawing(board, {2}, clues=True) == ".1X\n.12"


@pytest.mark.parametrize(
    ("risk", "text"),
    [
        (0.0, "0"),
        (1.0, "100"),
        (1e-9, "<0.1"),
        (1 - 1e-9, ">99.9"),
        (0.0006, "0.1"),
        (0.125, "12.5"),
        (0.9994, "99.9"),
    ],
)
def test_only_certainty_is_printed_as_0_or_100(risk: float, text: str) -> None:
    assert percent(risk) == text


def test_rulers_number_rows_and_columns_from_1() -> None:
    assert ruled(Board.parse("?1\n0F")) == "   1 2\n1  ? 1\n2  0 F"
    tens, ones, *rows = ruled(Board.hidden(12, 10)).splitlines()
    assert tens.split() == ["1", "1", "1"]
    assert ones.split() == [*"123456789", "0", "1", "2"]
    assert rows[0] == f" 1  {' '.join('?' * 12)}"
    assert rows[9].startswith("10  ?")
    assert {len(line) for line in (tens, ones, *rows)} == {len(rows[0])}
