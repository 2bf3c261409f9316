"""The desktop of compositors with wlroots' protocols, such as sway."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial

from pywayland.protocol.ext_image_copy_capture_v1 import ExtImageCopyCaptureManagerV1

from minebot.capture import Frame, State, Window
from minebot.desktop.ports import FixedWindow, StopWay, WindowControl, WindowSession, unseen
from minebot.desktop.wayland._generated.virtual_keyboard_unstable_v1 import (
    ZwpVirtualKeyboardManagerV1,
)
from minebot.desktop.wayland._generated.wlr_foreign_toplevel_management_unstable_v1 import (
    ZwlrForeignToplevelManagerV1,
)
from minebot.desktop.wayland._generated.wlr_screencopy_unstable_v1 import ZwlrScreencopyManagerV1
from minebot.desktop.wayland._generated.wlr_virtual_pointer_unstable_v1 import (
    ZwlrVirtualPointerManagerV1,
)
from minebot.desktop.wayland.connection import Connection
from minebot.desktop.wayland.frame_capture import FrameCapture
from minebot.desktop.wayland.idle_notify import IdleWatch
from minebot.desktop.wayland.key_bindings import KeyBindings
from minebot.desktop.wayland.keyboard import WaylandKeyboard
from minebot.desktop.wayland.pointer import WaylandMouse
from minebot.desktop.wayland.screen import WaylandScreen
from minebot.desktop.wayland.sway import Sway
from minebot.desktop.wayland.toplevels import Toplevels
from minebot.desktop.wayland.window_location import SwayLocation, WholeScreen, WindowLocation
from minebot.desktop.window_query import pick
from minebot.errors import CaptureError, WindowError
from minebot.stop import Stop, SystemClock

_NEEDED = (
    ("see the screen", (ZwlrScreencopyManagerV1, ExtImageCopyCaptureManagerV1)),
    ("click", (ZwlrVirtualPointerManagerV1,)),
    ("press keys", (ZwpVirtualKeyboardManagerV1,)),
)

_PATIENCE = 2.0
"""Seconds that sway gets to bring a window forward. Specified: a limit for the user's patience."""

_TAKEN = 1.0
"""Seconds that a program gets to take a size. Specified: sway waits 0.2 for it."""


def lacking(connection: Connection, sway: Sway | None) -> str:
    """What this compositor lets no program do that is needed to play; empty for nothing."""
    listed = ("list windows", (ZwlrForeignToplevelManagerV1,))
    return " or ".join(
        what
        for what, protocols in (_NEEDED if sway is not None else (*_NEEDED, listed))
        if all(connection.get(protocol) is None for protocol in protocols)
    )


class WaylandDesktop:
    """One compositor; see `minebot.desktop.ports.Desktop`."""

    name = "wayland"

    def __init__(self, connection: Connection, sway: Sway | None) -> None:
        """`sway` tells where windows are, if it is that compositor."""
        self._connection = connection
        self._sway = sway
        self._toplevels = None if sway else Toplevels(connection)

    def windows(self) -> Sequence[Window]:
        """The programs' windows. Raises CaptureError."""
        if self._sway is not None:
            return [placed.window for placed in self._sway.windows().values()]
        assert self._toplevels is not None
        return [toplevel.window for toplevel in self._toplevels.all()]

    def pick(self, query: str | None, known: Callable[[Window], bool]) -> Window:
        """The window that is meant; see `minebot.desktop.ports.Desktop`."""
        return pick(query, self.windows(), known)

    @contextmanager
    def open(self, window: Window, stop: Stop) -> Iterator[WindowSession]:
        """Play in the window for a `with` block. Raises WindowGone or CaptureError."""
        connection, clock = self._connection, SystemClock(stop)
        with ExitStack() as ends:
            camera = FrameCapture(connection)
            place: WindowLocation
            control: WindowControl
            picture: Callable[[Window], Frame] = unseen
            if self._sway is not None:
                place = SwayLocation(connection, self._sway, window)
                sway_control = _SwayControl(self._sway, place)
                control, focus, dialogs = sway_control, sway_control.focus, sway_control.dialogs
                picture = partial(self._picture, self._sway)
            else:
                assert self._toplevels is not None
                place = WholeScreen(connection, self._toplevels, window)
                shown = _Activated(self._toplevels, place)
                control, focus, dialogs = shown, shown.focus, shown.dialogs
            watch = ends.enter_context(IdleWatch(connection, stop))
            user = ends.enter_context(KeyBindings(self._sway.path, stop)) if self._sway else None
            # The pointer first: windows need a moment until they hear a new one.
            mouse = WaylandMouse(connection, place, watch)
            keyboard = WaylandKeyboard(connection, watch, focus, user)
            mouse.holding = keyboard.holding
            screen = ends.enter_context(closing(WaylandScreen(camera, place, mouse, clock)))
            yield WindowSession(
                window=window,
                screen=screen,
                mouse=mouse,
                keyboard=keyboard,
                control=control,
                dialogs=dialogs,
                picture=picture,
                # Without `KeyBindings` a key is one too, unless it falls between two clicks.
                stops=frozenset(
                    way
                    for way, heard in ((StopWay.KEY, user), (StopWay.POINTER, watch.hears))
                    if heard
                ),
                clock=clock,
            )

    def _picture(self, sway: Sway, window: Window) -> Frame:
        """What another window shows: no second seat, whose end would give back this one's keys."""
        place = SwayLocation(self._connection, sway, window)
        output, spot = place.look()
        with closing(FrameCapture(self._connection)) as camera:
            pixels = camera.finish(camera.ask(output, spot.rect))
            if pixels is None:
                raise CaptureError(f"{window}: the compositor gives no picture of it")
            return Frame(pixels.copy())


