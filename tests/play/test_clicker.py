"""Clicking squares where a button chooses whether clicks open or flag."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from minebot.actuator import Button
from minebot.board import Action, Board, Move
from minebot.capture import Frame, Pixel, Rect
from minebot.errors import WindowCovered
from minebot.play.clicker import Clicker, PendingClicks
from minebot.play.observer import Observation
from minebot.play.timing import Timing
from minebot.profile.schema import Behaviour, FlagButton, RelativePosition
from minebot.vision.flag_mode import button_colours
from minebot.vision.grid import Grid
from minebot.vision.reading import Reading
from tests.support.fake_clock import FakeClock

GRID = Grid.regular(Rect(20, 60, 80, 80), 20, 20, Rect(20, 60, 80, 80))
PLACE = Rect(30, 10, 40, 24)
"""The button, in pixels of the window."""
OPEN, FLAG = Action.OPEN, Action.FLAG
BOARD = Board.parse("????\n????\n????\n????")


def _frame(shows: Action | None, aside: int = 0) -> Frame:
    """The window with the button so many pixels to the right; None is how it looks as neither."""
    pixels = np.full((160, 120, 4), 230, np.uint8)
    left, right = PLACE.left + aside, PLACE.right + aside
    pixels[PLACE.top : PLACE.bottom, left:right] = {OPEN: 200, FLAG: 90, None: 145}[shows]
    pixels[PLACE.top + 8 : PLACE.bottom - 8, left + 10 : right - 15] = 20
    return Frame(pixels)


def _button(back: Pixel | None = None) -> FlagButton:
    spot = RelativePosition.of(PLACE.middle, GRID.bounds, GRID.tile)
    return FlagButton(
        at=spot,
        shown_at=spot,
        width=PLACE.width / GRID.tile,
        height=PLACE.height / GRID.tile,
        opening=button_colours(_frame(OPEN), PLACE),
        flagging=button_colours(_frame(FLAG), PLACE),
        back=RelativePosition.of(back, GRID.bounds, GRID.tile) if back is not None else None,
    )


@dataclass
class _Mouse:
    """Takes down what it clicks."""

    press_seconds: float = 0.0
    clicks: list[tuple[Pixel, Button, str | None]] = field(default_factory=list)
    parked: int = 0
    covered: bool = False

    def click(self, frame: Frame, at: Pixel, button: Button, held: str | None = None) -> None:
        assert frame.pixels.size
        if self.covered:
            raise WindowCovered("covered")
        self.clicks.append((at, button, held))

    def park(self, frame: Frame, board: Rect | None = None) -> None:
        assert board is None or board.within(Rect(0, 0, frame.width, frame.height))
        self.parked += 1


class _Rig:
    """A hand, and what it sees."""

    def __init__(self, behaviour: Behaviour | None = None, *, unknown: bool = False) -> None:
        self.clock, self.mouse = FakeClock(), _Mouse()
        self.said: list[str] = []
        behaviour = behaviour or Behaviour(flag_button=_button())
        say = self.said.append
        self.clicker = Clicker(self.mouse, self.clock, say, behaviour, unknown)

    def observation(self, shows: Action | None, aside: int = 0) -> Observation:
        return Observation(
            _frame(shows, aside), Reading(BOARD, GRID, (), None), self.clock.now(), None
        )

    def ready(self, action: Action, shows: Action | None, after: float = 0.1) -> bool:
        self.clock.sleep(after)
        return self.clicker.is_ready(action, self.observation(shows))

    @property
    def presses(self) -> list[Pixel]:
        """Where the button was clicked."""
        return [at for at, button, _ in self.mouse.clicks if button is Button.LEFT]


def test_a_flag_is_a_left_click_only_once_the_button_shows_that_it_flags() -> None:
    rig = _Rig()
    assert rig.ready(OPEN, OPEN)
    assert not rig.presses
    assert not rig.ready(FLAG, OPEN)
    assert rig.presses == [PLACE.middle]
    assert rig.mouse.parked == 1  # below the pointer it may look lit
    assert not rig.ready(FLAG, OPEN)  # not heard yet
    assert rig.presses == [PLACE.middle]
    assert rig.ready(FLAG, FLAG)
    move = Move(FLAG, 2, 1)
    assert rig.clicker.click(move, rig.observation(FLAG)) is Button.LEFT
    assert rig.mouse.clicks[-1][0] == GRID.centre(2, 1)
    assert not rig.ready(OPEN, FLAG)
    assert rig.presses[-1] == PLACE.middle
    assert rig.ready(OPEN, OPEN)


def test_while_the_way_back_is_to_be_heard_nothing_is_flagged() -> None:
    rig = _Rig()
    rig.ready(FLAG, OPEN)
    assert rig.ready(FLAG, FLAG)
    assert not rig.ready(OPEN, FLAG)  # the button is pressed
    # The plan has changed; the press would come before a flag, which opened the mine.
    for _ in range(20):
        assert not rig.ready(FLAG, FLAG)
    assert len(rig.presses) == 2
    assert rig.ready(OPEN, OPEN)


def test_a_button_that_is_not_heard_is_not_pressed_again_for_a_flag() -> None:
    rig = _Rig()
    for _ in range(100):
        assert not rig.ready(FLAG, OPEN)
    assert rig.presses == [PLACE.middle]
    assert not rig.clicker.can_flag
    assert rig.said == ["the button for flags is not heard: no flags are set any more"]
    assert rig.ready(OPEN, OPEN)
    # The press comes as late as this: squares are to be opened all the same.
    assert not rig.ready(OPEN, FLAG)
    assert len(rig.presses) == 2
    assert rig.ready(OPEN, OPEN)


def test_where_clicks_go_on_flagging_it_gives_up() -> None:
    rig = _Rig()
    rig.ready(FLAG, OPEN)
    rig.ready(FLAG, FLAG)
    for _ in range(99):
        assert not rig.ready(OPEN, FLAG)
        assert not rig.clicker.is_deaf
    assert not rig.ready(OPEN, FLAG, after=1.0)
    assert rig.clicker.is_deaf
    assert 3 <= len(rig.presses) <= 5


def test_a_button_that_looks_otherwise_costs_flags_alone() -> None:
    rig = _Rig()
    for _ in range(14):
        assert not rig.ready(FLAG, None)
        assert not rig.ready(OPEN, None)
    rig.clock.sleep(3)
    assert not rig.ready(FLAG, None)
    assert not rig.clicker.can_flag
    assert rig.ready(OPEN, None)
    assert not rig.presses


def test_what_may_flag_is_not_clicked_to_open() -> None:
    rig = _Rig()
    rig.ready(FLAG, OPEN)
    assert rig.ready(FLAG, FLAG)
    for _ in range(99):
        assert not rig.ready(OPEN, None)
    assert not rig.ready(OPEN, None, after=1.0)
    assert rig.clicker.is_deaf


@pytest.mark.parametrize("aside", [-12, 9, 30])
def test_the_button_may_lie_beside_its_place(aside: int) -> None:
    rig = _Rig()
    assert not rig.clicker.is_ready(FLAG, rig.observation(OPEN, aside))
    assert rig.presses == [Pixel(PLACE.middle.x + aside, PLACE.middle.y)]
    rig.clock.sleep(0.1)
    assert rig.clicker.is_ready(FLAG, rig.observation(FLAG, aside))


def test_another_button_may_go_back() -> None:
    back = Pixel(90, 22)
    rig = _Rig(Behaviour(flag_button=_button(back)))
    assert not rig.ready(OPEN, FLAG)
    assert rig.presses == [back]
    assert not rig.ready(OPEN, FLAG)
    assert rig.ready(OPEN, OPEN)
    assert not rig.ready(FLAG, OPEN)
    assert rig.presses == [back, PLACE.middle]


def test_a_press_that_cannot_be_made_is_made_later() -> None:
    rig = _Rig()
    rig.mouse.covered = True
    assert not rig.ready(FLAG, OPEN)
    rig.mouse.covered = False
    assert not rig.ready(FLAG, OPEN)
    assert len(rig.presses) == 1
    assert rig.ready(FLAG, FLAG)


def test_flags_are_set_one_by_one_and_apart_from_what_is_opened() -> None:
    clicker = _Rig().clicker
    opening, flags = [Move(OPEN, x, 0) for x in (0, 1)], [Move(FLAG, x, 1) for x in (0, 1)]
    assert clicker.batch([*opening, *flags], under_way=True) == opening
    assert clicker.batch([*flags, *opening], under_way=False) == flags[:1]
    assert not clicker.batch(flags, under_way=True)
    assert not clicker.batch([], under_way=False)
    plain = _Rig(Behaviour()).clicker
    assert plain.batch([*flags, *opening], under_way=True) == [*flags, *opening]


@pytest.mark.parametrize(
    ("behaviour", "button", "held"),
    [
        (Behaviour(), Button.RIGHT, None),
        (Behaviour(flag_modifier="ctrl"), Button.LEFT, "ctrl"),
        (Behaviour(flag_button=_button()), Button.LEFT, None),
    ],
)
def test_each_game_has_flags_set_in_its_own_way(
    behaviour: Behaviour, button: Button, held: str | None
) -> None:
    rig = _Rig(behaviour)
    assert rig.clicker.click(Move(FLAG, 0, 0), rig.observation(FLAG)) is button
    assert rig.clicker.click(Move(OPEN, 0, 0), rig.observation(OPEN)) is Button.LEFT
    assert [each[1:] for each in rig.mouse.clicks] == [(button, held), (Button.LEFT, None)]


FLAGS = [Move(FLAG, x, 0) for x in range(3)]
OPENS = [Move(OPEN, x, 1) for x in range(2)]
FLAGGED = Board.parse("F???\n????\n????\n????")


def _sent() -> tuple[_Rig, PendingClicks]:
    """The first flag of an unknown game is on its way."""
    rig, pending = _Rig(Behaviour(), unknown=True), PendingClicks(Timing())
    rig.clicker.click(FLAGS[0], rig.observation(None))
    pending.sent(FLAGS[0], 0.0, BOARD)
    return rig, pending


def test_where_flags_are_known_all_moves_are_made() -> None:
    clicker = _Rig(Behaviour()).clicker
    assert clicker.batch([*FLAGS, *OPENS], under_way=False) == [*FLAGS, *OPENS]


def test_the_first_flag_of_an_unknown_game_is_set_alone() -> None:
    clicker = _Rig(Behaviour(), unknown=True).clicker
    assert clicker.batch([*FLAGS, *OPENS], under_way=False) == [*OPENS, FLAGS[0]]


def test_no_other_flag_is_set_until_it_shows() -> None:
    rig, pending = _sent()
    assert rig.clicker.batch([*FLAGS, *OPENS], under_way=True) == OPENS
    rig.clicker.note_flags(BOARD, pending)
    assert rig.clicker.tries_flags
    pending.seen(FLAGGED, 0.1)
    rig.clicker.note_flags(FLAGGED, pending)
    assert rig.clicker.can_flag
    assert not rig.clicker.tries_flags
    assert rig.clicker.batch(FLAGS, under_way=False) == FLAGS


def test_after_a_flag_that_is_lost_none_is_set() -> None:
    rig, pending = _sent()
    pending.seen(BOARD, 60.0)
    rig.clicker.note_flags(BOARD, pending)
    rig.clicker.note_flags(BOARD, pending)
    assert not rig.clicker.can_flag
    assert rig.said == ["a click sets no flag here: it is played without flags"]


def test_a_flag_on_a_board_that_is_lost_tells_nothing() -> None:
    rig, pending = _sent()
    lost = Board.parse("*!??\n????\n????\n????")
    pending.seen(lost, 60.0)
    rig.clicker.note_flags(lost, pending)
    assert rig.clicker.can_flag


def test_a_flag_may_fail_after_others_have_shown() -> None:
    rig, pending = _sent()
    pending.seen(FLAGGED, 0.1)
    rig.clicker.note_flags(FLAGGED, pending)
    rig.clicker.click(FLAGS[1], rig.observation(None))
    pending.sent(FLAGS[1], 1.0, BOARD)
    pending.seen(FLAGGED, 60.0)
    rig.clicker.note_flags(FLAGGED, pending)
    assert not rig.clicker.can_flag
    assert not rig.said
