"""Any of the games, started on a desktop of its own: one of X11, or a sway."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from fixtures.any_game import any_game, starter
from fixtures.desktops.programs import give_away
from fixtures.desktops.sway import SwayDesktop, sway_desktop
from minebot.capture import Window
from minebot.desktop.choose import native
from minebot.desktop.ports import Desktop
from minebot.desktop.wayland.connection import Connection
from minebot.desktop.wayland.desktop import WaylandDesktop
from minebot.desktop.wayland.sway import Sway
from minebot.desktop.window_query import find
from minebot.sandbox.private_display import PrivateDisplay

Opener = Callable[
    [Sequence[str], Mapping[str, str]], AbstractContextManager[tuple[Desktop, Window]]
]
"""Starts a game by its command, with these settings, for a `with` block: desktop and window."""


@dataclass(frozen=True, slots=True)
class AnyDesktop:
    """A desktop on which games are started."""

    start: Opener
    environ: Mapping[str, str]
    """That of programs on this desktop."""


@contextmanager
def any_desktop(name: str) -> Iterator[AnyDesktop]:
    """One for a `with` block, by its name in the benchmarks: `x11` or `sway`."""
    with _on_sway() if name == "sway" else _on_x11() as desktop:
        yield desktop


@contextmanager
def _on_x11() -> Iterator[AnyDesktop]:
    with PrivateDisplay() as display:
        desktop = native(display.name)

        @contextmanager
        def start(
            command: Sequence[str], settings: Mapping[str, str]
        ) -> Iterator[tuple[Desktop, Window]]:
            program, words = command[0], " ".join(command[1:])
            with any_game(display, words or None, program=program, settings=settings) as game:
                yield desktop, find(game.window, desktop.windows())

        yield AnyDesktop(start, {**os.environ, "DISPLAY": display.name})


@contextmanager
def sway_seen(size: tuple[int, int] = (1280, 1024)) -> Iterator[tuple[SwayDesktop, Desktop]]:
    """A sway of that size in pixels, and as minebot sees it, for a `with` block."""
    with (
        sway_desktop(size) as sway,
        Connection(sway.environ["WAYLAND_DISPLAY"]) as connection,
        closing(Sway(sway.environ["SWAYSOCK"])) as tree,
    ):
        yield sway, WaylandDesktop(connection, tree)


@contextmanager
def _on_sway() -> Iterator[AnyDesktop]:
    with sway_seen() as (sway, desktop):

        @contextmanager
        def start(
            command: Sequence[str], settings: Mapping[str, str]
        ) -> Iterator[tuple[Desktop, Window]]:
            starts = starter(command[0])
            with starts.settled(settings) as found:
                if found:
                    give_away(Path(found["XDG_CONFIG_HOME"]))
                environ = {"GDK_BACKEND": "wayland", "QT_QPA_PLATFORM": "wayland", **found}
                with sway.program([*starts.prefix(sway.environ), *command], environ) as number:
                    yield desktop, find(f"sway:{number}", desktop.windows())

        # What is compiled lies with the user's own.
        cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        yield AnyDesktop(start, {**sway.environ, "XDG_CACHE_HOME": cache})