class _SwayControl:
    """What may be done to one window; see `minebot.desktop.ports.WindowControl`."""

    def __init__(self, sway: Sway, place: SwayLocation) -> None:
        self._sway = sway
        self._place = place

    def show(self) -> None:
        self.focus(None)
        end = time.monotonic() + _PATIENCE
        while True:
            placed = self._place.placed()
            if placed.window.state is State.SHOWN and not placed.above:
                return
            if time.monotonic() > end:
                break
            time.sleep(0.01)
        if placed.above:
            above = placed.above[0][0]
            raise WindowError(f"{placed.window} is covered by {above!r}: move that away")
        raise WindowError(f"{placed.window} stays {placed.window.state.value}")

    def focus(self, window: Window | None) -> None:
        self._sway.run(window or self._place.placed().window, "focus")

    def dialogs(self) -> list[Window]:
        game = self._place.placed()
        return [
            other.window
            for other in self._sway.windows().values()
            if other.process == game.process
            and other.window.id != game.window.id
            and other.window.state is State.SHOWN
        ]

    def enlarge(self) -> bool:
        before, screen = self._place.placed(), self._place.screen().rect
        inside, outside = before.inside, before.outside
        is_larger = outside.width > screen.width or outside.height > screen.height
        if not before.floating or is_larger:
            return False  # its place is the layout's; sway would not give it its size again
        wide, high = outside.width - inside.width, outside.height - inside.height
        width = min(inside.width * 4 // 3 + wide, screen.width)
        height = min(inside.height * 4 // 3 + high, screen.height)
        left = min(max(outside.left, screen.left), screen.right - width)
        top = min(max(outside.top, screen.top), screen.bottom - height)
        size = f"resize set width {width} px height {height} px"
        self._sway.run(before.window, f"{size}, move absolute position {left} px {top} px")
        end = time.monotonic() + _TAKEN
        while (now := self._place.placed().inside[2:]) != (width - wide, height - high):
            if time.monotonic() > end:
                break  # the program has another size than it was given, or the one it had
            time.sleep(0.01)
        return now != inside[2:]


class _Activated(FixedWindow):
    """A window that can be brought forward, and nothing else."""

    def __init__(self, toplevels: Toplevels, place: WholeScreen) -> None:
        self._toplevels = toplevels
        self._place = place

    def show(self) -> None:
        self.focus(None)

    def focus(self, window: Window | None) -> None:
        toplevel = self._place.toplevel() if window is None else self._toplevels.get(window.id)
        if toplevel is None:
            raise WindowError(f"{window} has been closed")
        self._toplevels.activate(toplevel)

    def dialogs(self) -> list[Window]:
        game = self._place.toplevel().handle
        return [one.window for one in self._toplevels.all() if one.parent == game]
