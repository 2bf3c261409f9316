"""A person and the program play a board together, to its end."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from minebot.board import Board
from minebot.errors import Contradiction, Stopped
from minebot.layout import Layout
from minebot.puzzle.dialogue import Dialogue
from minebot.puzzle.texts import drawing
from tests.support.articles import END, NOTEBOOK, NOTEBOOK_ANSWER, SUCCESSIVE


class Person:
    """Answers as scripted, then with the number that the cell asked about shows."""

    def __init__(self, layout: Layout | None, script: Iterable[str | None] = ()) -> None:
        self.layout = layout
        self.script = list(script)
        self.asked: list[str] = []
        self.told: list[str] = []

    def ask(self, question: str) -> str | None:
        self.asked.append(question)
        if self.script:
            return self.script.pop(0)
        if self.layout is None:
            return None
        words = question.split("row ")[1].replace(",", " ").replace(";", " ").split()
        square = self.layout.square(int(words[2]) - 1, int(words[0]) - 1)
        return "x\n" if square in self.layout.mines else f"{self.layout.numbers[square]}\n"


def talk(board: Board, person: Person) -> Board:
    return Dialogue(board, person.ask, person.told.append).run()


@pytest.mark.parametrize(
    ("text", "end"), [(SUCCESSIVE[0], END), (NOTEBOOK, NOTEBOOK_ANSWER)], ids=["9x9", "6x6"]
)
def test_goes_on_until_as_many_cells_are_hidden_as_there_are_mines(text: str, end: str) -> None:
    layout = Layout.parse(end.replace("X", "*"))
    person = Person(layout)
    board = talk(Board.parse(text, mines=10), person)
    assert board.covered == 10
    assert drawing(board, set(layout.mines), clues=False) == end.strip()
    assert set(board.squares(9)) == layout.mines
    assert all(" is safe; its number: " in question for question in person.asked)
    assert len(person.asked) == Board.parse(text).covered - 10


def test_a_zero_opens_that_cell_alone() -> None:
    person = Person(Layout(3, 1, frozenset()), ["0"])
    dialogue = Dialogue(Board.parse("???", mines=0), person.ask, person.told.append)
    assert str(dialogue.run()) == "000"
    assert len(person.asked) == 3


@pytest.mark.parametrize("nonsense", ["", "9", "12", "-1", "foo", "²", "1 2", "?"])
def test_nonsense_gets_one_line_and_the_same_question(nonsense: str) -> None:
    person = Person(Layout(2, 1, frozenset()), [f"{nonsense}\n"])
    talk(Board.parse("?0"), person)
    assert person.asked[0] == person.asked[1]
    assert sum("is no answer" in line for line in person.told) == 1
    assert not any("\n" in line for line in person.told)


def test_a_board_that_cannot_be_is_refused_before_any_question() -> None:
    person = Person(None)
    with pytest.raises(Contradiction):
        talk(Board.parse("?1?\n111", mines=1), person)
    assert not person.asked


def test_a_number_that_cannot_be_is_refused_with_the_clues_that_clash() -> None:
    person = Person(None, ["8", None])
    with pytest.raises(Stopped):
        talk(Board.parse("???\n1?1\n???", mines=1), person)
    (line,) = (line for line in person.told if "cannot be" in line)
    assert "8 at row" in line
    assert person.asked[0] == person.asked[1]


def test_an_answer_can_be_taken_back() -> None:
    person = Person(None, ["u", "1", "u", "0", None])
    dialogue = Dialogue(Board.parse("????", mines=1), person.ask, person.told.append)
    with pytest.raises(Stopped):
        dialogue.run()
    assert "there is no answer to take back" in person.told
    assert person.asked[0] == person.asked[1] == person.asked[3]
    assert str(dialogue.board) == "?0??"


def test_a_guess_says_its_risk_and_a_mine_ends_it() -> None:
    person = Person(None, ["x"])
    board = talk(Board.parse("?1?"), person)
    assert board.lost
    assert "no cell is certain; try row 1, column 1, a mine at 50.0 %" in person.asked[0]


def test_a_certain_cell_is_no_mine_whatever_is_typed() -> None:
    person = Person(None, ["x", None])
    with pytest.raises(Stopped, match="the answers ended"):
        talk(Board.parse("?0"), person)
    assert any("cannot be" in line for line in person.told)


@pytest.mark.parametrize("last", [None, "q\n", "QUIT"])
def test_what_is_known_so_far_is_kept_when_it_stops(last: str | None) -> None:
    person = Person(None, ["0", last])
    dialogue = Dialogue(Board.parse("???", mines=0), person.ask, person.told.append)
    with pytest.raises(Stopped, match="cells still covered: 2"):
        dialogue.run()
    assert str(dialogue.board) == "0??"


def test_flags_do_not_change_what_it_names() -> None:
    person = Person(None, ["x"])
    board = talk(Board.parse("F1F"), person)
    assert board.lost
