"""A coach says what is true of a position, once, and not where it is to be seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

from minebot.analysis.recommendation import KINDS, Coach
from minebot.board import Board, Cell
from minebot.layout import Layout
from tests.support.brute import boards, certain, covered, layouts, spoilt_boards, steady
from tests.support.people import careful

SAFE, GUESS, FLAG = "a safe move exists", "you must guess now", "a flag is wrong"
CLASH = "the position contradicts itself"
TOLD = {SAFE, GUESS, FLAG, "2 flags are wrong", "3 flags are wrong", CLASH}


def true_of(board: Board) -> set[str]:
    """What is true of a board, found by trying every layout."""
    if board.lost or not board.begun:
        return set()
    if not layouts(board):
        return {CLASH}
    safe, mines = certain(board)
    found = {SAFE} if safe else set()
    if not safe and len(mines) < len(covered(board)):
        found.add(GUESS)
    wrong = len(safe & set(board.squares(Cell.FLAG)))
    trusted = bytes(Cell.MINE if cell == Cell.FLAG else cell for cell in board.cells)
    if wrong > 1:
        found.add(f"{wrong} flags are wrong")
    elif not layouts(Board(board.width, board.height, board.mines, trusted)):
        found.add(FLAG)
    return found


@given(boards())
@steady(150)
def test_what_it_says_is_what_is_true_of_the_board(board: Board) -> None:
    assert set(Coach().look(board).split("; ")) - {""} == true_of(board)


@given(spoilt_boards())
@steady(150)
def test_of_a_board_that_cannot_be_it_says_so(board: Board) -> None:
    assert set(Coach().look(board).split("; ")) - {""} == true_of(board)


def games() -> Iterator[list[Board]]:
    """The boards of games of 9x9 cells, each with some wrong flags."""
    for seed in range(12):
        random = Random(seed)
        layout = Layout.scattered(9, 9, 12, random, clear={0, 1, 9, 10})
        found = []
        for act in careful(layout, 0, random, slips=0.1).acts:
            cells = bytearray(act.after.cells)
            cells[random.choice([*act.after.squares(Cell.HIDDEN), 0])] = Cell.FLAG
            cells[0] = act.after.cells[0]
            found += [act.after, replace(act.after, cells=bytes(cells)), act.after]
        yield found


def test_it_says_a_thing_when_it_becomes_true_and_never_a_cell() -> None:
    heard: list[str] = []
    coach = Coach()
    for game in games():
        before: set[str] = set()
        for board in game:
            said = set(coach.look(board).split("; ")) - {""}
            assert coach.look(board) == ""
            now = set(Coach().look(board).split("; ")) - {""}
            assert said == now - before
            assert said <= TOLD
            before = now
            heard += said
    assert {SAFE, GUESS, FLAG} <= set(heard)


@pytest.mark.parametrize("kind", KINDS)
def test_it_says_only_what_was_asked_for(kind: str) -> None:
    coach, asked = Coach(), Coach([kind])
    words = {"safe": SAFE, "guess": GUESS, "flag": "wrong"}
    for game in games():
        for board in game:
            parts = [one for one in coach.look(board).split("; ") if words[kind] in one]
            assert asked.look(board) == "; ".join(parts)


def test_with_the_cells_it_names_one_until_it_is_opened() -> None:
    coach = Coach(["safe"], show=True)
    assert coach.look(Board.parse("1????\n?????")) == ""
    board = Board.parse("0000\n1221\n????\n????")
    assert coach.look(board) == f"{SAFE}: open row 3, column 1"
    assert coach.look(Board.parse("0000\n1221\n?F??\n????")) == ""
    assert coach.look(Board.parse("0000\n1221\n1F??\n????")) == f"{SAFE}: open row 3, column 4"


@pytest.mark.parametrize(
    ("text", "mines", "said"),
    [
        ("0000\n1221\nF???\n????", None, "a flag is wrong: row 3, column 1"),
        ("0000\n1221\nF??F\n????", None, "2 flags are wrong: row 3, columns 1 and 4"),
        ("111\nFF?", None, "a flag is wrong: row 2, column 1"),
        ("1F\nF?", None, "a flag is wrong: no layout fits"),
        ("1?\n??", 1, "you must guess now: open row "),
        ("1F\nFF", 1, "you must guess now: open row "),
        ("8?\n??", None, "the position contradicts itself: no layout fits the "),
        ("1?\n??", 3, "the position contradicts itself: no layout of 3 mines"),
    ],
)
def test_with_the_cells_it_says_where(text: str, mines: int | None, said: str) -> None:
    found = Coach(show=True).look(Board.parse(text, mines))
    assert said in found
