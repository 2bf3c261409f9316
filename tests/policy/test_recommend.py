"""The cell that is recommended, and what it was compared with."""

from __future__ import annotations

import pytest

from minebot.board import Board
from minebot.policy.guessing.recommend import Reason, Strategy, choose
from minebot.solver import Verdict, solve
from tests.policy.stuck_boards import risks, stuck_boards


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
        scores = [candidate.score for candidate in choice.candidates if candidate.score is not None]
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


def test_a_large_board_is_guessed_on_too() -> None:
    board, verdict = next(stuck_boards(60, 60, 700, count=1, seed=6, first=1830))
    choice = choose(board, verdict.risk or (), set(verdict.mines), Strategy.FULL)
    assert choice.best.risk < 0.5


def test_nothing_to_choose_from_is_an_error() -> None:
    with pytest.raises(ValueError, match="no cell"):
        choose(Board.parse("1?", 1), (None, 1.0), {1}, Strategy.FULL)
