"""What a Wayland desktop says where something is not there, and its end."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fixtures.desktops.sway import SwayDesktop
from minebot.capture import Window
from minebot.desktop.wayland.connection import Connection
from minebot.desktop.wayland.desktop import WaylandDesktop, lacking
from minebot.errors import CaptureError, WindowGone
from minebot.stop import Stop


class TestNotHere:
    def test_a_display_that_is_not_there_is_one_line(self) -> None:
        with pytest.raises(CaptureError, match="no Wayland compositor answers at /nowhere"):
            Connection("/nowhere")

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
