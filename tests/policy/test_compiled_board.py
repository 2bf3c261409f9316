"""The largest board that is compiled."""

from __future__ import annotations

import pytest

from minebot.layout import First
from minebot.policy.guessing.compiled_board import CompiledGame
from minebot.policy.guessing.recommend import SETTINGS, Strategy
from minebot.simulate import SimulationSettings, deal
from minebot.simulate.games import play_compiled, play_with_solver


def test_boards_too_large_for_the_compiled_parts_are_played_by_least_risk(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(CompiledGame, "is_too_large", True)
    settings = SimulationSettings(16, 16, 40, First.SAFE, 7, Strategy.FULL)
    for number in range(12):
        one = play_compiled(deal(settings, number), SETTINGS[Strategy.FULL])
        other = play_with_solver(deal(settings, number), Strategy.LEAST_RISK)
        assert (one.won, one.opened, one.risks) == (other.won, other.opened, other.risks)
