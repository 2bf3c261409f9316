"""The desk that the tests of windows, clicks and frames share."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser

from fixtures import study_page
from fixtures.desktops.sway import SwayDesktop, sway_desktop
from minebot.desktop.wayland.connection import Connection
from minebot.desktop.wayland.desktop import WaylandDesktop
from minebot.desktop.wayland.sway import Sway
from minebot.sandbox.private_display import PrivateDisplay

# A shell that runs the tests in the background has them ignore SIGINT and SIGQUIT, `nohup` SIGHUP,
# and so every program that they start: Python then hears none. This undoes it for all.
for number, usual in (
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGQUIT, signal.SIG_DFL),
    (signal.SIGHUP, signal.SIG_DFL),
):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, usual)


@pytest.fixture(scope="session", autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keeps the tests away from the user's own profiles, and from the evidence of their games."""
    folder = tmp_path_factory.mktemp("user")
    with pytest.MonkeyPatch.context() as patch:
        for kind in ("CONFIG", "DATA", "STATE"):
            patch.setenv(f"XDG_{kind}_HOME", str(folder / kind.lower()))
        yield


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's."""
    with study_page.browser() as browser:
        yield browser


@pytest.fixture(scope="session")
def desk() -> Iterator[PrivateDisplay]:
    """A private display of 1280 x 1024 with a click-to-focus window manager."""
    with PrivateDisplay((1280, 1024)) as display:
        yield display


@pytest.fixture(scope="session")
def sway() -> Iterator[SwayDesktop]:
    """A sway of 1280 x 1024 pixels without a screen."""
    with sway_desktop(config='for_window [class=".*"] border none\n') as desktop:
        yield desktop


@pytest.fixture(scope="session")
def connection(sway: SwayDesktop) -> Iterator[Connection]:
    """To it; pywayland takes windows of which a second one is told for the first one's."""
    with closing(Connection(sway.environ["WAYLAND_DISPLAY"])) as one:
        yield one


@pytest.fixture(scope="session")
def on_sway(sway: SwayDesktop, connection: Connection) -> Iterator[WaylandDesktop]:
    """The program's way into it."""
    with closing(Sway(sway.environ["SWAYSOCK"])) as tree:
        yield WaylandDesktop(connection, tree)


@pytest.fixture(scope="session")
def bare_desk() -> Iterator[PrivateDisplay]:
    """A private display without a window manager."""
    with PrivateDisplay((1280, 1024), window_manager=None) as display:
        yield display
