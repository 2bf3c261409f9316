"""Whose hand moved the pointer."""

from __future__ import annotations

import threading

import pytest

from minebot.desktop.placement import Point
from minebot.desktop.pointer_guard import PointerGuard
from minebot.stop import Stop


class TestPointerGuard:
    def test_before_the_first_click_every_place_is_fine(self) -> None:
        stop, guard = Stop(), PointerGuard()
        guard.look(Point(5, 5), stop)
        guard.check(Point(900, 5), stop)
        stop.check()

    @pytest.mark.parametrize(("off", "stops"), [(2, False), (3, True), (-2, False), (-3, True)])
    def test_so_far_the_pointer_may_be_off(self, off: int, *, stops: bool) -> None:
        stop, guard = Stop(), PointerGuard()
        guard.leave(Point(100, 100))
        guard.look(Point(100, 100 + off), stop)
        assert (stop.reason is not None) == stops

    def test_a_glance_does_not_wait_for_a_click_under_way(self) -> None:
        stop, guard = Stop(), PointerGuard()
        guard.leave(Point(100, 100))
        looked: list[Point] = []

        def where() -> Point:
            looked.append(Point(500, 500))
            return looked[-1]

        with guard.held():
            other = threading.Thread(target=guard.glance, args=(where, stop))
            other.start()
            other.join(10)
            assert not looked
        guard.glance(where, stop)
        assert stop.reason == "the mouse was moved"
