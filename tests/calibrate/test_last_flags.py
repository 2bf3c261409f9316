"""Games that are won only once all mines are flagged, and games that are not."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.actuator import Button
from bot.board import Cell
from bot.calibrate.course import Course
from bot.calibrate.evidence import Knowledge
from bot.calibrate.run import Wishes
from bot.capture import Pixel, Rect
from tests.calibrate.table_game import TableGame
from tests.calibrate.test_run import _calibrated, _plays


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_that_all_mines_have_to_be_flagged_is_found_out_and_done(seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    # Nothing but a game that has ended brings another board.
    game.flags_to_win, game.desk.on_resize, game.key_for_new = True, None, ""
    game.again_by_board = True
    learnt = _calibrated(game, Wishes(None, 8), seed=seed)
    assert game.played > 2
    assert learnt.conduct.flags_to_win
    _plays(game, learnt)


class _Unflagged(TableGame):
    """It does not flag its mines when it is won."""

    def cell(self, square: int) -> Cell | str:
        shown = super().cell(square)
        return Cell.HIDDEN if shown is Cell.FLAG and square not in self.marks else shown


@pytest.mark.parametrize("seed", [1, 2])
def test_the_menu_that_a_browser_shows_over_a_game_that_has_ended_is_closed(seed: int) -> None:
    game, menus = _Unflagged(9, 9, 10, seed), 0
    game.desk.window = replace(game.desk.window, app_ids=("firefox-esr", "Navigator"))

    def click(pixel: Pixel, button: Button) -> None:
        nonlocal menus
        if game.over and button is Button.RIGHT:
            menus += 1
            game.desk.covered = Rect(0, 0, 2000, 2000)
        else:
            game.click(pixel, button)

    def key(pressed: str) -> None:
        if game.desk.covered is None:
            game.key(pressed)
        elif pressed == "Escape":
            game.desk.covered = None

    game.desk.on_click, game.desk.on_key = click, key
    learnt = _calibrated(game, Wishes("n", 6), seed=seed)
    assert menus
    assert game.played > 3
    assert not learnt.conduct.flags_to_win


@pytest.mark.parametrize("otherwise", ["", "again_by_board", "takes_flags", "flags_stay"])
@pytest.mark.parametrize("seed", [1, 2])
def test_no_other_game_is_taken_for_one_of_these(seed: int, otherwise: str) -> None:
    game = TableGame(9, 9, 10, seed)
    if otherwise:
        setattr(game, otherwise, not getattr(game, otherwise))
    course = Course(Knowledge(Random(seed)))
    assert not _calibrated(game, Wishes("n", 6), course=course).conduct.flags_to_win
