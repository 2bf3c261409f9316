"""Times that depend on one another."""

from __future__ import annotations

import pytest

from minebot.play.timing import Timing
from minebot.profile import load, profiles


@pytest.mark.parametrize("name", profiles())
def test_what_outlasts_another_does_so_in_every_game(name: str) -> None:
    behaviour = load(name).behaviour
    timing = Timing.of(behaviour)
    assert 1000 * timing.answer_seconds == behaviour.answer_milliseconds
    assert 1000 * timing.message_seconds == behaviour.end_message_milliseconds
    assert timing.wait_seconds < 0.1, "a stop is to be heard within a tenth of a second"
    assert timing.read_again_seconds > timing.held_seconds > timing.aside_seconds
    assert timing.read_again_seconds > timing.message_seconds
    for begun in (True, False):
        once = timing.lost_seconds(begun=begun, toggles=False)
        assert once < timing.lost_seconds(begun=begun, toggles=True)
    assert timing.lost_seconds(begun=False, toggles=False) >= timing.answer_seconds
