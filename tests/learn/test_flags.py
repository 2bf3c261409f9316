"""How flags are set is found out by trying; a button for them is found, or pointed at."""

from __future__ import annotations

from typing import Any

import pytest

from minebot.capture import Pixel
from minebot.errors import NotTurnedBack
from minebot.learn.run import LearnOptions
from minebot.play.result import Outcome
from tests.learn.drawn_game import LEFT, DrawnGame
from tests.learn.learner import Learner
from tests.learn.made_games import drawn


@pytest.mark.thorough
@pytest.mark.parametrize("held", ["ctrl", "shift", "alt"])
def test_flags_that_are_set_with_a_key_held_are_found_and_used(held: str) -> None:
    game = drawn(flags_with=held, flags_to_win=True)
    learner = Learner(game)
    behaviour = learner.learn()
    assert (behaviour.flags, behaviour.flag_modifier) == (True, held)
    assert any(result.flags for result in learner.play(2))


@pytest.mark.thorough
def test_a_right_click_is_tried_first_and_on_a_mine() -> None:
    game = drawn(flags_stay=True)
    learner = Learner(game)
    behaviour = learner.learn()
    assert (behaviour.flags, behaviour.flag_modifier, behaviour.flag_button) == (True, None, None)
    assert not any(game.desk.holds)


@pytest.mark.thorough
def test_a_flag_that_is_drawn_late_is_seen() -> None:
    assert Learner(drawn(flags_late=0.5)).learn().flags


@pytest.mark.thorough
def test_a_game_without_flags_is_played_without_them() -> None:
    learner = Learner(drawn(takes_flags=False))
    behaviour = learner.learn()
    assert (behaviour.flags, behaviour.flags_to_win) == (False, False)
    assert not any(result.flags for result in learner.play(2))


@pytest.mark.thorough
@pytest.mark.parametrize("way", ["right", "ctrl", "alt", "none"])
def test_how_flags_are_set_may_be_said_and_nothing_else_is_tried(way: str) -> None:
    held = way if way in ("ctrl", "alt") else None
    game = drawn(flags_with=held or "", takes_flags=way != "none")
    behaviour = Learner(game).learn(LearnOptions(games=3, flag_way=way))
    assert (behaviour.flags, behaviour.flag_modifier) == (way != "none", held)
    assert set(game.desk.holds) <= {None, held}


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_that_all_mines_have_to_be_flagged_is_found_out_and_done(seed: int) -> None:
    learner = Learner(drawn(seed, flags_to_win=True))
    behaviour = learner.learn()
    assert behaviour.flags_to_win
    assert [dialog.title.pattern for dialog in behaviour.dialogs] == ["^Won$"]
    won = [result for result in learner.play(3) if result.outcome is Outcome.WON]
    assert all(result.flags for result in won)


@pytest.mark.thorough
def test_a_game_that_takes_all_flags_and_tells_nothing_may_wait_for_them() -> None:
    game = drawn(1, flags_to_win=True, is_quiet=True)
    learner = Learner(game)
    assert learner.learn().flags_to_win
    learner.play(1)
    assert game.over


@pytest.mark.thorough
@pytest.mark.parametrize("says", [{}, {"takes_flags": False}, {"again_at_once": True}])
def test_no_other_game_is_taken_for_one_of_these(says: dict[str, Any]) -> None:
    assert not Learner(drawn(1, **says)).learn().flags_to_win


@pytest.mark.thorough
@pytest.mark.parametrize("back", ["", "Dig"])
def test_a_button_that_has_clicks_flag_is_found_by_its_word_and_used(back: str) -> None:
    says = {"takes_flags": False, "flag_button": "Flag", "open_button": back}
    learner = Learner(drawn(**says, flags_to_win=True))
    behaviour = learner.learn()
    assert behaviour.flag_button is not None
    assert (behaviour.flag_button.back is not None) == bool(back)
    assert any(result.flags for result in learner.play(2))


@pytest.mark.thorough
def test_a_button_that_says_nothing_of_flags_may_be_pointed_at() -> None:
    says = {"takes_flags": False, "flag_button": "Abc"}
    assert not Learner(drawn(**says)).learn(LearnOptions(games=3)).flags
    at = Pixel(LEFT + 50, 24)
    behaviour = Learner(drawn(**says)).learn(LearnOptions(games=3, flag_button=at))
    assert behaviour.flag_button is not None


@pytest.mark.thorough
def test_a_button_that_has_one_click_flag_alone_is_left_alone() -> None:
    learner = Learner(drawn(takes_flags=False, flag_button="Flag", flags_once=True))
    assert not learner.learn().flags


@pytest.mark.thorough
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
