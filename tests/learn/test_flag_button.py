"""A button that has clicks flag is found, or pointed at."""

from __future__ import annotations

import pytest

from minebot.capture import Pixel
from minebot.errors import (
    NotTurnedBack,
)
from minebot.learn.run import LearnOptions
from tests.learn.drawn_game import LEFT, DrawnGame
from tests.learn.learner import Learner
from tests.learn.made_games import drawn

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("back", ["", "Dig"])
def test_a_button_that_has_clicks_flag_is_found_by_its_word_and_used(back: str) -> None:
    says = {"takes_flags": False, "flag_button": "Flag", "open_button": back}
    learner = Learner(drawn(**says, flags_to_win=True))
    behaviour = learner.learn()
    assert behaviour.flag_button is not None
    assert (behaviour.flag_button.back is not None) == bool(back)
    assert any(result.flags for result in learner.play(2))


def test_a_button_that_says_nothing_of_flags_may_be_pointed_at() -> None:
    says = {"takes_flags": False, "flag_button": "Abc"}
    assert not Learner(drawn(**says)).learn(LearnOptions(games=3)).flags
    at = Pixel(LEFT + 50, 24)
    behaviour = Learner(drawn(**says)).learn(LearnOptions(games=3, flag_button=at))
    assert behaviour.flag_button is not None


def test_a_button_that_has_one_click_flag_alone_is_left_alone() -> None:
    learner = Learner(drawn(takes_flags=False, flag_button="Flag", flags_once=True))
    assert not learner.learn().flags


def test_a_button_that_does_not_go_back_ends_it_with_what_was_found() -> None:
    class Stuck(DrawnGame):
        takes_flags = False
        flag_button = "Flag"

        def _click_above(self, pixel: Pixel) -> None:  # noqa: ARG002
            self.flagging = True
            self.show()

    learner = Learner(Stuck(4))
    with pytest.raises(NotTurnedBack, match="--flag-at"):
        learner.learn()
    assert learner.findings.pictures
    assert not learner.findings.flags_known
