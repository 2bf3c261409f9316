"""The desktops that games are played on in benchmarks, none of them the user's own."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager

from bot.capture import Window
from bot.desktop.choose import native
from bot.desktop.ports import Desktop
from bot.desktop.wayland.connection import Connection
from bot.desktop.wayland.desktop import WaylandDesktop
from bot.desktop.wayland.sway import Sway
from bot.desktop.windows import find
from bot.desktop.x11.desktop import XDesktop
from bot.sandbox import display as desk
from bot.sandbox.nested import NestedDisplay
from bot.sandbox.opened import opened
from fixtures.desktops.sway import SwayDesktop, sway_desktop

__all__ = ["Opener", "add_arguments", "described", "desktop_of"]

Opener = Callable[[str], AbstractContextManager[tuple[Desktop, Window]]]
"""Starts Simon Tatham's Mines with a game id, for a `with` block: the desktop and the window."""

SIZE = (1280, 1024)
"""Points of each sway's screen, which has `--scale` pixels to each of them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what says which desktop it is."""
    parser.add_argument(
        "--desktop",
        choices=("x11", *_ON_SWAY),
        default="x11",
        help="x11: Xvfb and openbox; sway: a Wayland window on sway; nested: in the window of a "
        "rootful Xwayland on sway; xwayland: an X11 window on sway (default: %(default)s)",
    )
    parser.add_argument("--hertz", type=int, choices=(60, 240), default=60, help="of sway")
    parser.add_argument("--scale", type=float, choices=(1, 1.25, 2), default=1, help="of sway")
    parser.add_argument(
        "--outputs", type=int, choices=(1, 2), default=1, help="of sway; the game is on the last"
    )


def described(arguments: argparse.Namespace) -> str:
    """Which desktop the arguments name, in words."""
    if arguments.desktop == "x11":
        return "Xvfb and openbox"
    way = {"sway": "", "nested": "Xwayland's window on ", "xwayland": "X11 on "}[arguments.desktop]
    screens = f"{arguments.outputs} screens" if arguments.outputs > 1 else "one screen"
    return f"{way}sway, {screens} of {arguments.hertz} Hz, scale {arguments.scale:g}"


@contextmanager
def desktop_of(arguments: argparse.Namespace) -> Iterator[Opener]:
    """The desktop that the arguments name, for a `with` block."""
    if arguments.desktop == "x11":
        with desk.PrivateDisplay() as display:
            yield lambda game_id: _on_x11(display, game_id)
        return
    scale = arguments.scale
    width, height = round(SIZE[0] * scale), round(SIZE[1] * scale)
    with sway_desktop((width, height), scale, arguments.hertz) as sway, ExitStack() as ends:
        if arguments.outputs > 1:
            sway.say("create_output")
            mode = f"mode --custom {width}x{height}@{arguments.hertz}Hz"
            sway.say(f"output HEADLESS-2 {mode} position {SIZE[0]} 0 scale {scale}")
            sway.say("focus output HEADLESS-2")
        yield ends.enter_context(_ON_SWAY[arguments.desktop](sway))


@contextmanager
def _on_x11(display: desk.PrivateDisplay, game_id: str) -> Iterator[tuple[Desktop, Window]]:
    desktop = native(display.name)
    with desk.Game(display, game_id) as game:
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
def _nested(sway: SwayDesktop) -> Iterator[Opener]:
    with _environment(sway.environ), NestedDisplay() as display:
        desktop, environ = native(display.name), display.environ()

        @contextmanager
        def opener(game_id: str) -> Iterator[tuple[Desktop, Window]]:
            with opened(desktop, ["sgt-mines", game_id], environ) as window:
                yield desktop, window

        yield opener


@contextmanager
def _through_xwayland(sway: SwayDesktop) -> Iterator[Opener]:
    with sway.x11() as name:
        desktop, environ = XDesktop(name, rootless=True), {"GDK_BACKEND": "x11", "DISPLAY": name}

        @contextmanager
        def opener(game_id: str) -> Iterator[tuple[Desktop, Window]]:
            with sway.program(["sgt-mines", game_id], environ):
                yield desktop, find("sgt-mines", desktop.windows())

        yield opener


_ON_SWAY: dict[str, Callable[[SwayDesktop], AbstractContextManager[Opener]]] = {
    "sway": _natively,
    "nested": _nested,
    "xwayland": _through_xwayland,
}
"""The ways to have a game on sway."""


@contextmanager
def _environment(wanted: Mapping[str, str]) -> Iterator[None]:
    """A block in which this process is on that desktop; its files stay where they are."""
    before = dict(os.environ)
    names = ("WAYLAND_DISPLAY", "SWAYSOCK", "XDG_RUNTIME_DIR", "XDG_SESSION_TYPE")
    os.environ.update({name: wanted[name] for name in names})
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
