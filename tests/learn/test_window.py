"""What an unknown game shows beside its board."""

from __future__ import annotations

from typing import Any

import pytest

from minebot.capture import Pixel
from minebot.errors import (
    WindowCovered,
    WindowGone,
    WindowRestless,
)
from minebot.learn.run import LearnOptions
from tests.learn.drawn_game import STRIP, DrawnGame
from tests.learn.learner import Learner, page
from tests.learn.made_games import drawn

pytestmark = pytest.mark.thorough

# -- the end


def test_a_message_that_goes_again_is_waited_for() -> None:
    learner = Learner(drawn(message_seconds=5.0))
    behaviour = learner.learn()
    assert behaviour.end_overlay
    assert 4000 <= behaviour.end_message_milliseconds <= 6000
    learner.play(2)


def test_a_message_that_dims_a_page_is_closed() -> None:
    learner = Learner(page(drawn(dims=True)))
    assert learner.learn().end_message_key == "Escape"
    learner.play(2)


def test_a_game_that_is_no_page_gets_no_escape() -> None:
    game = drawn(dims=True)
    Learner(game).learn(LearnOptions(games=2))
    assert "Escape" not in game.desk.keys


@pytest.mark.parametrize("asks", ["Again", "OK"])
def test_the_button_of_a_message_is_found_and_used(asks: str) -> None:
    game = drawn(asks=asks, key_for_new="")
    learner = Learner(game)
    behaviour = learner.learn()
    assert behaviour.end_overlay
    assert len(behaviour.end_buttons) == 1
    before = game.played
    learner.play(3)
    assert game.played == before + 2


def test_what_the_game_shows_in_a_window_at_its_end_is_closed() -> None:
    learner = Learner(drawn(tells_in="Done"))
    (dialog,) = learner.learn().dialogs
    assert (dialog.title.pattern, dialog.when, dialog.keys) == ("^Done$", "ended", ("Escape",))
    learner.play(2)


def test_a_board_that_moves_without_end_once_it_has_ended_ends_its_game() -> None:
    learner = Learner(drawn(moves_on=True))
    assert learner.learn(LearnOptions(games=3)).new_game_key == "n"
    assert "over" in learner.findings.outcomes


def test_a_window_that_is_closed_for_good_leaves_what_was_known() -> None:
    class Closing(DrawnGame):
        def key(self, key: str) -> None:
            if key == "F2":
                self.desk.close()

    learner = Learner(Closing(4))
    with pytest.raises(WindowGone):
        learner.learn()
    assert learner.findings.behaviour.new_game_key is None
    assert learner.findings.games == 1


def test_a_window_that_stays_over_the_game_is_not_waited_for_for_ever() -> None:
    game = drawn()
    played = game.click

    def click(pixel: Pixel, button: Any) -> None:
        played(pixel, button)
        game.desk.covered = game.desk.rect

    game.desk.on_click = click
    learner = Learner(game)
    with pytest.raises(WindowCovered):
        learner.learn()
    assert len(game.desk.clicks) == 1


def test_what_moves_beside_a_board_does_not_keep_it_from_being_learnt() -> None:
    game = drawn()

    def tick() -> None:
        pixels = game.picture()
        pixels[:STRIP] = round(100 * game.desk.clock.now()) % 200
        game.desk.paint(pixels)

    game.desk.on_grab = tick
    learner = Learner(game)
    assert learner.learn(LearnOptions(games=3)).new_game_key == "n"
    learner.play(2)


def test_a_board_that_moves_all_the_time_is_given_up_with_the_cause() -> None:
    game = drawn()

    def move() -> None:
        game.shift = 1 - game.shift
        game.show()

    game.desk.on_grab = move
    with pytest.raises(WindowRestless, match=r"the board changes all the time, .* settings"):
        Learner(game).learn()
    assert not game.desk.clicks
