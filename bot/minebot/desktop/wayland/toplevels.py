"""The windows as wlroots' compositors tell of them: names and states, and no places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from minebot.capture import State, Window
from minebot.desktop.placement import Point, WindowPlacement
from minebot.desktop.ports import WindowControl
from minebot.desktop.wayland.connection import Connection, Output, keeping
from minebot.desktop.wayland.protocols import (
    ZwlrForeignToplevelHandleV1,
    ZwlrForeignToplevelManagerV1,
)
from minebot.errors import WindowError, WindowGone, WindowHidden, WindowMoved

_PREFIX = "wayland:"
"""How the ids of windows begin."""
_TOLD = 1.0
"""Seconds within which the compositor tells on which screen a window is that was just shown.
Specified: a limit; a busy one took more than the time of a question."""


@dataclass(slots=True)
class Toplevel:
    """One window, as far as the compositor has told of it."""

    handle: Any
    id: str
    title: str = ""
    app_id: str = ""
    states: frozenset[int] = frozenset()
    output: Any = None
    """The `wl_output` that it is on."""
    parent: Any = None
    """The handle of the window that it was put in front of."""

    @property
    def window(self) -> Window:
        """As the rest of the program knows it."""
        minimised = ZwlrForeignToplevelHandleV1.state.minimized in self.states
        return Window(
            id=self.id,
            title=self.title,
            app_ids=tuple(filter(None, (self.app_id,))),
            state=State.MINIMISED if minimised else State.SHOWN,
        )

    def on_state(self, _: Any, states: Any) -> None:
        """Take an array of 32-bit numbers, which pywayland hands on as a list of bytes or so."""
        self.states = frozenset(memoryview(bytes(states)).cast("I"))


class Toplevels:
    """Listens to which windows there are."""

    def __init__(self, connection: Connection) -> None:
        """Raises CaptureError if the compositor lists no windows."""
        self._connection = connection
        self._known: dict[Any, Toplevel] = {}
        self._count = 0
        self._manager = connection.need(ZwlrForeignToplevelManagerV1, "list windows")
        self._manager.dispatcher["toplevel"] = self._on_toplevel
        connection.sync()  # the windows
        connection.sync()  # what is told of each

    def windows(self) -> Mapping[str, Toplevel]:
        """Those that are there now, by their ids."""
        self._connection.sync()
        return {one.id: one for one in self._known.values()}

    def output_of(self, toplevel: Toplevel) -> Output | None:
        """The screen that the window is on."""
        outputs = self._connection.outputs
        return next((one for one in outputs if one.proxy == toplevel.output), None)

    def _on_toplevel(self, _: Any, handle: Any) -> None:
        self._count += 1
        toplevel = self._known[handle] = Toplevel(handle, f"{_PREFIX}{self._count}")
        for field in ("title", "app_id", "parent"):
            handle.dispatcher[field] = keeping(toplevel, field)
        handle.dispatcher["state"] = toplevel.on_state
        handle.dispatcher["output_enter"] = keeping(toplevel, "output")
        handle.dispatcher["closed"] = self._on_closed

    def _on_closed(self, handle: Any) -> None:
        self._known.pop(handle, None)
        handle.destroy()


class WholeScreen(WindowControl):
    """Where nobody tells the places of windows: the whole screen that the game is on.

    The game is found in the picture of it. Whatever shows that another window came in
    between makes the pictures from before worthless. The window can only be brought forward.
    """

    def __init__(self, connection: Connection, toplevels: Toplevels, window: Window) -> None:
        self._connection = connection
        self._toplevels = toplevels
        self._window = window
        self._last: object = None
        self._turn = 0

    def toplevel(self, window: Window | None = None) -> Toplevel:
        """That window, None for the game's. Raises WindowGone."""
        window = window or self._window
        toplevel = self._toplevels.windows().get(window.id)
        if toplevel is None:
            raise WindowGone(f"{window} has been closed")
        return toplevel

    def look(self) -> tuple[Output, WindowPlacement]:
        """The screen; see `SwayLocation`."""
        toplevel = self.toplevel()
        if toplevel.window.state is not State.SHOWN:
            raise WindowHidden(f"{self._window} is {toplevel.window.state.value}")
        output = self._connection.until(lambda: self._toplevels.output_of(toplevel), _TOLD)
        if output is None:
            raise WindowError(f"{self._window} is on no screen: bring it to the front")
        return output, WindowPlacement(output.rect, self._glance())

    def guard(self, spot: WindowPlacement, point: Point) -> None:  # noqa: ARG002 - nobody knows what is there
        """Check that no window came or went; see `SwayLocation`."""
        self.toplevel()
        if self._glance() != spot.turn:
            raise WindowMoved(f"{self._window} or another one has changed since it was looked at")

    def show(self) -> None:
        """Bring the window to the front; see `WindowControl`."""
        self.focus(None)

    def focus(self, window: Window | None) -> None:
        """Bring that window to the front, None the game's, with the keyboard. Raises WindowGone."""
        handle = self.toplevel(window).handle
        with self._connection.lock:
            handle.unset_minimized()
            handle.activate(self._connection.seat)
            self._connection.sync()

    def dialogs(self) -> list[Window]:
        """What was put in front of the game's window."""
        game = self.toplevel().handle
        return [one.window for one in self._toplevels.windows().values() if one.parent == game]

    def _glance(self) -> int:
        """How often the windows have changed."""
        windows = self._toplevels.windows().values()
        now = [(one.id, one.states, one.output) for one in windows]
        if now != self._last:
            self._last = now
            self._turn += 1
        return self._turn
