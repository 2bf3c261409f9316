"""What an unknown game shows on its board and beside it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from minebot.board import Board, Cell
from minebot.capture import Frame, Pixel
from minebot.errors import (
    WindowCovered,
    WindowGone,
    WindowRestless,
)
from minebot.learn.run import LearnOptions
from minebot.learn.window import LIT, disturbed, flagged, hidden, is_covered, is_dimmed, is_new
from minebot.play.observer import Observation
from minebot.vision.grid import Grid
from minebot.vision.reading import Reading
from minebot.vision.tiles import TileReading
from tests.learn.drawn_game import STRIP, DrawnGame
from tests.learn.learner import Learner, page
from tests.learn.made_games import drawn

# -- the end


@pytest.mark.thorough
def test_a_message_that_goes_again_is_waited_for() -> None:
    learner = Learner(drawn(message_seconds=5.0))
    behaviour = learner.learn()
    assert behaviour.end_overlay
    assert 4000 <= behaviour.end_message_milliseconds <= 6000
    learner.play(2)


@pytest.mark.thorough
def test_a_message_that_dims_a_page_is_closed() -> None:
    learner = Learner(page(drawn(dims=True)))
    assert learner.learn().end_message_key == "Escape"
    learner.play(2)


@pytest.mark.thorough
def test_a_game_that_is_no_page_gets_no_escape() -> None:
    game = drawn(dims=True)
    Learner(game).learn(LearnOptions(games=2))
    assert "Escape" not in game.desk.keys


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_what_the_game_shows_in_a_window_at_its_end_is_closed() -> None:
    learner = Learner(drawn(tells_in="Done"))
    (dialog,) = learner.learn().dialogs
    assert (dialog.title.pattern, dialog.when, dialog.keys) == ("^Done$", "ended", ("Escape",))
    learner.play(2)


@pytest.mark.thorough
def test_a_board_that_moves_without_end_once_it_has_ended_ends_its_game() -> None:
    learner = Learner(drawn(moves_on=True))
    assert learner.learn(LearnOptions(games=3)).new_game_key == "n"
    assert "over" in learner.findings.outcomes


@pytest.mark.thorough
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


@pytest.mark.thorough
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


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_a_board_that_moves_all_the_time_is_given_up_with_the_cause() -> None:
    game = drawn()

    def move() -> None:
        game.shift = 1 - game.shift
        game.show()

    game.desk.on_grab = move
    with pytest.raises(WindowRestless, match=r"the board changes all the time, .* settings"):
        Learner(game).learn()
    assert not game.desk.clicks


def view(rows: str, unread: frozenset[int] = frozenset(), light: int = 0) -> Observation:
    """A board in which each label is drawn in one grey, `light` levels lighter."""
    board = Board.parse(rows)
    greys = np.array(list(board.cells), np.uint8).reshape(board.height, board.width) * 10 + light
    for number, square in enumerate(sorted(unread)):
        greys.flat[square] = 200 + number
    pixels = np.repeat(greys.repeat(10, axis=0).repeat(10, axis=1)[..., None], 4, axis=2)
    tiles = [
        TileReading(None if square in unread else Cell(cell))
        for square, cell in enumerate(board.cells)
    ]
    frame = Frame(np.ascontiguousarray(pixels))
    grid = Grid.regular(frame.bounds, 10, 10, frame.bounds)
    return Observation(frame, Reading.of(grid, tiles, None), 0.0, 0.0)


BEFORE = view("?????\n?111?\n?1011")


def test_open_and_covered_cells_are_told_apart() -> None:
    some = view("?????\n?111?\nF1011", unread=frozenset({0}))
    assert some.board.opened == {6, 7, 8, 11, 12, 13, 14}
    assert hidden(some) == {1, 2, 3, 4, 5, 9}
    assert flagged(some) == {10}


def test_what_lies_over_open_cells_covers_the_board() -> None:
    same = view("?????\n?111?\n?1011")
    covered = view("?????\n?????\n?1011")
    assert not is_covered(BEFORE, same)
    assert disturbed(BEFORE, covered) == 3 > LIT
    assert is_covered(BEFORE, covered)


def test_a_board_that_is_drawn_darker_and_reads_the_same_is_dimmed() -> None:
    assert is_dimmed(BEFORE, view("?????\n?111?\n?1011", light=60))
    assert not is_dimmed(BEFORE, BEFORE)


def test_a_board_of_another_size_is_another_one() -> None:
    smaller = view("????\n????")
    assert is_dimmed(BEFORE, smaller)
    assert is_covered(BEFORE, smaller)


@pytest.mark.parametrize(
    ("rows", "new"),
    [("?????\n?????\n?????", True), ("?????\n1111?\n?1011", False), ("0001?\n0001?\n0001?", True),
     ("???*?\n?111?\n?1011", False)],
)  # fmt: skip
def test_a_new_board_is_fresh_or_does_not_follow_from_the_last(rows: str, *, new: bool) -> None:
    assert is_new(view(rows), BEFORE.board) is new
