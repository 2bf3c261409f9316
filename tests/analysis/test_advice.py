"""The advised move is the player's own, and its reasons are true numbers."""

from __future__ import annotations

import pytest

from minebot.analysis.advice import advise
from minebot.board import Action, Board, Cell, Move
from minebot.policy.guessing.recommend import Reason
from minebot.puzzle.answer import showing
from minebot.solver import solve
from tests.puzzle.brute import COVERED, layouts
from tests.support.articles import NOTEBOOK, SUCCESSIVE


def test_a_safe_cell_comes_first() -> None:
    board = Board.parse(SUCCESSIVE[0])
    advice = advise(board, solve(board, risk=True))
    assert advice is not None
    assert advice.move == Move(Action.OPEN, 2, 0)
    assert advice.risk == 0
    assert "row 1, column 3" in advice.why


@pytest.mark.parametrize(
    ("text", "mines", "move"),
    [
        ("?1", None, "flag 0,0"),
        ("F1", None, None),
        ("F0", None, "unflag 0,0"),
        ("11\n1*", None, None),
    ],
)
def test_flags_what_is_left(text: str, mines: int | None, move: str | None) -> None:
    board = Board.parse(text, mines)
    advice = advise(board, solve(board, risk=True))
    assert (advice and str(advice.move)) == move


def test_a_first_click_is_nobodys_guess() -> None:
    board = Board.hidden(9, 9, 10)
    advice = advise(board, solve(board, risk=True))
    assert advice is not None
    assert advice.move == Move(Action.OPEN, 3, 3)
    assert advice.guess is None
    assert "nothing is open yet" in advice.why


def test_a_guess_is_held_against_the_least_risky_cells_and_a_corner() -> None:
    board = Board.parse("????????\n" * 3 + "???3????\n" + "????????\n" * 4, mines=10)
    verdict = solve(board, risk=True)
    assert not verdict.safe
    assert verdict.risk is not None
    advice = advise(board, verdict)
    assert advice is not None
    assert advice.guess is not None
    best, *others = advice.guess.options
    assert best.square == board.square(advice.move.x, advice.move.y)
    assert len(others) >= 3
    assert {0, 7, 56, 63} & {option.square for option in advice.guess.options}
    assert "compared with" in advice.why
    risks = [option.risk for option in advice.guess.options]
    assert risks == [verdict.risk[option.square] for option in advice.guess.options]


@pytest.mark.parametrize("known", [True, False], ids=["total", "no total"])
@pytest.mark.parametrize(
    ("text", "mines"),
    [
        ("?1?", 1),
        ("?1??", 2),
        ("?2?\n???", 2),
        ("?3??\n????", 4),
        ("2??\n???", 3),
        ("?1??\n??2?\n????", 3),
        ("F1??\n??2F\n????", 3),
    ],
)
def test_the_chance_of_progress_is_that_of_all_layouts(text: str, mines: int, known: bool) -> None:
    board = Board.parse(text, mines if known else None)
    verdict = solve(board, risk=True)
    assert not verdict.safe
    advice = advise(board, verdict)
    assert advice is not None
    square = board.square(advice.move.x, advice.move.y)
    covered = frozenset(board.squares(*COVERED))
    helped = whole = 0
    for fits in layouts(board):
        # With the total unknown a cell is a mine one time in five beforehand.
        part = 1 if board.mines is not None else 4 ** len(covered - fits)
        whole += part
        if square not in fits:
            number = sum(other in fits for other in board.neighbours(square))
            shown = showing(board, square, Cell(number))
            helped += part * bool(solve(shown, risk=True).safe)
    assert advice.guess is not None
    assert advice.guess.options[0].progress == pytest.approx(helped / whole)


def test_nothing_is_advised_on_a_finished_board() -> None:
    board = Board.parse(NOTEBOOK.replace("?", "F"), mines=10)
    solved = board
    verdict = solve(board, risk=True)
    for square in verdict.safe:
        mines = sum(other in verdict.mines for other in board.neighbours(square))
        solved = showing(solved, square, Cell(mines))
    assert advise(solved, solve(solved, risk=True)) is None


@pytest.mark.parametrize(
    ("text", "mines", "reason"),
    [
        ("???????\n" * 3 + "???1???\n" + "???????\n" * 3, 9, Reason.LOOKAHEAD),
        ("0001?\n0001?", 1, Reason.ENDGAME),
        ("???????\n" * 3 + "???1???\n" + "???????\n" * 3, None, Reason.LEAST_RISK),
    ],
)
def test_a_guess_says_what_decided_for_it(text: str, mines: int | None, reason: Reason) -> None:
    board = Board.parse(text, mines)
    advice = advise(board, solve(board, risk=True))
    assert advice is not None
    assert f"what decided: {reason.value};" in advice.why
