"""Times that depend on one another, and where the time of a game goes."""

from __future__ import annotations

import pytest

from minebot.errors import Stopped
from minebot.play.timing import STAGES, Stopwatch, Timing
from minebot.profile import load, profiles
from tests.support.fake_clock import FakeClock


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


def test_a_stopwatch_adds_up_and_begins_anew() -> None:
    clock = FakeClock()
    watch = Stopwatch(clock)
    first = watch.restart()
    for seconds in (1.0, 2.0):
        with watch.stage("read"):
            clock.sleep(seconds)
    clock.at(3.5, lambda: clock.stop.request("Esc was pressed"))
    with pytest.raises(Stopped), watch.stage("click"):
        clock.sleep(1)
    assert first == {**dict.fromkeys(STAGES, 0.0), "read": 3.0, "click": 0.5}
    assert set(watch.restart().values()) == {0.0}
    assert first["read"] == 3.0
