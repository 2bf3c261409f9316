"""A game that shows each of its boards in a window of its own is learnt and played all the same."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from random import Random

import pytest

from bot.actuator import Button
from bot.board import Cell
from bot.calibrate.course import Course
from bot.calibrate.evidence import Knowledge
from bot.calibrate.run import Wishes, calibrate_window
from bot.calibrate.window import Timing
from bot.capture import Pixel
from bot.cli.play import played
from bot.errors import WindowGone
from bot.play.result import Outcome
from bot.profile import Profile
from bot.stop import Stop
from tests.calibrate.table_game import FakeClock, TableGame
from tests.calibrate.test_run import _calibrated, _profile, _user

ARGUMENTS = Namespace(games=4, no_flags=False, mines=10, json=False)


def _game(seed: int) -> TableGame:
    game = TableGame(9, 9, 10, seed)
    game.new_windows, game.desk.on_resize = True, None
    return game


def _known(seed: int) -> Profile:
    learnt = _calibrated(_game(seed), Wishes("n", 8), seed=seed)
    return replace(_profile(learnt), status=None, conduct=learnt.conduct)


@pytest.mark.parametrize("key", ["n", None])
def test_the_next_board_is_learnt_in_its_window(key: str | None) -> None:
    game, course = _game(1), Course(Knowledge(Random(7)))
    learnt = _calibrated(game, Wishes(key, 4), course=course)
    assert course.games == 4
    assert game.desk.opened >= 4
    assert learnt.conduct.new_game_key == "n"
    assert {Cell.EMPTY, Cell.ONE, Cell.TWO, Cell.FLAG} <= set(learnt.sure)


def test_a_window_that_is_closed_for_good_leaves_what_was_known() -> None:
    game, course = _game(1), Course(Knowledge(Random(7)))
    game.desk.on_key = lambda _: game.desk.close()
    with pytest.raises(WindowGone):
        calibrate_window(
            game.desk,
            game.desk.window,
            Wishes(None, 4),
            _user(),
            course,
            clock=FakeClock,
            timing=Timing(quiet=0),
            shares=(),
        )
    assert course.games == 1
    # What has closed it brings no board.
    assert course.conduct.new_game_key is None


def test_a_game_that_closes_its_window_at_the_end_teaches_all_but_that() -> None:
    game, course = _game(1), Course(Knowledge(Random(7)))
    game.key_for_new, click = "", game.click

    def clicked(pixel: Pixel, button: Button) -> None:
        click(pixel, button)
        if game.over:
            game._again()

    game.desk.on_click = clicked
    _calibrated(game, Wishes(None, 4), course=course)
    assert course.games == 4
    assert len(course.learnt().pictures) > 8


@pytest.mark.parametrize("at_once", [False, True])
def test_board_after_board_is_played(*, at_once: bool, capsys: pytest.CaptureFixture[str]) -> None:
    game, profile = _game(2), _known(2)
    click = game.click

    def clicked(pixel: Pixel, button: Button) -> None:
        click(pixel, button)
        if game.over and at_once:
            game._again()

    game.desk.on_click = clicked
    stop = Stop()
    with played(game.desk, game.desk.window, profile, stop, ARGUMENTS, recording=None) as session:
        games = session.games
    assert len(games) == 4
    assert Outcome.WON in {game.outcome for game in games}
    for each in games:
        assert each.outcome is Outcome.WON or each.hit_a_guess or "closed" in each.reason
    assert "it goes on in another window" in capsys.readouterr().err


def test_a_window_that_the_user_closes_ends_it() -> None:
    game, profile = _game(2), _known(2)
    count, click = [0], game.click

    def clicked(pixel: Pixel, button: Button) -> None:
        click(pixel, button)
        count[0] += 1
        if count[0] == 3:
            game.desk.close()

    game.desk.on_click = clicked
    with (
        pytest.raises(WindowGone),
        played(game.desk, game.desk.window, profile, Stop(), ARGUMENTS, recording=None),
    ):
        pass
    assert count[0] == 3
