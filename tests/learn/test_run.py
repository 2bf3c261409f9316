"""Learning a game from its first click to its last."""

from __future__ import annotations

import pytest

from minebot.capture import Pixel
from minebot.errors import (
    GridNotFound,
)
from minebot.learn.run import LearnOptions
from tests.learn.drawn_game import LEFT, SIDE, TOP
from tests.learn.learner import Learner
from tests.learn.made_games import drawn


def test_a_counter_of_the_mines_left_is_found_once_flags_are_set() -> None:
    learner = Learner(drawn(counts=True))
    learner.learn()
    counter = learner.findings.counter
    assert counter is not None
    assert (counter.kind, counter.at.side) == ("segments", "above")
    assert not learner.findings.behaviour.four_neighbour_flood, "its corners open too"
    assert learner.findings.status is None


def test_a_window_without_a_board_is_refused() -> None:
    game = drawn()
    game.desk.paint(game.picture() * 0 + 200)
    with pytest.raises(GridNotFound, match="no board can be read"):
        Learner(game).learn()
    assert not game.desk.clicks


def test_a_board_that_has_ended_is_not_played() -> None:
    game = drawn()
    game.click(Pixel(LEFT + 4 * SIDE, TOP + 4 * SIDE), None)
    assert game.game is not None
    game.game.open(min(game.game.layout.mines))
    game.show()
    learner = Learner(game)
    learner.learn(LearnOptions(games=3))
    assert learner.told[1].startswith("game 1: not understood: the board is not fresh")
    assert learner.findings.behaviour.new_game_key == "n"
