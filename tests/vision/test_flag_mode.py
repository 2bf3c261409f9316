"""A button shows whether clicks open or flag."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from minebot.board import Action
from minebot.capture import Frame, Pixel, Rect
from minebot.profile.schema import FlagButton, RelativePosition
from minebot.vision.flag_mode import ClickMode, are_apart, button_colours, shown_mode
from minebot.vision.grid import Grid

GRID = Grid.regular(Rect(20, 60, 80, 80), 20, 20, Rect(20, 60, 80, 80))
PLACE = Rect(30, 10, 40, 24)
"""The button when its pictures were taken."""
LEVELS = {Action.OPEN: 200, Action.FLAG: 90}


def _frame(level: int, right: int = 0, down: int = 0) -> Frame:
    """A window with a button of that grey, so many pixels from its place."""
    pixels = np.full((160, 140, 4), 230, np.uint8)
    place = PLACE.moved(right, down)
    pixels[place.area] = level
    pixels[place.top + 8 : place.bottom - 8, place.left + 10 : place.right - 15] = 20
    return Frame(pixels)


@pytest.fixture
def button() -> FlagButton:
    at = RelativePosition.of(PLACE.middle, GRID.bounds, GRID.tile)
    return FlagButton(
        at=at,
        shown_at=at,
        width=PLACE.width / GRID.tile,
        height=PLACE.height / GRID.tile,
        opening=button_colours(_frame(LEVELS[Action.OPEN]), PLACE),
        flagging=button_colours(_frame(LEVELS[Action.FLAG]), PLACE),
    )


@pytest.mark.parametrize("action", LEVELS)
@pytest.mark.parametrize("noise", [0, 10])
def test_it_shows_what_a_click_does(button: FlagButton, action: Action, noise: int) -> None:
    frame = _frame(LEVELS[action] + noise)
    assert shown_mode(frame, GRID, button) == ClickMode(action, (0, 0))


@pytest.mark.parametrize(("right", "down"), [(13, 0), (-20, 0), (0, 6), (9, -5)])
def test_it_is_found_beside_its_place(button: FlagButton, right: int, down: int) -> None:
    mode = shown_mode(_frame(LEVELS[Action.FLAG], right, down), GRID, button)
    assert mode == ClickMode(Action.FLAG, (right, down))
    assert mode.moved(Pixel(50, 22)) == Pixel(50 + right, 22 + down)


def test_far_away_it_is_not_looked_for(button: FlagButton) -> None:
    assert shown_mode(_frame(LEVELS[Action.FLAG], 55), GRID, button) is None


def test_what_shows_neither_is_not_guessed(button: FlagButton) -> None:
    between = sum(LEVELS.values()) // 2
    assert shown_mode(_frame(between), GRID, button) is None
    assert shown_mode(Frame(np.full((160, 140, 4), 230, np.uint8)), GRID, button) is None


def test_a_button_outside_the_window_shows_nothing(button: FlagButton) -> None:
    pixels = _frame(LEVELS[Action.OPEN]).pixels[:, : PLACE.left + 5]
    assert shown_mode(Frame(np.ascontiguousarray(pixels)), GRID, button) is None


def test_descriptions_of_another_length_are_not_compared(button: FlagButton) -> None:
    other = replace(button, flagging=button.flagging[:-3])
    assert shown_mode(_frame(LEVELS[Action.OPEN]), GRID, other) is None


def test_pictures_that_hardly_differ_cannot_be_told_apart() -> None:
    one = button_colours(_frame(200), PLACE)
    assert not are_apart(one, one)
    assert not are_apart(one, button_colours(_frame(202), PLACE))
    assert are_apart(one, button_colours(_frame(90), PLACE))
