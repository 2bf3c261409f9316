"""What is found out of a game by playing it, and whether it can be played by that."""

from __future__ import annotations

from typing import Any

import pytest

from minebot.capture import Pixel
from minebot.errors import (
    GridNotFound,
    NotTurnedBack,
    Stopped,
    WindowCovered,
    WindowError,
    WindowGone,
)
from minebot.learn.new_game import find_new_game
from minebot.learn.run import LearnOptions
from minebot.learn.window import GameWindow
from minebot.play.result import Outcome
from minebot.play.unknown_game import profile_at_first_sight
from minebot.profile import Behaviour
from minebot.stop import Stop
from minebot.vision.first_sight_reader import FirstSightReader
from tests.learn.drawn_game import LEFT, SIDE, STRIP, TOP, DrawnGame
from tests.learn.learner import Learner, page


def _game(seed: int = 4, **says: Any) -> DrawnGame:
    """A game that behaves so; the attributes are those of `DrawnGame`."""
    for name in says:
        assert hasattr(DrawnGame, name)
    return type("Game", (DrawnGame,), says)(seed)


# -- flags


@pytest.mark.parametrize("held", ["ctrl", "shift", "alt"])
def test_flags_that_are_set_with_a_key_held_are_found_and_used(held: str) -> None:
    game = _game(flags_with=held, flags_to_win=True)
    learner = Learner(game)
    behaviour = learner.learn()
    assert (behaviour.flags, behaviour.flag_modifier) == (True, held)
    assert any(result.flags for result in learner.play(2))


def test_a_right_click_is_tried_first_and_on_a_mine() -> None:
    game = _game(flags_stay=True)
    learner = Learner(game)
    behaviour = learner.learn()
    assert (behaviour.flags, behaviour.flag_modifier, behaviour.flag_button) == (True, None, None)
    assert not any(game.desk.holds)


def test_a_flag_that_is_drawn_late_is_seen() -> None:
    assert Learner(_game(flags_late=0.5)).learn().flags


def test_a_game_without_flags_is_played_without_them() -> None:
    learner = Learner(_game(takes_flags=False))
    behaviour = learner.learn()
    assert (behaviour.flags, behaviour.flags_to_win) == (False, False)
    assert not any(result.flags for result in learner.play(2))


@pytest.mark.parametrize("back", ["", "Dig"])
def test_a_button_that_has_clicks_flag_is_found_by_its_word_and_used(back: str) -> None:
    says = {"takes_flags": False, "flag_button": "Flag", "open_button": back}
    learner = Learner(_game(**says, flags_to_win=True))
    behaviour = learner.learn()
    assert behaviour.flag_button is not None
    assert (behaviour.flag_button.back is not None) == bool(back)
    assert any(result.flags for result in learner.play(2))


def test_a_button_that_says_nothing_of_flags_may_be_pointed_at() -> None:
    says = {"takes_flags": False, "flag_button": "Abc"}
    assert not Learner(_game(**says)).learn(LearnOptions(games=3)).flags
    at = Pixel(LEFT + 50, 24)
    behaviour = Learner(_game(**says)).learn(LearnOptions(games=3, flag_button=at))
    assert behaviour.flag_button is not None


def test_a_button_that_has_one_click_flag_alone_is_left_alone() -> None:
    learner = Learner(_game(takes_flags=False, flag_button="Flag", flags_once=True))
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


@pytest.mark.parametrize("way", ["right", "ctrl", "alt", "none"])
def test_how_flags_are_set_may_be_said_and_nothing_else_is_tried(way: str) -> None:
    held = way if way in ("ctrl", "alt") else None
    game = _game(flags_with=held or "", takes_flags=way != "none")
    behaviour = Learner(game).learn(LearnOptions(games=3, flag_way=way))
    assert (behaviour.flags, behaviour.flag_modifier) == (way != "none", held)
    assert set(game.desk.holds) <= {None, held}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_that_all_mines_have_to_be_flagged_is_found_out_and_done(seed: int) -> None:
    learner = Learner(_game(seed, flags_to_win=True))
    behaviour = learner.learn()
    assert behaviour.flags_to_win
    assert [dialog.title.pattern for dialog in behaviour.dialogs] == ["^Won$"]
    won = [result for result in learner.play(3) if result.outcome is Outcome.WON]
    assert all(result.flags for result in won)


@pytest.mark.parametrize("says", [{}, {"takes_flags": False}, {"again_at_once": True}])
def test_no_other_game_is_taken_for_one_of_these(says: dict[str, Any]) -> None:
    assert not Learner(_game(1, **says)).learn().flags_to_win


def test_a_counter_of_the_mines_left_is_found_once_flags_are_set() -> None:
    learner = Learner(_game(counts=True))
    learner.learn()
    counter = learner.findings.counter
    assert counter is not None
    assert (counter.kind, counter.at.side) == ("segments", "above")
    assert learner.findings.status is None


