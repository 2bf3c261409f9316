"""Games in the compiled parts, and chances to win from a position."""

from __future__ import annotations

from random import Random

import pytest

from minebot.board import Board
from minebot.layout import First, Layout
from minebot.policy.guessing.engine import CompiledGame, estimate_wins
from minebot.policy.guessing.settings import SETTINGS, Strategy
from minebot.policy.plan import Choice, Reason
from minebot.simulate.games import SimulationSettings, deal, play_compiled, play_with_solver
from minebot.solver import Solver
from tests.policy.stuck_boards import choose


def test_boards_too_large_for_the_compiled_parts_are_played_by_least_risk(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(CompiledGame, "is_too_large", True)
    settings = SimulationSettings(16, 16, 40, First.SAFE, 7, Strategy.FULL)
    for number in range(12):
        one = play_compiled(deal(settings, number), SETTINGS[Strategy.FULL])
        other = play_with_solver(deal(settings, number), Strategy.LEAST_RISK)
        assert (one.won, one.opened, one.risks) == (other.won, other.opened, other.risks)


_SECONDS = 0.3


def _endgames(number: int) -> list[tuple[Board, set[int], Choice]]:
    """Boards on which nothing is certain and few layouts are left, with their mines and guesses."""
    found: list[tuple[Board, set[int], Choice]] = []
    seed = 0
    while len(found) < number:
        seed += 1
        random = Random(seed)
        layout = Layout.scattered(6, 6, 9, random)
        shown = layout.opened_by(random.choice(sorted(set(range(36)) - layout.mines)))
        board = layout.seen(set(shown)).with_mines(9)
        verdict = Solver().solve(board, risk=True, every=True)
        if len(shown) < 8 or verdict.safe or len(verdict.mines) == board.covered:
            continue
        assert verdict.risk is not None
        choice = choose(board, verdict.risk, set(verdict.mines), Strategy.ENDGAME)
        if choice.reason is Reason.ENDGAME:
            found.append((board, set(verdict.mines), choice))
    return found


def test_what_is_estimated_is_what_the_endgame_search_knows() -> None:
    for board, mines, choice in _endgames(4):
        exact = choice.best.score
        assert exact is not None
        found = estimate_wins(board, mines, [choice.best.square], _SECONDS)
        assert found is not None
        assert found[0].low - 0.03 <= exact <= found[0].high + 0.03
        assert found[0].low <= found[0].chance <= found[0].high


def test_all_cells_are_played_on_the_same_layouts() -> None:
    board = Board.parse("??\n11", 1)
    found = estimate_wins(board, set(), [0, 1], _SECONDS)
    assert found is not None
    one, other = found
    assert one.games == other.games > 20
    assert one.chance + other.chance == pytest.approx(1.0)


def test_a_mine_is_never_won() -> None:
    found = estimate_wins(Board.parse("?1\n11", 1), set(), [0], 0.05)
    assert found is not None
    assert (found[0].chance, found[0].low) == (0.0, 0.0)
