"""From a chooser, a clipped window or a wrong board to a whole one of the size wanted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from minebot.actuator import Button
from minebot.board import Board
from minebot.capture import Rect
from minebot.errors import Stopped, VisionError, WindowError
from minebot.play.result import PlaySettings
from minebot.play.session import open_session
from minebot.profile import load
from minebot.recording import pictures
from minebot.stop import Stop
from tests.support.fake_clock import TimedDesk
from tests.support.fake_game import draw

pytestmark = pytest.mark.trained

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots"
CHOOSERS = {
    "chooser-w600x400": {
        (8, 8): Rect(114, 71, 188, 188),
        (16, 16): Rect(320, 71, 188, 188),
        (30, 16): Rect(114, 277, 188, 188),
    },
}
BOARDS = {
    (8, 8): "default-8x8n10-w600x450-fresh",
    (16, 16): "default-16x16n40-w700x600-fresh",
    (30, 16): "default-30x16n99-w1000x560-early",
}


def picture(name: str, game: str = "gnome-mines") -> NDArray[np.uint8]:
    return pictures.load(SHOTS / game / f"{name}.png").pixels


def arranged(
    desk: TimedDesk,
    size: tuple[int, int] | None = None,
    profile: str = "gnome-mines",
    stop: Stop | None = None,
) -> tuple[int, int] | None:
    """The size of the board, once it has been arranged for; None where none was read."""
    stop = stop or Stop()
    with open_session(desk, desk.window, load(profile), stop, PlaySettings(), size=size) as session:
        grid = session.reader.last_grid(session.window_session.screen.grab())
    return None if grid is None else (grid.width, grid.height)


def test_a_whole_board_is_taken_as_it_is() -> None:
    desk = TimedDesk(picture(BOARDS[8, 8]))
    assert arranged(desk) == (8, 8)
    assert not desk.clicks
    assert not desk.keys


@pytest.mark.parametrize("shot", CHOOSERS)
@pytest.mark.parametrize("size", BOARDS)
def test_the_chooser_is_answered_on_the_button_that_says_so(
    shot: str, size: tuple[int, int]
) -> None:
    desk = TimedDesk(picture(shot))
    desk.on_click = lambda _pixel, _button: desk.paint(picture(BOARDS[size]))
    assert arranged(desk, size) == size
    ((pixel, button),) = desk.clicks
    assert button is Button.LEFT
    assert CHOOSERS[shot][size].holds(pixel)


def test_without_a_wish_the_chooser_is_left_to_the_user() -> None:
    desk = TimedDesk(picture("chooser-w820x640"))
    with pytest.raises(WindowError, match=r"or say --board 8x8, 16x16, 30x16$"):
        arranged(desk)
    assert not desk.clicks


def test_what_the_chooser_does_not_offer_is_said() -> None:
    desk = TimedDesk(picture("chooser-w820x640"))
    with pytest.raises(WindowError, match="offers 8x8, 16x16, 30x16, not 9x9: choose Custom"):
        arranged(desk, (9, 9))
    assert not desk.clicks


def test_a_clipped_board_has_its_window_enlarged() -> None:
    desk = TimedDesk(picture("clipped-default-w600x400"))
    steps = iter(["clipped-begun-classic-w700x520", BOARDS[30, 16]])

    def enlarge() -> bool:
        desk.paint(picture(next(steps)))
        return True

    desk.on_enlarge = enlarge
    assert arranged(desk) == (30, 16)
    assert not list(steps)
    assert not desk.clicks


def test_a_board_that_stays_clipped_is_an_error() -> None:
    desk = TimedDesk(picture("clipped-default-w600x400"))
    with pytest.raises(WindowError, match="too small for its board, and the screen for a larger"):
        arranged(desk)


def test_from_a_board_of_another_size_the_key_leads_to_the_chooser() -> None:
    desk = TimedDesk(picture(BOARDS[8, 8]))
    desk.on_key = lambda _: desk.paint(picture("chooser-w600x400"))
    desk.on_click = lambda _pixel, _button: desk.paint(picture(BOARDS[16, 16]))
    assert arranged(desk, (16, 16)) == (16, 16)
    assert desk.keys == ["ctrl+n"]


def test_a_key_that_leads_nowhere_is_an_error() -> None:
    desk = TimedDesk(picture(BOARDS[8, 8]))
    with pytest.raises(WindowError, match=r"ctrl\+n pressed in .* does not lead to 16x16"):
        arranged(desk, (16, 16))
    assert desk.keys == ["ctrl+n"] * 3
    assert 12 < desk.clock.seconds < 15


def test_a_game_under_way_is_not_given_up() -> None:
    desk = TimedDesk(picture("default-8x8n10-w600x450-early"))
    with pytest.raises(WindowError, match="a board of 8x8 is under way"):
        arranged(desk, (16, 16))
    assert not desk.keys


def test_a_size_that_no_key_picks_is_left_to_the_user() -> None:
    desk = TimedDesk(picture("9x9n10-t20-middle-flags", "sgt-mines"))
    with pytest.raises(WindowError, match=r"is 9x9, not 7x5: choose Custom in its menu Type"):
        arranged(desk, (7, 5), "sgt-mines")
    assert not desk.keys


def test_a_board_is_picked_in_the_menu() -> None:
    desk = TimedDesk(draw(Board.hidden(9, 9)))

    def choose(key: str) -> None:
        if key == "Return":
            desk.paint(draw(Board.hidden(30, 16)))

    desk.on_key = choose
    assert arranged(desk, (30, 16), "sgt-mines") == (30, 16)
    assert desk.keys == ["alt+t", "Down", "Down", "Down", "Down", "Return"]


def test_a_dialog_of_the_game_is_put_away_first() -> None:
    desk = TimedDesk(picture(BOARDS[8, 8]))
    component = desk.window
    desk.dialogs = [type(component)("0x900000", "Congratulations!", parent=component.id)]
    assert arranged(desk) == (8, 8)
    assert desk.keys == ["Escape"]


def test_what_cannot_be_read_is_left_to_the_player() -> None:
    desk = TimedDesk(picture("paused-default"))
    arranged(desk)
    with pytest.raises(VisionError):
        arranged(desk, (8, 8))  # there may be a board of another size behind it
    assert not desk.clicks
    assert 4 < desk.clock.seconds < 5


@pytest.mark.parametrize(
    ("shown", "size"),
    [
        ("paused-default", (8, 8)),
        (BOARDS[8, 8], (16, 16)),
        ("clipped-default-w600x400", None),
    ],
    ids=["unreadable", "another-size", "clipped"],
)
def test_a_stop_is_heard_while_a_board_is_waited_for(
    shown: str, size: tuple[int, int] | None
) -> None:
    desk, stop = TimedDesk(picture(shown)), Stop()
    desk.on_enlarge = lambda: True
    desk.clock.at(0.2, lambda: stop.request("Esc was pressed"))
    with pytest.raises(Stopped, match="Esc"):
        arranged(desk, size, stop=stop)
    assert desk.clock.seconds <= 0.3
    assert not desk.clicks


def test_a_stop_before_the_chooser_is_answered_clicks_nothing() -> None:
    desk, stop = TimedDesk(picture("chooser-w820x640")), Stop()
    desk.on_grab = lambda: stop.request("Esc was pressed")
    with pytest.raises(Stopped, match="Esc"):
        arranged(desk, (8, 8), stop=stop)
    assert not desk.clicks


@pytest.mark.parametrize("size", [None, (8, 8)])
def test_where_no_board_can_be_read_the_key_for_a_new_one_is_said_and_not_pressed(
    size: tuple[int, int] | None,
) -> None:
    desk = TimedDesk(np.full((300, 300, 4), 128, np.uint8))
    known = load("gnome-mines")
    with (
        pytest.raises(VisionError) as failure,
        open_session(desk, desk.window, known, Stop(), PlaySettings(), size=size) as session,
    ):
        session.play()
    key = known.behaviour.new_game_key
    assert f"if its game has ended, press {key} in it for a new board" in failure.value.__notes__
    assert not desk.keys
    assert not desk.clicks
