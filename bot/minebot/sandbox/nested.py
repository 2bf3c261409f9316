"""An X display in a window of a Wayland desktop: programs in it can be seen and clicked."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from xcffib import xproto

from minebot.sandbox.private_display import window_manager, x_server

_SIZE = "1280x960"
"""Width and height in pixels, where XWayland takes one: an expert board fits twice. Before
version 23.1 its window is as large as the screen."""

_GREY = 0x404040
"""Colour of the screen (red, green, blue). Specified."""

_WINDOW_MANAGER = "openbox"

_FOREIGN = ("WAYLAND_", "XAUTHORITY")
"""Starts of variables by which programs would open on the Wayland desktop instead."""


@contextmanager
def nested_display() -> Iterator[dict[str, str]]:
    """Run a rootful XWayland with a window manager; the environment for programs on it.

    It is the user's own but for the display, which DISPLAY names. Raises CaptureError.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)}
    with x_server(["Xwayland", "-shm", *_sized()]) as name:
        x11 = {"DISPLAY": name, "GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb"}
        environ = {**kept, **x11, "XDG_SESSION_TYPE": "x11"}
        with window_manager(_WINDOW_MANAGER, name, environ) as display:
            # A black screen could be that of an XWayland without a screen of its own.
            display.core.ChangeWindowAttributes(display.root, xproto.CW.BackPixel, [_GREY])
            display.core.ClearArea(False, display.root, 0, 0, 0, 0)
            display.flush()
            yield environ


def _sized() -> list[str]:
    """What gives its window a size and a frame, for versions that know how."""
    try:
        done = subprocess.run(["Xwayland", "-help"], capture_output=True, text=True, check=False)
    except OSError:
        return []  # that it is missing is said when it is started
    return ["-geometry", _SIZE, "-decorate"] if "-decorate" in done.stderr + done.stdout else []
