"""The desktop of compositors with wlroots' protocols, such as sway."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager

from pywayland.protocol.ext_image_copy_capture_v1 import ExtImageCopyCaptureManagerV1

from minebot.capture import Frame, Window
from minebot.desktop.ports import Desktop, StopWay, WindowSession, unseen
from minebot.desktop.wayland.connection import Connection
from minebot.desktop.wayland.protocols import (
    ZwlrForeignToplevelManagerV1,
    ZwlrScreencopyManagerV1,
    ZwlrVirtualPointerManagerV1,
    ZwpVirtualKeyboardManagerV1,
)
from minebot.desktop.wayland.screen import SEE, FrameCapture, WaylandScreen
from minebot.desktop.wayland.sway import Sway, SwayLocation
from minebot.desktop.wayland.toplevels import Toplevels, WholeScreen
from minebot.desktop.wayland.virtual_input import VirtualInput, WindowLocation
from minebot.desktop.wayland.watcher import IdleWatch, KeyBindings
from minebot.errors import CaptureError
from minebot.stop import Stop, SystemClock

_NEEDED = (
    (SEE, (ZwlrScreencopyManagerV1, ExtImageCopyCaptureManagerV1)),
    ("click", (ZwlrVirtualPointerManagerV1,)),
    ("press keys", (ZwpVirtualKeyboardManagerV1,)),
    ("list windows", (ZwlrForeignToplevelManagerV1,)),
)
"""What no program can do that has none of the protocols; sway lists windows all the same."""


def lacking(connection: Connection, sway: Sway | None) -> str:
    """What this compositor lets no program do that is needed to play; empty for nothing."""
    needed = _NEEDED if sway is None else _NEEDED[:-1]
    return " or ".join(
        what for what, protocols in needed if not any(map(connection.version, protocols))
    )


class WaylandDesktop(Desktop):
    """One compositor; see `minebot.desktop.ports.Desktop`."""

    def __init__(self, connection: Connection, sway: Sway | None) -> None:
        """`sway` tells where windows are, if it is that compositor."""
        self._connection = connection
        self._sway = sway
        self._told = sway or Toplevels(connection)

    def windows(self) -> Sequence[Window]:
        """The programs' windows. Raises CaptureError."""
        return [one.window for one in self._told.windows().values()]

    @contextmanager
    def open(self, window: Window, stop: Stop) -> Iterator[WindowSession]:
        """Play in the window for a `with` block. Raises WindowGone or CaptureError."""
        connection, clock = self._connection, SystemClock(stop)
        with ExitStack() as ends:
            camera = ends.enter_context(closing(FrameCapture(connection)))
            place = self._location(window)
            watch = ends.enter_context(IdleWatch(connection, stop))
            user = ends.enter_context(KeyBindings(self._sway.path, stop)) if self._sway else None
            devices = VirtualInput(connection, place, watch, user)
            # Without `KeyBindings` a key is one too, unless it falls between two clicks.
            heard = {StopWay.KEY: user, StopWay.POINTER: watch.hears}
            yield WindowSession(
                window=window,
                screen=WaylandScreen(camera, place, devices, clock),
                mouse=devices,
                keyboard=devices,
                control=place,
                dialogs=place.dialogs,
                picture=self._picture if self._sway else unseen,
                stops=frozenset(way for way in heard if heard[way]),
                clock=clock,
            )

    def _location(self, window: Window) -> WindowLocation:
        if isinstance(self._told, Sway):
            return SwayLocation(self._connection, self._told, window)
        return WholeScreen(self._connection, self._told, window)

    def _picture(self, window: Window) -> Frame:
        """What another window shows, without a session in it: its end would give back the keys."""
        output, spot = self._location(window).look()
        with closing(FrameCapture(self._connection)) as camera:
            pixels = camera.finish(camera.ask(output, spot.rect))
            if pixels is None:
                raise CaptureError(f"{window}: the compositor gives no picture of it")
            return Frame(pixels)
