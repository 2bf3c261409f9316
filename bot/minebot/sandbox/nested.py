"""An X display in a window of a Wayland desktop: programs in it can be seen and clicked."""

from __future__ import annotations

import os
import subprocess
from contextlib import ExitStack
from typing import Self

from xcffib import xproto

from minebot.desktop.x11.display import Display
from minebot.sandbox.private_display import window_manager, x_server

_SIZE = "1280x960"
"""Width and height in pixels, where XWayland takes one: an expert board fits twice. Before
version 23.1 its window is as large as the screen."""

_GREY = 0x404040
"""Colour of the screen (red, green, blue). Specified."""

_WINDOW_MANAGER = "openbox"

_FOREIGN = ("WAYLAND_", "XAUTHORITY")
"""Starts of variables by which programs would open on the Wayland desktop instead."""


class NestedDisplay:
    """A rootful XWayland with a window manager for a `with` block; raises CaptureError."""

    def __init__(self) -> None:
        self.name = ""
        self._ends = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as ends:
            self.name = ends.enter_context(x_server(["Xwayland", "-shm", *_sized()]))
            manager = window_manager(_WINDOW_MANAGER, self.name, self.environ())
            _paint(ends.enter_context(manager))
            self._ends = ends.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.close()

    def environ(self) -> dict[str, str]:
        """The user's own environment, for programs on this display."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)}
        x11 = {"DISPLAY": self.name, "GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb"}
        return {**kept, **x11, "XDG_SESSION_TYPE": "x11"}


def _paint(display: Display) -> None:
    """Give the screen a colour: a black one could be that of an XWayland without a colour."""
    display.core.ChangeWindowAttributes(display.root, xproto.CW.BackPixel, [_GREY])
    display.core.ClearArea(False, display.root, 0, 0, 0, 0)
    display.flush()


def _sized() -> list[str]:
    """What gives its window a size and a frame, for versions that know how."""
    try:
        done = subprocess.run(["Xwayland", "-help"], capture_output=True, text=True, check=False)
    except OSError:
        return []  # that it is missing is said when it is started
    return ["-geometry", _SIZE, "-decorate"] if "-decorate" in done.stderr + done.stdout else []
