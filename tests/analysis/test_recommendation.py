"""What is recommended is the player's own move, and its reasons are true numbers.

A guess is told with what it was compared with, and no chance is rounded to certainty.
"""

from __future__ import annotations

import pytest

from minebot.analysis.explanation import Why
from minebot.analysis.recommendation import Recommendation, explain, recommend
from minebot.board import Action, Board, Move
from minebot.errors import Contradiction, UsageError
from minebot.policy.plan import Reason
from minebot.solver import solve
from tests.puzzle.brute import COVERED, layouts
from tests.support.articles import NOTEBOOK, SUCCESSIVE


def test_a_safe_cell_comes_first() -> None:
    board = Board.parse(SUCCESSIVE[0])
    advice = recommend(board, solve(board, risk=True))
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
    advice = recommend(board, solve(board, risk=True))
    assert (advice.move and str(advice.move)) == move


def test_a_first_click_is_nobodys_guess() -> None:
    board = Board.hidden(9, 9, 10)
    advice = recommend(board, solve(board, risk=True))
    assert advice.move == Move(Action.OPEN, 3, 3)
    assert len(advice.options) == 1
    assert "nothing is open yet" in advice.why


def test_a_guess_is_held_against_the_least_risky_cells_and_a_corner() -> None:
    board = Board.parse("????????\n" * 3 + "???3????\n" + "????????\n" * 4, mines=10)
    verdict = solve(board, risk=True)
    assert not verdict.safe
    assert verdict.risk is not None
    advice = recommend(board, verdict)
    assert advice.move is not None
    best, *others = advice.options
    assert best.square == board.square(advice.move.x, advice.move.y)
    assert len(others) >= 3
    assert {0, 7, 56, 63} & {option.square for option in advice.options}
    assert "compared with" in advice.why
    risks = [option.risk for option in advice.options]
    assert risks == [verdict.risk[option.square] for option in advice.options]


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
    advice = recommend(board, verdict, progress=True)
    assert advice.move is not None
    square = board.square(advice.move.x, advice.move.y)
    covered = frozenset(board.squares(*COVERED))
    helped = whole = 0
    for fits in layouts(board):
        # With the total unknown a cell is a mine one time in five beforehand.
        part = 1 if board.mines is not None else 4 ** len(covered - fits)
        whole += part
        if square not in fits:
            number = sum(other in fits for other in board.neighbours(square))
            shown = board.showing({square: number})
            helped += part * bool(solve(shown, risk=True).safe)
    assert advice.options[0].progress == pytest.approx(helped / whole)


def test_nothing_is_advised_on_a_finished_board() -> None:
    board = Board.parse(NOTEBOOK.replace("?", "F"), mines=10)
    solved = board
    verdict = solve(board, risk=True)
    for square in verdict.safe:
        mines = sum(other in verdict.mines for other in board.neighbours(square))
        solved = solved.showing({square: mines})
    assert recommend(solved, solve(solved, risk=True)).move is None


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
    advice = recommend(board, solve(board, risk=True))
    assert f"what decided: {reason.value};" in advice.why


def told(rows: str, mines: int | None, square: int) -> Recommendation:
    found = explain(Board.parse(rows, mines), square)
    assert isinstance(found, Recommendation)
    return found


def test_a_guess_has_its_runners_up() -> None:
    found = told("1???\n????\n????", 3, 11)
    assert found.best is not None
    assert found.best.risk == min(option.risk for option in found.options)
    assert len(found.options) > 1
    said = "row 3, column 4 is not certain: mine risk "
    assert found.text.startswith(said) or found.asked in found.options
    assert "best is" in found.text
    assert "compared with" in found.text


def test_an_endgame_knows_the_chance_to_win() -> None:
    found = told("?1\n?1", 1, 0)
    assert found.best is not None
    assert found.best.win == pytest.approx(0.5)
    assert "chance to win 50.0 %" in found.text


def test_where_a_cell_is_safe_nothing_is_guessed() -> None:
    found = told("111??\n?????", None, 3)
    assert found.safe
    assert not found.options
    assert "no guess is needed: row 2, column 3 is safe" in found.text


def test_the_first_cell_is_said_to_open_well() -> None:
    found = told("\n".join(["?" * 9] * 9), 10, 0)
    assert found.best is not None
    assert "first click" in found.reason


def test_what_is_certain_is_proven_instead() -> None:
    assert isinstance(explain(Board.parse("1?\n11"), 1), Why)


def test_an_open_cell_is_not_asked_about() -> None:
    with pytest.raises(UsageError, match="row 1, column 1 is open"):
        explain(Board.parse("1?\n11"), 0)


def test_an_impossible_board_has_no_why() -> None:
    with pytest.raises(Contradiction):
        explain(Board.parse("3?\n11"), 1)


def test_almost_certain_is_not_certain() -> None:
    found = told("1" + "?" * 2000 + "\n" + "?" * 2001, 2, 2500)
    assert found.asked is not None
    assert 0 < found.asked.risk < 0.0005
    assert "<0.1 %" in found.text
