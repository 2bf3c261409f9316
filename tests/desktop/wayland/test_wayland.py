"""What Wayland backends have beyond the contracts that all desktops keep."""

from __future__ import annotations

import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress

import numpy as np
import pytest
from pywayland.protocol.ext_image_copy_capture_v1 import ExtImageCopyCaptureManagerV1

from fixtures.desktops.sway import SwayDesktop, sway_desktop
from fixtures.desktops.wayland_user import WaylandUser
from fixtures.waiting import pass_time, settled, stays, wait_until
from minebot.actuator import NAMED, Button, Key
from minebot.capture import Pixel, Rect, State, Window
from minebot.desktop.ports import StopWay
from minebot.desktop.wayland._generated.wlr_screencopy_unstable_v1 import ZwlrScreencopyManagerV1
from minebot.desktop.wayland.connection import Connection
from minebot.desktop.wayland.desktop import WaylandDesktop, lacking
from minebot.desktop.wayland.frame_capture import FrameCapture
from minebot.desktop.wayland.key_bindings import KeyBindings
from minebot.desktop.wayland.sway import Sway, find_sway
from minebot.errors import CaptureError, Stopped, UsageError, WindowError, WindowGone
from minebot.stop import Stop
from tests.desktop.rig import PLACE, Rig, sway_rig
from tests.desktop.x11.client import Client


@pytest.fixture
def rig(sway: SwayDesktop, on_sway: WaylandDesktop) -> Iterator[Rig]:
    with sway_rig(sway, on_sway, 1) as rig:
        yield rig


@pytest.fixture(scope="module")
def placeless(connection: Connection) -> WaylandDesktop:
    """As on compositors that tell nobody where windows are."""
    return WaylandDesktop(connection, None)


@pytest.fixture
def user(sway: SwayDesktop) -> Iterator[WaylandUser]:
    with WaylandUser(sway.environ) as one:
        yield one


class TestStopping:
    def test_it_says_what_it_hears(self, rig: Rig) -> None:
        assert rig.window_session.stops == {StopWay.KEY, StopWay.POINTER}

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
                bindings.next_event()
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


class TestKeyboard:
    def test_each_key_writes_its_own_name(self, sway: SwayDesktop, on_sway: WaylandDesktop) -> None:
        name = sway.x11_display
        with sway.as_its_user():
            client = Client(name, PLACE, anywhere=True)
        with client:
            window = on_sway.pick("Log", lambda _: False)
            with on_sway.open(window, Stop()) as window_session:
                keys = [Key("n"), Key("N"), Key("+"), Key("F2"), Key("Escape"), Key("space")]
                for key in keys:
                    window_session.keyboard.press(key)
                client.wait_for(lambda: len(client.keys) >= len(keys))
                setup = client.display.setup
                first = setup.min_keycode
                table = client.display.core.GetKeyboardMapping(
                    first, setup.max_keycode - first + 1
                ).reply()
                symbols = [
                    table.keysyms[(press.detail - first) * table.keysyms_per_keycode]
                    for press in client.keys
                ]
                assert symbols == [ord("n"), ord("N"), ord("+"), 0xFFBF, 0xFF1B, 0x20]

    def test_modifiers_are_held_for_one_key(
        self, sway: SwayDesktop, on_sway: WaylandDesktop
    ) -> None:
        name = sway.x11_display
        with sway.as_its_user():
            client = Client(name, PLACE, anywhere=True)
        with client:
            window = on_sway.pick("Log", lambda _: False)
            with on_sway.open(window, Stop()) as window_session:
                for key in ("ctrl+n", "n", "alt+shift+F1"):
                    window_session.keyboard.press(Key.parse(key))
                client.wait_for(lambda: len(client.keys) >= 3)
                assert [press.state & 0b1101 for press in client.keys] == [4, 0, 9]

    def test_keys_that_it_lacks_are_refused(self, rig: Rig) -> None:
        with pytest.raises(UsageError, match="no key 'ß'"):
            rig.keyboard.press(Key("ß"))

    def test_it_has_every_named_key(self, rig: Rig) -> None:
        for name in NAMED:
            rig.keyboard.press(Key(name))


