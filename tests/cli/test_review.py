"""What is said of several games together."""

from __future__ import annotations

import json

import pytest

from minebot.analysis.review import review
from minebot.cli.review import tell_habits
from tests.support.recorded_games import slow


@pytest.mark.parametrize("as_json", [False, True])
def test_nothing_is_said_of_a_single_game(
    capsys: pytest.CaptureFixture[str], *, as_json: bool
) -> None:
    tell_habits([review(slow(4.3))], json=as_json)
    assert capsys.readouterr().out == ""


def test_people_get_a_table_and_programs_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    reviews = [review(slow(4.3)), review(slow(5.3))]
    tell_habits(reviews, json=False)
    said = capsys.readouterr().out
    assert "2 of 2 won" in said
    assert "hesitated" in said
    tell_habits(reviews, json=True)
    facts = json.loads(capsys.readouterr().out)
    assert (facts["games"], facts["won"]) == (2, 2)
    (habit,) = facts["habits"]
    assert habit["seconds"] == pytest.approx(9.0)
    assert (habit["times"], habit["lost"], habit["risk"]) == (2, 0, 0)
