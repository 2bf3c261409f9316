"""What clicks do to an unknown game."""

from __future__ import annotations

from typing import Any

import pytest

from minebot.capture import Pixel
from minebot.errors import Stopped
from minebot.layout import Layout
from minebot.learn.run import LearnOptions
from tests.learn.learner import Learner
from tests.learn.made_games import drawn

pytestmark = pytest.mark.thorough

# -- clicks


def test_a_first_click_that_may_lose_is_seen_to() -> None:
    assert Learner(drawn(first_is_safe=False)).learn().first_click_may_lose


def test_first_clicks_that_always_open_an_area_are_no_chance() -> None:
    assert not Learner(drawn(first_opens=True)).learn().first_click_may_lose


@pytest.mark.parametrize("otherwise", ["asks_for_buttons", "pointer_before"])
def test_a_game_that_misses_short_clicks_is_given_longer_ones(otherwise: str) -> None:
    says = {otherwise: True if otherwise == "asks_for_buttons" else Pixel(200, 300)}
    learner = Learner(drawn(**says))
    assert learner.learn().press_milliseconds == 100
    learner.play(2)


def test_a_game_that_loses_clicks_which_follow_each_other_gets_one_at_a_time() -> None:
    learner = Learner(drawn(last_click_alone=True))
    assert learner.learn().wait_for_each_click
    learner.play(2)


def test_a_tile_that_is_drawn_larger_below_the_pointer_is_left_before_each_look() -> None:
    learner = Learner(drawn(grows=True))
    assert learner.learn().park_after_click
    learner.play(2)


# -- how games end


@pytest.mark.parametrize(
    "says", [{"flags_mines": True}, {"writes_on_hit": "8"}], ids=["as flags", "unread"]
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_lost_game_that_shows_no_mines_is_not_won(seed: int, says: dict[str, Any]) -> None:
    game = drawn(seed, **says)
    truth = []

    class Told(list[str]):
        def append(self, line: str) -> None:
            super().append(line)
            truth.append(game.lost)

    learner = Learner(game, told=Told())
    learner.learn()
    ends = [(line, lost) for line, lost in zip(learner.told, truth, strict=True) if "game" in line]
    assert any(line.endswith(": lost") and lost for line, lost in ends)
    assert not any(line.endswith(": won") and lost for line, lost in ends)


@pytest.mark.parametrize(
    ("written", "flag_way"), [("8", "none"), ("A", None)], ids=["unread", "like a flag"]
)
def test_a_last_guess_that_shows_no_number_has_not_won(written: str, flag_way: str | None) -> None:
    game = drawn(writes_on_hit=written)
    game.begin(Layout(9, 9, frozenset({65, 72, 74})))  # One of the corner and the cell beside it.
    learner = Learner(game)
    learner.learn(LearnOptions(games=1, flag_way=flag_way))
    assert learner.told[-1] == "game 1: over"


# -- what may go wrong


def test_it_stops_at_the_first_click_after_it_is_told_to() -> None:
    game = drawn()
    learner = Learner(game)
    played = game.click

    def click(pixel: Pixel, button: Any) -> None:
        played(pixel, button)
        if len(game.desk.clicks) == 5:
            learner.stop.request("Esc was pressed")

    game.desk.on_click = click
    with pytest.raises(Stopped):
        learner.learn()
    assert len(game.desk.clicks) == 5