class TestWindows:
    def test_a_window_that_was_put_away_is_shown(self, rig: Rig) -> None:
        rig.hide()
        rig.window_session.control.show()
        assert rig.grab().width == PLACE.width

    def test_one_on_another_workspace_too(self, rig: Rig, sway: SwayDesktop) -> None:
        sway.say("workspace other")
        with pytest.raises(WindowError, match="on another desktop"):
            rig.screen.grab()
        rig.window_session.control.show()
        assert rig.grab().width == PLACE.width

    def test_it_is_resized_where_it_floats_and_left_where_it_is_tiled(
        self, rig: Rig, sway: SwayDesktop
    ) -> None:
        assert rig.window_session.control.resize(360, 240)
        assert rig.grab().pixels.shape[:2] == (240, 360)
        assert rig.window_session.control.enlarge()
        assert rig.grab().pixels.shape[:2] == (320, 480)
        number = rig.window_session.window.id.removeprefix("sway:")
        sway.say(f"[con_id={number}] floating disable")
        assert not rig.window_session.control.resize(300, 200)

    @pytest.mark.parametrize("scale", [2, 1.25])
    def test_its_size_is_told_in_pixels_of_a_frame(
        self, sway: SwayDesktop, on_sway: WaylandDesktop, scale: float
    ) -> None:
        try:
            with sway_rig(sway, on_sway, scale) as rig:
                before = rig.grab()
                assert rig.window_session.control.resize(before.width - 40, before.height + 20)
                after = rig.grab()
        finally:
            sway.say("output HEADLESS-1 scale 1")
        assert (after.width, after.height) == (before.width - 40, before.height + 20)

    def test_a_picture_of_another_window_takes_no_second_seat(
        self, rig: Rig, on_sway: WaylandDesktop, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # Its end would give back the keys that stop this one.
        monkeypatch.setattr(on_sway, "open", None)
        rig.grab()
        rig.cover(Rect(PLACE.left + 10, PLACE.top + 10, 80, 60))
        notice = on_sway.pick("Notice", lambda _: False)
        picture = rig.window_session.picture(notice)
        assert (picture.width, picture.height) == (80, 60)
        assert (picture.pixels[..., :3] == (0x99, 0x66, 0x33)).all()
        assert stays(lambda: rig.stop.reason is None, 0.1)
        rig.stop.check()

    @pytest.mark.parametrize("border", ["none", "normal"])
    def test_a_resized_window_keeps_its_corner_and_stays_on_the_screen(
        self, rig: Rig, sway: SwayDesktop, border: str
    ) -> None:
        control, number = (
            rig.window_session.control,
            rig.window_session.window.id.removeprefix("sway:"),
        )
        sway.say(f"[con_id={number}] border {border}")
        rig.grab()

        def place() -> list[int]:
            (window,) = (one for one in sway.windows() if str(one["id"]) == number)
            rect = window["rect"]
            return [rect["x"], rect["y"] - window["deco_rect"]["height"]]

        # A late answer to one size undoes the next.
        was = settled(place, 0.3)
        for size in ((360, 240), (120, 90), (300, 200)):
            assert control.resize(*size)
            assert rig.grab().pixels.shape[1::-1] == size
            assert place() == was
        assert control.resize(5000, 4000)
        frame = rig.grab()  # which has to be wholly on the screen
        assert frame.width > 1200
        assert frame.height > 900
        # Larger than the screen, sway would not give it its size again.
        sway.say(f"[con_id={number}] border normal 40")
        rig.grab()
        assert not control.resize(300, 200)

    def test_without_sway_they_have_names_and_no_places(
        self, rig: Rig, placeless: WaylandDesktop
    ) -> None:
        desktop = placeless
        window = desktop.pick("Log", lambda _: False)
        assert (window.rect, window.state) == (None, State.SHOWN)
        with desktop.open(window, Stop()) as window_session:
            window_session.control.show()
            frame = window_session.screen.grab()
            assert (frame.width, frame.height) == (1280, 1024)
            window_session.mouse.click(frame, Pixel(PLACE.left + 7, PLACE.top + 9), Button.RIGHT)
            assert rig.clicks(1) == [(7, 9, Button.RIGHT)]
            rig.close()
            with pytest.raises(WindowGone):
                window_session.mouse.click(frame, Pixel(5, 5), Button.LEFT)

    def test_without_sway_another_window_makes_a_picture_old(
        self, rig: Rig, placeless: WaylandDesktop
    ) -> None:
        desktop = placeless
        with desktop.open(desktop.pick("Log", lambda _: False), Stop()) as window_session:
            frame = window_session.screen.grab()
            rig.cover(PLACE)
            with pytest.raises(WindowError, match="changed since it was looked at"):
                window_session.mouse.click(frame, Pixel(PLACE.left + 7, PLACE.top + 9), Button.LEFT)
        assert rig.clicks(0) == []


class TestScreens:
    @pytest.mark.parametrize(
        "turned",
        [
            *(
                pytest.param(turned, marks=pytest.mark.thorough)
                for turned in ("90", "180", "270", "flipped", "flipped-90", "flipped-180")
            ),
            "flipped-270",
        ],
    )
    def test_a_turned_screen_is_seen_upright(
        self, sway: SwayDesktop, on_sway: WaylandDesktop, turned: str
    ) -> None:
        sway.say(f"output HEADLESS-1 transform {turned}")
        try:
            with sway_rig(sway, on_sway, 1) as rig:

                def painted() -> np.ndarray:
                    return np.asarray(
                        (rig.grab().pixels[..., :3] == (0x11, 0x22, 0xCC)).all(axis=2)
                    )

                rig.paint(Rect(20, 30, 4, 2), 0xCC2211)
                # A screen that was just turned is painted late on a busy machine.
                wait_until(lambda: bool(painted().any()))
                frame = rig.grab()
                assert np.argwhere(painted()).min(axis=0).tolist() == [30, 20]
                assert np.argwhere(painted()).max(axis=0).tolist() == [31, 23]
                rig.click(frame, 22, 31)
                assert rig.clicks(1) == [(22, 31, Button.LEFT)]
        finally:
            sway.say("output HEADLESS-1 transform normal")


class TestNewerPictures:
    """By ext-image-copy-capture, which sway has from version 1.11 on."""

    @pytest.fixture
    def cameras(
        self, connection: Connection, monkeypatch: pytest.MonkeyPatch
    ) -> Iterator[tuple[FrameCapture, FrameCapture]]:
        """One of the older kind, one of the newer."""
        if connection.get(ExtImageCopyCaptureManagerV1) is None:
            pytest.skip("this sway does not have them")
        with closing(FrameCapture(connection)) as older:
            get = connection.get
            without = {ZwlrScreencopyManagerV1: None}
            monkeypatch.setattr(connection, "get", lambda one: without.get(one, get(one)))
            with closing(FrameCapture(connection)) as newer:
                yield older, newer

    def test_they_show_the_same(
        self, rig: Rig, connection: Connection, cameras: tuple[FrameCapture, FrameCapture]
    ) -> None:
        rig.grab()
        (output,) = connection.outputs
        expected, shown = (camera.finish(camera.ask(output, PLACE)) for camera in cameras)
        assert expected is not None
        assert shown is not None
        assert np.array_equal(shown[..., :3], expected[..., :3])

    def test_one_waits_for_a_change(
        self, rig: Rig, connection: Connection, cameras: tuple[FrameCapture, FrameCapture]
    ) -> None:
        rig.grab()
        _, newer = cameras
        (output,) = connection.outputs
        assert newer.finish(newer.ask(output, PLACE)) is not None
        copy = newer.ask(output, PLACE, when_damaged=True)
        assert newer.finish(copy, 0.3) is None
        rig.paint(Rect(10, 20, 30, 40), 0xFF0000)
        shown = newer.finish(copy, 5)
        assert shown is not None
        assert tuple(shown[25, 15, :3]) == (0, 0, 255)


class TestConnection:
    def test_what_comes_for_a_proxy_that_is_gone_is_not_waited_on(
        self, connection: Connection
    ) -> None:
        manager = connection.get(ZwlrScreencopyManagerV1)
        connection.sync()
        proxy = manager.capture_output(0, connection.outputs[0].proxy)
        connection.flush()
        assert select.select([connection.fileno()], [], [], 5)[0]  # it tells its size
        proxy.destroy()
        thread = threading.Thread(target=connection.listen, args=(0,), daemon=True)
        thread.start()
        thread.join(5)
        assert not thread.is_alive()


class TestNotHere:
    def test_a_display_that_is_not_there_is_one_line(self) -> None:
        with pytest.raises(CaptureError, match="no Wayland compositor answers at /nowhere"):
            Connection("/nowhere")

    def test_a_dead_sway_is_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SWAYSOCK", "/nowhere")
        assert find_sway() is None

    def test_a_closed_window_cannot_be_opened(self, on_sway: WaylandDesktop) -> None:
        gone = Window("sway:4711", "Mines")
        with pytest.raises(WindowGone), on_sway.open(gone, Stop()):
            pass

    def test_sway_lacks_nothing(self, connection: Connection) -> None:
        assert lacking(connection, None) == ""

    def test_the_program_ends_without_a_crash(self, sway: SwayDesktop) -> None:
        code = "from minebot.desktop.choose import native; print(native().windows())"
        done = subprocess.run(
            [sys.executable, "-c", code],
            check=False,
            env=sway.environ,
            capture_output=True,
            text=True,
        )
        assert (done.returncode, done.stderr) == (0, "")
