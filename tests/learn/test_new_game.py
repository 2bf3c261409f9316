"""What brings a new board is found by trying."""

from __future__ import annotations

import pytest

from minebot.capture import Pixel
from minebot.errors import (
    WindowError,
)
from minebot.learn.findings import Findings
from minebot.learn.new_game import find_new_game
from minebot.learn.run import LearnOptions
from minebot.learn.window import GameWindow
from minebot.play.identify import profile_at_first_sight
from minebot.profile import Behaviour
from minebot.stop import Stop
from minebot.vision.first_sight_reader import FirstSightReader
from tests.learn.drawn_game import LEFT, SIDE, STRIP, TOP, DrawnGame
from tests.learn.learner import Learner, page
from tests.learn.made_games import drawn

pytestmark = pytest.mark.thorough

# -- new boards


@pytest.mark.parametrize("seed", [1, 2])
def test_a_key_for_a_new_board_is_found(seed: int) -> None:
    learner = Learner(drawn(seed))
    assert learner.learn().new_game_key == "n"
    assert "a new board comes by the key n" in learner.told
    assert not learner.game.over


@pytest.mark.parametrize("gives_up", [False, True])
def test_a_face_that_brings_a_new_board_is_found_and_used(*, gives_up: bool) -> None:
    game = drawn(key_for_new="", has_face=True, gives_up_first=gives_up)
    learner = Learner(game)
    button = learner.learn().new_game_button
    assert button is not None
    board = Pixel(LEFT + 9 * SIDE // 2, TOP)
    assert game.face.holds(Pixel(board.x, TOP - round(button.away * SIDE)))
    learner.play(2)


def test_a_word_on_a_button_is_found() -> None:
    game = drawn(key_for_new="", word_for_new="Restart")
    button = Learner(game).learn().new_game_button
    assert button is not None
    assert TOP - button.away * SIDE < STRIP


def test_a_click_of_the_board_that_has_ended_may_bring_the_next() -> None:
    behaviour = Learner(drawn(key_for_new="", again_by_board=True)).learn(LearnOptions(games=4))
    assert behaviour.new_game_button is not None
    assert behaviour.new_game_button.away < 0


def test_a_new_board_that_comes_by_itself_is_the_next() -> None:
    game = drawn(again_at_once=True)
    learner = Learner(game)
    assert learner.learn().auto_restart
    assert not game.desk.keys
    learner.play(3)


def test_a_board_that_begins_by_a_button_over_it_is_found() -> None:
    learner = Learner(drawn(starts="Play"))
    behaviour = learner.learn()
    assert behaviour.new_game_key == "n"
    assert len(behaviour.end_buttons) == 1


def test_a_page_without_a_button_is_loaded_anew_and_its_alert_closed() -> None:
    learner = Learner(page(drawn(key_for_new="F5", alerts=True)))
    behaviour = learner.learn()
    assert (behaviour.new_game_key, behaviour.end_message_key) == ("F5", "Escape")
    learner.play(2)


def test_the_question_whether_to_give_a_game_up_is_answered() -> None:
    (dialog,) = Learner(drawn(asks_to_give_up="Really?")).learn().dialogs
    assert (dialog.title.pattern, dialog.when) == (r"^Really\?$", "new_game")


@pytest.mark.parametrize("key", ["n", None])
def test_the_next_board_may_come_in_another_window(key: str | None) -> None:
    learner = Learner(drawn(new_windows=True))
    assert learner.learn(LearnOptions(key=key, games=3)).new_game_key == "n"
    assert "it goes on in another window" in learner.told


@pytest.mark.parametrize("at", [Pixel(LEFT + 50, 24), Pixel(LEFT + 200, 24)])
def test_the_user_may_say_where_a_click_brings_a_new_board(at: Pixel) -> None:
    game = drawn(key_for_new="", word_for_new="Abc")
    learner = Learner(game)
    is_there = game.buttons[0].holds(at)
    if is_there:
        assert learner.learn(LearnOptions(games=2, button=at)).new_game_button is not None
    else:
        with pytest.raises(WindowError, match="no new board comes by its button"):
            learner.learn(LearnOptions(games=2, button=at))
    assert bool(game.played) == is_there


def test_where_nothing_brings_a_board_the_user_is_asked() -> None:
    learner = Learner(drawn(key_for_new=""))
    learner.learn()
    assert learner.asked == [
        "open a new board of the same size in the game (--new-game-at X,Y tells where to click "
        "for one)"
    ]


def test_without_leave_no_key_is_tried() -> None:
    game = drawn()
    learner = Learner(game)
    learner.learn(LearnOptions(finds=False))
    assert learner.asked
    assert not game.desk.keys


# -- between two games that are played


def _found(game: DrawnGame, press_milliseconds: int = 0) -> Behaviour:
    """What is found of a game that is lost."""
    profile = profile_at_first_sight(game.desk.window)
    behaviour = profile.behaviour.changed(press_milliseconds=press_milliseconds)
    with game.desk.open(game.desk.window, Stop()) as window_session:
        reader = FirstSightReader(profile.changed(behaviour=behaviour))
        window = GameWindow.opened(window_session, reader, Findings(behaviour))
        began = window.view
        window.click(40)
        last = window.look()
        assert last is not None
        assert game.game is not None
        window.click(min(game.game.layout.mines))
        return find_new_game(window_session, reader, last, began)


@pytest.mark.parametrize("asks", ["", "Again"])
def test_what_brings_a_board_is_found_between_two_games_that_are_played(asks: str) -> None:
    game = drawn(asks=asks, key_for_new="" if asks else "n")
    behaviour = _found(game)
    assert (behaviour.new_game_key, len(behaviour.end_buttons)) == ((None, 1) if asks else ("n", 0))
    assert game.played == 1
    assert game.game is None


def test_where_nothing_brings_a_board_between_two_games_it_says_so() -> None:
    with pytest.raises(WindowError, match="nothing that was tried brings a new board"):
        _found(drawn(key_for_new=""))


def test_a_game_that_misses_short_clicks_gets_longer_ones_between_two_games_too() -> None:
    game = drawn(key_for_new="", has_face=True, asks_for_buttons=True)
    behaviour = _found(game, press_milliseconds=100)
    assert behaviour.new_game_button is not None
    assert behaviour.press_milliseconds == 100
    assert game.played == 1
