"""Hearing the user where only GNOME tells that somebody was active, and the end of the sharing."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from minebot.desktop.portal import idle_monitor
from minebot.desktop.portal.bus import Bus
from minebot.desktop.portal.idle_monitor import IdleAttribution, IdleMonitor, listening
from minebot.desktop.portal.portal_session import PortalSession
from minebot.errors import CaptureError
from minebot.stop import Stop
from tests.desktop.portal.fake_portal import FakePortal
from tests.desktop.portal.portal_rig import Asked
from tests.support.stopping import promised


def act(own: IdleAttribution) -> None:
    with own.under_way():
        pass


class TestTheListener:
    def test_it_asks_for_the_stop(self) -> None:
        stop, own, active = Stop(), IdleAttribution(), [time.monotonic()]
        with IdleMonitor(lambda: time.monotonic() - active[0], stop, own):
            act(own)
            assert not stop.wait(0.2)
            active[0] = time.monotonic()
            assert stop.wait(2)
        assert stop.reason == "the mouse was moved or a key was pressed"

    def test_one_that_fails_is_a_stop(self) -> None:
        def fail() -> float:
            raise CaptureError("the session bus has gone")

        stop = Stop()
        with IdleMonitor(fail, stop, IdleAttribution()):
            assert stop.wait(2)
        assert stop.reason is not None
        assert "not heard any more (the session bus has gone)" in stop.reason

    @pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
    def test_so_is_one_that_breaks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(threading, "excepthook", lambda _: None)

        def fail() -> float:
            raise KeyError

        stop = Stop()
        with IdleMonitor(fail, stop, IdleAttribution()):
            assert stop.wait(2)
        assert stop.reason == "what listens for the mouse and the keyboard has failed"

    def test_one_that_is_closed_is_none(self) -> None:
        stop = Stop()
        with IdleMonitor(lambda: 1.0, stop, IdleAttribution()):
            pass
        assert stop.reason is None


class TestTheEndOfASession:
    def test_it_is_a_stop(self, bus: Bus, token: Path, asked: Asked) -> None:
        with FakePortal(bus.address) as portal:
            session = PortalSession(bus, token, asked.clock, asked)
            with listening(bus, session.closed, asked.stop, IdleAttribution()) as ways:
                assert ways == promised()["GNOME and KDE on Wayland"]
                portal.end_session()
                assert asked.stop.wait(5)
        assert asked.stop.reason is not None
        assert "ended the sharing" in asked.stop.reason

    def test_so_is_the_end_of_the_bus(self, bus: Bus, token: Path, asked: Asked) -> None:
        with FakePortal(bus.address):
            session = PortalSession(bus, token, asked.clock, asked)
            with listening(bus, session.closed, asked.stop, IdleAttribution()):
                bus.close()
                assert asked.stop.wait(5)
            with pytest.raises(CaptureError):
                session.notify("NotifyPointerButton", "iu", 0x110, 1)

    def test_its_own_end_is_none(self, bus: Bus, token: Path, asked: Asked) -> None:
        with FakePortal(bus.address):
            session = PortalSession(bus, token, asked.clock, asked)
            with listening(bus, session.closed, asked.stop, IdleAttribution()):
                pass
            session.close()
            session.close()
        assert asked.stop.reason is None


QUICK, SLOW = 0.001, 0.05
"""Seconds that a desktop at rest, and a busy one, take to answer."""


class Clock:
    """What `IdleAttribution` takes for the time."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(idle_monitor, "time", clock)
    return clock


def another(own: IdleAttribution, clock: Clock, ago: float, took: float = QUICK) -> bool:
    """What is made of an answer that somebody was active so long ago."""
    return own.was_another(clock.now, (clock.now - ago - 0.001, clock.now - ago), [took])


def test_before_its_first_event_all_activity_is_the_users_affair(clock: Clock) -> None:
    own = IdleAttribution()
    assert not another(own, clock, 0)
    assert not own.has_to_rest()


@pytest.mark.parametrize(("late", "users"), [(-5.0, False), (0.008, False), (0.06, True)])
def test_what_comes_too_long_after_its_last_is_the_users(
    clock: Clock, late: float, users: bool
) -> None:
    own = IdleAttribution()
    act(own)
    clock.now += 1
    assert another(own, clock, 1 - late) == users


@pytest.mark.parametrize("comes_again", [False, True])
def test_what_a_desktop_at_rest_may_have_noted_late_has_to_come_again(
    clock: Clock, comes_again: bool
) -> None:
    own = IdleAttribution()
    act(own)
    clock.now += 0.03
    assert not another(own, clock, 0)
    assert own.has_to_rest()
    clock.now += 0.2
    assert another(own, clock, 0 if comes_again else 0.2) == comes_again
    if not comes_again:
        assert not own.has_to_rest()


def test_while_an_event_is_under_way_nothing_is_told_apart(clock: Clock) -> None:
    own = IdleAttribution()
    act(own)
    clock.now += 1
    with own.under_way():
        assert not another(own, clock, 0)


class TestOnABusyDesktop:
    def test_what_is_noted_late_is_its_own(self, clock: Clock) -> None:
        own = IdleAttribution()
        act(own)
        clock.now += 0.1
        assert not another(own, clock, 0, SLOW)
        assert not own.has_to_rest()

    def test_what_comes_later_still_has_to_come_twice(self, clock: Clock) -> None:
        own = IdleAttribution()
        act(own)
        clock.now += 0.3
        assert not another(own, clock, 0, SLOW)
        assert own.has_to_rest(), "so that what comes next is not its own"
        clock.now += 0.05
        assert not another(own, clock, 0.05, SLOW), "the same once more"
        assert another(own, clock, 0, SLOW)

    def test_several_events_noted_late_are_its_own_too(self, clock: Clock) -> None:
        own = IdleAttribution()
        act(own)
        for _ in range(2):
            clock.now += 0.06
            assert not another(own, clock, 0, 0.02)
        assert own.has_to_rest()
        clock.now += 0.06
        assert another(own, clock, 0, 0.02)

    def test_what_does_not_was_its_own(self, clock: Clock) -> None:
        own = IdleAttribution()
        another(own, clock, 5, SLOW)
        act(own)
        clock.now += 0.3
        assert not another(own, clock, 0, SLOW)
        clock.now += 0.4
        assert not another(own, clock, 0.4, SLOW)
        assert not another(own, clock, 0.4, SLOW)
        assert not own.has_to_rest()


def test_it_rests_when_the_user_has_gone_unheard(clock: Clock) -> None:
    own = IdleAttribution()
    assert not another(own, clock, 5)
    for _ in range(20):
        act(own)
        clock.now += 0.01
        assert not another(own, clock, 0.01)
    assert own.has_to_rest()
    clock.now += 0.02
    assert not another(own, clock, 0.03)
    assert not own.has_to_rest()


def test_where_nobody_listens_it_never_rests(clock: Clock) -> None:
    own = IdleAttribution()
    act(own)
    clock.now += 10
    assert not own.has_to_rest()
