"""The user's stop on Wayland, as the compositor reports it."""

from __future__ import annotations

import gc
import select
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from typing import Any

import pytest
from pywayland.protocol.ext_idle_notify_v1 import ExtIdleNotificationV1

from fixtures.desktops.sway import SwayDesktop, sway_desktop
from fixtures.desktops.wayland_user import WaylandUser
from fixtures.waiting import pass_time, wait_until
from minebot.actuator import Key
from minebot.desktop.wayland.connection import Connection
from minebot.desktop.wayland.desktop import WaylandDesktop
from minebot.desktop.wayland.protocols import INTERFACES
from minebot.desktop.wayland.sway import Sway
from minebot.desktop.wayland.watcher import IdleWatch, KeyBindings
from minebot.errors import CaptureError, Stopped
from minebot.stop import Stop
from tests.desktop.rig import PLACE, Rig
from tests.desktop.x11.client import Client
from tests.support.stopping import promised


def notifications() -> list[Any]:
    """Those on which the compositor may still report."""
    kinds = tuple(
        interface.proxy_class
        for interface in (ExtIdleNotificationV1, INTERFACES["org_kde_kwin_idle_timeout"])
    )
    return [one for one in gc.get_objects() if isinstance(one, kinds) and not one.destroyed]


class TestIdleWatch:
    def test_closed_it_leaves_nothing_that_is_reported_to(self, connection: Connection) -> None:
        # Left to the garbage collector, a notification may be taken apart in one thread while
        # another dispatches to it.
        before = notifications()
        with IdleWatch(connection, Stop()):
            assert len(notifications()) == len(before) + 1
        assert notifications() == before


@pytest.fixture
def user(sway: SwayDesktop) -> Iterator[WaylandUser]:
    with WaylandUser(sway.environ) as one:
        yield one


class TestStopping:
    def test_it_hears_what_is_promised(self, rig: Rig) -> None:
        assert rig.window_session.stops == promised()["sway"]

    def test_its_own_clicks_and_keys_are_no_stop(self, rig: Rig) -> None:
        frame = rig.grab()
        for number in range(300):
            rig.click(frame, number, 100)
        rig.window_session.keyboard.press(Key("n"))
        rig.window_session.clock.sleep(0.2)
        rig.stop.check()

    @pytest.mark.parametrize("key", ["Escape", "F12", "n"])
    def test_a_key_between_two_clicks_is_heard(self, rig: Rig, user: WaylandUser, key: str) -> None:
        frame = rig.grab()
        user.begins(key)
        end = time.monotonic() + 5
        with suppress(Stopped):
            while time.monotonic() < end:
                rig.click(frame, 10, 10)
        assert rig.stop.reason is not None

    @pytest.mark.parametrize("key", [Key("Escape"), Key("n"), Key("n", ("ctrl",))])
    def test_a_key_that_the_program_presses_is_no_stop(self, rig: Rig, key: Key) -> None:
        for _ in range(3):
            rig.keyboard.press(key)
        rig.window_session.clock.sleep(0.3)
        rig.stop.check()

    @pytest.mark.parametrize("key", ["Escape", "F12", "n"])
    def test_a_key_is_heard_by_its_binding_alone(
        self, sway: SwayDesktop, user: WaylandUser, key: str
    ) -> None:
        with KeyBindings(sway.environ["SWAYSOCK"], stop := Stop()):
            user.does(key)
            assert stop.wait(5)
        assert stop.reason == "a key was pressed"

    def test_the_keys_are_given_back(self, sway: SwayDesktop, user: WaylandUser) -> None:
        path = sway.environ["SWAYSOCK"]
        with closing(Sway(path)) as bindings:
            bindings.subscribe("binding")
            with KeyBindings(path, Stop()):
                user.does("n")
                assert select.select([bindings], [], [], 5)[0]
                bindings.next_binding()
            user.does("Escape")
            user.does("n")
            assert not select.select([bindings], [], [], 0.5)[0]

    @pytest.mark.parametrize("key", ["n", "n 0.7"])
    def test_a_stop_while_a_key_is_down_does_not_harm_sway(self, key: str) -> None:
        """It keeps the binding of a key that is down, and crashes once that is gone."""
        with sway_desktop() as sway, WaylandUser(sway.environ) as user:
            for _ in range(3):
                with KeyBindings(sway.environ["SWAYSOCK"], stop := Stop()):
                    user.begins(key)
                    pass_time(0.04)
                    stop.request("the mouse was moved, or a key was pressed")
                user.ends()
                assert sway.outputs()

    def test_a_motion_is_heard_while_the_program_thinks(self, rig: Rig) -> None:
        heard: list[float] = []
        done = threading.Event()

        def listen() -> None:
            wait_until(lambda: rig.stop.reason is not None or done.is_set())
            heard.append(time.monotonic())

        listener = threading.Thread(target=listen)
        listener.start()
        moved = time.monotonic()
        rig.push(5, 5)
        end = time.monotonic() + 5
        while rig.stop.reason is None and time.monotonic() < end:
            sum(range(1000))  # thinks
        done.set()
        listener.join()
        assert rig.stop.reason == "a key was pressed or the mouse was moved"
        assert heard[0] - moved < 5

    def test_then_nothing_is_clicked(self, rig: Rig) -> None:
        frame = rig.grab()
        rig.click(frame, 10, 10)
        rig.push(5, 5)
        with pytest.raises(Stopped, match="the mouse was moved"):
            rig.click(frame, 20, 20)
        assert len(rig.clicks(1)) == 1

    def test_a_compositor_that_ends_is_a_stop(self) -> None:
        stop = Stop()
        with sway_desktop() as sway:
            environ = sway.environ
            name = sway.x11_display
            with sway.as_its_user():
                client = Client(name, PLACE, anywhere=True)
            connection = Connection(environ["WAYLAND_DISPLAY"])
            tree = Sway(environ["SWAYSOCK"])
            desktop = WaylandDesktop(connection, tree)
            (window,) = desktop.windows()
            with closing(tree), desktop.open(window, stop) as window_session:
                client.close()
                sway.end()
                assert stop.wait(5)
                assert stop.reason is not None
                assert "gone away" in stop.reason
                with pytest.raises(CaptureError, match="gone away"):
                    window_session.screen.grab()