# -- clicks


def test_a_first_click_that_may_lose_is_seen_to() -> None:
    assert Learner(_game(first_is_safe=False)).learn().first_click_may_lose


def test_first_clicks_that_always_open_an_area_are_no_chance() -> None:
    assert not Learner(_game(first_opens=True)).learn().first_click_may_lose


@pytest.mark.parametrize("otherwise", ["asks_for_buttons", "pointer_before"])
def test_a_game_that_misses_short_clicks_is_given_longer_ones(otherwise: str) -> None:
    says = {otherwise: True if otherwise == "asks_for_buttons" else Pixel(200, 300)}
    learner = Learner(_game(**says))
    assert learner.learn().press_milliseconds == 100
    learner.play(2)


def test_a_game_that_loses_clicks_which_follow_each_other_gets_one_at_a_time() -> None:
    learner = Learner(_game(last_click_alone=True))
    assert learner.learn().wait_for_each_click
    learner.play(2)


def test_a_tile_that_is_drawn_larger_below_the_pointer_is_left_before_each_look() -> None:
    learner = Learner(_game(grows=True))
    assert learner.learn().park_after_click
    learner.play(2)


# -- the end


@pytest.mark.thorough
def test_a_message_that_goes_again_is_waited_for() -> None:
    learner = Learner(_game(message_seconds=5.0))
    behaviour = learner.learn()
    assert behaviour.end_overlay
    assert 4000 <= behaviour.end_message_milliseconds <= 6000
    learner.play(2)


def test_a_message_that_dims_a_page_is_closed() -> None:
    learner = Learner(page(_game(dims=True)))
    assert learner.learn().end_message_key == "Escape"
    learner.play(2)


def test_a_game_that_is_no_page_gets_no_escape() -> None:
    game = _game(dims=True)
    Learner(game).learn(LearnOptions(games=2))
    assert "Escape" not in game.desk.keys


@pytest.mark.parametrize("asks", ["Again", pytest.param("OK", marks=pytest.mark.thorough)])
def test_the_button_of_a_message_is_found_and_used(asks: str) -> None:
    game = _game(asks=asks, key_for_new="")
    learner = Learner(game)
    behaviour = learner.learn()
    assert behaviour.end_overlay
    assert len(behaviour.end_buttons) == 1
    before = game.played
    learner.play(3)
    assert game.played == before + 2


def test_what_the_game_shows_in_a_window_at_its_end_is_closed() -> None:
    learner = Learner(_game(tells_in="Done"))
    (dialog,) = learner.learn().dialogs
    assert (dialog.title.pattern, dialog.when, dialog.keys) == ("^Done$", "ended", ("Escape",))
    learner.play(2)


@pytest.mark.thorough
def test_a_board_that_moves_without_end_once_it_has_ended_ends_its_game() -> None:
    learner = Learner(_game(moves_on=True))
    assert learner.learn(LearnOptions(games=3)).new_game_key == "n"
    assert "over" in learner.findings.outcomes


# -- new boards


@pytest.mark.parametrize("seed", [1, 2])
def test_a_key_for_a_new_board_is_found(seed: int) -> None:
    learner = Learner(_game(seed))
    assert learner.learn().new_game_key == "n"
    assert "a new board comes by the key n" in learner.told
    assert not learner.game.over


