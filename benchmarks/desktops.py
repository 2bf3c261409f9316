"""The desktops that games are played on in benchmarks, none of them the user's own."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

from fixtures.desktops.gnome import HeadlessGnome
from fixtures.desktops.mutter import mutter_desktop
from fixtures.desktops.portal_dialog import answering, share_screen, share_window
from fixtures.desktops.sway import SwayDesktop, sway_desktop
from minebot.actuator import Button
from minebot.capture import Frame, Pixel, Window
from minebot.desktop.choose import native
from minebot.desktop.portal.desktop import PortalDesktop
from minebot.desktop.ports import Desktop, WindowSession
from minebot.desktop.wayland.connection import Connection
from minebot.desktop.wayland.desktop import WaylandDesktop
from minebot.desktop.wayland.sway import Sway
from minebot.desktop.window_query import find
from minebot.desktop.x11.desktop import XDesktop
from minebot.errors import WindowBusy
from minebot.sandbox import private_display as desk
from minebot.sandbox.launch import opened
from minebot.sandbox.nested import NestedDisplay
from minebot.stop import Stop

Opener = Callable[[str], AbstractContextManager[tuple[Desktop, Window]]]
"""Starts Simon Tatham's Mines with a game id, for a `with` block: the desktop and the window."""

SIZE = (1280, 1024)
"""Points of each sway's screen, which has `--scale` pixels to each of them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what says which desktop it is."""
    parser.add_argument(
        "--desktop",
        choices=("x11", "sway", *_X11_ON_WAYLAND, "portal"),
        default="x11",
        help="x11: Xvfb and openbox; sway: a Wayland window on sway; nested: in the window of a "
        "rootful Xwayland; xwayland: an X11 window on a Wayland desktop; portal: a Wayland window "
        "on GNOME, which its user shares (default: %(default)s)",
    )
    parser.add_argument(
        "--on", choices=("sway", "mutter"), default="sway", help="for nested and xwayland"
    )
    parser.add_argument("--hertz", type=int, choices=(60, 240), default=60, help="of sway")
    parser.add_argument("--scale", type=float, choices=(1, 1.25, 2), default=1, help="of sway")
    parser.add_argument(
        "--outputs", type=int, choices=(1, 2), default=1, help="of sway; the game is on the last"
    )
    parser.add_argument(
        "--share", choices=("screen", "window"), default="screen", help="for portal"
    )


def described(arguments: argparse.Namespace) -> str:
    """Which desktop the arguments name, in words."""
    if arguments.desktop == "x11":
        return "Xvfb and openbox"
    if arguments.desktop == "portal":
        return f"GNOME, a {arguments.share} shared through the portal"
    way = {"sway": "", "nested": "Xwayland's window on ", "xwayland": "X11 on "}[arguments.desktop]
    if arguments.desktop != "sway" and arguments.on == "mutter":
        return f"{way}mutter"
    screens = f"{arguments.outputs} screens" if arguments.outputs > 1 else "one screen"
    return f"{way}sway, {screens} of {arguments.hertz} Hz, scale {arguments.scale:g}"


@contextmanager
def desktop_of(arguments: argparse.Namespace) -> Iterator[Opener]:
    """The desktop that the arguments name, for a `with` block."""
    with ExitStack() as ends:
        if arguments.desktop == "x11":
            display = ends.enter_context(desk.PrivateDisplay())
            yield lambda game_id: _on_x11(display, game_id)
        elif arguments.desktop == "portal":
            yield ends.enter_context(_through_the_portal(arguments.share))
        elif arguments.desktop == "sway":
            yield ends.enter_context(_natively(ends.enter_context(_sway(arguments))))
        elif arguments.on == "sway":
            sway = ends.enter_context(_sway(arguments))
            x11 = sway.x11() if arguments.desktop == "xwayland" else nullcontext("")
            environ = {**sway.environ, "DISPLAY": ends.enter_context(x11)}
            yield ends.enter_context(_X11_ON_WAYLAND[arguments.desktop](environ))
        else:
            environ = ends.enter_context(mutter_desktop(SIZE))
            yield ends.enter_context(_X11_ON_WAYLAND[arguments.desktop](environ))


