"""Hearing the user where only GNOME tells that somebody was active, and the end of the sharing."""

from __future__ import annotations

import threading
import time

import pytest

from minebot.desktop.portal.bus import Bus
from minebot.desktop.portal.idle_attribution import IdleAttribution
from minebot.desktop.portal.idle_monitor import IdleMonitor, listening
from minebot.desktop.portal.portal_session import PortalSession
from minebot.desktop.portal.restore_token import RestoreTokenFile
from minebot.desktop.ports import StopWay
from minebot.errors import CaptureError
from minebot.stop import Stop
from tests.desktop.portal.fake_portal import FakePortal
from tests.desktop.portal.portal_rig import Asked


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
        listener = IdleMonitor(lambda: 1.0, stop, IdleAttribution())
        listener.close()
        listener.close()
        assert stop.reason is None


class TestTheEndOfASession:
    def test_it_is_a_stop(self, bus: Bus, token: RestoreTokenFile, asked: Asked) -> None:
        with FakePortal(bus.address) as portal:
            session = PortalSession(bus, token, asked.clock, asked)
            with listening(bus, session.closed, asked.stop, IdleAttribution()) as ways:
                assert ways == {StopWay.SESSION}
                portal.end_session()
                assert asked.stop.wait(5)
        assert asked.stop.reason is not None
        assert "ended the sharing" in asked.stop.reason

    def test_so_is_the_end_of_the_bus(
        self, bus: Bus, token: RestoreTokenFile, asked: Asked
    ) -> None:
        with FakePortal(bus.address):
            session = PortalSession(bus, token, asked.clock, asked)
            with listening(bus, session.closed, asked.stop, IdleAttribution()):
                bus.close()
                assert asked.stop.wait(5)
            with pytest.raises(CaptureError):
                session.notify("NotifyPointerButton", "iu", 0x110, 1)

    def test_its_own_end_is_none(self, bus: Bus, token: RestoreTokenFile, asked: Asked) -> None:
        with FakePortal(bus.address):
            session = PortalSession(bus, token, asked.clock, asked)
            with listening(bus, session.closed, asked.stop, IdleAttribution()):
                pass
            session.close()
            session.close()
        assert asked.stop.reason is None
