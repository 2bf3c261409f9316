"""X displays with a window manager: one that nobody sees, and one in a window of Wayland's.

Nothing here is needed to play on the user's own desktop, and nothing here touches it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Self

from xcffib import xproto

from minebot.desktop.x11.activate import own_window, tell_manager
from minebot.desktop.x11.display import Display, errors_mapped
from minebot.errors import CaptureError
from minebot.sandbox.process import running, written

NO_BUS = "disabled:"
"""The address of a session bus that is not there, so that no program starts one on its own."""

_OF_THE_USER = ("GDK_", "GTK_", "MINES_", "QT_", "WAYLAND_", "XAUTHORITY")
"""Starts of variables that would carry the user's own desktop into the private one."""
_HOMES = ("CACHE_HOME", "CONFIG_HOME", "DATA_HOME", "RUNTIME_DIR", "STATE_HOME")

_NESTED_SIZE = "1280x960"
"""Width and height in pixels, where XWayland takes one: an expert board fits twice. Before
version 23.1 its window is as large as the screen."""
_GREY = 0x404040
"""Colour of the screen (red, green, blue). Specified."""
_OF_WAYLAND = ("WAYLAND_", "XAUTHORITY")
"""Starts of variables by which programs would open on the Wayland desktop instead."""


@dataclass(eq=False)
class PrivateDisplay:
    """A display that nobody sees, 24 bits deep, `size` pixels, ended with the `with` block.

    `window_manager` is a program's name, None for no such. Enter it on a thread that outlives it.
    Raises CaptureError when Xvfb or the window manager is missing or does not start.
    """

    size: tuple[int, int] = (1600, 1000)
    window_manager: str | None = "openbox"

    def __enter__(self) -> Self:
        with ExitStack() as ends:
            home = ends.enter_context(tempfile.TemporaryDirectory(prefix="minebot-desk-"))
            screen = "{}x{}x24".format(*self.size)
            self.name = ends.enter_context(x_server(["Xvfb", "-screen", "0", screen, "-noreset"]))
            self._environ = {
                **_environ_without(_OF_THE_USER),
                "DISPLAY": self.name,
                "DBUS_SESSION_BUS_ADDRESS": NO_BUS,
                "GDK_BACKEND": "x11",
                "GSETTINGS_BACKEND": "memory",
                "NO_AT_BRIDGE": "1",
                **{f"XDG_{kind}": home for kind in _HOMES},
            }
            if self.window_manager is not None:
                ends.enter_context(window_manager(self.window_manager, self.name, self._environ))
            self._ends = ends.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.close()

    def environ(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """The environment for a program on this display, with `extra` on top.

        It holds no trace of the user's own display, theme, scaling or settings.
        """
        return {**self._environ, **(extra or {})}


@contextmanager
def nested_display() -> Iterator[dict[str, str]]:
    """Run a rootful XWayland with a window manager; the environment for programs on it.

    It is the user's own but for the display, which DISPLAY names. Raises CaptureError.
    """
    with x_server(["Xwayland", "-shm", *_sized()]) as name:
        environ = {
            **_environ_without(_OF_WAYLAND),
            "DISPLAY": name,
            "GDK_BACKEND": "x11",
            "QT_QPA_PLATFORM": "xcb",
            "XDG_SESSION_TYPE": "x11",
        }
        with window_manager("openbox", name, environ) as display:
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
    knows_how = "-decorate" in done.stderr + done.stdout
    return ["-geometry", _NESTED_SIZE, "-decorate"] if knows_how else []


@contextmanager
def x_server(command: Sequence[str]) -> Iterator[str]:
    """Run an X server on the first free number, which it finds and reports itself; its name."""
    # With the prefix the server ends even if this process is killed outright, and
    # with the server all its windows' programs.
    setpriv = shutil.which("setpriv")
    lifeline = [setpriv, "--pdeathsig", "TERM", "--"] if setpriv else []
    command = [*command, "-displayfd", "1", "-nolisten", "tcp"]
    with running(command, dict(os.environ), CaptureError, lifeline) as server:
        # The number comes once the server accepts connections.
        server.wait_until(lambda: written(server.output).endswith(b"\n"))
        yield f":{int(written(server.output))}"


@contextmanager
def window_manager(name: str, display: str, environ: Mapping[str, str]) -> Iterator[Display]:
    """Run a window manager, which answers when the block begins."""
    with running([name], environ, CaptureError) as manager, Display(display) as connection:
        # It is there as long as the connection: late questions must not reach another window.
        window = own_window(connection)

        @errors_mapped()
        def answers() -> bool:
            # While it starts it throws away what it is asked, though it has announced itself.
            tell_manager(connection, window, "_NET_REQUEST_FRAME_EXTENTS", [])
            return bool(connection.numbers(connection.ask(window, "_NET_FRAME_EXTENTS")))

        manager.wait_until(answers)
        yield connection


def _environ_without(starts: tuple[str, ...]) -> dict[str, str]:
    """This process's environment without the variables whose names begin with one of `starts`."""
    return {name: value for name, value in os.environ.items() if not name.startswith(starts)}