@contextmanager
def _sway(arguments: argparse.Namespace) -> Iterator[SwayDesktop]:
    scale = arguments.scale
    width, height = round(SIZE[0] * scale), round(SIZE[1] * scale)
    with sway_desktop((width, height), scale, arguments.hertz) as sway:
        if arguments.outputs > 1:
            sway.say("create_output")
            mode = f"mode --custom {width}x{height}@{arguments.hertz}Hz"
            sway.say(f"output HEADLESS-2 {mode} position {SIZE[0]} 0 scale {scale}")
            sway.say("focus output HEADLESS-2")
        yield sway


@contextmanager
def _on_x11(display: desk.PrivateDisplay, game_id: str) -> Iterator[tuple[Desktop, Window]]:
    desktop = native(display.name)
    with desk.RunningGame(display, game_id) as game:
        yield desktop, find(game.window, desktop.windows())


@contextmanager
def _natively(sway: SwayDesktop) -> Iterator[Opener]:
    environ = sway.environ
    with (
        Connection(environ["WAYLAND_DISPLAY"]) as connection,
        closing(Sway(environ["SWAYSOCK"])) as tree,
    ):
        desktop = WaylandDesktop(connection, tree)

        @contextmanager
        def opener(game_id: str) -> Iterator[tuple[Desktop, Window]]:
            with sway.program(["sgt-mines", game_id], {"GDK_BACKEND": "wayland"}) as number:
                yield desktop, find(f"sway:{number}", desktop.windows())

        yield opener


@contextmanager
def _nested(environ: Mapping[str, str]) -> Iterator[Opener]:
    with _environment(environ), NestedDisplay() as display:
        yield _opener(native(display.name), display.environ())


@contextmanager
def _through_xwayland(environ: Mapping[str, str]) -> Iterator[Opener]:
    name = environ["DISPLAY"]
    with _environment(environ):
        # Its login file is named by the environment.
        yield _opener(XDesktop(name, rootless=True), {**os.environ, "GDK_BACKEND": "x11"})


def _opener(desktop: Desktop, environ: Mapping[str, str]) -> Opener:
    @contextmanager
    def opener(game_id: str) -> Iterator[tuple[Desktop, Window]]:
        with opened(desktop, ["sgt-mines", game_id], environ) as window:
            yield desktop, window

    return opener


_X11_ON_WAYLAND: dict[str, Callable[[Mapping[str, str]], AbstractContextManager[Opener]]] = {
    "nested": _nested,
    "xwayland": _through_xwayland,
}
"""The ways to have an X11 game on a Wayland desktop with that environment."""


@contextmanager
def _through_the_portal(share: str) -> Iterator[Opener]:
    """As GNOME's user shares the whole screen once, or each game's window."""
    with (
        HeadlessGnome() as gnome,
        TemporaryDirectory() as folder,
        closing(_Shared(gnome, Path(folder, "token"), share)) as shared,
    ):
        yield shared.game


class _Shared:
    """A headless GNOME whose user shares its screen, or each window, when asked."""

    def __init__(self, gnome: HeadlessGnome, token: Path, share: str) -> None:
        self._gnome = gnome
        self._share = share
        self._token = token
        self._desktop: PortalDesktop | None = None

    @contextmanager
    def game(self, game_id: str) -> Iterator[tuple[Desktop, Window]]:
        """A game, and the desktop on which it is shared already."""
        with self._gnome.game(f"sgt-mines {game_id}"):
            if self._desktop is None:
                self._desktop = PortalDesktop(
                    lambda _: None, bus=self._gnome.bus, token=self._token
                )
                stop, window = Stop(), self._desktop.pick(None, lambda _: False)
                share = share_window if self._share == "window" else share_screen
                with answering(self._gnome.user, share, stop), self._desktop.open(window, stop):
                    pass
                # To look at it as well would take the shell's time.
                self._gnome.user.close_eyes()
            yield self._desktop, self._desktop.pick(None, lambda _: False)
        if self._share == "window":
            self.close()

    def close(self) -> None:
        """End the sharing."""
        if self._desktop is not None:
            self._desktop.close()
            self._desktop = None


@contextmanager
def _environment(wanted: Mapping[str, str]) -> Iterator[None]:
    """A block in which this process is on that desktop; its files stay where they are."""
    before = dict(os.environ)
    names = ("DISPLAY", "SWAYSOCK", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR")
    os.environ.update({name: wanted[name] for name in names if name in wanted})
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def click(window_session: WindowSession, frame: Frame, at: Pixel, button: Button) -> None:
    """Click there in the window, again while the game is busy with earlier clicks."""
    while True:
        try:
            window_session.mouse.click(frame, at, button)
        except WindowBusy:
            frame = window_session.screen.grab()
        else:
            return
