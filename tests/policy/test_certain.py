"""A compiled game is played as the solver plays it."""

from __future__ import annotations

import pytest

from minebot.board import Board
from minebot.layout import First
from minebot.policy.guessing.engine import CompiledGame
from minebot.policy.guessing.prepare import prepare
from minebot.policy.guessing.settings import SETTINGS, GuessingSettings, Strategy
from minebot.policy.plan import Plan, guess
from minebot.simulate.games import SimulationSettings, deal, play_compiled, play_with_solver

KINDS = [
    (9, 9, 10, First.OPENING),
    (9, 9, 30, First.SAFE),
    (16, 16, 40, First.SAFE),
    (30, 16, 99, First.OPENING),
    (30, 16, 99, First.SAFE),
    (40, 3, 30, First.SAFE),
    (5, 1, 2, First.SAFE),
]


@pytest.mark.parametrize("strategy", list(SETTINGS))
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_compiled_game_is_the_one_that_the_solver_plays(
    kind: tuple[int, int, int, First], strategy: Strategy, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare()
    settings = SimulationSettings(*kind, 7, strategy)
    compiled: list[int] = []
    solved: list[int] = []
    choose = CompiledGame.guess

    def guess_compiled(game: CompiledGame, how: GuessingSettings) -> tuple[int, float]:
        square, risk = choose(game, how)
        compiled.append(square)
        return square, risk

    def guess_solved(board: Board, *arguments: object) -> Plan:
        plan = guess(board, *arguments)
        assert plan.guess is not None
        solved.append(plan.guess.square)
        return plan

    monkeypatch.setattr(CompiledGame, "guess", guess_compiled)
    monkeypatch.setattr("minebot.simulate.games.guess", guess_solved)
    for number in range(30):
        one = play_compiled(deal(settings, number), SETTINGS[strategy])
        other = play_with_solver(deal(settings, number), strategy)
        assert (one.won, one.opened) == (other.won, other.opened)
        assert one.risks == pytest.approx(other.risks, abs=1.1e-6)
        assert compiled == solved
    assert compiled