@pytest.mark.parametrize("gives_up", [False, True])
def test_a_face_that_brings_a_new_board_is_found_and_used(*, gives_up: bool) -> None:
    game = _game(key_for_new="", has_face=True, gives_up_first=gives_up)
    learner = Learner(game)
    button = learner.learn().new_game_button
    assert button is not None
    board = Pixel(LEFT + 9 * SIDE // 2, TOP)
    assert game.face.holds(Pixel(board.x, TOP - round(button.away * SIDE)))
    learner.play(2)


def test_a_word_on_a_button_is_found() -> None:
    game = _game(key_for_new="", word_for_new="Restart")
    button = Learner(game).learn().new_game_button
    assert button is not None
    assert TOP - button.away * SIDE < STRIP


def test_a_click_of_the_board_that_has_ended_may_bring_the_next() -> None:
    behaviour = Learner(_game(key_for_new="", again_by_board=True)).learn(LearnOptions(games=4))
    assert behaviour.new_game_button is not None
    assert behaviour.new_game_button.away < 0


def test_a_new_board_that_comes_by_itself_is_the_next() -> None:
    game = _game(again_at_once=True)
    learner = Learner(game)
    assert learner.learn().auto_restart
    assert not game.desk.keys
    learner.play(3)


def test_a_board_that_begins_by_a_button_over_it_is_found() -> None:
    learner = Learner(_game(starts="Play"))
    behaviour = learner.learn()
    assert behaviour.new_game_key == "n"
    assert len(behaviour.end_buttons) == 1


def test_a_page_without_a_button_is_loaded_anew_and_its_alert_closed() -> None:
    learner = Learner(page(_game(key_for_new="F5", alerts=True)))
    behaviour = learner.learn()
    assert (behaviour.new_game_key, behaviour.end_message_key) == ("F5", "Escape")
    learner.play(2)


def test_the_question_whether_to_give_a_game_up_is_answered() -> None:
    (dialog,) = Learner(_game(asks_to_give_up="Really?")).learn().dialogs
    assert (dialog.title.pattern, dialog.when) == (r"^Really\?$", "new_game")


@pytest.mark.parametrize("key", ["n", None])
def test_the_next_board_may_come_in_another_window(key: str | None) -> None:
    learner = Learner(_game(new_windows=True))
    assert learner.learn(LearnOptions(key=key, games=3)).new_game_key == "n"
    assert "it goes on in another window" in learner.told


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


@pytest.mark.parametrize("at", [Pixel(LEFT + 50, 24), Pixel(LEFT + 200, 24)])
def test_the_user_may_say_where_a_click_brings_a_new_board(at: Pixel) -> None:
    game = _game(key_for_new="", word_for_new="Abc")
    learner = Learner(game)
    is_there = game.buttons[0].holds(at)
    if is_there:
        assert learner.learn(LearnOptions(games=2, button=at)).new_game_button is not None
    else:
        with pytest.raises(WindowError, match="no new board comes by its button"):
            learner.learn(LearnOptions(games=2, button=at))
    assert bool(game.played) == is_there


def test_where_nothing_brings_a_board_the_user_is_asked() -> None:
    learner = Learner(_game(key_for_new=""))
    learner.learn()
    assert learner.asked == [
        "open a new board of the same size in the game (--new-game-at X,Y tells where to click "
        "for one)"
    ]


def test_without_leave_no_key_is_tried() -> None:
    game = _game()
    learner = Learner(game)
    learner.learn(LearnOptions(finds=False))
    assert learner.asked
    assert not game.desk.keys


# -- what may go wrong


def test_it_stops_at_the_first_click_after_it_is_told_to() -> None:
    game = _game()
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


def test_a_window_without_a_board_is_refused() -> None:
    game = _game()
    game.desk.paint(game.picture() * 0 + 200)
    with pytest.raises(GridNotFound, match="no board can be read"):
        Learner(game).learn()
    assert not game.desk.clicks


def test_a_window_that_stays_over_the_game_is_not_waited_for_for_ever() -> None:
    game = _game()
    played = game.click

    def click(pixel: Pixel, button: Any) -> None:
        played(pixel, button)
        game.desk.covered = game.desk.rect

    game.desk.on_click = click
    learner = Learner(game)
    with pytest.raises(WindowCovered):
        learner.learn()
    assert len(game.desk.clicks) == 1


def test_a_board_that_has_ended_is_not_played() -> None:
    game = _game()
    game.click(Pixel(LEFT + 4 * SIDE, TOP + 4 * SIDE), None)  # type: ignore[arg-type]
    assert game.game is not None
    game.game.open(min(game.game.layout.mines))
    game.show()
    learner = Learner(game)
    learner.learn(LearnOptions(games=3))
    assert learner.told[1].startswith("game 1: not understood: the board is not fresh")
    assert learner.findings.behaviour.new_game_key == "n"


@pytest.mark.parametrize("asks", ["", "Again"])
def test_what_brings_a_board_is_found_between_two_games_that_are_played(asks: str) -> None:
    game = _game(asks=asks, key_for_new="" if asks else "n")
    with game.desk.open(game.desk.window, Stop()) as window_session:
        reader = FirstSightReader(profile_at_first_sight(game.desk.window))
        window = GameWindow(window_session, reader)
        began = window.look()
        assert began is not None
        window.click(40)
        last = window.look()
        assert game.game is not None
        window.click(min(game.game.layout.mines))
        behaviour = find_new_game(window_session, reader, Behaviour(), last, began.frame)
    assert (behaviour.new_game_key, len(behaviour.end_buttons)) == ((None, 1) if asks else ("n", 0))
    assert game.played == 1
    assert game.game is None


def test_where_nothing_brings_a_board_between_two_games_it_says_so() -> None:
    game = _game(key_for_new="")
    with game.desk.open(game.desk.window, Stop()) as window_session:
        reader = FirstSightReader(profile_at_first_sight(game.desk.window))
        window = GameWindow(window_session, reader)
        window.look()
        window.click(40)
        last = window.look()
        assert game.game is not None
        window.click(min(game.game.layout.mines))
        with pytest.raises(WindowError, match="nothing that was tried brings a new board"):
            find_new_game(window_session, reader, Behaviour(), last, None)
