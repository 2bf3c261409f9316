"""Every mouse keeps one contract; and what the mice are made of."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator

import pytest

from minebot.actuator import Button
from minebot.capture import Frame, Rect
from minebot.errors import Stopped, UsageError, WindowCovered, WindowError, WindowGone, WindowMoved
from minebot.sandbox.private_display import PrivateDisplay
from tests.desktop.rig import PLACE, RIGS, Rig, rig_of, x11_rig

X, Y = 150, 100
"""A pixel in the middle."""


@pytest.fixture(params=RIGS)
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    with rig_of(request.param, request) as rig:
        yield rig


@pytest.fixture
def frame(rig: Rig) -> Frame:
    return rig.grab()


class TestEveryMouse:
    def test_clicks_land_in_order_where_and_how_they_were_meant(
        self, rig: Rig, frame: Frame
    ) -> None:
        rng = random.Random(1)
        scale = frame.width / PLACE.width
        # The middles of screen points, where pixels are finer than these.
        wanted = [
            (
                int((rng.randrange(PLACE.width) + 0.5) * scale),
                int((rng.randrange(PLACE.height) + 0.5) * scale),
                rng.choice(list(Button)),
            )
            for _ in range(20)
        ]
        for x, y, button in wanted:
            rig.click(frame, x, y, button)
        assert rig.clicks(20) == wanted

    def test_a_click_carries_the_modifier_that_is_asked_for_and_no_other_does(
        self, rig: Rig, frame: Frame
    ) -> None:
        asked = [None, "ctrl", None, "shift", "shift", None]
        for held in asked:
            rig.click(frame, frame.width // 2, frame.height // 2, held=held)
        assert rig.held(len(asked)) == [{held} if held else set() for held in asked]
        assert rig.stop.reason is None

    def test_a_button_may_be_held_down_for_a_while(self, rig: Rig, frame: Frame) -> None:
        rig.mouse.press_seconds = 0.05
        for button in Button:
            began = time.monotonic()
            rig.click(frame, X, Y, button)
            # In a make-believe desktop no time passes.
            assert time.monotonic() - began >= 0.05 or type(rig.mouse).__module__.startswith(
                "tests"
            )
        assert [button for *_, button in rig.clicks(2)] == list(Button)
        rig.mouse.press_seconds = 0.0

    def test_the_corner_pixels_are_the_windows(self, rig: Rig, frame: Frame) -> None:
        right, bottom = frame.width - 1, frame.height - 1
        corners = [(x, y) for x in (0, right) for y in (0, bottom)]
        for corner in corners:
            rig.click(frame, *corner)
        scale = frame.width / PLACE.width
        for (x, y, _), corner in zip(rig.clicks(4), corners, strict=True):
            assert abs(x - corner[0]) < scale
            assert abs(y - corner[1]) < scale

    @pytest.mark.parametrize(("x", "y"), [(-1, 0), (1, 0), (0, -1), (0, 1)])
    def test_beyond_them_nothing_is_clicked(self, rig: Rig, frame: Frame, x: int, y: int) -> None:
        beyond = (x and (-1 if x < 0 else frame.width), y and (-1 if y < 0 else frame.height))
        with pytest.raises(WindowError, match="outside"):
            rig.click(frame, *beyond)
        assert rig.clicks(0) == []

    def test_what_was_not_seen_on_the_screen_is_not_clicked(self, rig: Rig, frame: Frame) -> None:
        with pytest.raises(UsageError):
            rig.click(Frame(frame.pixels.copy()), X, Y)
        assert rig.clicks(0) == []

    def test_after_the_stop_nothing_is_clicked(self, rig: Rig, frame: Frame) -> None:
        rig.click(frame, X, Y)
        rig.stop.request("Esc was pressed")
        with pytest.raises(Stopped, match="stopped: Esc was pressed"):
            rig.click(frame, X, Y)
        assert len(rig.clicks(1)) == 1

    def test_a_moved_mouse_is_the_stop(self, rig: Rig, frame: Frame) -> None:
        rig.click(frame, X, Y)
        rig.push(0, 40)
        with pytest.raises(Stopped, match="the mouse was moved"):
            rig.click(frame, X, Y)
        with pytest.raises(Stopped, match="the mouse was moved"):
            rig.stop.check()
        assert len(rig.clicks(1)) == 1

    def test_a_moved_window_is_not_clicked_until_looked_at_again(
        self, rig: Rig, frame: Frame
    ) -> None:
        rig.click(frame, X, Y)
        rig.move(PLACE.left + 7, PLACE.top + 3)
        with pytest.raises(WindowMoved, match="has moved"):
            rig.click(frame, X, Y)
        assert len(rig.clicks(1)) == 1
        rig.click(rig.grab(), X, Y)
        assert len(rig.clicks(2)) == 2

    def test_a_newer_frame_does_not_make_an_older_one_good_again(
        self, rig: Rig, frame: Frame
    ) -> None:
        rig.move(PLACE.left + 7, PLACE.top + 3)
        newer = rig.grab()
        with pytest.raises(WindowMoved):
            rig.click(frame, X, Y)
        assert rig.clicks(0) == []
        rig.click(newer, X, Y)
        assert len(rig.clicks(1)) == 1

    def test_an_older_frame_is_good_while_nothing_has_happened(
        self, rig: Rig, frame: Frame
    ) -> None:
        rig.grab()
        rig.click(frame, X, Y)
        assert len(rig.clicks(1)) == 1

    def test_nor_is_one_of_another_size(self, rig: Rig, frame: Frame) -> None:
        rig.resize(310, 200)
        with pytest.raises(WindowMoved):
            rig.click(frame, X, Y)
        assert rig.clicks(0) == []

    def test_what_covers_the_point_is_not_clicked(self, rig: Rig, frame: Frame) -> None:
        scale = frame.width / PLACE.width
        left, top = int((X - 1) / scale), int((Y - 1) / scale)
        rig.cover(Rect(PLACE.left + left, PLACE.top + top, 40, 40))
        with pytest.raises(WindowCovered):
            rig.click(frame, X, Y)
        assert rig.clicks(0) == []
        rig.click(frame, X - 4, Y)  # which some window managers answer by raising the window
        assert len(rig.clicks(1)) == 1

    @pytest.mark.parametrize(("how", "error"), [("hide", WindowError), ("close", WindowGone)])
    def test_a_window_that_goes_between_clicks_is_an_error(
        self, rig: Rig, frame: Frame, how: str, error: type[WindowError]
    ) -> None:
        rig.click(frame, X, Y)
        assert len(rig.clicks(1)) == 1
        getattr(rig, how)()
        with pytest.raises(error):
            rig.click(frame, X, Y)

    def test_after_a_click_the_pointer_is_parked(self, rig: Rig, frame: Frame) -> None:
        rig.click(frame, X, Y)
        rig.mouse.park(frame)
        first = rig.pointer()
        assert PLACE.holds(first)
        assert first.x < PLACE.left + 10 or first.x >= PLACE.right - 10
        rig.mouse.park(frame)
        assert rig.pointer() != first, "a game would not see it move"
        rig.click(frame, X, Y, Button.RIGHT)
        assert [button for *_, button in rig.clicks(2)] == [Button.LEFT, Button.RIGHT]

    def test_after_the_stop_the_pointer_stays(self, rig: Rig, frame: Frame) -> None:
        rig.click(frame, X, Y)
        before = rig.pointer()
        rig.stop.request("Esc was pressed")
        with pytest.raises(Stopped, match="stopped: Esc was pressed"):
            rig.mouse.park(frame)
        assert rig.pointer() == before


class TestMiceThatAreToldThePointersPlace:
    """On Wayland no program is: there any motion is the stop, from the start."""

    @pytest.fixture(params=[rig for rig in RIGS if "sway" not in str(rig)])
    def rig(self, request: pytest.FixtureRequest) -> Iterator[Rig]:
        with rig_of(request.param, request) as rig:
            yield rig

    def test_a_pointer_anywhere_does_not_hinder_the_first_click(
        self, rig: Rig, frame: Frame
    ) -> None:
        rig.push(-40, 30)
        rig.click(frame, X, Y)
        assert len(rig.clicks(1)) == 1

    def test_a_bumped_desk_is_not(self, rig: Rig, frame: Frame) -> None:
        for push in (2, -2, 1, -1, 2, -2):
            rig.click(frame, X, Y)
            rig.push(push, -push)
        rig.click(frame, X, Y)
        assert len(rig.clicks(7)) == 7

    def test_a_slow_hand_is_noticed_after_a_few_points(self, rig: Rig, frame: Frame) -> None:
        for _ in range(7):
            rig.click(frame, X, Y)
            rig.push(1, 0)
        with pytest.raises(Stopped, match="the mouse was moved"):
            rig.click(frame, X, Y)
        assert len(rig.clicks(7)) == 7

    def test_nor_one_that_has_been_away_and_back(self, rig: Rig, frame: Frame) -> None:
        rig.move(PLACE.left + 50, PLACE.top)
        rig.move(PLACE.left, PLACE.top)
        with pytest.raises(WindowMoved):
            rig.click(frame, X, Y)
        assert rig.clicks(0) == []

    def test_a_mouse_moved_before_or_after_it_is_parked_is_the_stop(
        self, rig: Rig, frame: Frame
    ) -> None:
        rig.click(frame, X, Y)
        rig.mouse.park(frame)
        parked = rig.pointer()
        rig.push(0, 40)
        with pytest.raises(Stopped, match="the mouse was moved"):
            rig.mouse.park(frame)
        assert rig.pointer() == (parked.x, parked.y + 40)

    def test_before_the_first_click_it_is_the_users(self, rig: Rig, frame: Frame) -> None:
        before = rig.pointer()
        rig.mouse.park(frame)
        assert rig.pointer() == before


def test_pyautogui_leaves_no_display_in_the_environment(
    bare_desk: PrivateDisplay, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "XAUTHORITY"):
        monkeypatch.delenv(name, raising=False)
    with x11_rig(bare_desk, pyautogui=True) as rig:
        rig.click(rig.grab(), X, Y)
        assert not {"DISPLAY", "XAUTHORITY"} & set(os.environ)
        assert len(rig.clicks(1)) == 1
