"""Lines that a game draws along what is open are no part of what a covered square looks like."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from bot.board import Cell
from bot.calibrate.course import Course
from bot.calibrate.evidence import Knowledge
from bot.calibrate.outlines import outline
from bot.calibrate.run import Wishes, calibrate_window
from bot.calibrate.window import Timing
from bot.capture import Frame, Rect
from bot.vision.grid import Grid
from tests.calibrate.table_game import TableGame
from tests.calibrate.test_run import _calibrated, _plays, _user

GRID = Grid.regular(Rect(0, 0, 80, 80), 20, 20, Rect(0, 0, 80, 80))


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_lines_along_what_is_open_are_left_out(seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    game.has_outlines = True
    learnt = _calibrated(game, Wishes("n", 6))
    assert 0.04 < learnt.grid.inset < 0.1
    assert {Cell.EMPTY, Cell.ONE, Cell.TWO, Cell.HIDDEN, Cell.FLAG} <= set(learnt.sure)
    _plays(game, learnt)


def test_a_game_without_such_lines_is_seen_to_the_edges_of_its_tiles() -> None:
    course = Course(Knowledge(Random(7)))
    _calibrated(TableGame(9, 9, 10, 1), Wishes("n", 4), course=course)
    assert not course.knowledge.outline


def _picture(opened: int, *, ground: int, raised: bool = False) -> Frame:
    """A board of 4x4 of which the upper left square is open if `opened`, with lines along it."""
    pixels = np.full((80, 80, 4), 150, np.uint8)
    if raised:
        pixels[::20] = pixels[:, ::20] = 250
    if opened:
        pixels[:20, :20] = ground
        pixels[5:15, 8:12] = 20
        pixels[:22, 20:22] = pixels[20:22, :22] = 60
    return Frame(pixels)


def test_lines_are_told_from_tiles_that_open_to_the_same_ground() -> None:
    fresh, lined = _picture(0, ground=215), _picture(1, ground=215)
    assert outline(fresh, lined, GRID, [0], [0, 1, 4, 5]) == pytest.approx(0.1)
    # Within its edges an open square without a number would be as a covered one.
    fresh, flat = _picture(0, ground=150, raised=True), _picture(1, ground=150, raised=True)
    assert outline(fresh, flat, GRID, [0], [0, 1, 4, 5]) == 0
    # What was clicked is open, whatever of it has changed.
    assert outline(_picture(0, ground=215), lined, GRID, [1], [0, 1, 4, 5]) == 0
    assert outline(fresh, fresh, GRID, [0], []) == 0


def test_tiles_that_lose_their_bevels_are_open_however_much_of_them_that_is() -> None:
    edges = np.isin(np.arange(80) % 20, [0, 1, 2, 3, 16, 17, 18, 19])
    fresh = np.full((80, 80, 4), 150, np.uint8)
    fresh[edges] = fresh[:, edges] = 250
    opened = fresh.copy()
    opened[:60, :60] = 150
    # Bevel and number are most of a square; the one amid the others shows nothing.
    for square in (0, 1, 2, 3, 5, 6, 7, 8):
        top, left = 20 * (square // 3), 20 * (square % 3)
        opened[top + 5 : top + 15, left + 8 : left + 12] = 20
    news = [0, 1, 2, 4, 5, 6, 8, 9, 10]
    assert outline(Frame(fresh), Frame(opened), GRID, [0], news) == 0


def test_shadows_that_go_away_between_open_squares_are_no_lines() -> None:
    fresh = np.full((80, 80, 4), 150, np.uint8)
    edges = np.isin(np.arange(80) % 20, [16, 17, 18, 19])
    fresh[edges] = fresh[:, edges] = 60
    opened = fresh.copy()
    opened[:40, :40] = 150
    opened[2:15, 2:15] = 20
    # Beside the first square's number three show nothing, and have lost their shadows.
    assert outline(Frame(fresh), Frame(opened), GRID, [0], [0, 1, 4, 5]) == 0


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_an_open_square_that_the_pointer_has_left_ends_no_game(seed: int) -> None:
    game = TableGame(9, 9, 10, seed)
    game.lights, game.first_is_safe, game.desk.on_resize = True, False, None
    game.desk.picture = game.picture  # type: ignore[method-assign]  # as the pointer lies
    course = Course(Knowledge(Random(seed)))
    learnt = _calibrated(game, Wishes("n", 8), course=course)
    hits = [shot for shot in course.knowledge.shots if shot.ending is not None]
    assert hits
    _plays(game, learnt)


@pytest.mark.parametrize("is_page", [False, True])
def test_a_board_that_moves_without_end_once_it_has_ended_ends_its_game(*, is_page: bool) -> None:
    game = TableGame(9, 9, 10, 1)
    # An alert keeps all else from a page.
    game.dims = is_page
    if is_page:
        game.desk.window = replace(game.desk.window, app_ids=("Chromium",))
    moves = np.random.default_rng(1)

    def move() -> None:
        if game.over:
            shown = game.picture()
            shown[60:80, 60:80, :3] = moves.integers(0, 255)
            game.desk.paint(shown)

    game.desk.on_grab = move
    course = Course(Knowledge(Random(7)))
    calibrate_window(
        game.desk,
        game.desk.window,
        Wishes("n", 4),
        _user(),
        course,
        clock=lambda _: game.desk.clock,
        timing=Timing(quiet=0.1),
        shares=(),
    )
    assert course.games == 4
    assert {Cell.EMPTY, Cell.ONE, Cell.TWO} <= set(course.learnt().sure)
    assert game.played >= 4
