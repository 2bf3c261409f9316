"""Plans: certain moves, the first click, and what a guess was compared with."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import pytest

from minebot.board import Action, Board, Cell, Move
from minebot.layout import First
from minebot.policy.guessing.settings import Strategy
from minebot.policy.plan import Reason, certain_moves, first_move, guess
from minebot.solver import Verdict, solve
from tests.policy.stuck_boards import choose, risks, stuck_boards


@pytest.mark.parametrize(
    ("promise", "size", "expected"),
    [
        (First.OPENING, (30, 16), (3, 3)),
        (First.OPENING, (9, 9), (3, 3)),
        (First.OPENING, (5, 2), (2, 0)),
        (First.SAFE, (30, 16), (0, 0)),
        (First.SAFE, (1, 1), (0, 0)),
    ],
)
def test_the_first_click_goes_where_it_wins_most(
    promise: First, size: tuple[int, int], expected: tuple[int, int]
) -> None:
    plan = first_move(Board.hidden(*size, 0), promise)
    assert plan.moves == (Move(Action.OPEN, *expected),)
    assert plan.guess is None


def test_the_first_click_avoids_a_flag() -> None:
    assert first_move(Board.parse("F?")).moves == (Move(Action.OPEN, 1, 0),)
    assert first_move(Board.parse("FF")).moves == ()


def test_safe_cells_are_opened_and_mines_flagged() -> None:
    board = Board.parse("?1?\n???")
    assert certain_moves(board, [3], {0}, flags=True) == (
        Move(Action.OPEN, 0, 1),
        Move(Action.FLAG, 0, 0),
    )
    assert certain_moves(board, [3], {0}, flags=False) == (Move(Action.OPEN, 0, 1),)


def test_a_doubtful_flag_comes_off_before_its_neighbour_is_opened() -> None:
    board = Board.parse("?F?\n???")
    assert certain_moves(board, [0], set(), flags=True) == (Move(Action.UNFLAG, 1, 0),)
    assert certain_moves(board, [0], {1}, flags=False) == (Move(Action.OPEN, 0, 0),)


def test_a_guess_names_its_risk_and_its_reason() -> None:
    board = Board.parse("0001?\n0001?", 1)
    verdict = solve(board)
    plan = guess(board, verdict.risk or (), set())
    assert plan.guess is not None
    assert plan.moves == (Move(Action.OPEN, *board.xy(plan.guess.square)),)
    assert plan.guess.risk == 0.5
    assert plan.guess.score == 0.5
    assert plan.choice is not None
    assert plan.choice.reason is Reason.ENDGAME
    assert plan.choice.best is plan.guess


@pytest.mark.parametrize("strategy", list(Strategy))
def test_a_flag_is_taken_off_the_cell_to_guess(strategy: Strategy) -> None:
    board = Board.parse("0001F\n0001F", 1)
    verdict = solve(board)
    plan = guess(board, verdict.risk or (), set(), strategy)
    assert plan.guess is None
    assert plan.moves
    assert {move.action for move in plan.moves} == {Action.UNFLAG}


def test_what_cannot_be_read_is_not_guessed() -> None:
    board = Board.parse("??1\n??1\n111", 1)
    everywhere = guess(
        board, [0.5, 0.5, None, 0.5, 0.5] + [None] * 4, set(), unread={0, 1, 3, 4}
    ).guess
    assert everywhere is None
    least = guess(board, [0.1, 0.4, None, 0.3, 0.2] + [None] * 4, set(), unread={0}).guess
    assert least is not None
    assert (least.square, least.risk) == (4, 0.2)


def test_nothing_to_guess_is_no_move() -> None:
    assert guess(Board.parse("1?", 1), (None, 1.0), {1}).moves == ()


def test_a_board_with_shown_mines_is_guessed_on() -> None:
    board = Board.parse("!1001?\n11001?", 2)
    verdict = solve(board)
    assert board.cells[0] == Cell.EXPLODED
    plan = guess(board, verdict.risk or (), set(verdict.mines))
    assert plan.guess is not None
    assert plan.guess.risk == 0.5


def test_policy_loads_nothing_compiled_until_a_guess_is_due() -> None:
    code = "import sys, minebot.policy.plan; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_a_choice_does_not_depend_on_those_before_it() -> None:
    boards = list(stuck_boards(16, 16, 40, count=10, seed=3, first=51))

    def chosen(order: list[tuple[Board, Verdict]]) -> dict[Board, object]:
        return {
            board: choose(board, verdict.risk or (), set(verdict.mines), Strategy.FULL)
            for board, verdict in order
        }

    assert chosen(boards) == chosen(boards[::-1])


@pytest.mark.parametrize("strategy", list(Strategy))
def test_every_strategy_says_what_it_compared(strategy: Strategy) -> None:
    for board, verdict in stuck_boards(9, 9, 14, count=6, seed=4, first=40):
        choice = choose(board, verdict.risk or (), set(verdict.mines), strategy)
        assert choice.best == choice.candidates[0]
        for candidate in choice.candidates:
            assert candidate.risk == risks(verdict)[candidate.square]
        scores = [round(one.score, 9) for one in choice.candidates if one.score is not None]
        assert scores == sorted(scores, reverse=True)
        if strategy in (Strategy.LEAST_RISK, Strategy.PROGRESS):
            assert choice.best.risk == pytest.approx(min(risks(verdict).values()), abs=1e-8)


def test_what_is_explained_is_what_is_played() -> None:
    endgames = 0
    for board, verdict in stuck_boards(9, 9, 14, count=40, seed=2, first=40):
        known = board, verdict.risk or (), set(verdict.mines), Strategy.FULL
        played, explained = choose(*known), choose(*known, every=True)
        assert (played.reason, played.best) == (explained.reason, explained.best)
        endgames += len(explained.candidates) > len(played.candidates)
    assert endgames


def test_without_a_total_the_least_risk_decides() -> None:
    board = Board.parse("??????\n?1????\n??????\n??????")
    verdict = solve(board, risk=True)
    choice = choose(board, verdict.risk or (), set(), Strategy.FULL)
    assert choice.reason is Reason.LEAST_RISK


def test_without_the_compiled_parts_ties_go_to_the_cell_beside_most_open_ones() -> None:
    preferred = 0
    for board, verdict in stuck_boards(9, 9, 14, count=40, seed=4, first=40):
        risk = risks(verdict)
        choice = choose(board, verdict.risk or (), set(verdict.mines), Strategy.LEAST_RISK)
        squares = [candidate.square for candidate in choice.candidates]
        keys = {
            square: (
                round(risk[square], 9),
                -sum(board.cells[near] <= Cell.EIGHT for near in board.neighbours(square)),
                square,
            )
            for square in risk
        }
        assert squares == sorted(risk, key=keys.__getitem__)[: len(squares)]
        preferred += any(
            keys[one][0] == keys[other][0] and one > other for one, other in pairwise(squares)
        )
    assert preferred


def test_a_large_board_is_guessed_on_too() -> None:
    board, verdict = next(stuck_boards(60, 60, 700, count=1, seed=6, first=1830))
    choice = choose(board, verdict.risk or (), set(verdict.mines), Strategy.FULL)
    assert choice.best.risk < 0.5
