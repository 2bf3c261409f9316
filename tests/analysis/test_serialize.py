"""What is said of a game, as JSON."""

from __future__ import annotations

import json

import pytest

from minebot.analysis.review import review
from minebot.analysis.serialize import permille, review_facts
from tests.support.recorded_games import FIELD, slow


def test_facts_can_be_written_as_json_and_hold_every_move() -> None:
    found = review(slow(4.3))
    facts = json.loads(json.dumps(review_facts(found, boards=True)))
    assert len(facts["moves"]) == len(found.game.acts)
    first = facts["moves"][0]
    assert len(first["board"]) == len(first["risks"]) == 81
    assert facts["3bv"] == FIELD.bbbv


@pytest.mark.parametrize(
    ("chance", "shown"),
    [(0.0, 0), (1e-9, 1), (0.5, 500), (0.9977, 998), (0.99999, 999), (1.0, 1000)],
)
def test_a_chance_is_never_rounded_to_certainty(chance: float, shown: int) -> None:
    assert permille(chance) == shown
