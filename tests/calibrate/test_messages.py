"""What a game shows over its own board when it has ended: no part of it, and answered."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from random import Random

import numpy as np
import pytest

from bot.actuator import Button
from bot.board import Cell
from bot.calibrate.buttons import message_buttons
from bot.calibrate.changes import lies_over, moved
from bot.calibrate.course import Learnt
from bot.calibrate.grid import discover
from bot.calibrate.run import Wishes
from bot.capture import Frame, Pixel
from bot.errors import UnreadableTile, WindowError
from bot.layout import Layout
from bot.play.result import Outcome, Settings
from bot.play.session import open_session
from bot.profile import SampleLook
from bot.stop import Stop
from tests.calibrate.table_game import TableGame
from tests.calibrate.test_run import _calibrated, _numbers, _profile


def _game(seed: int, *, late: bool) -> TableGame:
    game = TableGame(12, 10, 12, seed)
    game.key_for_new, game.asks, game.asks_late = "", "Play again", late
    game.desk.on_resize = None
    return game


@pytest.mark.parametrize("seed", [1, 4])
@pytest.mark.parametrize("late", [False, True])
def test_a_message_over_the_board_is_not_learnt_and_its_button_is(seed: int, *, late: bool) -> None:
    game = _game(seed, late=late)
    learnt = _calibrated(game, Wishes(None, 5), on_sleep=game.ask if late else lambda: None)
    assert game.played >= 3
    assert not game.over
    (button,) = learnt.conduct.end_buttons
    assert button.away < 0
    assert learnt.conduct.covers_end
    assert learnt.conduct.new_game_key is None
    assert learnt.conduct.new_game_button is None
    assert all((picture.open().pixels.max() < 250) for picture in learnt.pictures)
    ends = {cell for picture in learnt.pictures for cell in picture.cells} & {Cell.MINE}
    assert bool(ends) == late
    _profile(learnt)


@pytest.mark.parametrize("late", [False, True])
def test_such_a_game_is_played_board_after_board(*, late: bool) -> None:
    game = _game(1, late=late)
    learnt = _calibrated(game, Wishes(None, 6), on_sleep=game.ask if late else lambda: None)
    _plays(game, learnt)


def test_a_game_whose_words_stay_over_its_board_is_played_board_after_board() -> None:
    game = _game(1, late=False)
    game.asks, game.key_for_new = "Time: 81", "n"
    learnt = _calibrated(game, Wishes("n", 6))
    assert learnt.conduct.covers_end
    assert not learnt.conduct.end_buttons
    _plays(game, learnt)


def _plays(game: TableGame, learnt: Learnt) -> None:
    """Three boards, each of which ends as is told."""
    profile = replace(_profile(learnt), status=None, conduct=learnt.conduct)
    desk = game.desk
    played = []
    click = game.click

    def checked(pixel: Pixel, button: Button) -> None:
        before = game.over
        click(pixel, button)
        if game.over and not before:
            ends.append(Outcome.LOST if game.lost else Outcome.WON)

    ends: list[Outcome] = []
    desk.on_click = checked
    easy = (Layout.scattered(12, 10, 12, Random(number)) for number in count())
    layouts = (one for one in easy if _numbers(one) <= {Cell.EMPTY, Cell.ONE, Cell.TWO})
    with open_session(desk, desk.window, profile, Stop(), Settings(mines=12)) as session:
        for number in range(3):
            if number:
                game.ask()
                session.new_game()
            game.begin(next(layouts))
            played.append(session.play())
    assert [each.outcome for each in played] == ends
    assert all(each.hit_a_guess for each in played if each.outcome is Outcome.LOST)


def test_a_board_that_begins_by_a_button_over_it_is_learnt_and_played() -> None:
    game = _game(1, late=False)
    game.key_for_new, game.asks, game.starts = "n", "", "Start"
    learnt = _calibrated(game, Wishes(None, 5))
    assert game.played >= 4
    assert learnt.conduct.new_game_key == "n"
    assert len(learnt.conduct.end_buttons) == 1
    _plays(game, learnt)


def test_a_number_that_was_never_met_is_no_message() -> None:
    game = _game(1, late=False)
    learnt = _calibrated(game, Wishes(None, 4))
    few = [sample for sample in _profile(learnt).cells.samples if sample.cell != Cell.TWO]  # type: ignore[union-attr]
    profile = replace(
        _profile(learnt), status=None, conduct=learnt.conduct, cells=SampleLook(tuple(few))
    )
    with (
        open_session(game.desk, game.desk.window, profile, Stop(), Settings(mines=12)) as session,
        pytest.raises(UnreadableTile),
    ):
        session.play()
    assert not game.over


def test_nothing_is_clicked_for_a_message_that_does_not_come() -> None:
    game = _game(1, late=True)
    learnt = _calibrated(game, Wishes(None, 4), on_sleep=game.ask)
    profile = replace(_profile(learnt), status=None, conduct=learnt.conduct)
    desk = game.desk
    with open_session(desk, desk.window, profile, Stop(), Settings(mines=12)) as session:
        easy = (Layout.scattered(12, 10, 12, Random(number)) for number in count())
        game.begin(next(one for one in easy if _numbers(one) <= {Cell.EMPTY, Cell.ONE, Cell.TWO}))
        session.play()
        clicks = len(desk.clicks)
        with pytest.raises(WindowError, match="no new board comes"):
            session.new_game()
    assert len(desk.clicks) == clicks


def test_buttons_are_told_from_headings() -> None:
    game = _game(1, late=True)
    assert message_buttons(Frame(game.picture())) == []
    game.begin(Layout.scattered(12, 10, 18, Random(1)))
    assert game.game is not None
    game._open(min(game.game.layout.mines))
    game.ask()
    (at,) = message_buttons(Frame(game.picture()))
    assert game.button.holds(at)


def test_a_board_that_went_down_by_a_line_is_followed() -> None:
    game = TableGame(9, 9, 10, 2)
    before = game.picture()
    _, grid = discover(Frame(before))
    game.click(Pixel(35, 49), Button.LEFT)
    opened = sorted(game.game.opened) if game.game else []
    shown = game.picture()
    lower = np.full_like(shown, 240)
    lower[17:] = shown[:-17]
    assert moved(Frame(shown), Frame(lower), grid, opened) == grid.moved(0, 17)
    assert moved(Frame(shown), Frame(shown), grid, opened) is None
    assert moved(Frame(shown), Frame(before), grid, opened) is None


def test_other_colours_are_no_message() -> None:
    before = [0, 1, 1, 1, 2, 2, 2, 3, 0, 0]
    opened = range(1, 8)
    dimmed = [look + 10 for look in before]
    assert not lies_over(before, dimmed, opened, 10)
    assert lies_over(before, [10, 11, 14, 15, 16, 12, 17, 13, 10, 10], opened, 10)
    assert lies_over(before, [0] * 10, opened, 10), "another page"
