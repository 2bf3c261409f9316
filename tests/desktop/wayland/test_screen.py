"""Screens are seen upright and in their own scale, by whichever protocol there is."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest
from pywayland.protocol.ext_image_copy_capture_v1 import ExtImageCopyCaptureManagerV1

from fixtures.desktops.sway import SwayDesktop
from fixtures.waiting import wait_until
from minebot.actuator import Button
from minebot.capture import Rect
from minebot.desktop.wayland.connection import Connection
from minebot.desktop.wayland.desktop import WaylandDesktop
from minebot.desktop.wayland.protocols import ZwlrScreencopyManagerV1
from minebot.desktop.wayland.screen import FrameCapture, sharp
from tests.desktop.rig import PLACE, Rig, sway_rig


@pytest.mark.parametrize("scale", [1.25, 1.5, 1.75])
@pytest.mark.parametrize("rect", [Rect(182, 187, 660, 444), Rect(181, 33, 331, 437)])
def test_each_point_of_a_window_is_its_programs(scale: float, rect: Rect) -> None:
    painted = np.random.default_rng(1).integers(0, 255, (*rect[:1:-1], 4), np.uint8)
    # The program paints two pixels to a point; the compositor takes the nearest one for each of
    # those that it rounds the window to.
    twice = painted.repeat(2, axis=0).repeat(2, axis=1)
    left, right, top, bottom = (
        int(place * scale + 0.5) for place in (rect.left, rect.right, rect.top, rect.bottom)
    )
    rows = ((np.arange(bottom - top) + 0.5) * 2 * rect.height / (bottom - top)).astype(int)
    columns = ((np.arange(right - left) + 0.5) * 2 * rect.width / (right - left)).astype(int)
    output = Rect(0, 0, 1600, 1200)
    screen = np.zeros((int(1200 * scale), int(1600 * scale), 4), np.uint8)
    screen[top:bottom, left:right] = twice[np.ix_(rows, columns)]
    assert np.array_equal(sharp(screen, output, rect), painted)


def test_a_picture_that_another_thread_hears_of_is_not_waited_for(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    listen = connection.listen
    with closing(FrameCapture(connection)) as camera:
        copy = camera.ask(connection.outputs[0], PLACE)

        def hear() -> None:
            while not copy.state:
                listen(0.05)

        other = threading.Thread(target=hear)

        def listen_late(seconds: float) -> None:
            """What listens after the other thread had its chance."""
            if not other.ident:
                other.start()
                other.join(0.3)
            listen(seconds)

        monkeypatch.setattr(connection, "listen", listen_late)
        began = time.monotonic()
        assert camera.finish(copy) is not None
        assert time.monotonic() - began < 4
        other.join()


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
