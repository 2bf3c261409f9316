"""Every mouse keeps one contract; and what the mice are made of."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from bot.actuator import Button
from bot.capture import Point, Rect
from bot.desktop.pointer_guard import Leash
from bot.errors import Stopped, WindowError, WindowMoved
from bot.sandbox.display import PrivateDisplay
from bot.stop import Stop
from tests.desktop.rig import PLACE, Rig, fake_rig, x11_rig

MIDDLE = Point(PLACE.left + 150, PLACE.top + 100)


@pytest.fixture(params=["fake", "x11", "x11 without a window manager", "pyautogui"])
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    if request.param == "fake":
        context = fake_rig()
    else:
        # With a window manager pyautogui's clicks get lost on a busy machine.
        which = "desk" if request.param == "x11" else "bare_desk"
        desk: PrivateDisplay = request.getfixturevalue(which)
        context = x11_rig(desk, pyautogui=request.param == "pyautogui")
    with context as rig:
        rig.screen.grab()
        yield rig


def at(x: int, y: int) -> Point:
    return Point(PLACE.left + x, PLACE.top + y)


class TestEveryMouse:
    def test_clicks_land_in_order_where_and_how_they_were_meant(self, rig: Rig) -> None:
        rng = random.Random(1)
        wanted = [
            (rng.randrange(300), rng.randrange(200), rng.choice(list(Button))) for _ in range(20)
        ]
        for x, y, button in wanted:
            rig.mouse.click(at(x, y), button)
        assert rig.clicks(20) == wanted

    @pytest.mark.parametrize("corner", [(0, 0), (299, 0), (0, 199), (299, 199)])
    def test_the_corner_pixels_are_the_windows(self, rig: Rig, corner: tuple[int, int]) -> None:
        rig.mouse.click(at(*corner), Button.LEFT)
        assert rig.clicks(1) == [(*corner, Button.LEFT)]

    @pytest.mark.parametrize("beyond", [(-1, 5), (300, 5), (5, -1), (5, 200)])
    def test_beyond_them_nothing_is_clicked(self, rig: Rig, beyond: tuple[int, int]) -> None:
        with pytest.raises(WindowError, match="outside"):
            rig.mouse.click(at(*beyond), Button.LEFT)
        assert rig.clicks(0) == []

    def test_after_the_stop_nothing_is_clicked(self, rig: Rig) -> None:
        rig.mouse.click(MIDDLE, Button.LEFT)
        rig.stop.request("Esc was pressed")
        with pytest.raises(Stopped, match="stopped: Esc was pressed"):
            rig.mouse.click(MIDDLE, Button.LEFT)
        assert len(rig.clicks(1)) == 1

    def test_a_pointer_anywhere_does_not_hinder_the_first_click(self, rig: Rig) -> None:
        rig.push(-40, 30)
        rig.mouse.click(MIDDLE, Button.LEFT)
        assert len(rig.clicks(1)) == 1

    def test_a_moved_mouse_is_the_stop(self, rig: Rig) -> None:
        rig.mouse.click(MIDDLE, Button.LEFT)
        rig.push(0, 40)
        with pytest.raises(Stopped, match="the mouse was moved"):
            rig.mouse.click(MIDDLE, Button.LEFT)
        with pytest.raises(Stopped, match="the mouse was moved"):
            rig.stop.check()
        assert len(rig.clicks(1)) == 1

    def test_a_bumped_desk_is_not(self, rig: Rig) -> None:
        for push in (2, -2, 1, -1, 2, -2):
            rig.mouse.click(MIDDLE, Button.LEFT)
            rig.push(push, -push)
        rig.mouse.click(MIDDLE, Button.LEFT)
        assert len(rig.clicks(7)) == 7

    def test_a_slow_hand_is_noticed_after_a_few_points(self, rig: Rig) -> None:
        for _ in range(7):
            rig.mouse.click(MIDDLE, Button.LEFT)
            rig.push(1, 0)
        with pytest.raises(Stopped, match="the mouse was moved"):
            rig.mouse.click(MIDDLE, Button.LEFT)
        assert len(rig.clicks(7)) == 7

    def test_a_moved_window_is_not_clicked_until_looked_at_again(self, rig: Rig) -> None:
        rig.mouse.click(MIDDLE, Button.LEFT)
        rig.move(PLACE.left + 7, PLACE.top + 3)
        with pytest.raises(WindowMoved, match="has moved"):
            rig.mouse.click(MIDDLE, Button.LEFT)
        assert len(rig.clicks(1)) == 1

    def test_nor_is_one_of_another_size(self, rig: Rig) -> None:
        rig.resize(310, 200)
        with pytest.raises(WindowMoved):
            rig.mouse.click(MIDDLE, Button.LEFT)
        assert rig.clicks(0) == []

    def test_what_covers_the_point_is_not_clicked(self, rig: Rig) -> None:
        rig.cover(Rect(MIDDLE.x - 1, MIDDLE.y - 1, 40, 40))
        rig.mouse.click(Point(MIDDLE.x - 2, MIDDLE.y), Button.LEFT)
        with pytest.raises(WindowError, match="covered"):
            rig.mouse.click(MIDDLE, Button.LEFT)
        assert len(rig.clicks(1)) == 1

    @pytest.mark.parametrize("how", ["hide", "close"])
    def test_a_window_that_goes_between_clicks_is_an_error(self, rig: Rig, how: str) -> None:
        rig.mouse.click(MIDDLE, Button.LEFT)
        assert len(rig.clicks(1)) == 1
        getattr(rig, how)()
        with pytest.raises(WindowError):
            rig.mouse.click(MIDDLE, Button.LEFT)

    def test_after_a_click_the_pointer_is_put_to_rest(self, rig: Rig) -> None:
        rig.mouse.click(MIDDLE, Button.LEFT)
        rig.mouse.rest(at(2, 2))
        assert rig.pointer() == at(2, 2)
        rig.mouse.click(MIDDLE, Button.RIGHT)
        assert rig.clicks(2) == [(150, 100, Button.LEFT), (150, 100, Button.RIGHT)]

    def test_before_the_first_click_it_is_the_persons(self, rig: Rig) -> None:
        before = rig.pointer()
        rig.mouse.rest(at(2, 2))
        assert rig.pointer() == before

    def test_a_mouse_moved_before_or_after_it_rests_is_the_stop(self, rig: Rig) -> None:
        rig.mouse.click(MIDDLE, Button.LEFT)
        rig.mouse.rest(at(2, 2))
        rig.push(0, 40)
        with pytest.raises(Stopped, match="the mouse was moved"):
            rig.mouse.rest(at(2, 2))
        assert rig.pointer() == at(2, 42)

    def test_after_the_stop_the_pointer_stays(self, rig: Rig) -> None:
        rig.mouse.click(MIDDLE, Button.LEFT)
        rig.stop.request("Esc was pressed")
        with pytest.raises(Stopped, match="stopped: Esc was pressed"):
            rig.mouse.rest(at(2, 2))
        assert rig.pointer() == MIDDLE


class TestLeash:
    def test_before_the_first_click_every_place_is_fine(self) -> None:
        stop, leash = Stop(), Leash()
        leash.look(Point(5, 5), stop)
        leash.check(Point(900, 5), stop)
        stop.check()

    @pytest.mark.parametrize(("off", "stops"), [(2, False), (3, True), (-2, False), (-3, True)])
    def test_so_far_the_pointer_may_be_off(self, off: int, *, stops: bool) -> None:
        stop, leash = Stop(), Leash()
        leash.leave(Point(100, 100))
        leash.look(Point(100, 100 + off), stop)
        assert (stop.reason is not None) == stops

    def test_a_glance_does_not_wait_for_a_click_under_way(self) -> None:
        stop, leash = Stop(), Leash()
        leash.leave(Point(100, 100))
        looked: list[Point] = []

        def where() -> Point:
            looked.append(Point(500, 500))
            return looked[-1]

        with leash.held():
            other = threading.Thread(target=leash.glance, args=(where, stop))
            other.start()
            other.join(10)
            assert not looked
        leash.glance(where, stop)
        assert stop.reason == "the mouse was moved"


@pytest.mark.parametrize(
    ("environ", "says"),
    [
        ({}, "DISPLAY is not set"),
        ({"DISPLAY": ":987"}, "cannot open the X display"),
    ],
)
def test_pyautogui_without_a_display_is_one_line(environ: dict[str, str], says: str) -> None:
    program = (
        "from bot.desktop.pyautogui_input import PyAutoGuiMouse\n"
        "from bot.desktop.pointer_guard import Leash\n"
        "from bot.errors import CaptureError\n"
        "from bot.stop import Stop\n"
        "try: PyAutoGuiMouse(Stop(), Leash(), print)\n"
        "except CaptureError as error: print('SAID', error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=True
    )
    said = [line for line in done.stdout.splitlines() if line.startswith("SAID")]
    assert len(said) == 1
    assert says in said[0]
